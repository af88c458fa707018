"""Reports from the field, each for its kind and not just its sample."""

import pytest

from memory.redaction import redact, redact_tree
from tests.memory.redaction.samples import GITHUB, HEX, SHA256, UUID

PASSWORDS_IN_CONNECTIONS = [
    ("postgres://svc_ro@db.example.org:5432/app?password=", "Zx9-quiet-77", "&sslmode=require"),
    ("postgresql://svc:", "p%40ss%2Fw0rd77", "@db.example.org/app"),
    ("postgres://svc:", "pa@ss/w0rd77", "@db.example.org/app"),
    ("redis://:", "S3crPw77", "@cache.example.org:6379/0"),
    ("Server=db.example.org;Uid=svc;Pwd=", "Q7x!longpw", ";Database=app"),
    ("", "PGPASSWORD=|Q7x-longpw", " psql -h db.example.org"),
    ("mongodb+srv://app:", "k9-Lamp#31", "@cluster0.example.net/test?retryWrites=true and then restart it"),
    ("jdbc:mysql://db.example.org:3306/shop?user=svc&password=", "Rx!44:kite", "&useSSL=true"),
    ("amqp://guest:", "v3ry:long:one", "@mq.example.org:5672/%2f"),
    ("DSN: host=db.example.org user=svc password=", "t0p-Drawer", " dbname=app sslmode=require"),
    (
        "AccountName=shop;AccountKey=",
        "k0Zr8Lq2VbN5mXw7Jt1Hy4Pc6Sd9Fg3Ae0Rk8Uo2Wi5Zq7Lx1Bv4Nn6Mm9Kk3Jj5Hh7Gg==",
        ";EndpointSuffix=core",
    ),
    ("git clone https://bot:", "Fern77-moss", "@git.example.org/team/app.git please"),
]


@pytest.mark.parametrize(("before", "secret", "after"), PASSWORDS_IN_CONNECTIONS)
def test_fc17_passwords_leave_connection_strings(before: str, secret: str, after: str) -> None:
    kept, _, secret = secret.rpartition("|")
    text = redact(before + kept + secret + after).text
    assert secret not in text
    assert text.startswith(before + kept)
    assert text.endswith(after)


UNTOUCHED = [
    f"rev {HEX} fixed it",
    f"source_hash sha256:{SHA256}",
    f"id {UUID}",
    "checkInventoryRowAlreadyPresentInWarehouse()",
    "password: см. хранилище секретов",
    "API_KEY env var is required",
    "token bucket = 100 rps",
    "secret santa 24 Dec",
    "integrity sha512-3I0iCTLds5LxoRqXxS/+xkQSbP0GVoFivy7RlOAjAsrXn79+88oWRIBBHHFIt7luyH3xO/7ISNVGksU3mqqwhY==",
    f"the token fix landed in {HEX[:10]}, see commit {HEX}",
    f"image registry.example.org/app@sha256:{SHA256}",
    f"тикет {UUID}: пароль сбросили",
    "src/auth/token_store.py:120 raises KeyError",
    "export TOKEN=$(vault kv get -field=token secret/ci)",
    "password = os.environ['DB_PASSWORD']",
    "api_key: <your-token>",
    "token: xxxxxxxxxxxxxxxx",
    "PASSWORD=changeme  # in the documentation",
    "call +1 555 280 0724 or write to ops@example.org about version 2.14.4",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIRngv8ux2VnOsifRhAVJmv2QSavotpJhs85Yr8IeAzF0 dev@laptop",
    "密码必须至少 12 位，每 90 天更换一次。",
    "Пароль нужно менять раз в 90 дней, минимум 12 символов.",
]


@pytest.mark.parametrize("text", UNTOUCHED)
def test_fc23_hashes_ids_and_ordinary_words_stay_byte_for_byte(text: str) -> None:
    assert redact(text).text == text


def test_fc23_a_source_hash_stays_in_its_field() -> None:
    payload = {"source_hash": f"sha256:{SHA256}", "id": UUID, "source_revision": HEX, "idempotency_key": UUID}
    assert redact_tree(payload) == (payload, {})


FIELDS = ["fact_key", "source_id", "source_revision", "source_hash", "workspace", "scope", "source", "reason", "tags"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", ["{}", "token.{}", "https://example.org/cb?token={}", "see {} for it"])
def test_fc09_a_token_leaves_every_field(field: str, value: str) -> None:
    written, counts = redact_tree({field: value.format(GITHUB)})
    assert GITHUB not in str(written)
    assert counts.total() == 1


def test_fc09_a_token_leaves_keys_lists_and_depths() -> None:
    written, counts = redact_tree({"metadata": {GITHUB: [1, {"note": [GITHUB]}]}, "tags": ["a", GITHUB]})
    assert written == {
        "metadata": {"[redacted:github-token]": [1, {"note": ["[redacted:github-token]"]}]},
        "tags": ["a", "[redacted:github-token]"],
    }
    assert counts == {"github-token": 3}


def test_fc45_findings_carry_no_secret() -> None:
    redacted = redact(f"use {GITHUB}, password: Winter757nALx!")
    assert GITHUB not in repr(redacted)
    assert "Winter757" not in repr(redacted)
    assert [each.kind for each in redacted.findings] == ["github-token", "password"]
