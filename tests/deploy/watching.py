"""Looking at processes from outside."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path


def is_alive(pid: int) -> bool:
    """This will say whether a process runs; one that only waits to be reaped does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def kill(pid: int) -> None:
    """This will kill a process without a warning."""
    os.kill(pid, signal.SIGKILL)


def eventually(
    holds: Callable[[], bool], *, within: float = 20, meanwhile: Callable[[], object] = lambda: None
) -> bool:
    """This will wait until something holds, and say whether it ever did."""
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if holds():
            return True
        meanwhile()
        time.sleep(0.05)
    return False


def children(parent: int) -> dict[int, str]:
    """This will give the command lines of a process's children by their ids."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            stat = (process / "stat").read_text().rpartition(")")[2].split()
            if int(stat[1]) == parent:
                found[int(process.name)] = (process / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it ended while we looked
            continue
    return found
