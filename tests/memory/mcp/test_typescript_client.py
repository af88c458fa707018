"""The official TypeScript clients, of both generations, against the running service."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "typescript"


def _node() -> int:
    """Return the generation of Node.js that is here, with npm; 0 if there is none."""
    if not (shutil.which("node") and shutil.which("npm")):
        return 0
    said = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    return int(said.strip().removeprefix("v").partition(".")[0])


pytestmark = pytest.mark.skipif(_node() < 20, reason="Node.js 20 or newer, with npm, is not installed here")
EXPECTED = {
    "tools": 9,
    "statuses": ["conflict", "conflict"],
    "superseded_by": True,
    "stale": True,
    "node": "staging is deployed with compose",
    "route": True,
    "guessed": "read",
    "prompt": True,
    "resource": True,
    "completion": ["default"],
    "forgotten": True,
    "missing": None,
    "parallel": 50,
    "misspelt": [True, "invalid"],
    "refused": [True, "E051"],
    "unknown": [True, "unknown"],
}


@pytest.fixture(scope="module")
def clients(tmp_path_factory):
    """Install what the lock file names, next to a copy of the program that uses it."""
    folder = tmp_path_factory.mktemp("typescript")
    for name in ("package.json", "package-lock.json", "drive.mjs"):
        shutil.copy(HERE / name, folder)
    installed = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    if installed.returncode != 0:
        pytest.skip(f"npm could not install the clients: {installed.stderr[-300:]}")
    return folder


@pytest.mark.parametrize("kind", ["v1", "v2", "v2-newest"])
def test_every_tool_works_and_fifty_calls_at_once_are_answered(service, committed_cast, clients, kind):
    done = subprocess.run(
        ["node", "drive.mjs", kind, f"{service.url}/mcp?surface=full"],
        cwd=clients,
        env={**os.environ, "PALIMPSEST_KEY": committed_cast.ada.token},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert json.loads(done.stdout) == EXPECTED
