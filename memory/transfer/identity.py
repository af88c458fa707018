"""Ids of records that come in: their own if it is free, else always the same other one. Pure."""

import hashlib
from uuid import UUID

_RANDOM = (1 << 74) - 1  # what a UUIDv7 holds beside its time: 12 and 62 bits
_LATER_BITS = (1 << 62) - 1


def id_here(project_id: UUID, id: UUID) -> UUID:
    """Return the id that a record takes in this project when its own is taken elsewhere.

    A UUIDv7 of the same time, so that what is ordered by id stays in order. The same file brought in again meets the
    same ids, and a record of which another project holds a copy is never told apart from one that nobody holds.
    """
    chance = int.from_bytes(hashlib.sha256(project_id.bytes + id.bytes).digest()[:10]) & _RANDOM
    time = id.int >> 80 << 80
    return UUID(int=time | 7 << 76 | chance >> 62 << 64 | 2 << 62 | chance & _LATER_BITS)
