"""The second wall: what the database gives away when the code forgets to ask for one organization.

Generated from the registry of models, so that a new table is covered the day it appears.
"""

import re
from contextlib import suppress
from uuid import uuid4

import psycopg
import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import IntegrityError, connection, models

from orgs.checks import refuse_unsafe_role
from orgs.models import ApiKey, MemberGrant, Membership, Organization, Project, User, Workspace
from orgs.tenancy import SETTING, SameOrganization, TenantPolicy, acting_for, organization_set, tenant_models
from tests.factories import make_department, make_organization

OURS = [model for model in apps.get_models() if model._meta.app_label in ("orgs", "memory", "archivist")]
TENANT = tenant_models()
GLOBAL = {User}
"""Tables that belong to no organization, each for a reason: a person may be a member of several."""

named = pytest.mark.parametrize("model", TENANT, ids=lambda model: model._meta.label)


def test_every_table_of_ours_is_behind_the_wall():
    assert set(OURS) - set(TENANT) == GLOBAL


def test_every_table_that_names_an_organization_is_behind_the_wall():
    names_one = {
        model
        for model in apps.get_models()
        for field in model._meta.local_fields
        if field.column == "organization_id" or field.related_model is Organization
    }
    assert names_one <= set(TENANT)


@named
def test_foreign_keys_stay_inside_the_organization(model):
    inside = {
        field.name
        for field in model._meta.local_fields
        if field.related_model in TENANT and field.related_model is not Organization
    }
    guarded = {rule.field for rule in model._meta.constraints if isinstance(rule, SameOrganization)}
    assert inside <= guarded


@named
def test_unique_promises_are_led_by_the_organization(model):
    if model is Organization:
        return
    unique = [rule.fields for rule in model._meta.constraints if isinstance(rule, models.UniqueConstraint)]
    assert [fields for fields in unique if fields and fields[0] != "organization"] == []
    assert [field.name for field in model._meta.local_fields if field.unique and not field.primary_key] == []


# --- rows of two organizations in every table, whatever its columns are --------------------------

DUMMIES = {
    "uuid": "gen_random_uuid()",
    "boolean": "false",
    "timestamp with time zone": "now()",
    "jsonb": "'{}'",
    "tsvector": "''",
    "bytea": "''",
}


def dummy(kind: str) -> str:
    """Write some value of a column's type, in SQL."""
    if kind.endswith("[]"):
        return "'{}'"
    if vector := re.fullmatch(r"(?:halfvec|vector)(?:\((\d+)\))?", kind):
        return f"'[{','.join('1' * int(vector[1] or 1))}]'"
    if text := re.fullmatch(r"text|character varying\((\d+)\)", kind):
        return f"left(md5(random()::text), {text[1] or 32})"
    return DUMMIES.get(kind, "0")


def put_row(superuser: psycopg.Connection, model: type[models.Model], organization_id: object) -> None:
    """Put one row of an organization into a table, past foreign keys, checks and triggers."""
    table, own = model._meta.db_table, "id" if model is Organization else "organization_id"
    superuser.execute(f'ALTER TABLE "{table}" DISABLE TRIGGER ALL')
    checks = superuser.execute(
        "SELECT conname FROM pg_constraint WHERE conrelid = %s::regclass AND contype = 'c'", [table]
    )
    for (name,) in checks.fetchall():
        superuser.execute(f'ALTER TABLE "{table}" DROP CONSTRAINT "{name}"')
    columns = superuser.execute(
        "SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute WHERE attrelid = %s::regclass"
        " AND attnum > 0 AND NOT attisdropped AND attidentity = '' AND attgenerated = ''"
        " AND (attnotnull OR attname = %s) AND attname <> %s",
        [table, own, own],
    ).fetchall()
    names = ", ".join(f'"{name}"' for name, _ in columns)
    values = ", ".join(dummy(kind) for _, kind in columns)
    superuser.execute(f'INSERT INTO "{table}" ("{own}", {names}) VALUES (%s, {values})', [organization_id])


def acting_as_app(superuser: psycopg.Connection, organization_id: object) -> None:
    superuser.execute("SET LOCAL ROLE palimpsest_app")
    superuser.execute(f"SET LOCAL {SETTING} = '{organization_id}'")


