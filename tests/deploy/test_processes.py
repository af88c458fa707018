import io
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from deploy.embedded.logs import Relay
from deploy.embedded.processes import Program, StartFailed, Stopped, Supervisor
from tests.deploy.watching import eventually, is_alive, kill

FOREVER = "import time; time.sleep(600)"
ROOT = Path(__file__).parents[2]


def python(code: str, *, name: str = "sleeper", **more) -> Program:
    return Program(name=name, command=[sys.executable, "-c", code], **more)


def test_a_killed_program_is_started_again(supervisor, lines):
    child = supervisor.start(python(FOREVER))
    first = child.pid
    kill(first)
    assert eventually(lambda: child.pid not in (None, first), meanwhile=supervisor.tend)
    assert "died (signal 9)" in lines.getvalue()


def test_a_program_that_keeps_dying_is_given_ever_longer_pauses(supervisor, lines):
    child = supervisor.start(python("raise SystemExit(7)"))
    assert eventually(lambda: child.deaths == 4, meanwhile=supervisor.tend)
    supervisor.relay.close()
    said = [line for line in lines.getvalue().splitlines() if "exit code 7" in line]
    assert [line.rsplit(" in ")[1] for line in said] == ["0.2 s", "0.4 s", "0.8 s", "1.6 s"]


def test_a_program_that_never_serves_is_reported_with_its_last_words(supervisor):
    with pytest.raises(StartFailed, match="there is no such table"):
        supervisor.start(
            python(
                "print('there is no such table', flush=True); import time; time.sleep(600)",
                ready=lambda: False,
                ready_within=3,
            )
        )


def test_the_wish_to_stop_is_heard_while_something_is_still_starting(supervisor):
    supervisor.stopping.set()
    with pytest.raises(Stopped):
        supervisor.start(python(FOREVER, ready=lambda: False))


def test_a_failed_step_is_reported_with_its_last_words(supervisor):
    with pytest.raises(StartFailed, match="exit code 3"):
        supervisor.run("step", [sys.executable, "-c", "raise SystemExit(3)"], environment=os.environ)


def test_a_step_gives_its_standard_output_alone(supervisor):
    code = "import sys; print('answer'); print('aside', file=sys.stderr)"
    assert supervisor.run("step", [sys.executable, "-c", code], environment=os.environ) == "answer\n"


def test_programs_stop_in_the_opposite_order_of_their_start(supervisor, tmp_path):
    order = tmp_path / "order"
    for name in ("first", "second", "third"):
        ready = tmp_path / name
        code = (
            "import pathlib, signal, sys, time\n"
            f"def end(*_): open({str(order)!r}, 'a').write({name!r} + ' '); sys.exit()\n"
            f"signal.signal(signal.SIGTERM, end); pathlib.Path({str(ready)!r}).touch(); time.sleep(600)"
        )
        supervisor.start(python(code, name=name, ready=ready.exists))
    supervisor.stop()
    assert order.read_text() == "third second first "


def test_a_program_that_does_not_stop_is_killed(supervisor, tmp_path):
    ready = tmp_path / "ready"
    deaf = "import pathlib, signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    deaf += f"pathlib.Path({str(ready)!r}).touch(); time.sleep(600)"
    child = supervisor.start(python(deaf, ready=ready.exists, stops_within=0.5))
    pid = child.pid
    supervisor.stop()
    assert not is_alive(pid)


def test_workers_that_outlive_their_head_are_ended_before_the_next_start(supervisor, tmp_path):
    worker = tmp_path / "worker"
    code = (
        "import pathlib, subprocess, sys, time\n"
        f"worker = subprocess.Popen([sys.executable, '-c', {FOREVER!r}])\n"
        f"pathlib.Path({str(worker)!r}).write_text(str(worker.pid)); time.sleep(600)"
    )
    child = supervisor.start(python(code, ready=lambda: worker.exists() and bool(worker.read_text())))
    orphan = int(worker.read_text())
    kill(child.pid)
    assert eventually(lambda: child.deaths == 1, meanwhile=supervisor.tend)
    assert eventually(lambda: not is_alive(orphan))


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_programs_end_when_their_supervisor_is_killed():
    code = (
        "import sys, time; from deploy.embedded.logs import Relay\n"
        "from deploy.embedded.processes import Program, Supervisor\n"
        "started = Supervisor(Relay(sys.stderr))\n"
        f"child = started.start(Program(name='sleeper', command=[sys.executable, '-c', {FOREVER!r}]))\n"
        "print(child.pid, flush=True); time.sleep(600)"
    )
    owner = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with owner:
        assert owner.stdout
        child = int(owner.stdout.readline())
        time.sleep(0.5)  # the leash has become the program by now
        assert is_alive(child)
        owner.kill()
    assert eventually(lambda: not is_alive(child))


class _Stuck(io.StringIO):
    """A reader that takes one line and then no more."""

    def write(self, text: str) -> int:
        time.sleep(600)
        return len(text)


def test_a_reader_that_does_not_read_holds_no_program_up():
    supervisor = Supervisor(Relay(_Stuck()))
    code = "import sys\nfor i in range(30_000): print('a line of some length to fill the pipe', i)"
    talker = f"{code}\nsys.exit(5)"
    child = supervisor.start(python(talker))
    assert eventually(lambda: child.deaths > 0, meanwhile=supervisor.tend)
    supervisor.stop()
