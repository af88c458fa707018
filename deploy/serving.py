"""How the web role is served: synchronous Django in threads, with everything slow done before the first request."""

from deploy.refusing import PlainlyRefusing

worker_class = PlainlyRefusing
workers = 2
threads = 8
graceful_timeout = 10
keepalive = 75  # seconds, and longer than clients keep theirs: closed under one, a connection takes its next call along
control_socket_disable = True
loglevel = "warning"
