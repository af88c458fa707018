import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.embedded.home import Home, Occupied
from tests.deploy.watching import kill

ROOT = Path(__file__).parents[2]


def test_two_starters_never_share_a_folder(tmp_path):
    home = Home(tmp_path)
    with home.occupied(), pytest.raises(Occupied, match=f"process {os.getpid()}"), Home(tmp_path).occupied():
        pass


def test_a_killed_starter_leaves_the_folder_free(tmp_path):
    code = (
        "import pathlib, sys, time; from deploy.embedded.home import Home\n"
        f"with Home(pathlib.Path({str(tmp_path)!r})).occupied(): print('in', flush=True); time.sleep(600)"
    )
    with subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "in\n"
        with pytest.raises(Occupied), Home(tmp_path).occupied():
            pass
        kill(holder.pid)
    with Home(tmp_path).occupied():
        pass


def test_secrets_are_made_once_and_are_nobody_elses_to_read(tmp_path):
    made = Home(tmp_path).secrets()
    assert set(made) == {"SECRET_KEY", "KEY_PEPPER"}
    assert len(set(made.values())) == 2
    assert all(len(secret) >= 50 for secret in made.values())
    assert Home(tmp_path).secrets() == made
    assert (tmp_path / "secrets.json").stat().st_mode & 0o777 == 0o600


def test_the_demos_credentials_are_remembered_and_are_nobody_elses_to_read(tmp_path):
    assert Home(tmp_path).demo() is None
    Home(tmp_path).keep_demo({"email": "ada@example.org"})
    assert Home(tmp_path).demo() == {"email": "ada@example.org"}
    assert (tmp_path / "demo.json").stat().st_mode & 0o777 == 0o600
