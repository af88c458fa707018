"""A pack fetches no more than fits into it, and tells as exactly what did not."""

import tracemalloc
from datetime import datetime
from typing import Any

from memory.models import Record
from memory.protocol import shapes
from memory.search import tokens
from orgs.caller import Caller
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.writing import remember, said

LONG = 400_000  # characters


def packed(caller: Caller, *, now: datetime, **inputs: Any) -> shapes.Pack:
    answer = said("read", caller, now=now, **inputs).answer
    assert isinstance(answer, shapes.Pack)
    return answer


def size_of(content: str, path: str) -> int:
    return tokens.count(f"{path}\n{content}\n")


def test_a_small_pack_of_long_records_takes_little_memory(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    for number in range(20):
        remember(ada, f"{number}\n" + "long word " * (LONG // 10), now=now)
    short = remember(ada, "short", now=now)
    packed(ada, now=now, budget_tokens=60)  # what is made once is made
    tracemalloc.start()
    pack = packed(ada, now=now, budget_tokens=60, include_recent=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert [one.id for one in pack.pack] == [short.id]
    assert (len(pack.skipped), len(pack.recent), pack.recent[1].preview[:12]) == (20, 10, "19\nlong word")
    assert peak < 5 * LONG


def test_sizes_are_those_of_the_whole_text_as_it_is_packed(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    contents = ["by systemd.", "\n\n  indented", "部署到预发布环境", "конец\r\n\r\n", "long word " * 3000, "()\n/*"]
    said_now = [remember(ada, content, now=now, fact_key=f"key.{i}") for i, content in enumerate(contents)]
    pack = packed(ada, now=now, budget_tokens=100)
    sizes = {one.id: one.tokens for one in [*pack.pack, *pack.skipped]}
    assert sizes == {one.id: size_of(one.content, f"apollo/default/{one.fact_key}.md") for one in said_now}
    assert {one.id: one.content for one in pack.pack}.items() <= {one.id: one.content for one in said_now}.items()


def test_a_record_from_before_sizes_were_stored_is_counted_when_it_is_met(cast: Cast, now: datetime) -> None:
    ada = cast.ada.by_key(now=now)
    id = remember(ada, "by systemd", now=now).id
    before = packed(ada, now=now, budget_tokens=100)
    with acting_for(ada.organization_id):
        Record.objects.filter(organization_id=ada.organization_id, id=id).update(tokens=None)
    assert packed(ada, now=now, budget_tokens=100) == before
