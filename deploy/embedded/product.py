"""Palimpsest itself on one machine: migrated, with a demo if wished, as web, worker and beat."""

import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace

from deploy.embedded.home import Home
from deploy.embedded.processes import Program, Supervisor
from deploy.embedded.servers import address, responds, said
from deploy.environment import ROOT

MANAGE = [sys.executable, str(ROOT / "manage.py")]
CELERY = [sys.executable, "-m", "celery", "--quiet", "-A", "config"]
GUNICORN = [sys.executable, "-m", "gunicorn", "--config", str(ROOT / "deploy" / "serving.py")]
WARM = [sys.executable, "-c", "from memory.redaction import warm; warm()"]


def settings(home: Home, listener: socket.socket) -> dict[str, str]:
    """This will give the variables of a production start for this machine alone; those that are set already win."""
    own = {
        **home.secrets(),
        "PUBLIC_URL": address(listener),
        "DATA_DIR": str(home.caches),
        "STATIC_ROOT": str(home.caches / "static"),
    }
    unset = {name: value for name, value in own.items() if not said(os.environ, name)}
    return {**unset, "DJANGO_SETTINGS_MODULE": "config.settings"}


def prepare(supervisor: Supervisor, home: Home, environment: Mapping[str, str]) -> None:
    """This will bring the tables up to date, as their owner, and make ready what would make first requests slow."""
    supervisor.relay.say("up", "brings the tables up to date")
    owner = {**environment, "DATABASE_URL": environment["DATABASE_OWNER_URL"]}
    supervisor.run("migrate", [*MANAGE, "migrate", "--no-input", "-v", "0"], environment=owner)
    supervisor.run("static", [*MANAGE, "collectstatic", "--no-input", "-v", "0"], environment=environment)
    if not any(home.caches.glob("redaction-rules/*")):
        supervisor.relay.say("up", "compiles the rules of redaction, once; this takes a while")
        supervisor.run("rules", WARM, environment=environment)


def demo(supervisor: Supervisor, home: Home, environment: Mapping[str, str]) -> dict[str, str | None]:
    """This will give the demo's credentials, making the demo at the first call."""
    kept = remembered(home)
    if kept is None:
        kept = _seeded(supervisor, environment)
        home.keep_demo(kept, database=said(os.environ, "DATABASE_URL"))
    return kept


def remembered(home: Home) -> dict[str, str | None] | None:
    """This will give the demo's credentials if it was made from here, in the same database."""
    return home.demo(database=said(os.environ, "DATABASE_URL"))


def _seeded(supervisor: Supervisor, environment: Mapping[str, str]) -> dict[str, str | None]:
    """The demo tells its secrets once. If they were lost on the way (a crash, other data), a new key is issued."""
    output = supervisor.run("demo", [*MANAGE, "seed_demo", "--json"], environment=environment)
    made: dict[str, str | None] = json.loads(output.strip().splitlines()[-1])
    if not made.get("api_key"):
        asked = ["create_key", str(made["organization"]), str(made["project"]), "--owner", str(made["email"])]
        issued = supervisor.run("demo", [*MANAGE, *asked, "--name", "Demo"], environment=environment)
        made["api_key"] = issued.strip().splitlines()[-1]
    return {name: made.get(name) for name in ("email", "password", "api_key")}


def start(supervisor: Supervisor, home: Home, environment: Mapping[str, str], listener: socket.socket) -> None:
    """This will start every role of the product and wait until each has read its code."""
    supervisor.relay.say("up", "starts web, worker and beat")
    for program in (_web(environment, listener), _worker(home, environment), _beat(home, environment)):
        supervisor.start(program)


def _web(environment: Mapping[str, str], listener: socket.socket) -> Program:
    return Program(
        name="web",
        command=[*GUNICORN, "--bind", f"fd://{listener.fileno()}", "config.wsgi:application"],
        environment=environment,
        ready=lambda: responds(f"{address(listener)}/healthz"),
        ready_within=120,
        descriptors=[listener.fileno()],
    )


def _worker(home: Home, environment: Mapping[str, str]) -> Program:
    switches = ["--concurrency", "2", "--without-gossip", "--without-mingle"]
    return replace(
        _celery("worker", switches, home, environment),
        orphan_signal=signal.SIGKILL,  # without a broker it would wait for one; work cut off is done again
        stops_within=20,
    )


def _beat(home: Home, environment: Mapping[str, str]) -> Program:
    """The plan is part of the code, so beat needs no file to remember it."""
    return _celery("beat", ["--scheduler", "celery.beat:Scheduler"], home, environment)


def _celery(role: str, switches: Sequence[str], home: Home, environment: Mapping[str, str]) -> Program:
    """Celery writes its process id down once its tasks are imported: that tells a start from a crash."""
    started = home.path / f"{role}.pid"
    return Program(
        name=role,
        command=[*CELERY, role, "--pidfile", str(started), *switches],
        environment=environment,
        prepare=lambda: started.unlink(missing_ok=True),
        ready=started.exists,
        ready_within=120,
    )
