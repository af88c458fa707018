"""Palimpsest itself on one machine: migrated, with a demo if wished, as web, worker and beat."""

import json
import signal
import socket
import sys
from collections.abc import Mapping

from deploy.embedded.home import Home
from deploy.embedded.processes import Program, Supervisor
from deploy.embedded.servers import address, responds
from deploy.environment import ROOT

WEB_WORKERS, WEB_THREADS = 2, 8
MANAGE = [sys.executable, str(ROOT / "manage.py")]
CELERY = [sys.executable, "-m", "celery", "-A", "config"]
GUNICORN = [sys.executable, "-m", "gunicorn", "config.wsgi:application"]


def settings(home: Home, listener: socket.socket) -> dict[str, str]:
    """This will give the variables of a production start for this machine alone."""
    return {
        **home.secrets(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PUBLIC_URL": address(listener),
        "DATA_DIR": str(home.caches),
        "STATIC_ROOT": str(home.caches / "static"),
    }


def prepare(supervisor: Supervisor, environment: Mapping[str, str]) -> None:
    """This will bring the tables up to date, as their owner, and lay out the pages' static files."""
    owner = {**environment, "DATABASE_URL": environment["DATABASE_OWNER_URL"]}
    supervisor.run("migrate", [*MANAGE, "migrate", "--no-input", "-v", "0"], environment=owner)
    supervisor.run("static", [*MANAGE, "collectstatic", "--no-input", "-v", "0"], environment=environment)


def demo(supervisor: Supervisor, home: Home, environment: Mapping[str, str]) -> dict[str, str]:
    """This will give the demo's credentials, making the demo at the first call."""
    kept = home.demo()
    if kept is None:
        output = supervisor.run("demo", [*MANAGE, "seed_demo", "--json"], environment=environment)
        kept = json.loads(output.strip().splitlines()[-1])
        home.keep_demo(kept)
    return kept


def start(supervisor: Supervisor, environment: Mapping[str, str], listener: socket.socket) -> None:
    """This will start every role of the product."""
    for program in (_web(environment, listener), _worker(environment), _beat(environment)):
        supervisor.start(program)


def _web(environment: Mapping[str, str], listener: socket.socket) -> Program:
    switches = {
        "--bind": f"fd://{listener.fileno()}",
        "--worker-class": "gthread",
        "--workers": str(WEB_WORKERS),
        "--threads": str(WEB_THREADS),
        "--graceful-timeout": "10",
        "--chdir": str(ROOT),
        "--log-level": "warning",
    }
    return Program(
        name="web",
        command=[*GUNICORN, "--no-control-socket", *(part for pair in switches.items() for part in pair)],
        environment=environment,
        ready=lambda: responds(f"{address(listener)}/healthz"),
        descriptors=[listener.fileno()],
    )


def _worker(environment: Mapping[str, str]) -> Program:
    return Program(
        name="worker",
        command=[
            *CELERY,
            "--workdir",
            str(ROOT),
            "worker",
            "--concurrency",
            "2",
            "--without-gossip",
            "--without-mingle",
        ],
        environment=environment,
        orphan_signal=signal.SIGQUIT,  # at once: work that was cut off is done again, see the outbox
        stops_within=20,
    )


def _beat(environment: Mapping[str, str]) -> Program:
    """The plan is part of the code, so beat needs no file to remember it."""
    scheduler = ["--scheduler", "celery.beat:Scheduler", "--pidfile="]
    return Program(name="beat", command=[*CELERY, "--workdir", str(ROOT), "beat", *scheduler], environment=environment)