@named
def test_without_the_codes_filter_the_database_alone_gives_nothing_away(superuser, model):
    mine, theirs, table = uuid4(), uuid4(), model._meta.db_table
    own = "id" if model is Organization else "organization_id"
    for organization_id in (mine, theirs):
        put_row(superuser, model, organization_id)

    def seen() -> list[object]:
        return [row[0] for row in superuser.execute(f'SELECT "{own}" FROM "{table}"').fetchall()]

    assert {mine, theirs} <= set(seen())
    acting_as_app(superuser, mine)
    assert seen() == [mine]
    assert superuser.execute(f'UPDATE "{table}" SET "{own}" = "{own}"').rowcount in (0, 1)
    for nothing in ("", uuid4()):
        superuser.execute(f"SET LOCAL {SETTING} = '{nothing}'")
        assert seen() == []
        assert superuser.execute(f'UPDATE "{table}" SET "{own}" = "{own}"').rowcount == 0
        assert superuser.execute(f'DELETE FROM "{table}"').rowcount == 0


@named
def test_no_row_is_put_or_moved_into_another_organization(superuser, model):
    mine, theirs, table = uuid4(), uuid4(), model._meta.db_table
    own = "id" if model is Organization else "organization_id"
    put_row(superuser, model, mine)
    acting_as_app(superuser, mine)
    with pytest.raises(psycopg.errors.InsufficientPrivilege), superuser.transaction():
        superuser.execute(f'UPDATE "{table}" SET "{own}" = %s', [theirs])
    superuser.execute("RESET ROLE")
    superuser.execute(f'CREATE TEMPORARY TABLE copy AS SELECT * FROM "{table}" WHERE "{own}" = \'{mine}\'')
    superuser.execute(f'UPDATE copy SET "{own}" = %s', [theirs])
    superuser.execute("GRANT SELECT ON copy TO palimpsest_app")
    acting_as_app(superuser, mine)
    generated = superuser.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = '' AND attidentity <> 'a'",
        [table],
    ).fetchall()
    names = ", ".join(f'"{name}"' for (name,) in generated)
    with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"), superuser.transaction():
        superuser.execute(f'INSERT INTO "{table}" ({names}) SELECT {names} FROM copy')


# --- what the runtime role cannot do -------------------------------------------------------------

FORBIDDEN = [
    "ALTER TABLE orgs_apikey DISABLE ROW LEVEL SECURITY",
    "DROP POLICY orgs_apikey_of_organization ON orgs_apikey",
    "CREATE POLICY everything ON orgs_apikey USING (true)",
    "ALTER TABLE orgs_auditevent DISABLE TRIGGER ALL",
    "DROP TRIGGER orgs_audit_stands ON orgs_auditevent",
    "TRUNCATE orgs_auditevent",
    "DROP FUNCTION orgs_key_named(text)",
    "ALTER FUNCTION orgs_key_named(text) RESET search_path",
    "CREATE TABLE mine (id int)",
    "SET ROLE palimpsest_owner",
    "SET SESSION AUTHORIZATION postgres",
    "ALTER ROLE palimpsest_app BYPASSRLS",
    "SET LOCAL session_replication_role = replica",
]


@pytest.mark.parametrize("statement", FORBIDDEN)
def test_the_runtime_role_cannot_take_the_wall_down(runtime, statement):
    with runtime() as opened, pytest.raises(psycopg.errors.InsufficientPrivilege):
        opened.execute(statement)


def test_the_runtime_role_is_found_safe(db):
    refuse_unsafe_role()


@pytest.mark.parametrize(("role", "why"), [("palimpsest_owner", "owns .*orgs_apikey"), ("postgres", "sees past")])
def test_a_process_with_too_strong_a_role_refuses_to_start(db, monkeypatch, superuser, role, why):
    class Cursor:
        def __init__(self):
            superuser.execute(f"SET LOCAL ROLE {role}")

        def __enter__(self):
            return superuser.cursor()

        def __exit__(self, *_):
            pass

    monkeypatch.setattr("orgs.checks.connection", type("Connection", (), {"cursor": staticmethod(Cursor)}))
    with pytest.raises(ImproperlyConfigured, match=f"'{role}' {why}"):
        refuse_unsafe_role()


def test_the_look_ups_before_a_tenant_is_known_answer_with_ids_alone(cast):
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM orgs_key_named(%s)", [cast.ada.key.public_id])
        assert cursor.fetchall() == [(cast.organization.id, cast.ada.key.id)]
        cursor.execute("SELECT * FROM orgs_organizations_of(%s)", [cast.ada.user.id])
        assert cursor.fetchall() == [(cast.organization.id,)]
        cursor.execute(
            "SELECT p.proname, pg_get_function_result(p.oid), p.proconfig FROM pg_proc p"
            " JOIN pg_namespace n ON n.oid = p.pronamespace"
            " WHERE p.prosecdef AND n.nspname = 'public' AND p.proname LIKE 'orgs%%'"
        )
        for _, answer, settings in cursor.fetchall():
            assert set(re.findall(r"\w+", answer.removeprefix("TABLE"))) <= {"organization_id", "id", "uuid"}
            assert settings == ["search_path=pg_catalog, public"]


