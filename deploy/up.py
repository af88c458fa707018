#!/usr/bin/env python3
"""Set up and run all of Palimpsest on this machine: `python3 deploy/up.py`. Ctrl-C stops all of it."""

import argparse
import errno
import json
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from deploy import environment
from deploy.embedded import product, servers
from deploy.embedded.home import Home, Occupied
from deploy.embedded.logs import Relay
from deploy.embedded.processes import StartFailed, Stopped, Supervisor

_NO_DEMO = (
    "make no demo organization: for a database of your own (DATABASE_URL), where `manage.py create_org` makes one"
)


def main() -> int:
    """This will give the exit code: 0 after a stop, 1 if something did not start, 2 if it could not be tried."""
    options = _options()
    environment.enter(environment.RUNTIME)
    home = Home(options.data)
    with ExitStack() as held:
        try:
            held.enter_context(home.occupied())
        except Occupied as wrong:
            return _refuse(f"{wrong} Stop it, or choose another folder with --data.")
        except OSError as wrong:
            return _refuse(f"The folder {home.path} cannot be used ({wrong.strerror}). Choose another one with --data.")
        return _run(home, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="up.py", description=__doc__)
    data = environment.ROOT / ".data"
    parser.add_argument("--data", type=Path, default=data, help="the folder that keeps everything (%(default)s)")
    parser.add_argument("--port", type=int, default=8000, help="0 takes any free one (%(default)s)")
    parser.add_argument("--no-demo", dest="demo", action="store_false", help=_NO_DEMO)
    parser.add_argument("--json", action="store_true", help="when ready, print one line of JSON for scripts")
    return parser.parse_args()


def _run(home: Home, options: argparse.Namespace) -> int:
    try:
        listener = servers.listen(options.port)
    except (OSError, OverflowError) as wrong:
        taken = isinstance(wrong, OSError) and wrong.errno == errno.EADDRINUSE
        reason = "is already in use" if taken else f"cannot be used ({wrong})"
        return _refuse(f"Port {options.port} {reason}. Choose another one with --port; 0 takes any free one.")
    relay = Relay(sys.stderr)
    supervisor = Supervisor(relay)
    supervisor.obey_signals()
    try:
        _announce(_started(supervisor, home, listener, demo=options.demo), as_json=options.json)
        supervisor.watch()
    except Stopped:
        pass
    except StartFailed as wrong:
        relay.say("up", str(wrong))
        return 1
    finally:
        supervisor.stop()
        relay.close()
    return 0


def _started(supervisor: Supervisor, home: Home, listener: socket.socket, *, demo: bool) -> dict[str, str | None]:
    named = servers.start_servers(supervisor, home.path) | product.settings(home, listener)
    product.prepare(supervisor, home, named)
    credentials = product.demo(supervisor, home, named) if demo else product.remembered(home) or {}
    product.start(supervisor, home, named, listener)
    return {
        "url": servers.address(listener),
        "mcp_url": f"{servers.address(listener)}/mcp",
        **{name: credentials.get(name) for name in ("api_key", "email", "password")},
        "data": str(home.path),
    }


def _announce(facts: dict[str, str | None], *, as_json: bool) -> None:
    if as_json:
        print(json.dumps(facts), flush=True)
        return
    words = {
        "url": "Palimpsest",
        "mcp_url": "for agents",
        "email": "login",
        "password": "password",
        "api_key": "API key",
        "data": "data",
    }
    lines = [f"  {word:<11} {facts[name]}" for name, word in words.items() if facts.get(name)]
    print("\n".join(["", *lines, "", "  Ctrl-C stops all of it.", ""]), flush=True)


def _refuse(message: str) -> int:
    print(message, file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
