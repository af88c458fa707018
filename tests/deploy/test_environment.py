import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from deploy import environment

ROOT = Path(__file__).parents[2]
LOCKS = [environment.RUNTIME, environment.DEVELOPMENT]


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A place of its own for an environment, and a lock that asks for nothing."""
    folder = tmp_path_factory.mktemp("environment")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(environment, "PLACE", folder / "env")
        yield folder


@pytest.fixture
def empty_lock(place):
    lock = place / "nothing.lock"
    lock.write_text("")
    return lock


def pins(lock):
    return dict(re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==(\S+)", lock.read_text(), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.name)
def test_a_lock_names_no_host_and_pins_every_library_by_hash(lock):
    text = lock.read_text()
    assert re.findall(r"https?:|--index|--extra-index|--find-links|file:", text) == []
    requirements = re.split(r"\n(?=[a-z0-9])", text.strip())
    assert [one for one in requirements if "--hash=sha256:" not in one] == []


def test_the_development_lock_is_the_runtime_lock_and_more():
    runtime, development = (pins(lock) for lock in LOCKS)
    assert runtime.items() < development.items()


def test_every_library_the_project_asks_for_is_locked_as_asked():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["embedded"]]
    wanted = dict(re.findall(r"^([a-z0-9-]+)(?:\[.*\])?==([^;\s]+)", "\n".join(asked), re.MULTILINE))
    assert len(wanted) == len(asked)
    assert wanted.items() < pins(environment.RUNTIME).items()


def test_an_environment_is_made_once_and_made_good_when_its_lock_changes(empty_lock):
    environment._ensure(empty_lock)
    stamp = environment.PLACE / "installed.json"
    first = stamp.stat().st_mtime_ns
    environment._ensure(empty_lock)
    assert stamp.stat().st_mtime_ns == first
    empty_lock.write_text("# changed\n")
    environment._ensure(empty_lock)
    assert stamp.stat().st_mtime_ns > first
    python = environment.PLACE / "bin" / "python"
    answer = subprocess.run([python, "-c", "import sys; print(sys.prefix)"], check=True, capture_output=True, text=True)
    assert answer.stdout.strip() == str(environment.PLACE)


def test_a_library_with_another_hash_is_not_installed(place):
    wrong = place / "wrong.lock"
    wrong.write_text("six==1.17.0 --hash=sha256:" + "0" * 64 + "\n")
    with pytest.raises(environment.NoEnvironment, match="six"):
        environment._ensure(wrong)
    assert wrong.name not in environment._stamps()


def test_an_environment_whose_python_is_gone_is_made_anew(empty_lock):
    environment._ensure(empty_lock)
    (environment.PLACE / "bin" / "python").unlink()
    environment._ensure(empty_lock)
    assert subprocess.run([environment.PLACE / "bin" / "python", "-c", ""], check=False).returncode == 0


def test_the_starters_know_their_options_without_any_library():
    for script in ("up.py", "test.py"):
        assert (ROOT / "deploy" / script).stat().st_mode & 0o111
    told = subprocess.run(
        [sys.executable, "-S", ROOT / "deploy" / "up.py", "--help"], check=True, capture_output=True, text=True
    )
    assert [option for option in ("--data", "--port", "--no-demo", "--json") if option not in told.stdout] == []
