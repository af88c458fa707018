"""Around the body: methods, media types, slashes, odd headers. Answers are JSON, whatever comes."""

import gzip
import http.client
import json
import socket
import time
from contextlib import closing

import pytest
from django.test import Client

from tests.memory.api.calling import get, post, told

VERBS = ["remember", "search", "forget", "validate_memory"]


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("method", ["get", "put", "patch", "delete", "trace"])
def test_a_method_that_an_address_does_not_take_is_a_problem_that_names_those_it_does(cast, verb, method):
    response = getattr(Client(), method)(f"/v1/{verb}", headers=cast.ada.headers)
    assert (told(response), response["Allow"]) == ((405, "method_not_allowed", None), "POST, OPTIONS")


def test_head_is_answered_without_a_body(cast):
    kept = post(cast.ada, "/v1/remember", {"content": "x"}).json()["id"]
    answers = [
        Client().head(path, headers=cast.ada.headers) for path in (f"/v1/records/{kept}", "/v1/search", "/healthz")
    ]
    assert [(one.status_code, one.content) for one in answers] == [(200, b""), (405, b""), (200, b"")]


def test_options_names_the_methods_as_json(cast):
    response = Client().options("/v1/search", headers=cast.ada.headers)
    assert (response.status_code, response["Allow"], response["Content-Type"]) == (
        200,
        "POST, OPTIONS",
        "application/json",
    )


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/metrics"])
def test_probes_are_only_read(db, path):
    response = Client(enforce_csrf_checks=True).post(path)
    assert (told(response), response["Allow"]) == ((405, "method_not_allowed", None), "GET, HEAD")


@pytest.mark.parametrize(
    "kind",
    [
        "text/plain",
        "application/x-www-form-urlencoded",
        "multipart/form-data; boundary=x",
        "application/xml",
        "text/json",
        "",
    ],
)
def test_a_body_that_is_not_json_is_refused_by_its_media_type(cast, kind):
    response = post(cast.ada, "/v1/remember", b'{"content": "x"}', **{"Content-Type": kind})
    assert told(response) == (415, "unsupported_media_type", None)


@pytest.mark.parametrize("kind", ["application/json", "application/json; charset=utf-8", "Application/JSON"])
def test_json_is_taken_however_its_media_type_is_spelled(cast, kind):
    assert post(cast.ada, "/v1/remember", {"content": "x"}, **{"Content-Type": kind}).status_code == 201


@pytest.mark.parametrize("coding", ["gzip", "GZIP", "br", "deflate", "gzip, gzip"])
def test_a_compressed_body_is_refused_and_not_unpacked(cast, coding):
    packed = gzip.compress(json.dumps({"content": "a" * 1_000_000}).encode())
    assert told(post(cast.ada, "/v1/remember", packed, Content_Encoding=coding)) == (
        415,
        "unsupported_media_type",
        None,
    )


@pytest.mark.parametrize("name", ["X-HTTP-Method-Override", "X-Method-Override", "X-HTTP-Method"])
def test_no_header_makes_a_call_another_method(cast, name):
    kept = post(cast.ada, "/v1/remember", {"content": "x"}, **{name: "DELETE"})
    assert kept.status_code == 201
    assert told(get(cast.ada, "/v1/search", **{name: "POST"}))[0] == 405


@pytest.mark.parametrize("accept", ["*/*", "application/json", "application/*", "text/html, application/json;q=0.1"])
def test_who_takes_json_gets_it(cast, accept):
    response = post(cast.ada, "/v1/search", {"query": "x"}, Accept=accept)
    assert (response.status_code, response["Content-Type"]) == (200, "application/json")


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "image/png"])
def test_who_takes_no_json_is_told_in_json(cast, accept):
    response = post(cast.ada, "/v1/search", {"query": "x"}, Accept=accept)
    assert told(response) == (406, "not_acceptable", None)


@pytest.mark.parametrize("end", ["", "/", "//"])
def test_fc33_both_spellings_of_an_address_answer_without_a_redirect(cast, end):
    kept = post(cast.ada, f"/v1/remember{end}", {"content": "x"})
    id = kept.json()["id"]
    answers = [
        post(cast.ada, f"/v1/search{end}", {"query": "x"}),
        post(cast.ada, f"/v1/validate_memory{end}", {"ids": [id]}),
        get(cast.ada, f"/v1/records/{id}{end}"),
        post(cast.ada, f"/v1/forget{end}", {"memory_id": id}),
        post(cast.ada, f"/v1/records/{id}/restore{end}", {}),
    ]
    assert [kept.status_code, *[answer.status_code for answer in answers]] == [201, 200, 200, 200, 200, 200]


def test_fc33_behind_a_proxy_that_speaks_https_nothing_leads_back_to_http(cast, settings):
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for end in ("", "/"):
        assert post(cast.ada, f"/v1/search{end}", {"query": "x"}, X_Forwarded_Proto="https").status_code == 200
    assert Client().get("/healthz").status_code == 200


def test_that_all_is_well_is_no_news_in_the_log(cast, caplog):
    caplog.set_level("DEBUG", logger="palimpsest.requests")
    for path in ("/healthz", "/metrics"):
        Client().get(path)
    Client().post("/healthz")
    get(None, "/v1/records")
    told = [(line.levelname, line.verb, line.status) for line in caplog.records if line.name == "palimpsest.requests"]
    assert told == [
        ("DEBUG", "healthz", 200),
        ("DEBUG", "metrics", 200),
        ("INFO", "healthz", 405),
        ("INFO", "records", 401),
    ]


