"""How the web role is served: synchronous Django in threads, with everything slow done before the first request."""

worker_class = "gthread"
workers = 2
threads = 8
graceful_timeout = 10
control_socket_disable = True
loglevel = "warning"
