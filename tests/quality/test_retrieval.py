"""The product must find more than each of its parts, on sets that are no part of it."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import pytest
from django.utils import timezone

from memory.search import embeddings
from orgs import grants
from orgs.access import caller_for_key
from orgs.roles import Permission
from orgs.tenancy import acting_for
from tests.factories import make_key, make_member, make_organization, make_project
from tests.quality import metrics, report, sets
from tests.quality.baselines import Bm25
from tests.quality.metrics import Quality
from tests.quality.sets import Question
from tests.quality.store import Store

FOLDER = sets.folder()
LEAST = {"locomo": 0.72, "beam": 0.68, "xquad": 0.93}  # recall@10 over all
LEAST_OF_CATEGORY = {"en->en": 0.95, "ru->ru": 0.95, "zh->zh": 0.95, "ru->en": 0.86, "zh->en": 0.86}

Ways = Mapping[str, Callable[[Question], list[str]]]
Measured = dict[str, dict[str, Quality]]  # way → category or "all" → quality

pytestmark = [
    pytest.mark.skipif(FOLDER is None, reason=f"{sets.VARIABLE} names no folder with the sets"),
    pytest.mark.timeout(7200),
]


@pytest.fixture(scope="module")
def tables(django_db_setup: None, django_db_blocker: Any) -> Iterator[dict[str, Measured]]:
    """Collect what is measured, and write it down at the end if that is asked for."""
    collected: dict[str, Measured] = {}
    with django_db_blocker.unblock():
        yield collected
    if os.environ.get(report.VARIABLE) and set(collected) == set(sets.NAMES):
        report.write(collected)


@pytest.mark.parametrize("name", sets.NAMES)
def test_the_product_finds_more_than_each_of_its_parts(
    tables: dict[str, Measured], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert FOLDER is not None
    told, questions = sets.read(FOLDER / f"{name}_retrieval.jsonl")
    store = Store(_caller(name), told)
    store.fill()
    ways: Ways = {
        "product": store.search,
        "embedder alone": store.by_meaning_alone,
        "BM25": Bm25(told).search,
        "PostgreSQL full text": store.by_full_text_alone,
    }
    measured = {way: _measured(questions, ask) for way, ask in ways.items()}
    monkeypatch.setattr("memory.search.retrieve.embed_question", lambda _: None)
    measured["words alone"] = _measured(questions, store.search)
    tables[name] = measured
    product, *parts = (found["all"] for found in measured.values())
    assert product.recall_10 >= LEAST[name]
    assert all(product.recall_10 >= part.recall_10 and product.ndcg_10 >= part.ndcg_10 for part in parts)
    short = {c: q.recall_10 for c, q in measured["product"].items() if q.recall_10 < LEAST_OF_CATEGORY.get(c, 0)}
    assert short == {}


def test_every_record_got_a_vector(settings: Any) -> None:
    assert len(embeddings.embed_passages(["a"])[0]) == settings.EMBEDDINGS_DIMENSIONS


def _caller(name: str) -> Any:
    organization = make_organization(name)
    with acting_for(organization.id):
        project = make_project(organization, name)
        member = make_member(organization, "reader")
        grants.grant(Permission.WRITE, on=project, to=member)
        _, token = make_key(member, project)
    return caller_for_key(token, now=timezone.now())


def _measured(questions: Sequence[Question], ask: Callable[[Question], list[str]]) -> dict[str, Quality]:
    judged = {question.id: metrics.judge(ask(question), question.answers) for question in questions}
    counted = [judged[question.id] for question in questions if question.category not in sets.NOT_COUNTED]
    categories = {question.id: question.category for question in questions}
    return {"all": metrics.mean(counted), **metrics.by_category(judged, categories)}
