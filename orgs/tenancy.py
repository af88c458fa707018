"""One organization per transaction, kept apart by the database itself.

Row-level security is the second wall: the code filters on the organization, and if it ever forgets, the
policy made here still gives nothing away. With no organization set, a query sees no rows.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar
from uuid import UUID

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, OperationalError, connection, models, transaction

Done = TypeVar("Done")

SETTING = "app.organization_id"
DEADLOCK = "40P01"
DEADLOCKS_BORNE = 3

_left: ContextVar[list[Callable[[], object]] | None] = ContextVar("orgs_tenancy_left", default=None)


@contextmanager
def acting_for(organization_id: UUID) -> Iterator[None]:
    """Open a transaction that sees one organization, and give the former one back when it ends.

    `SET LOCAL` and no session setting: behind a pooler a session's would reach the next client. Blocks nest;
    the setting of an inner block never outlives it, ending well (restored here) or not (rolled back).
    """
    nested, mine = connection.in_atomic_block, str(UUID(str(organization_id)))
    with transaction.atomic():
        former = organization_set() if nested else ""
        _set(mine)
        with _leaving_last(inner=former == mine):
            yield
        if nested:
            _set(former)


def together(organization_id: UUID, act: Callable[[], Done]) -> Done:
    """Do the act in the organization's transaction; anew, if the database gave it up so that another could go on."""
    nested, borne = connection.in_atomic_block, 0
    while True:
        try:
            with acting_for(organization_id):
                return act()
        except OperationalError as given_up:
            borne += 1
            if nested or borne > DEADLOCKS_BORNE or getattr(given_up.__cause__, "sqlstate", "") != DEADLOCK:
                raise


def leave(act: Callable[[], object]) -> None:
    """Put an act off to the end of the organization's transaction; one that is rolled back never does it.

    For what makes others wait until the commit: so nobody waits longer than for the act itself, nor for a lock that
    is asked for after it.
    """
    acts = _left.get()
    if acts is None:
        raise LookupError("An organization's transaction is needed: acting_for")
    acts.append(act)


@contextmanager
def _leaving_last(*, inner: bool) -> Iterator[None]:
    outer = _left.get() if inner else None
    acts: list[Callable[[], object]] = []
    token = _left.set(acts)
    try:
        yield
        if outer is None:
            for act in acts:
                act()
        else:
            outer.extend(acts)
    finally:
        _left.reset(token)


def organization_set() -> str:
    """Read which organization the database shows at present; empty for none."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT coalesce(current_setting('{SETTING}', true), '')")
        return str(cursor.fetchone()[0])


def _set(organization_id: str) -> None:
    # A plain literal of what is surely a UUID or empty: SET takes no parameters from a server-side cursor.
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL {SETTING} = '{organization_id}'")


class _TableRule(models.BaseConstraint):
    """A promise about a whole table, written in SQL and kept by migrations like any other constraint."""

    def constraint_sql(self, model: Any, schema_editor: Any) -> str:
        """Add nothing to CREATE TABLE: the rule comes after it."""
        return self.create_sql(model, schema_editor)

    def create_sql(self, model: Any, schema_editor: Any) -> str:
        """Put off the statement to the migration's end, when every table and key that it names exists."""
        schema_editor.deferred_sql.append(self.statement(model))
        return ""

    def statement(self, model: Any) -> str:
        """Write the SQL that makes the rule."""
        raise NotImplementedError

    def validate(
        self,
        model: Any,
        instance: Any,
        exclude: Any = None,
        using: str = DEFAULT_DB_ALIAS,
    ) -> None:
        """Leave the judgement to the database: only there is it safe."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _TableRule):
            return NotImplemented
        return self.deconstruct() == other.deconstruct()

    def __hash__(self) -> int:
        return hash(self.name)


class TenantPolicy(_TableRule):
    """Show and take only rows of the organization that the transaction acts for.

    Not FORCEd: the owner, who runs migrations and nothing else, must not change zero rows in silence.
    """

    def __init__(self, *, name: str, field: str = "organization") -> None:
        super().__init__(name=name)
        self.field = field

    def statement(self, model: Any) -> str:
        """Write the statements that enable the policy."""
        table, name, column = _quoted(model._meta.db_table, self.name, model._meta.get_field(self.field).column)
        # The sub-select makes the planner read the setting once and not once a row.
        mine = f"{column} = (SELECT nullif(current_setting('{SETTING}', true), '')::uuid)"
        return (
            f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY; "
            f"CREATE POLICY {name} ON {table} USING ({mine}) WITH CHECK ({mine})"
        )

    def remove_sql(self, model: Any, _schema_editor: Any) -> str:
        """Write the statements that take the policy away again."""
        table, name = _quoted(model._meta.db_table, self.name)
        return f"DROP POLICY {name} ON {table}; ALTER TABLE {table} DISABLE ROW LEVEL SECURITY"

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, Any]]:
        """Say how to make this again, for migrations."""
        _, _, kwargs = super().deconstruct()
        if self.field != "organization":
            kwargs["field"] = self.field
        return "orgs.tenancy.TenantPolicy", (), kwargs


class SameOrganization(_TableRule):
    """Let a foreign key point only at a row of the same organization.

    A plain foreign key ignores row-level security: a row of one organization could point at another's.
    `field` is the foreign key here; `to` the field there that is unique together with the organization, of
    `model` ("app.Model") or else of the model that the field points at. `cascades`: the row goes with that one,
    whoever deletes it.
    """

    def __init__(
        self, *, name: str, field: str, model: str | None = None, to: str = "id", cascades: bool = False
    ) -> None:
        super().__init__(name=name)
        self.field, self.model, self.to, self.cascades = field, model, to, cascades

    def statement(self, model: Any) -> str:
        """Write the statement that adds the two-column foreign key, checked at commit as Django's are."""
        own = model._meta.get_field(self.field)
        registry = model._meta.apps  # the migration's own state, not today's models
        target = registry.get_model(self.model) if self.model else own.remote_field.model
        column = target._meta.get_field(self.to).column
        table, name, mine, there, theirs = _quoted(
            model._meta.db_table, self.name, own.column, target._meta.db_table, column
        )
        return (
            f'ALTER TABLE {table} ADD CONSTRAINT {name} FOREIGN KEY ("organization_id", {mine}) '
            f'REFERENCES {there} ("organization_id", {theirs}) '
            f"{'ON DELETE CASCADE ' if self.cascades else ''}DEFERRABLE INITIALLY DEFERRED"
        )

    def remove_sql(self, model: Any, _schema_editor: Any) -> str:
        """Write the statement that takes the foreign key away again."""
        table, name = _quoted(model._meta.db_table, self.name)
        return f"ALTER TABLE {table} DROP CONSTRAINT {name}"

    def deconstruct(self) -> tuple[str, tuple[()], dict[str, Any]]:
        """Say how to make this again, for migrations."""
        _, _, kwargs = super().deconstruct()
        kwargs["field"] = self.field
        if self.model:
            kwargs["model"] = self.model
        if self.to != "id":
            kwargs["to"] = self.to
        if self.cascades:
            kwargs["cascades"] = True
        return "orgs.tenancy.SameOrganization", (), kwargs


def tenant_models() -> Sequence[type[models.Model]]:
    """List every model whose rows belong to one organization, found by the policy they carry."""
    return [
        model
        for model in apps.get_models()
        if any(isinstance(constraint, TenantPolicy) for constraint in model._meta.constraints)
    ]


def _quoted(*names: str) -> list[str]:
    return [connection.ops.quote_name(name) for name in names]
