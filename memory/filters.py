"""From the protocol's filters to conditions on the caller's records. They only ever narrow."""

from collections.abc import Callable, Mapping
from typing import Any

from django.db.models import Q

from memory.models.record import RecordQuerySet
from memory.protocol.shapes import Filters
from memory.standing import with_confidence
from orgs.caller import Caller
from orgs.names import canonical

_CONDITIONS: Mapping[str, Callable[[Any], Q]] = {
    "workspace": lambda name: Q(workspace__name=canonical(name)),
    "scope": lambda label: Q(scope=label),
    "tags": lambda labels: Q(tags__contains=labels) if labels else Q(),
    "source": lambda label: Q(source=label),
    "source_id": lambda line: Q(source_id=line),
    "author": lambda id: Q(author_id=id),
    "fact_key": lambda key: _fact_key(canonical(key)),
    "layer": lambda label: Q(layer=label),
    "session": lambda name: Q(session=name),
    "visibility": lambda word: Q(visibility=word),
    "created_from": lambda at: Q(created_at__gte=at),
    "created_until": lambda at: Q(created_at__lt=at),
    "updated_from": lambda at: Q(updated_at__gte=at),
    "updated_until": lambda at: Q(updated_at__lt=at),
    "valid_at": lambda at: (Q(valid_from=None) | Q(valid_from__lte=at)) & (Q(valid_until=None) | Q(valid_until__gt=at)),
}


def narrowed(records: RecordQuerySet, caller: Caller, filters: Filters) -> RecordQuerySet:
    """Return the records that pass every filter which the database can judge; status is judged by the reader."""
    for name, condition in _CONDITIONS.items():
        value = getattr(filters, name)
        if value is not None:
            records = records.filter(condition(value))
    if filters.min_confidence is not None:
        records = records.alias(shown_confidence=with_confidence(caller)).filter(
            shown_confidence__gte=filters.min_confidence
        )
    if filters.known_at is not None:
        return records.filter(created_at__lte=filters.known_at).current_for(caller, at=filters.known_at)
    return records if filters.include_superseded else records.current_for(caller)


def narrows(filters: Filters) -> bool:
    """Say whether any filter is set that keeps records out."""
    return any(getattr(filters, name) for name in (*_CONDITIONS, "min_confidence", "known_at"))


def named(records: RecordQuerySet, *, workspace: str | None, fact_key: str | None = None) -> RecordQuerySet:
    """Return the records of this workspace and this fact key, as far as they are given."""
    given = {"workspace": workspace, "fact_key": fact_key}
    for name, value in given.items():
        records = records if value is None else records.filter(_CONDITIONS[name](value))
    return records


def _fact_key(key: str) -> Q:
    if key.endswith(".*"):
        return Q(fact_key__startswith=key.removesuffix("*"))
    return Q(fact_key=key)
