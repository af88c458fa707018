"""Programs kept running: started in order, restarted when they die, stopped in the opposite order.

Start everything from the main thread: the parent-death signal fires when the thread that started the program ends.
"""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from deploy.embedded.logs import Relay
from deploy.environment import ROOT

LEASH = Path(__file__).with_name("leash.py")
FIRST_PAUSE, LONGEST_PAUSE, CALM_AFTER = (
    0.1,
    30.0,
    30.0,
)  # seconds between restarts; alive so long counts as well
TRIES_BEFORE_READY = 7
BEAT = 0.1  # seconds between two looks at the programs


class Stopped(Exception):
    """Somebody asked for the end while something was still starting."""


class StartFailed(Exception):
    """A program or a step did not do its part; the message holds its last lines."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Program:
    """What to keep running. `ready` answers whether it serves; `prepare` runs before every start."""

    name: str
    command: Sequence[str]
    environment: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    ready: Callable[[], bool] = lambda: True
    prepare: Callable[[], None] = lambda: None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGTERM
    stops_within: float = 15
    ready_within: float = 60
    user: str = ""
    reach: Sequence[Path] = ()
    descriptors: Sequence[int] = ()


def leashed(
    command: Sequence[str],
    *,
    number: signal.Signals = signal.SIGTERM,
    user: str = "",
    reach: Sequence[Path] = (),
) -> list[str]:
    """This will give the command line that runs `command` tied to this process, see leash.py."""
    leash = [
        sys.executable,
        "-I",
        "-S",
        str(LEASH),
        "--parent",
        str(os.getpid()),
        "--signal",
        str(int(number)),
    ]
    if user:
        leash += ["--user", user]
    for folder in reach:
        leash += ["--reach", str(folder)]
    return [*leash, "--", *command]


class Child:
    """One program's life: its process now, and when it may be started again."""

    def __init__(self, program: Program, relay: Relay) -> None:
        self.program = program
        self.deaths = 0
        self._relay = relay
        self._process: subprocess.Popen[bytes] | None = None
        self._started_at = 0.0
        self._pause = FIRST_PAUSE
        self._due_at = 0.0

    @property
    def pid(self) -> int | None:
        """The process id of the program itself, while it runs."""
        return self._process.pid if self._process else None

    def tend(self) -> None:
        """This will notice a death and start the program when its pause is over."""
        if self._process and self._process.poll() is not None:
            self._bury(self._process)
        if self._process is None and time.monotonic() >= self._due_at:
            self._launch()

    def stop(self, *, within: float | None = None) -> None:
        """This will ask the program to end, and make it end once its time is up."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(self.program.stop_signal)
        try:
            process.wait(self.program.stops_within if within is None else within)
        except subprocess.TimeoutExpired:
            self._relay.say(self.program.name, "did not stop in time; killed")
        _kill_group(process.pid)
        process.wait()

    def _launch(self) -> None:
        program = self.program
        program.prepare()
        command = leashed(program.command, number=program.orphan_signal, user=program.user, reach=program.reach)
        self._process = subprocess.Popen(
            command,
            env=dict(program.environment),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # a Ctrl-C in the terminal reaches the supervisor alone
            pass_fds=program.descriptors,
        )
        self._started_at = time.monotonic()
        self._relay.follow(program.name, _piped(self._process))

    def _bury(self, process: subprocess.Popen[bytes]) -> None:
        _kill_group(process.pid)  # workers that outlived their head would fight with the next one
        now = time.monotonic()
        self._pause = FIRST_PAUSE if now - self._started_at > CALM_AFTER else min(self._pause * 2, LONGEST_PAUSE)
        self._due_at = now + self._pause
        self._process = None
        self.deaths += 1
        ended = f"signal {-process.returncode}" if process.returncode < 0 else f"exit code {process.returncode}"
        self._relay.say(self.program.name, f"died ({ended}); starts again in {self._pause:.1f} s")


class Supervisor:
    """All programs of one machine, in the order they were started."""

    def __init__(self, relay: Relay) -> None:
        self.relay = relay
        self.stopping = threading.Event()
        self.hurried = False
        self._children: list[Child] = []

    def obey_signals(self) -> None:
        """This will take Ctrl-C, SIGTERM and SIGHUP as the wish to stop; a second one as the wish to hurry."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:  # nohup means: stay
                signal.signal(number, self._wish_to_stop)

    def start(self, program: Program) -> Child:
        """This will start `program` and wait until it serves. Raises StartFailed, Stopped."""
        child = Child(program, self.relay)
        self._children.append(child)
        deadline = time.monotonic() + program.ready_within
        child.tend()
        while not program.ready():
            if time.monotonic() > deadline or child.deaths >= TRIES_BEFORE_READY:
                raise StartFailed(f"{program.name} did not start:\n{self.relay.last_lines(program.name)}")
            self._pause()
            child.tend()
        return child

    def run(self, name: str, command: Sequence[str], *, environment: Mapping[str, str]) -> str:
        """This will run one step to its end and give what it wrote on its standard output. Raises StartFailed."""
        process = subprocess.Popen(
            leashed(command),
            env=dict(environment),
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.relay.follow(name, process.stderr or _piped(process))
        output: list[bytes] = []
        reader = threading.Thread(target=_collect, args=(_piped(process), output), daemon=True)
        reader.start()
        try:
            while process.poll() is None:
                self._pause()
        finally:  # also when somebody wishes to stop
            _kill_group(process.pid)
            process.wait()
        reader.join(timeout=5)
        if process.returncode != 0:
            raise StartFailed(f"{name} failed (exit code {process.returncode}):\n{self.relay.last_lines(name)}")
        return b"".join(output).decode()

    def watch(self) -> None:
        """This will keep every program running until somebody wishes to stop."""
        while not self.stopping.wait(BEAT):
            self.tend()

    def tend(self) -> None:
        """This will look at every program once and restart what is due."""
        for child in self._children:
            child.tend()

    def stop(self) -> None:
        """This will stop every program, last started first."""
        self.stopping.set()
        while self._children:
            child = self._children.pop()
            self.relay.say(child.program.name, "stops")
            child.stop(within=1 if self.hurried else None)

    def _pause(self) -> None:
        if self.stopping.wait(BEAT / 2):
            raise Stopped

    def _wish_to_stop(self, *_: object) -> None:
        self.hurried = self.stopping.is_set()
        self.stopping.set()


def _piped(process: subprocess.Popen[bytes]) -> IO[bytes]:
    if process.stdout is None:
        raise ValueError("the process was started without a pipe")
    return process.stdout


def _collect(pipe: IO[bytes], output: list[bytes]) -> None:
    with pipe:
        output.append(pipe.read())


def _kill_group(leader: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
