"""Real programs and servers, in folders that vanish with the test."""

import io
import shutil
import tempfile
from collections.abc import Iterator

import pytest

from deploy.embedded.logs import Relay
from deploy.embedded.processes import Supervisor


@pytest.fixture
def lines() -> io.StringIO:
    """What the supervisor's programs said."""
    return io.StringIO()


@pytest.fixture
def supervisor(lines: io.StringIO) -> Iterator[Supervisor]:
    """A supervisor whose programs end with the test."""
    started = Supervisor(Relay(lines))
    yield started
    started.stop()
    started.relay.close()


@pytest.fixture(autouse=True)
def _own_temporary_folder(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Sockets of data with a long name go to the temporary folder; here that one vanishes as well."""
    tmp_path_factory.getbasetemp()  # pytest's own folder stays where it is
    folder = tempfile.mkdtemp(prefix="pal-")
    monkeypatch.setattr(tempfile, "tempdir", folder)
    yield
    shutil.rmtree(folder)
