"""A virtual environment made from a lock file, and the rest of the program run inside it.

Standard library only, for it runs before anything is installed.
"""

import fcntl
import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = Path(os.environ.get("PALIMPSEST_VENV") or ROOT / ".venv").absolute()
RUNTIME = ROOT / "requirements.lock"
DEVELOPMENT = ROOT / "requirements-dev.lock"


class NoEnvironment(Exception):
    """The environment cannot be made; the message says what to do."""


def enter(lock: Path) -> None:
    """This will make sure that this program runs in the environment of `lock`, starting it anew there if need be.

    Exits with code 2 and a sentence if that cannot be done.
    """
    sys.path[:] = [str(ROOT), *(entry for entry in sys.path if Path(entry).resolve() != ROOT / "deploy")]
    try:
        _ensure(lock)
    except NoEnvironment as wrong:
        sys.exit(_complain(str(wrong)))
    except KeyboardInterrupt:
        sys.exit(_complain("Stopped while installing; the next start goes on."))
    os.environ["VIRTUAL_ENV"] = str(PLACE)
    if Path(sys.prefix).resolve() != PLACE.resolve():
        python = str(_python())
        os.execv(python, [python, *sys.argv])  # noqa: S606 - ourselves again


def _ensure(lock: Path) -> None:
    with _alone():
        stamps = _stamps()
        wanted = {lock.name: _digest(lock)}
        if wanted.items() <= stamps.items():
            return
        if not _works():
            stamps = {}
            _make()
        print(
            f"Installing the libraries of {lock.name} into {PLACE} (about a minute, once)", file=sys.stderr, flush=True
        )
        _install(lock)
        if lock == DEVELOPMENT:  # it holds all of the other one
            wanted[RUNTIME.name] = _digest(RUNTIME)
        _stamp_file().write_text(json.dumps(stamps | wanted))


@contextmanager
def _alone() -> Iterator[None]:
    PLACE.parent.mkdir(parents=True, exist_ok=True)
    with PLACE.with_name(f"{PLACE.name}.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield


def _stamps() -> dict[str, str]:
    """What was installed completely; nothing if the environment no longer runs (its Python was removed)."""
    try:
        return dict(json.loads(_stamp_file().read_text())) if _works() else {}
    except (OSError, ValueError):
        return {}


def _digest(lock: Path) -> str:
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def _works() -> bool:
    try:
        return subprocess.run([_python(), "-c", ""], check=False, capture_output=True).returncode == 0
    except OSError:
        return False


def _make() -> None:
    if uv := shutil.which("uv"):
        _run([uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(PLACE)])
        return
    try:
        _run([sys.executable, "-m", "venv", "--clear", str(PLACE)])
    except NoEnvironment:  # Debian keeps ensurepip in a package of its own; the pip outside can serve
        _run([sys.executable, "-m", "venv", "--clear", "--without-pip", str(PLACE)])


def _install(lock: Path) -> None:
    required = ["--require-hashes", "-r", str(lock)]
    if uv := shutil.which("uv"):
        _run([uv, "pip", "install", "--quiet", "--python", str(_python()), *required])
        return
    if _has_pip(str(_python())):
        pip = [str(_python()), "-m", "pip"]
    elif _has_pip(sys.executable):
        pip = [sys.executable, "-m", "pip", "--python", str(_python())]
    else:
        raise NoEnvironment("Neither pip nor uv is here to install libraries with. On Debian: apt install python3-venv")
    _run([*pip, "install", "--quiet", "--disable-pip-version-check", *required])


def _has_pip(python: str) -> bool:
    return subprocess.run([python, "-m", "pip", "--version"], check=False, capture_output=True).returncode == 0


def _run(command: list[str]) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        output = (done.stdout + done.stderr).strip()
        raise NoEnvironment(f"this failed: {' '.join(command)}\n{output[-3000:]}")


def _python() -> Path:
    return PLACE / "bin" / "python"


def _stamp_file() -> Path:
    return PLACE / "installed.json"


def _complain(message: str) -> int:
    print(message, file=sys.stderr)
    return 2
