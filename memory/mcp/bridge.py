#!/usr/bin/env python3
"""A bridge for clients that only start programs: messages from standard input go to the server, answers come back.

    PALIMPSEST_KEY=pal_… python3 -m memory.mcp.bridge https://memory.example.org/mcp

The address may stand in PALIMPSEST_URL instead. Needs nothing but Python, so that this file alone can be taken along.
"""

import base64
import json
import os
import sys
import threading
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TextIO

AT_ONCE = 16  # requests under way; a client's further ones wait
PATIENCE = 120.0  # seconds for one answer
INTERNAL_ERROR = -32603
PARSE_ERROR = -32700
NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
VERSION_IN_META = "io.modelcontextprotocol/protocolVersion"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follow none: a key is for the address it was given for."""

    def redirect_request(self, *_: Any) -> None:
        """Take a redirect for what it is, an answer that is no success."""


class Bridge:
    """One client's conversation with the server."""

    def __init__(self, url: str, key: str, output: TextIO) -> None:
        self.url, self.key, self.output = url, key, output
        self.version = ""  # agreed on by the handshake; the newest clients say theirs in every message
        self._writing = threading.Lock()
        self._opener = urllib.request.build_opener(_NoRedirects)

    def run(self, lines: TextIO) -> None:
        """Carry every line until there are no more, many at once; the handshake alone, for the rest depends on it."""
        with ThreadPoolExecutor(AT_ONCE) as threads:
            for line in lines:
                if not line.strip():
                    continue
                try:
                    message = json.loads(line)
                except ValueError:
                    self._write(_error(None, PARSE_ERROR, "A line of input is not JSON."))
                    continue
                if isinstance(message, dict) and message.get("method") == "initialize":
                    self._carry(message)
                else:
                    threads.submit(self._carry, message)

    def _carry(self, message: Any) -> None:
        wants_answer = not isinstance(message, dict) or "id" in message
        id = message.get("id") if isinstance(message, dict) else None
        try:
            answer = self._answer(message)
        except (OSError, ValueError) as problem:
            answer = _error(id, INTERNAL_ERROR, f"The memory at {self.url} does not answer: {type(problem).__name__}.")
        if not wants_answer:
            return
        if not isinstance(answer, dict):
            answer = _error(id, INTERNAL_ERROR, f"What is at {self.url} does not speak MCP.")
        if answer.get("id") is None:
            answer["id"] = id  # a refusal at the door does not know which request it is about
        result = answer.get("result")
        if isinstance(result, dict) and "protocolVersion" in result:
            self.version = str(result["protocolVersion"])
        self._write(answer)

    def _answer(self, message: Any) -> Any:
        request = urllib.request.Request(  # noqa: S310 — main takes http and https alone
            self.url, json.dumps(message).encode(), self._headers(message), method="POST"
        )
        try:
            with self._opener.open(request, timeout=PATIENCE) as response:
                body = response.read()
        except urllib.error.HTTPError as refused:
            with refused:
                body = refused.read()
        return json.loads(body) if body else None

    def _headers(self, message: Any) -> dict[str, str]:
        headers = {
            "Authorization": f"Bearer {self.key}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        params = message.get("params") if isinstance(message, dict) else None
        params = params if isinstance(params, dict) else {}
        said = params.get("_meta", {}).get(VERSION_IN_META) if isinstance(params.get("_meta"), dict) else None
        if version := said or self.version:
            headers["MCP-Protocol-Version"] = _safe(str(version))
        if said:
            method = str(message.get("method"))
            headers["Mcp-Method"] = _safe(method)
            if (name := params.get(NAMED_BY.get(method, ""))) is not None:
                headers["Mcp-Name"] = _safe(str(name))
        return headers

    def _write(self, answer: Any) -> None:
        with self._writing:
            self.output.write(json.dumps(answer) + "\n")
            self.output.flush()


def _safe(text: str) -> str:
    """Return a header's value; what is no plain ASCII travels in base64, as the protocol says."""
    if text.isascii() and text.isprintable() and text == text.strip() and not text.startswith("=?base64?"):
        return text
    return f"=?base64?{base64.b64encode(text.encode()).decode()}?="


def _error(id: Any, code: int, message: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}}


def main() -> int:
    """Return 0 when the client has ended, 2 if it is not said where to connect and with which key."""
    url = sys.argv[1] if len(sys.argv) == 2 else os.environ.get("PALIMPSEST_URL", "")
    key = os.environ.get("PALIMPSEST_KEY", "").strip()
    if not url.startswith(("http://", "https://")) or not key:
        sys.stderr.write(f"{__doc__}\n")
        return 2
    Bridge(url, key, sys.stdout).run(sys.stdin)
    return 0


if __name__ == "__main__":
    sys.exit(main())
