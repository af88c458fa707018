"""Many programs' lines on one stream, each with its program's name in front."""

import contextlib
import queue
import threading
from collections import deque
from typing import IO, TextIO

WAITING_LINES = 10_000
LAST_LINES = 30


class Relay:
    """One writer for all programs' output.

    Programs never wait for whoever reads the stream: when the reader is slow, lines are dropped and counted.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._lines: queue.Queue[str | None] = queue.Queue(WAITING_LINES)
        self._dropped = 0
        self._last: dict[str, deque[str]] = {}
        self._writer = threading.Thread(target=self._write, name="relay", daemon=True)
        self._writer.start()

    def follow(self, name: str, pipe: IO[bytes]) -> None:
        """This will copy every line of `pipe` until its end, from a thread of its own."""
        threading.Thread(target=self._read, args=(name, pipe), name=f"log of {name}", daemon=True).start()

    def say(self, name: str, line: str) -> None:
        """This will queue one line of `name`."""
        self._last.setdefault(name, deque(maxlen=LAST_LINES)).append(line)
        try:
            self._lines.put_nowait(f"{name:<9}| {line}\n")
        except queue.Full:
            self._dropped += 1

    def last_lines(self, name: str) -> str:
        """This will give the newest lines of `name`, for a message about its failure."""
        return "\n".join(self._last.get(name, ()))

    def close(self) -> None:
        """This will write what waits, for two seconds at most."""
        with contextlib.suppress(queue.Full):
            self._lines.put(None, timeout=1)
        self._writer.join(timeout=2)

    def _read(self, name: str, pipe: IO[bytes]) -> None:
        with pipe:
            for line in iter(lambda: pipe.readline(65536), b""):
                self.say(name, line.decode("utf-8", "replace").rstrip())

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            dropped, self._dropped = self._dropped, 0
            note = f"({dropped} lines dropped: the reader of this log is slow)\n" if dropped else ""
            with contextlib.suppress(OSError, ValueError):  # nobody reads any more; keep draining
                self._stream.write(note + line)
                self._stream.flush()
