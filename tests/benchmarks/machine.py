"""What the machine spends: processor time of process trees, and how much of a core is really to be had."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


def parts_of(starter: int) -> dict[str, list[int]]:
    """Return the processes under a starter, by the part of the product they belong to."""
    named: dict[str, list[int]] = {"web": [], "postgres": [], "embedder": [], "worker": [], "other": []}
    for pid in _below(starter):
        named[_part(pid)].append(pid)
    return named


def spent(pids: list[int]) -> float:
    """Return the processor seconds of processes, their ended children's included."""
    return sum(_seconds(pid) for pid in pids)


def memory(pids: list[int]) -> float:
    """Return the megabytes that processes hold, shared pages divided among those who share them."""
    return sum(_kilobytes(pid) for pid in pids) / 1024


def calm() -> float:
    """Return the share of a core that a busy loop gets just now: 1.0 on an idle machine."""
    wall, cpu, number = time.perf_counter(), time.process_time(), 0
    for step in range(1_500_000):
        number = (number * 31 + step) & 0xFFFFFF
    return round((time.process_time() - cpu) / (time.perf_counter() - wall), 2)


def _below(starter: int) -> Iterator[int]:
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        children.setdefault(parent, []).append(int(stat.parent.name))
    waiting = list(children.get(starter, []))
    while waiting:
        pid = waiting.pop()
        yield pid
        waiting += children.get(pid, [])


def _part(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return "other"
    marks = {"config.wsgi": "web", "postgres": "postgres", "deploy.embedder": "embedder", "celery": "worker"}
    return next((part for mark, part in marks.items() if mark in command), "other")


def _seconds(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(int(ticks) for ticks in fields[11:15]) / TICKS


def _kilobytes(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)
