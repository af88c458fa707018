"""Idempotency: the same key and body give the first answer again; the effect happens once.

An answer is said again only to who may still see every record that it was told of; and an answer that names what is
forgotten is dropped, found by the ids that it holds.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import connection

from memory.models import KeptName, Record, Replay
from orgs.caller import Caller
from orgs.errors import Invalid, Unprocessable

KEPT = timedelta(hours=24)
LONGEST_KEY = 255

# The unique key makes parallel calls wait here for the first one's commit. A row past its day is taken over.
_CLAIM = """
WITH claimed AS (
    INSERT INTO memory_replay (organization_id, token, fingerprint, form, answer, created_at)
    VALUES (%(organization)s, %(token)s, %(fingerprint)s, '', '{}', %(now)s)
    ON CONFLICT (organization_id, token) DO UPDATE
        SET fingerprint = excluded.fingerprint, form = '', answer = '{}', created_at = excluded.created_at
        WHERE memory_replay.created_at < %(oldest)s
    RETURNING id
), names_of_old AS (
    DELETE FROM memory_keptname n USING claimed
    WHERE n.organization_id = %(organization)s AND n.replay_id = claimed.id
)
SELECT id FROM claimed
"""
# In the order of their ids, as everybody does who withdraws: else two wait for each other.
_WITHDRAW = """
UPDATE memory_replay SET form = '', answer = '{}' WHERE organization_id = %(organization)s AND id IN (
    SELECT r.id FROM memory_replay r WHERE r.organization_id = %(organization)s AND r.form <> '' AND r.id IN (
        SELECT n.replay_id FROM memory_keptname n
        WHERE n.organization_id = %(organization)s AND n.named = ANY(%(ids)s)
    ) ORDER BY r.id FOR UPDATE
)
"""
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b")

Told = tuple[str, dict[str, Any]]  # the form of an answer, and the answer as JSON


def checked_key(key: str) -> str:
    """Return an idempotency key that can be used, or raise Invalid."""
    if not key.strip() or len(key) > LONGEST_KEY or not key.isprintable():
        raise Invalid(f"Idempotency-Key must be 1 to {LONGEST_KEY} printable characters.", field="Idempotency-Key")
    return key


def once(
    caller: Caller,
    key: str,
    *,
    verb: str,
    payload: object,
    now: datetime,
    act: Callable[[], Told],
) -> tuple[Told, bool]:
    """Do the act and keep its answer, or return the kept one; the flag says whether it was kept before.

    Runs inside the tenant's transaction, so that a refused attempt leaves no trace; nor does one that is answered
    with `ok: false`, so that it can be mended and sent again. `payload` is redacted. Raises Unprocessable when the
    key was used for another call, or when its answer holds what is forgotten, or not the caller's to see, since.
    """
    token = _hash(str(caller.key_id or caller.user_id), str(caller.project_id), key)
    fingerprint = _hash(verb, json.dumps(payload, sort_keys=True, ensure_ascii=False, default=str))
    claim: dict[str, Any] = {"organization": caller.organization_id, "token": token, "fingerprint": fingerprint}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, {**claim, "now": now, "oldest": now - KEPT})
        claimed = cursor.fetchone()
    mine = Replay.objects.filter(organization_id=caller.organization_id, token=token)
    if not claimed:
        return _kept(caller, mine.get(), fingerprint), True
    form, answer = act()
    if answer.get("ok") is False:
        mine.delete()
    else:
        mine.update(form=form, answer=answer)
        _keep_names(caller, claimed[0], answer)
    return (form, answer), False


def withdraw(organization_id: UUID, ids: Iterable[UUID]) -> None:
    """Drop every kept answer that holds one of these ids. That there was an effect stays known."""
    with connection.cursor() as cursor:
        cursor.execute(_WITHDRAW, {"organization": organization_id, "ids": list(ids)})


def purge(*, now: datetime, most: int = 10_000) -> int:
    """Drop answers of any organization that are past their day, at most so many, and say how many."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_purge_replays(%s, %s)", [now - KEPT, most])
        return int(cursor.fetchone()[0])


def _keep_names(caller: Caller, replay_id: int, answer: dict[str, Any]) -> None:
    ids = {UUID(id) for id in _ID.findall(json.dumps(answer))}
    seen = set(Record.objects.visible_to(caller).with_ids(ids).values_list("id", flat=True))
    KeptName.objects.bulk_create(
        KeptName(organization_id=caller.organization_id, replay_id=replay_id, named=id, seen=id in seen)
        for id in sorted(ids)
    )


def _kept(caller: Caller, replay: Replay, fingerprint: str) -> Told:
    if replay.fingerprint != fingerprint:
        raise Unprocessable("This Idempotency-Key was used for another call.", field="Idempotency-Key")
    names = KeptName.objects.filter(organization_id=caller.organization_id, replay=replay, seen=True)
    ids = list(names.values_list("named", flat=True))
    if not replay.form or Record.objects.visible_to(caller).with_ids(ids).count() < len(ids):
        raise Unprocessable(
            "It was done; its answer names what is not here any more.", field="Idempotency-Key", data={"done": True}
        )
    return replay.form, replay.answer


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
