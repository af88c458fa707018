"""Words for every status, reason and relation; records' text laid open; addresses worth a link."""

import itertools
from uuid import UUID

import pytest

from memory.protocol import shapes
from memory.protocol.vocabulary import Direction, Reason, RelationKind, Status
from memory.web import wording
from orgs.roles import Visibility


@pytest.mark.parametrize("reason", list(Reason))
@pytest.mark.parametrize("count", [0, 1, 3])
def test_every_reason_has_words_of_its_own(reason, count):
    said = wording.in_words(shapes.StatusReason(reason=reason, ids=[], count=count))
    assert "%" not in said
    assert reason not in said


def test_every_status_visibility_and_relation_has_words():
    words = [(wording.status_word(one), wording.advice(one)) for one in Status]
    relations = [
        wording.relation_words(
            shapes.GraphRelation(relation=kind, direction=way, weight=1, target_id=UUID(int=0), preview="")
        )
        for kind, way in itertools.product(RelationKind, Direction)
    ]
    assert len(set(words)) == len(Status)
    assert all(relations)
    assert all(wording.seen_by(one) for one in Visibility)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("deploy.staging", "deploy.staging"),
        ("archivist:money:invoic-3ff695", ""),
        ("my.archivist:x", "my.archivist:x"),
        (None, ""),
    ],
)
def test_a_list_shows_the_fact_keys_that_somebody_chose(key, shown):
    assert wording.given_key(key) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n\r\nof two lines", "plain\ttext\n\r\nof two lines"),
        ("Привет, 世界 – «да» 👩‍💻", "Привет, 世界 – «да» 👩‍💻"),
        ("\u202egnp.exe\u2069", "[U+202E]gnp.exe[U+2069]"),
        ("zero\u200bwidth\ufeff", "zero[U+200B]width[U+FEFF]"),
        ("bell\u0007 escape\u001b[31m", "bell[U+0007] escape[U+001B][31m"),
        ("tags \U000e0041\U000e0042", "tags [U+E0041][U+E0042]"),
        ("نص عربي", "نص عربي"),
        ("<b>{{7*7}}</b>", "<b>{{7*7}}</b>"),
    ],
)
def test_invisible_characters_are_written_out(text, shown):
    assert wording.laid_open(text) == shown


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("https://example.org/x?y=1", True),
        ("HTTP://example.org", True),
        ("javascript:alert(1)", False),
        ("JaVaScRiPt:alert(1)", False),
        (" https://example.org", False),
        ("java\nscript:alert(1)", False),
        ("data:text/html,x", False),
        ("https:", False),
        ("http://[", False),
        ("https://example.org/\u202egnp.exe", False),
        ("docs/deploy.md", False),
        ("//example.org", False),
        ("", False),
        (None, False),
    ],
)
def test_fc62_only_web_addresses_become_links(text, linked):
    assert wording.web_address(text) == (text if linked else "")