def test_whoever_forgot_the_key_is_told_where_it_goes(cast):
    assert "as the header Authorization: Bearer KEY" in get(None, "/v1/records").json()["detail"]


@pytest.mark.parametrize("given", ["abcdefgh", "req-2026.11_03", "f" * 64])
def test_a_plain_request_id_is_said_back(cast, given):
    answers = [
        post(cast.ada, "/v1/search", {"query": "x"}, X_Request_Id=given),
        get(None, "/v1/no", X_Request_Id=given),
    ]
    assert [answer["X-Request-Id"] for answer in answers] == [given, given]
    assert answers[1].json()["request_id"] == given


@pytest.mark.parametrize(
    "given", ["", "short", "f" * 65, "<script>alert(1)</script>", "id with spaces", "ид-запроса", "a\tb;c=d"]
)
def test_any_other_request_id_is_replaced(cast, given):
    response = post(cast.ada, "/v1/search", {}, X_Request_Id=given)
    assert (len(response["X-Request-Id"]), response.json()["request_id"]) == (36, response["X-Request-Id"])


@pytest.mark.parametrize("language", ["ru", "zh-hans", "en", "xx"])
def test_machines_are_told_the_same_in_every_language(cast, language):
    response = Client().get("/v1/search", headers={**cast.ada.headers, "Accept-Language": language})
    assert response.json()["title"] == "This address does not take this method; the header Allow names those it takes."


def test_answers_are_kept_out_of_caches(cast):
    assert post(cast.ada, "/v1/search", {"query": "x"})["Cache-Control"] == "no-store"


@pytest.mark.parametrize("debug", [True, False])
def test_a_host_that_is_not_ours_is_a_problem(db, settings, debug):
    settings.DEBUG, settings.ALLOWED_HOSTS = debug, ["memory.example.org"]
    response = Client().get("/v1/search", headers={"Host": "evil.example.org"})
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")


# --- on the wire: what never reaches Django ------------------------------------------------------


def said_to(service, sent: bytes) -> tuple[int, str, bytes]:
    with socket.create_connection(("127.0.0.1", service.port), timeout=30) as opened:
        opened.sendall(sent)
        response = http.client.HTTPResponse(opened)
        response.begin()
        return response.status, response.getheader("Content-Type", ""), response.read()


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Long: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-Many: 1\r\n" * 200 + b"\r\n", 431),
        (b"GET /" + b"a" * 10_000 + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 414),
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer pal_secretsecret\0\r\n\r\n", 400),
        (b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nBearer pal_secretsecret\r\n\r\n", 400),
        (b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: zip\r\n\r\n0\r\n\r\n", 501),
        (b"POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400),
        (b"hello\r\n\r\n", 400),
    ],
)
def test_what_is_no_http_is_refused_as_json_and_its_words_stay_out_of_the_log(service, sent, status):
    answered, kind, body = said_to(service, sent)
    assert (answered, kind, json.loads(body)["status"]) == (status, "application/problem+json", status)
    assert b"secretsecret" not in body
    assert "secretsecret" not in service.log


def test_a_body_in_chunks_is_read_like_any_other(service, committed_cast):
    chunks = iter([b'{"content": "in', b' chunks"}'])
    headers = {**committed_cast.ada.headers, "Content-Type": "application/json", "Transfer-Encoding": "chunked"}
    response = service.ask("POST", "/v1/remember", headers=headers, body=chunks)
    assert (response.status, response.json()["content"]) == (201, "in chunks")


@pytest.mark.parametrize("chunked", [False, True])
def test_fc10_a_client_that_sends_far_too_much_still_reads_why_not(service, committed_cast, chunked):
    piece = b"a" * 1_000_000
    head = {**committed_cast.ada.headers, "Content-Type": "application/json"}
    body = iter([b'{"content": "', *[piece] * 12, b'"}']) if chunked else b'{"content": "' + piece * 12 + b'"}'
    response = service.ask("POST", "/v1/remember", headers=head, body=body)
    assert (response.status, response.json()["limit_bytes"]) == (413, 4 * 1024 * 1024)


def test_a_connection_that_rests_is_not_closed_under_its_client(service):
    resting = http.client.HTTPConnection("127.0.0.1", service.port, timeout=30)
    resting.connect()
    with closing(resting.sock) as kept:
        for pause in (0, 5):  # Node.js lets a connection rest for 4 seconds, and a POST is not sent again
            time.sleep(pause)
            resting.request("GET", "/healthz")
            assert (resting.getresponse().read()[:9], resting.sock) == (b'{"status"', kept)


def test_no_answer_to_a_machine_is_ever_a_page(service, committed_cast):
    paths = ["/v1", "/v1/", "/v1/x", "/mcp", "/healthz", "/readyz", "/metrics", "/v1/openapi.json", "/v1/search"]
    for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS", "FOO"):
        for path in paths:
            answered = service.ask(method, path, headers={"Content-Type": "application/json"}, body=b"{}")
            kind = answered.headers.get("Content-Type", "")
            assert ("html" in kind, answered.status < 500, b"Traceback" in answered.data) == (False, True, False), path
