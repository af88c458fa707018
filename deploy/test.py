#!/usr/bin/env python3
"""Run the tests on throw-away servers: `python3 deploy/test.py [pytest arguments]`. Nothing stays behind."""

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from deploy import environment
from deploy.embedded.logs import Relay
from deploy.embedded.processes import BEAT, StartFailed, Stopped, Supervisor, leashed
from deploy.embedded.servers import start_servers

IN_PARALLEL = ["-n", "2", "--dist", "worksteal"]
STOPPED = 130
SETTINGS = {
    "CHECK_ANSWERS": "yes",
    "SECRET_KEY": "for-tests-only-0123456789-abcdefghijklm",
    "KEY_PEPPER": "for-tests-only-9876543210-nopqrstuvwxyz",
}


def main() -> int:
    """This will give pytest's exit code, or 1 if the servers did not start."""
    environment.enter(environment.DEVELOPMENT)
    home = Path(tempfile.mkdtemp(prefix="palimpsest-"))
    home.chmod(0o711)
    with (home / "servers.log").open("w") as log:
        supervisor = Supervisor(Relay(log))
        supervisor.obey_signals()
        try:
            return _tested(supervisor, home)
        except Stopped:
            return STOPPED
        except StartFailed as wrong:
            print(wrong, file=sys.stderr)
            return 1
        finally:
            supervisor.stop()
            supervisor.relay.close()
            shutil.rmtree(home, ignore_errors=True)


def _tested(supervisor: Supervisor, home: Path) -> int:
    caches = environment.PLACE / "cache"  # rules that took long to compile outlive the tests
    named = {**SETTINGS, "DATA_DIR": str(caches), **start_servers(supervisor, home, throwaway=True)}
    return _pytest(supervisor, named)


def _pytest(supervisor: Supervisor, named: Mapping[str, str]) -> int:
    """It keeps this terminal, so that Ctrl-C reaches it as well and it can say what it was doing."""
    command = leashed([sys.executable, "-m", "pytest", *(sys.argv[1:] or IN_PARALLEL)])
    running = subprocess.Popen(command, env=dict(named), cwd=environment.ROOT)
    while running.poll() is None:
        if supervisor.stopping.wait(BEAT):
            running.terminate()
            running.wait(timeout=30)
            return STOPPED
        supervisor.tend()
    return running.returncode


if __name__ == "__main__":
    sys.exit(main())
