"""Commands promise work about records that are behind, as often as they are run."""

from io import StringIO

import pytest
from django.core.management import call_command

from memory.models import Embedding, Errand, Record
from memory.redaction import RULES_VERSION
from orgs.tenancy import acting_for
from tests.archivist.writing import remember


@pytest.fixture
def ada(cast, now):
    return cast.ada.by_key(now=now)


def said(command, *arguments, **options):
    out = StringIO()
    call_command(command, *arguments, stdout=out, **options)
    return out.getvalue().splitlines()[-1]


def test_records_of_another_model_are_embedded_again(ada, now, settings):
    settings.EMBEDDINGS_MODEL = "new"
    records = [remember(ada, f"Fact {model}.", now=now) for model in ("old", "new", "none")]
    with acting_for(ada.organization_id):
        Errand.objects.all().delete()
        for record, model in zip(records, ("old", "new"), strict=False):
            Embedding.objects.create(
                record=record,
                organization_id=ada.organization_id,
                project_id=record.project_id,
                model=model,
                vector=[1.0],
            )
    assert said("reembed", organization=ada.organization_id) == "2 records to embed"
    assert said("reembed", organization=ada.organization_id) == "0 records to embed"
    with acting_for(ada.organization_id):
        promised = set(Errand.objects.values_list("record_id", "kind"))
    assert promised == {(records[0].id, "embed"), (records[2].id, "embed")}


def test_records_that_todays_rules_have_not_seen_are_scanned(cast, ada, now):
    seen, unseen = remember(ada, "Seen.", now=now), remember(ada, "Unseen.", now=now)
    foreign = remember(cast.eve.by_key(now=now), "Foreign.", now=now)
    for record in (seen, unseen, foreign):
        with acting_for(record.organization_id):
            Errand.objects.filter(record=record).delete()
    with acting_for(ada.organization_id):
        Record.objects.filter(id=seen.id).update(scanned_with=RULES_VERSION)
    said("rescan")
    for record, number in ((seen, 0), (unseen, 1), (foreign, 1)):
        with acting_for(record.organization_id):
            assert Errand.objects.filter(record=record, kind="scan").count() == number


def test_what_was_given_up_is_revived_in_every_organization_or_in_one(cast, ada, now):
    records = [remember(caller, "Hard.", now=now) for caller in (ada, cast.eve.by_key(now=now))]
    for record in records:
        with acting_for(record.organization_id):
            Errand.objects.filter(record=record, kind="review").update(dead_at=now, tries=5)
    assert said("revive", f"--organization={cast.organization.slug}") == "1 errands revived"
    assert said("revive") == "1 errands revived"
    for record in records:
        with acting_for(record.organization_id):
            errand = Errand.objects.get(record=record, kind="review")
        assert (errand.dead_at, errand.tries) == (None, 0)
