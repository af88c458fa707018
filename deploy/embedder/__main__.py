"""`python -m deploy.embedder --port 8090`: serve the models on this machine."""

import argparse
import threading
from collections.abc import Callable, Iterable
from typing import Any

from gunicorn.app.base import BaseApplication

from deploy.embedder.door import Door
from deploy.embedder.models import Models
from deploy.embedder.texts import Kind, Text

SETTINGS = {
    "workers": 1,  # a model is loaded once; gunicorn starts the worker anew if native code ends it
    "worker_class": "gthread",
    "threads": 32,
    "timeout": 120,
    "graceful_timeout": 5,
    "keepalive": 75,
    "control_socket_disable": True,
    "loglevel": "warning",
    "proc_name": "palimpsest-embedder",
}


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn has no types
    """gunicorn with settings of our own and no configuration file; models are made after the fork."""

    def __init__(self, make: Callable[[], Door], *, bind: str) -> None:
        self._make = make
        self._bind = bind
        super().__init__()

    def load_config(self) -> None:
        """This will set what gunicorn asks for."""
        for name, value in {**SETTINGS, "bind": self._bind}.items():
            self.cfg.set(name, value)

    def load(self) -> Callable[..., Iterable[bytes]]:
        """This will give the application, inside the worker."""
        return self._make()


def main() -> None:
    """This will read the command line and serve until told to stop."""
    options = _options()
    bind = f"fd://{options.fd}" if options.fd is not None else f"{options.host}:{options.port}"
    Server(lambda: _door(options), bind=bind).run()


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="deploy.embedder", description=__doc__)
    where = parser.add_mutually_exclusive_group(required=True)
    where.add_argument("--port", type=int, help="listen here")
    where.add_argument("--fd", type=int, help="an inherited socket that listens already")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--warm", default="", metavar="MODEL", help="load this model at once, not when first asked for")
    parser.add_argument(
        "--fake", type=int, default=0, metavar="DIM", help="no model: offer fake-DIM, from hashes of words"
    )
    return parser.parse_args()


def _door(options: Any) -> Door:
    models = Models.fake(options.fake) if options.fake else Models.real()
    if options.warm:
        threading.Thread(target=_warm, args=(models, options.warm), name="warming", daemon=True).start()
    return Door(models)


def _warm(models: Models, name: str) -> None:
    models[name].embed([Text(Kind.QUERY, "warm")])


if __name__ == "__main__":
    main()
