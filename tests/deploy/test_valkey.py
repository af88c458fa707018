import time
from contextlib import closing

from kombu import Connection
from redis import Redis

from deploy.embedded.valkey import Valkey
from tests.deploy.watching import eventually, kill


def client(server: Valkey) -> Redis:
    return Redis(unix_socket_path=str(server.socket), decode_responses=True)


def test_what_was_queued_outlives_kill_9_of_the_server(supervisor, tmp_path):
    server = Valkey(tmp_path)
    child = supervisor.start(server.program())
    with closing(client(server)) as queue:
        queue.rpush("work", "one", "two")
    time.sleep(1.5)  # it is written to disk every second
    kill(child.pid)
    assert eventually(lambda: child.deaths == 1, meanwhile=supervisor.tend)
    assert eventually(server.program().ready, meanwhile=supervisor.tend)
    with closing(client(server)) as queue:
        assert queue.lrange("work", 0, -1) == ["one", "two"]


def test_a_full_server_refuses_and_forgets_nothing(supervisor, tmp_path):
    server = Valkey(tmp_path)
    supervisor.start(server.program())
    with closing(client(server)) as queue:
        assert queue.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}


def test_nobody_reaches_the_server_over_a_network(supervisor, tmp_path):
    server = Valkey(tmp_path)
    supervisor.start(server.program())
    with closing(client(server)) as queue:
        assert queue.config_get("port") == {"port": "0"}
    assert server.socket.parent.stat().st_mode & 0o777 == 0o700


def test_the_broker_library_understands_the_address_below_any_folder(supervisor, tmp_path):
    server = Valkey(tmp_path / "a folder, with % and more")
    supervisor.start(server.program())
    with Connection(server.url) as broker, closing(broker.SimpleQueue("jobs")) as jobs:
        jobs.put({"id": 1})
        assert jobs.get(timeout=5).payload == {"id": 1}
