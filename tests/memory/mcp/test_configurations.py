"""What the documentation tells people to paste into their clients: it parses, and it opens the door."""

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.memory.mcp.calling import hello

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "memory" / "mcp" / "README.md").read_text()
ADDRESS = "https://memory.example.org/mcp"
HOLDERS = ("${PALIMPSEST_KEY}", "${env:PALIMPSEST_KEY}", "${input:palimpsest-key}", "$PALIMPSEST_KEY", "YOUR_KEY")


def blocks(client, language):
    """Return the code under the heading of a client."""
    section = re.search(rf"^### {client}\n(.*?)(?=^##|\Z)", GUIDE, re.MULTILINE | re.DOTALL)
    assert section, client
    return re.findall(rf"^```{language}\n(.*?)^```", section[1], re.MULTILINE | re.DOTALL)


# Client: where servers stand, what the address is called, what else a server's entry holds, as the client documents it.
JSON_CLIENTS = {
    "Claude Code": ("mcpServers", "url", {"type": "http"}),
    "Cursor": ("mcpServers", "url", {}),
    "VS Code": ("servers", "url", {"type": "http"}),
    "Windsurf": ("mcpServers", "serverUrl", {}),
    "Gemini CLI": ("mcpServers", "httpUrl", {}),
    "Zed": ("context_servers", "url", {}),
}


def header_of(text, token):
    """Put the key where its place is held."""
    for holder in HOLDERS:
        text = text.replace(holder, token)
    return text


def opens(service, headers):
    """Begin a handshake with exactly these headers, and those that every client sends."""
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", **headers}
    return service.ask("POST", "/mcp", headers=sent, body=json.dumps(hello()).encode()).status == 200


@pytest.mark.parametrize("client", JSON_CLIENTS)
def test_a_configuration_in_json_opens_the_door(service, committed_cast, client):
    place, address, further = JSON_CLIENTS[client]
    (block,) = blocks(client, "json")
    entry = json.loads(block)[place]["palimpsest"]
    headers = entry.pop("headers")
    assert (entry.pop(address), entry) == (ADDRESS, further)
    filled = {name: header_of(value, committed_cast.ada.token) for name, value in headers.items()}
    assert filled != headers
    assert opens(service, filled)


def test_the_input_that_vs_code_asks_for_is_the_one_that_is_used():
    (block,) = blocks("VS Code", "json")
    told = json.loads(block)
    (asked,) = told["inputs"]
    assert (asked["type"], asked["password"]) == ("promptString", True)
    assert f"${{input:{asked['id']}}}" in told["servers"]["palimpsest"]["headers"]["Authorization"]


def test_the_configuration_of_codex_opens_the_door(service, committed_cast):
    (block,) = blocks("Codex", "toml")
    entry = tomllib.loads(block)["mcp_servers"]["palimpsest"]
    assert entry == {"url": ADDRESS, "bearer_token_env_var": "PALIMPSEST_KEY"}
    kept = {"PALIMPSEST_KEY": committed_cast.ada.token}
    assert opens(service, {"Authorization": f"Bearer {kept[entry['bearer_token_env_var']]}"})


def test_the_command_for_claude_code_opens_the_door(service, committed_cast):
    (block,) = blocks("Claude Code", "sh")
    words = shlex.split(block)
    assert words[:7] == ["claude", "mcp", "add", "--transport", "http", "palimpsest", ADDRESS]
    assert words[7] == "--header"
    name, value = words[8].split(": ", 1)
    assert opens(service, {name: header_of(value, committed_cast.ada.token)})


def test_the_configuration_of_the_bridge_starts_it(service, committed_cast):
    (block,) = blocks("Clients that only start programs", "json")
    entry = json.loads(block)["mcpServers"]["palimpsest"]
    assert (entry["command"], entry["args"][1]) == ("python3", ADDRESS)
    script = ROOT / "memory" / "mcp" / Path(entry["args"][0]).name
    key = {name: header_of(value, committed_cast.ada.token) for name, value in entry["env"].items()}
    done = subprocess.run(
        [sys.executable, script, f"{service.url}/mcp"],
        input=json.dumps(hello()) + "\n",
        env={"PATH": os.environ["PATH"], **key},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert json.loads(done.stdout)["result"]["serverInfo"]["name"] == "palimpsest"


def test_the_short_form_for_people_names_the_same_address_and_variable():
    short = (ROOT / "README.md").read_text()
    assert 'claude mcp add --transport http palimpsest $URL/mcp --header "Authorization: Bearer $KEY"' in short
    assert "memory/mcp/README.md" in short


def test_every_file_that_the_guide_names_is_there():
    for name in re.findall(r"\]\(([^)#:]+)\)", GUIDE):
        assert (ROOT / "memory" / "mcp" / name).exists(), name
