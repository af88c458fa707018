"""New rules reach writes that are held or were refused."""

from datetime import datetime
from io import StringIO

import pytest
from django.core.management import call_command

from archivist.held import scan_held
from memory.models import Proposal
from memory.versions import content_digest
from orgs.models import AuditEvent
from orgs.tenancy import acting_for
from tests.cast import Cast
from tests.memory.review.proposing import decided, make_policy, proposal_row, proposed

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
WORD = "zanzibar42"


def test_what_older_rules_let_into_a_proposal_is_taken_out(cast: Cast, now: datetime) -> None:
    make_policy(cast.project, now=now, mode="review")
    ada, cy = cast.ada.by_key(now=now), cast.cy.by_key(now=now)
    pid = proposed(ada, f"the bot signs in with {WORD}", now=now, metadata={"note": [WORD]}, session="0123456789abcdef")
    other = proposed(ada, "nothing to hide", now=now)
    decided("reject", cy, pid, now=now, reason=f"It tells {WORD}")
    with acting_for(ada.organization_id):
        for row in Proposal.objects.filter(id=pid):
            row.inputs = {
                **row.inputs,
                "content": row.inputs["content"].replace(WORD, SECRET),
                "metadata": {"n": [SECRET]},
            }
            row.decision_reason = f"It tells {SECRET}"
            row.save()
    out = StringIO()
    call_command("rescan", organization=ada.organization_id, stdout=out)
    assert out.getvalue().splitlines()[-1].endswith("1 proposals redacted")
    row = proposal_row(ada, pid)
    assert SECRET not in f"{row.inputs} {row.decision_reason} {row.verdict}"
    assert (row.content_digest, row.inputs["session"]) == (content_digest(row.inputs["content"]), "0123456789abcdef")
    assert proposal_row(ada, other).inputs == {"content": "nothing to hide"}
    assert sum(scan_held(ada.organization_id, now=now)) == 0
    with acting_for(ada.organization_id):
        (event,) = AuditEvent.objects.filter(verb="proposal.scanned")
    assert (event.object_id, SECRET in event.details) == (str(pid), False)


def test_a_long_queue_is_looked_through_in_batches(cast: Cast, now: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archivist.held.BATCH", 2)
    make_policy(cast.project, now=now, mode="review")
    ada = cast.ada.by_key(now=now)
    pids = [proposed(ada, f"quokka {number}", now=now) for number in range(5)]
    with acting_for(ada.organization_id):
        Proposal.objects.filter(id__in=[pids[0], pids[4]]).update(inputs={"content": f"token {SECRET}"})
    assert list(scan_held(ada.organization_id, now=now)) == [1, 0, 1]
