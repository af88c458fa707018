"""How the web role is served: synchronous Django in threads, with everything slow done before the first request."""

from typing import Any

from deploy.refusing import PlainlyRefusing

worker_class = PlainlyRefusing
workers = 2
threads = 8
graceful_timeout = 10
control_socket_disable = True
loglevel = "warning"


def post_worker_init(worker: Any) -> None:
    """This will read the compiled rules of redaction now, not while the first record waits for them."""
    from memory.redaction import warm

    warm()
