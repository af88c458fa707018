"""What a caller does not see changes nothing of what is near for them."""

from datetime import datetime
from typing import Any
from uuid import UUID

import pytest
from django.conf import settings

from memory.models import Embedding, Record
from memory.search.evidence import Meaning, Seen, Sql
from memory.search.words import question
from memory.versions import content_digest
from orgs.access import workspace_for_write
from orgs.roles import Visibility
from orgs.tenancy import acting_for
from tests.cast import Cast, Person

MOST = 4
DEEP = MOST + MOST // 2
SIZE = settings.EMBEDDINGS_DIMENSIONS


def stored(person: Person, number: int, *, near: float, visibility: Visibility, now: datetime) -> list[UUID]:
    """Store records whose vectors all have this cosine to the first axis."""
    caller = person.by_key(now=now)
    place: dict[str, Any] = {"organization_id": caller.organization_id, "project_id": caller.writes_in}
    with acting_for(caller.organization_id):
        records = [
            Record(
                **place,
                workspace=workspace_for_write(caller, "default"),
                author_id=caller.user_id,
                visibility=visibility,
                content=str(one),
                content_digest=content_digest(str(one)),
                words="",
                **dict.fromkeys(("observed_at", "created_at", "updated_at"), now),
            )
            for one in range(number)
        ]
        Record.objects.bulk_create(records)
        vector = [near, (1 - near**2) ** 0.5] + [0.0] * (SIZE - 2)
        Embedding.objects.bulk_create(
            Embedding(**place, record=one, model=settings.EMBEDDINGS_MODEL, vector=vector) for one in records
        )
    return [one.id for one in records]


def nearest(person: Person, *, now: datetime) -> set[UUID]:
    caller = person.by_key(now=now)
    meaning = Meaning([1.0] + [0.0] * (SIZE - 1), settings.EMBEDDINGS_MODEL, SIZE)
    with acting_for(caller.organization_id):
        seen = Seen.through(
            Record.objects.visible_to(caller),
            organization_id=caller.organization_id,
            projects=sorted(caller.readable_projects),
        )
        assert seen is not None
        return set(seen.by_meaning(question("?"), meaning, most=MOST).matches)


def test_hidden_records_push_nothing_aside_in_favour_of_another_project(cast: Cast, now: datetime) -> None:
    own = stored(cast.ada, MOST, near=0.8, visibility=Visibility.PROJECT, now=now)
    elsewhere = stored(cast.dot, DEEP, near=0.1, visibility=Visibility.ORGANIZATION, now=now)
    assert nearest(cast.ada, now=now) == set(own)
    stored(cast.ben, DEEP, near=0.9, visibility=Visibility.AUTHOR, now=now)
    assert nearest(cast.ada, now=now) == set(own)
    assert nearest(cast.dot, now=now) <= set(elsewhere)


def test_an_index_that_gives_up_early_lets_nothing_of_another_project_in_its_place(
    cast: Cast, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = stored(cast.ada, MOST, near=0.8, visibility=Visibility.PROJECT, now=now)
    stored(cast.dot, DEEP, near=0.1, visibility=Visibility.ORGANIZATION, now=now)
    whole = Seen._places

    def given_up(seen: Seen) -> list[Sql]:
        (condition, values), *elsewhere = whole(seen)
        return [(f"{condition} AND record_id = %s", [*values, own[0]]), *elsewhere]

    monkeypatch.setattr(Seen, "_places", given_up)
    assert nearest(cast.ada, now=now) == set(own)
