"""Doing something many times, by one or by several clients, and what that took."""

import statistics
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from tests.benchmarks.machine import calm, spent

Parts = Callable[[], Mapping[str, list[int]]]


@dataclass(frozen=True)
class Figures:
    """One measurement. Times in milliseconds; `cpu` is processor time per operation, by part."""

    name: str
    clients: int
    number: int
    per_second: float
    p50: float
    p95: float
    cpu: Mapping[str, float]
    calm: float
    answers: Sequence[Any]

    @property
    def row(self) -> str:
        """Return a line of a table."""
        cpu = " + ".join(f"{part} {value:.1f}" for part, value in self.cpu.items() if value >= 0.05)
        whole = f"{self.per_second:,.0f} | {self.p50:.1f} | {self.p95:.1f} | {sum(self.cpu.values()):.1f} ({cpu})"
        return f"| {self.name} | {self.clients} | {self.number:,} | {whole} | {self.calm:.2f} |"


HEAD = """
| what | clients | times | per second | p50 ms | p95 ms | CPU ms each | share of a core |
| --- | --- | --- | --- | --- | --- | --- | --- |
""".strip()


def measure(name: str, act: Callable[[Any], Any], things: Sequence[Any], *, clients: int, parts: Parts) -> Figures:
    """Do the act with each thing, in order, by so many clients at once."""
    before, share, started = _cpu(parts), calm(), time.perf_counter()
    took: list[float] = []
    lock = threading.Lock()

    def timed(thing: Any) -> Any:
        begun = time.perf_counter()
        answer = act(thing)
        with lock:
            took.append((time.perf_counter() - begun) * 1000)
        return answer

    started = time.perf_counter()
    with ThreadPoolExecutor(clients) as threads:
        answers = list(threads.map(timed, things))
    seconds = time.perf_counter() - started
    after = _cpu(parts)
    cpu = {part: (after[part] - before.get(part, 0.0)) * 1000 / len(things) for part in after}
    took.sort()
    return Figures(
        name=name,
        clients=clients,
        number=len(things),
        per_second=len(things) / seconds,
        p50=statistics.median(took),
        p95=took[int(len(took) * 0.95)],
        cpu=cpu,
        calm=round((share + calm()) / 2, 2),
        answers=answers,
    )


def _cpu(parts: Parts) -> dict[str, float]:
    return {part: spent(pids) for part, pids in parts().items()}
