"""The tools: each is a verb of the protocol, and `memory` is any of them."""

import json
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

from django.utils import timezone
from mcp import MCPError
from mcp_types import INVALID_PARAMS, CallToolResult, TextContent, Tool, ToolAnnotations

from memory.api.memory import meant, with_guess
from memory.api.problems import told_of
from memory.api.verbs import problem_of
from memory.mcp.asked import Asked, Surface
from memory.mcp.schemas import NOTHING, Schema, input_schema, output_schema
from memory.mcp.unquoting import unquoted
from memory.mcp.wording import TITLES, WHEN
from memory.protocol.verbs import LIVE, Verb
from memory.verbs import Outcome, run
from orgs.roles import Permission

ANY = "memory"


def tool_of(verb: Verb) -> Tool:
    """Make the tool of a live verb from its declaration."""
    assert verb.inputs is not None
    needs = " or ".join(" and ".join(group) for group in verb.needs)
    answers = [shape.answer for shape in verb.shapes.values() if shape.http_status < 400]
    return Tool(
        name=verb.name,
        title=TITLES[verb.name],
        description=" ".join([verb.summary, WHEN[verb.name], *([f"Needs {needs}."] if len(verb.needs) > 1 else [])]),
        input_schema=input_schema(verb.inputs),
        output_schema=output_schema(answers),
        annotations=_annotated(
            TITLES[verb.name],
            read_only=not verb.mutates,
            destructive=verb.permission is Permission.FORGET,
            idempotent=not verb.mutates or verb.permission is Permission.FORGET,
        ),
    )


def tool_of_any(tools: Iterable[Tool]) -> Tool:
    """Make the tool that takes any verb's parameters, and the verb."""
    every: Schema = {"op": {"type": "string", "enum": list(LIVE), "description": "The verb; guessed if omitted."}}
    for tool in tools:
        for name, schema in tool.input_schema["properties"].items():
            every.setdefault(name, {key: value for key, value in schema.items() if key != "default"})
    return Tool(
        name=ANY,
        title=TITLES[ANY],
        description=f"{WHEN[ANY]} " + " ".join(f"{name}: {verb.summary}" for name, verb in LIVE.items()),
        input_schema={"type": "object", "properties": every, "additionalProperties": False},
        output_schema={"type": "object", "properties": {}},
        annotations=_annotated(TITLES[ANY], read_only=False, destructive=True, idempotent=False),
    )


def _annotated(title: str, *, read_only: bool, destructive: bool, idempotent: bool) -> ToolAnnotations:
    return ToolAnnotations(
        title=title,
        read_only_hint=read_only,
        destructive_hint=destructive,
        idempotent_hint=idempotent,
        open_world_hint=False,
    )


_VERBS = {name: tool_of(verb) for name, verb in LIVE.items()}
TOOLS: Mapping[str, Tool] = MappingProxyType(_VERBS | {ANY: tool_of_any(_VERBS.values())})
LISTED: Mapping[Surface, tuple[str, ...]] = MappingProxyType(
    {
        Surface.CORE: ("search", "remember", "read", "forget", "validate_memory"),
        Surface.FULL: tuple(TOOLS),
        Surface.ONE: (ANY,),
    }
)


def listed(surface: Surface) -> list[Tool]:
    """Return the tools of a surface, always in the same order."""
    return [TOOLS[name] for name in LISTED[surface]]


def call(asked: Asked, name: str, arguments: Mapping[str, Any]) -> CallToolResult:
    """Do what a tool says for whoever asks. Every expected "no" is a tool error, which the agent can read."""
    if name not in TOOLS:
        raise MCPError(code=INVALID_PARAMS, message=f"Unknown tool. There are: {', '.join(TOOLS)}.")
    asked.told["verb"] = name
    try:
        return _answered(asked, name, arguments)
    except Exception as raised:  # noqa: BLE001 — told as REST's handler of exceptions tells it, and logged there
        _, problem = told_of(raised, request_id=asked.request_id)
        return _failed(asked, problem)


def _answered(asked: Asked, name: str, arguments: Mapping[str, Any]) -> CallToolResult:
    verb, inputs, guessed = meant(arguments) if name == ANY else (name, dict(arguments), False)
    asked.told["verb"] = verb if verb in LIVE else name
    if (declared := LIVE.get(verb)) and declared.inputs:
        inputs = asked.placed(declared.inputs, unquoted(declared.inputs, inputs))
    outcome = run(verb, asked.caller, inputs, now=timezone.now(), idempotency_key=asked.idempotency_key)
    problem = problem_of(outcome, request_id=asked.request_id)
    if problem is not None:
        return _failed(asked, problem.model_dump(mode="json"))
    asked.told["outcome"] = outcome.form
    return _told(outcome, guessed=guessed)


def _told(outcome: Outcome, *, guessed: bool) -> CallToolResult:
    """Render an answer twice: as an object for programs, and as the same compact text for models."""
    if outcome.answer is None:
        return CallToolResult(content=[TextContent(text="null")], structured_content={NOTHING: None})
    text = outcome.answer.as_json()
    answer = json.loads(text)
    if guessed:
        answer = with_guess(answer, outcome.verb.name)
        text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(text=text)], structured_content=answer)


def _failed(asked: Asked, problem: Mapping[str, Any]) -> CallToolResult:
    """Render a problem as REST would; without structured content, which would have to be of the answer's schema."""
    asked.told["outcome"] = str(problem["code"])
    text = json.dumps(problem, ensure_ascii=False, separators=(",", ":"), default=str)
    return CallToolResult(content=[TextContent(text=text)], is_error=True)
