"""A set in a project of its own, written through the verbs, embedded by the real errands, and asked in several ways."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from django.db import connection
from django.utils import timezone

from archivist import working
from memory.models import Errand
from memory.models.outbox import ErrandKind
from memory.search.embeddings import embed_question
from memory.verbs.running import run
from orgs.caller import Caller
from orgs.tenancy import acting_for
from tests.quality.sets import Question, Told

DEPTH = 20
TERMS = working.Terms(lease=timedelta(minutes=10), tries=3)
CONFIGURATIONS = {"ru": "russian", "zh": "simple"}


@dataclass
class Store:
    """The records of one set as the product holds them."""

    caller: Caller
    told: Sequence[Told]
    ids: dict[UUID, str] = field(default_factory=dict)

    def fill(self) -> None:
        """Remember every record, in order, and give each its vector."""
        for one in self.told:
            answer: Any = run("remember", self.caller, one.payload, now=timezone.now()).answer
            self.ids[answer.id] = one.id
        self._embed()

    def _embed(self) -> None:
        organization = self.caller.organization_id
        with acting_for(organization):
            due = list(Errand.objects.filter(organization_id=organization, kind=ErrandKind.EMBED).order_by("id"))
        for start in range(0, len(due), 64):
            rung = {errand.id: errand.attempts for errand in due[start : start + 64]}
            working.do(ErrandKind.EMBED, organization, rung, terms=TERMS, clock=timezone.now)

    def search(self, question: Question) -> list[str]:
        """Ask the product."""
        payload = {"query": question.text, "workspace": question.workspace, "limit": DEPTH}
        answer: Any = run("search", self.caller, payload, now=timezone.now()).answer
        return [self.ids[record.id] for record in answer.results]

    def by_meaning_alone(self, question: Question) -> list[str]:
        """Order by the cosine and nothing else."""
        vector = embed_question(question.text)
        written = "[" + ",".join(map(str, vector or [])) + "]"
        return self._ordered("e.vector <=> %s::halfvec", [written], question)

    def by_full_text_alone(self, question: Question) -> list[str]:
        """PostgreSQL's own full text, any of the words, best first."""
        configuration = CONFIGURATIONS.get(question.workspace.removeprefix("xq-"), "english")
        any_word = "replace(plainto_tsquery(%s::regconfig, %s)::text, '&', '|')::tsquery"
        rank = f"-ts_rank(to_tsvector(%s::regconfig, r.content), {any_word})"
        return self._ordered(rank, [configuration, configuration, question.text], question)

    def _ordered(self, expression: str, parameters: Sequence[Any], question: Question) -> list[str]:
        sql = f"""
            SELECT r.id FROM memory_record r JOIN orgs_workspace w ON w.id = r.workspace_id
            JOIN memory_embedding e ON e.record_id = r.id
            WHERE r.project_id = %s AND w.name = %s ORDER BY {expression}, r.id LIMIT {DEPTH}
        """
        with acting_for(self.caller.organization_id), connection.cursor() as cursor:
            cursor.execute(sql, [self.caller.project_id, question.workspace, *parameters])
            return [self.ids[row[0]] for row in cursor.fetchall()]

    @cached_property
    def contents(self) -> Mapping[str, list[Told]]:
        """Return the records by workspace."""
        found: dict[str, list[Told]] = {}
        for one in self.told:
            found.setdefault(one.workspace, []).append(one)
        return found
