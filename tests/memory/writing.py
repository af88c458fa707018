"""Ways for tests to write and read as one of the cast."""

from datetime import datetime
from typing import Any

from memory.protocol import shapes
from memory.verbs import Outcome, run
from orgs.caller import Caller


def remember(caller: Caller, content: str, *, now: datetime, **fields: Any) -> shapes.RememberedRecord:
    """Write one record as this caller."""
    answer = run("remember", caller, {"content": content, **fields}, now=now).answer
    assert isinstance(answer, shapes.RememberedRecord)
    return answer


def found(caller: Caller, query: str, *, now: datetime, **filters: Any) -> list[shapes.Record]:
    """Search as this caller."""
    answer = run("search", caller, {"query": query, **filters}, now=now).answer
    assert isinstance(answer, shapes.SearchAnswer)
    return answer.results


def checked(caller: Caller, *, now: datetime, **inputs: Any) -> shapes.ValidateAnswer:
    """Validate as this caller."""
    answer = run("validate_memory", caller, inputs, now=now).answer
    assert isinstance(answer, shapes.ValidateAnswer)
    return answer


def forget(caller: Caller, *, now: datetime, **inputs: Any) -> shapes.Answer:
    """Forget or restore as this caller."""
    answer = run("forget", caller, inputs, now=now).answer
    assert answer is not None
    return answer


def said(verb: str, caller: Caller, *, now: datetime, **inputs: Any) -> Outcome:
    """Call any verb as this caller."""
    return run(verb, caller, inputs, now=now)