# --- the setting ---------------------------------------------------------------------------------


def test_the_setting_does_not_outlive_its_transaction(committed):
    organization = make_organization()
    with acting_for(organization.id):
        assert organization_set() == str(organization.id)
        assert Organization.objects.count() == 1
    assert (organization_set(), Organization.objects.count()) == ("", 0)
    with suppress(ZeroDivisionError), acting_for(organization.id):
        raise ZeroDivisionError
    assert (organization_set(), Organization.objects.count()) == ("", 0)


def test_an_inner_block_gives_the_outer_organization_back(db):
    mine, theirs = make_organization(), make_organization()
    with acting_for(mine.id):
        with acting_for(theirs.id):
            assert organization_set() == str(theirs.id)
        assert organization_set() == str(mine.id)
        with suppress(ZeroDivisionError), acting_for(theirs.id):
            raise ZeroDivisionError
        assert organization_set() == str(mine.id)
        with suppress(IntegrityError), acting_for(theirs.id):
            Organization.objects.update(name=None)
        assert list(Organization.objects.all()) == [mine]
    assert organization_set() == ""


@pytest.mark.parametrize("nonsense", ["", "x'; DROP TABLE orgs_apikey; --", "*", None])
def test_only_an_id_can_be_acted_for(db, nonsense):
    with pytest.raises((ValueError, AttributeError)), acting_for(nonsense):
        pass


# --- rows that point across ----------------------------------------------------------------------


def points_across(cast):
    mine, theirs = cast.organization, cast.elsewhere
    foreign_member = cast.eve.member
    with acting_for(theirs.id):
        foreign_team = make_department(theirs, "Team")
    yield "key → project", lambda: ApiKey.objects.filter(id=cast.ada.key.id).update(project=cast.foreign_project)
    yield "key → owner", lambda: ApiKey.objects.filter(id=cast.ada.key.id).update(owner=foreign_member)
    yield "key → parent", lambda: ApiKey.objects.filter(id=cast.ada.key.id).update(parent=cast.eve.key)
    yield (
        "workspace → project",
        lambda: Workspace.objects.create(organization=mine, project=cast.foreign_project, name="x"),
    )
    yield (
        "membership → department",
        lambda: Membership.objects.filter(id=cast.ada.member.id).update(department=foreign_team),
    )
    yield "department → parent", lambda: make_department(mine, "x", foreign_team)
    yield "grant → stranger", lambda: MemberGrant.objects.filter(user=cast.ada.user).update(user=cast.eve.user)
    yield (
        "grant → project",
        lambda: MemberGrant.objects.filter(user=cast.ada.user).update(content_object=cast.foreign_project),
    )


def point_at_once(point):
    point()
    connection.check_constraints()


def test_fc26_no_row_points_at_another_organizations(cast):
    refused = []
    for name, point in points_across(cast):
        with pytest.raises(IntegrityError), acting_for(cast.organization.id):
            point_at_once(point)
        refused.append(name)
    assert len(refused) == 8


# --- the constraint class ------------------------------------------------------------------------


def test_no_migration_is_missing(db):
    call_command("makemigrations", "orgs", check=True, dry_run=True, verbosity=0)


def test_a_policy_is_made_again_from_its_parts():
    for rule in (TenantPolicy(name="a", field="id"), SameOrganization(name="b", field="user", model="o.M", to="user")):
        path, arguments, parts = rule.deconstruct()
        assert path == f"orgs.tenancy.{type(rule).__name__}"
        assert type(rule)(*arguments, **parts) == rule
        assert rule.clone() == rule
    assert TenantPolicy(name="a") != TenantPolicy(name="a", field="id")


def test_a_policy_goes_and_comes_with_its_migration(superuser):
    """Drop and make one as a migration would, on the real table, and roll back."""

    class Editor:
        def __init__(self):
            self.deferred_sql = []

    editor, rule = Editor(), next(c for c in Project._meta.constraints if isinstance(c, TenantPolicy))
    policies = "SELECT count(*) FROM pg_policies WHERE tablename = 'orgs_project'"
    superuser.execute(rule.remove_sql(Project, editor))
    assert superuser.execute(policies).fetchone() == (0,)
    assert rule.create_sql(Project, editor) == ""
    for statement in editor.deferred_sql:
        superuser.execute(statement)
    assert superuser.execute(policies).fetchone() == (1,)
