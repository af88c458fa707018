"""Idempotency: the same key and body give the first answer again; the effect happens once."""

import hashlib
import json
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db import connection

from memory.models import Replay
from orgs.caller import Caller
from orgs.errors import Invalid, Unprocessable

KEPT = timedelta(hours=24)
LONGEST_KEY = 255

# The unique key makes parallel calls wait here for the first one's commit. A row past its day is taken over.
_CLAIM = """
INSERT INTO memory_replay (organization_id, token, fingerprint, form, answer, created_at)
VALUES (%(organization)s, %(token)s, %(fingerprint)s, '', '{}', %(now)s)
ON CONFLICT (organization_id, token) DO UPDATE
    SET fingerprint = excluded.fingerprint, form = '', answer = '{}', created_at = excluded.created_at
    WHERE memory_replay.created_at < %(oldest)s
RETURNING id
"""

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
    key was used for another call.
    """
    token = _hash(str(caller.key_id or caller.user_id), str(caller.project_id), key)
    fingerprint = _hash(verb, json.dumps(payload, sort_keys=True, ensure_ascii=False, default=str))
    claim: dict[str, Any] = {"organization": caller.organization_id, "token": token, "fingerprint": fingerprint}
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, {**claim, "now": now, "oldest": now - KEPT})
        claimed = cursor.fetchone()
    mine = Replay.objects.filter(organization_id=caller.organization_id, token=token)
    if not claimed:
        return _kept(mine.get(), fingerprint), True
    form, answer = act()
    if answer.get("ok") is False:
        mine.delete()
    else:
        mine.update(form=form, answer=answer)
    return (form, answer), False


def purge(*, now: datetime, most: int = 10_000) -> int:
    """Drop answers of any organization that are past their day, at most so many, and say how many."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT memory_purge_replays(%s, %s)", [now - KEPT, most])
        return int(cursor.fetchone()[0])


def _kept(replay: Replay, fingerprint: str) -> Told:
    if replay.fingerprint != fingerprint:
        raise Unprocessable("This Idempotency-Key was used for another call.", field="Idempotency-Key")
    return replay.form, replay.answer


def _hash(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
