"""Ids for records whose own is taken."""

from uuid import uuid4

from uuid_utils.compat import uuid7

from memory.transfer.identity import id_here


def test_the_id_is_always_the_same_and_keeps_its_time() -> None:
    project, other = uuid7(), uuid7()
    ids = sorted(uuid7() for _ in range(50))
    here = [id_here(project, id) for id in ids]
    assert here == [id_here(project, id) for id in ids]
    assert {(id.version, id.variant) for id in here} == {(7, "specified in RFC 4122")}
    assert [id.int >> 80 for id in here] == [id.int >> 80 for id in ids]
    assert len({*here, *ids, *(id_here(other, id) for id in ids)}) == 150


def test_any_id_has_one() -> None:
    assert id_here(uuid7(), uuid4()).version == 7
