"""Refusals of what is no tool: an error of the protocol that carries REST's problem."""

from collections.abc import Callable
from typing import TypeVar

from mcp import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS

from memory.api.problems import told_of
from memory.mcp.asked import Asked

Done = TypeVar("Done")


def guarded(asked: Asked, called: str, act: Callable[[], Done]) -> Done:
    """Do what is asked, or raise an MCPError that says why not; the log line tells what was called."""
    asked.told["verb"] = called
    try:
        return act()
    except MCPError:
        raise
    except Exception as raised:  # noqa: BLE001 — told as REST's handler of exceptions tells it, and logged there
        status, problem = told_of(raised, request_id=asked.request_id)
        asked.told["outcome"] = str(problem["code"])
        code = INTERNAL_ERROR if status >= 500 else INVALID_PARAMS
        raise MCPError(code=code, message=problem.get("detail") or problem["title"], data=problem) from None
