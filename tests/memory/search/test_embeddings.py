"""The client against the real embedder, and against endpoints that misbehave."""

import base64
import json
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memory.search import embeddings
from memory.search.embeddings import EmbedderDown, embed_passages, embed_question

Answer = tuple[int, Any]


@pytest.fixture(autouse=True)
def rested() -> Iterator[None]:
    embeddings.rested()
    yield
    embeddings.rested()


@pytest.fixture
def endpoint(settings: Any) -> Iterator[Callable[..., list[dict[str, Any]]]]:
    """Serve answers one after another (the last again and again), and collect what was asked."""
    servers: list[ThreadingHTTPServer] = []

    def serve(*answers: Answer, wait: float = 0) -> list[dict[str, Any]]:
        asked: list[dict[str, Any]] = []

        class Door(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                asked[-1]["authorization"] = self.headers.get("Authorization")
                status, body = answers[min(len(asked), len(answers)) - 1]
                time.sleep(wait)
                told = body if isinstance(body, bytes) else json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(told)))
                self.end_headers()
                self.wfile.write(told)

            def log_message(self, *_: Any) -> None: ...

        server = ThreadingHTTPServer(("127.0.0.1", 0), Door)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        servers.append(server)
        settings.EMBEDDINGS_URL = f"http://127.0.0.1:{server.server_port}/v1"
        settings.EMBEDDINGS_DIMENSIONS = 2
        return asked

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def vectors(*rows: Any) -> dict[str, Any]:
    return {"data": [{"index": place, "embedding": row} for place, row in enumerate(rows)]}


def test_the_real_embedder_puts_what_means_the_same_together() -> None:
    question = embed_question("Как часто делают резервные копии?")
    backup, office = embed_passages(["Backups are made every night.", "The office is on the second floor."])
    assert question is not None
    assert _cosine(question, backup) > _cosine(question, office) + 0.2


def test_the_kind_of_a_text_travels_as_its_prefix(endpoint: Any, settings: Any) -> None:
    settings.EMBEDDINGS_API_KEY = "sesame"
    asked = endpoint((200, vectors([3.0, 4.0])))
    assert embed_question("kettle?") == pytest.approx([0.6, 0.8])
    embed_passages(["the kettle"])
    assert [one["input"] for one in asked] == [["query: kettle?"], ["passage: the kettle"]]
    assert {one["authorization"] for one in asked} == {"Bearer sesame"}


def test_numbers_and_base64_are_read_alike_and_in_the_order_of_their_index(endpoint: Any) -> None:
    packed = base64.b64encode(array("f", [0.0, 2.0]).tobytes()).decode()
    endpoint((200, {"data": [{"index": 1, "embedding": packed}, {"index": 0, "embedding": [5, 0]}]}))
    assert embed_passages(["a", "b"]) == [[1.0, 0.0], [0.0, 1.0]]


def test_a_question_asked_again_costs_no_request(endpoint: Any) -> None:
    asked = endpoint((200, vectors([1.0, 0.0])))
    assert embed_question("kettle") == embed_question("kettle")
    assert len(asked) == 1


def test_many_passages_go_in_several_requests(endpoint: Any) -> None:
    count = embeddings.AT_ONCE
    asked = endpoint((200, vectors(*[[1.0, 0.0]] * count)), (200, vectors([0.0, 1.0])))
    assert len(embed_passages(["text"] * (count + 1))) == count + 1
    assert [len(one["input"]) for one in asked] == [count, 1]


@pytest.mark.parametrize(
    "answer",
    [
        (200, b"not json"),
        (200, {"data": []}),
        (200, {"error": "x"}),
        (200, vectors([1.0, 0.0, 0.0])),
        (200, vectors(["x", "y"])),
        (200, vectors("%%%")),
        (200, vectors([0.0, 0.0])),
        (200, vectors([float("nan"), 1.0])),
        (401, {"error": {"message": "no"}}),
        (302, b""),
    ],
)
def test_an_unusable_answer_is_no_vector(endpoint: Any, answer: Answer) -> None:
    endpoint(answer)
    assert embed_question(f"question {answer}") is None
    with pytest.raises(EmbedderDown):
        embed_passages(["text"])


def test_a_busy_endpoint_is_asked_again(endpoint: Any) -> None:
    asked = endpoint((503, {}), (200, vectors([1.0, 0.0])))
    assert embed_question("kettle of busy times") == [1.0, 0.0]
    assert len(asked) == 2


def test_after_a_failure_questions_do_not_wait_for_the_next_one(endpoint: Any, settings: Any) -> None:
    settings.EMBEDDINGS_TIMEOUT_MS = 200
    asked = endpoint((200, vectors([1.0, 0.0])), wait=1.0)
    assert embed_question("slow one") is None
    begun = time.monotonic()
    count = len(asked)
    assert embed_question("slow two") is None
    assert time.monotonic() - begun < 0.1
    assert len(asked) == count


def test_fc45_a_failure_names_no_text(endpoint: Any) -> None:
    endpoint((400, {"error": "the secret is sesame"}))
    with pytest.raises(EmbedderDown) as failure:
        embed_passages(["the secret is sesame"])
    assert "sesame" not in str(failure.value)


def _cosine(one: list[float], two: list[float]) -> float:
    return sum(a * b for a, b in zip(one, two, strict=True))
