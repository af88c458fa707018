"""What a process that serves must be unable to do, asked of the database at its start."""

from django.core.exceptions import ImproperlyConfigured
from django.db import connection

from orgs.tenancy import tenant_models

_ROLE = "SELECT current_user, rolsuper, rolbypassrls FROM pg_roles WHERE rolname = current_user"
_TABLES = """
    SELECT relname, pg_has_role(current_user, relowner, 'MEMBER'), relrowsecurity
      FROM pg_class WHERE oid = ANY(%s::regclass[]) ORDER BY relname
"""


def refuse_unsafe_role() -> None:
    """Stop a web or worker process whose database role could see past row-level security or alter it.

    Raises ImproperlyConfigured, saying what to set. Migrations run as the owner and do not call this.
    """
    with connection.cursor() as cursor:
        cursor.execute(_ROLE)
        role, is_superuser, bypasses = cursor.fetchone()
        cursor.execute(_TABLES, [[model._meta.db_table for model in tenant_models()]])
        tables = cursor.fetchall()
    if is_superuser or bypasses:
        _refuse(role, "sees past row-level security")
    owned = [table for table, is_owned, _ in tables if is_owned]
    if owned:
        _refuse(role, f"owns {', '.join(owned)}")
    open_tables = [table for table, _, is_guarded in tables if not is_guarded]
    if open_tables:
        raise ImproperlyConfigured(f"No row-level security on: {', '.join(open_tables)}. Run the migrations.")


def _refuse(role: str, why: str) -> None:
    raise ImproperlyConfigured(
        f"The database role {role!r} {why}. Let DATABASE_URL name the runtime role (palimpsest_app), which "
        "owns nothing, and DATABASE_OWNER_URL the one that runs migrations."
    )
