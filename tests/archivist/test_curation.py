"""The pen writes once, never against its rules, and never touches a text or who sees it."""

from datetime import timedelta

import pytest

from memory import curation
from memory.curation import Ruling
from memory.models import Doubt, Relation
from memory.protocol.vocabulary import RelationKind
from orgs.tenancy import acting_for
from tests.archivist.writing import read, remember, search_for

LATER = timedelta(seconds=1)
SUPERSEDES, RELATES = RelationKind.SUPERSEDES, RelationKind.RELATES_TO


@pytest.fixture
def ada(cast, now):
    return cast.ada.by_key(now=now)


@pytest.fixture
def pair(ada, now):
    """Give an older record and a newer one."""
    return remember(ada, "The port is 8080.", now=now), remember(ada, "The port is 9090.", now=now + LATER)


@pytest.fixture
def inside(ada):
    with acting_for(ada.organization_id):
        yield


def test_fc24_a_relation_is_written_once(pair, inside, now):
    old, new = pair
    rulings = [curation.relate(new, old, kind=SUPERSEDES, weight=0.9, now=now) for _ in range(3)]
    assert rulings == [Ruling.WRITTEN, Ruling.ALREADY, Ruling.ALREADY]
    assert Relation.objects.count() == 1


def test_fc24_a_doubt_lowers_confidence_once_and_moves_no_clock(pair, ada, now):
    old, new = pair
    with acting_for(ada.organization_id):
        for _ in range(3):
            curation.doubt(old, because=new, amount=0.3, refutes=True, now=now)
    assert search_for(ada, old.id, now=now).confidence == 0.2
    assert search_for(ada, old.id, now=now).status == "stale"
    assert read(ada, old.id).updated_at == old.updated_at


def test_an_undone_finding_stays_undone(pair, ada, now):
    old, new = pair
    with acting_for(ada.organization_id):
        curation.relate(new, old, kind=SUPERSEDES, weight=1, now=now)
        curation.doubt(old, because=new, amount=0.3, refutes=True, now=now)
        curation.unrelate(new, old, kind=SUPERSEDES, now=now)
        curation.trust_again(old, because=new, now=now)
        assert curation.doubt(old, because=new, amount=0.3, refutes=True, now=now) == Ruling.ALREADY
        assert curation.relate(new, old, kind=SUPERSEDES, weight=1, now=now) == Ruling.ALREADY
    shown = search_for(ada, old.id, now=now)
    assert (shown.status, shown.confidence, shown.graph_relations) == ("unverified", 0.5, [])


def test_fc56_nothing_relates_to_itself(pair, inside, now):
    old, _ = pair
    assert curation.relate(old, old, kind=RELATES, weight=0.5, now=now) == Ruling.ITSELF


@pytest.mark.parametrize("share", [7, -0.1, float("nan"), float("inf")])
def test_fc56_a_weight_is_a_share(pair, inside, now, share):
    old, new = pair
    assert curation.relate(new, old, kind=RELATES, weight=share, now=now) == Ruling.OUT_OF_RANGE
    assert curation.doubt(old, because=new, amount=share, refutes=False, now=now) == Ruling.OUT_OF_RANGE


def test_fc42_one_record_never_takes_all_confidence_from_another(pair, inside, now):
    old, new = pair
    assert curation.doubt(old, because=new, amount=1.0, refutes=True, now=now) == Ruling.OUT_OF_RANGE


def test_fc56_an_older_record_supersedes_and_refutes_nothing_newer_so_there_are_no_rings(pair, inside, now):
    old, new = pair
    assert curation.relate(old, new, kind=SUPERSEDES, weight=1, now=now) == Ruling.NOT_OLDER
    assert curation.doubt(new, because=old, amount=0.1, refutes=True, now=now) == Ruling.NOT_OLDER
    assert (Relation.objects.count(), Doubt.objects.count()) == (0, 0)


def test_fc56_nothing_is_linked_across_organizations(pair, cast, inside, now):
    old, _ = pair
    foreign = remember(cast.eve.by_key(now=now), "The port is 1234.", now=now + LATER)
    assert curation.relate(foreign, old, kind=RELATES, weight=0.5, now=now) == Ruling.GONE


def test_a_fact_is_named_once_and_an_agents_name_stays(pair, ada, inside, now):
    old, _ = pair
    named = remember(ada, "The door opens at nine.", now=now, fact_key="office.hours")
    assert curation.name_fact(named, "archivist:people:door", now=now) == Ruling.NAMED
    assert [curation.name_fact(old, "archivist:network:port", now=now) for _ in range(2)] == [
        Ruling.WRITTEN,
        Ruling.ALREADY,
    ]
    assert curation.name_fact(old, "archivist:network:other", now=now) == Ruling.NAMED
    assert (read(ada, named.id).fact_key, read(ada, old.id).fact_key) == ("office.hours", "archivist:network:port")


def test_a_record_that_lost_its_name_is_found_by_what_it_was_found_by_before(pair, ada, now):
    old, _ = pair
    before = old.words
    with acting_for(ada.organization_id):
        curation.name_fact(old, "archivist:network:port", now=now)
        assert curation.unname_fact(old, now=now)
    assert read(ada, old.id).words == before


def test_a_name_is_one_spelling(pair, inside, now):
    old, _ = pair
    assert curation.name_fact(old, "Archivist:Network", now=now) == Ruling.NO_NAME
    assert curation.name_fact(old, "", now=now) == Ruling.NO_NAME


def test_content_and_visibility_are_never_touched(pair, ada, now):
    old, new = pair
    with acting_for(ada.organization_id):
        curation.relate(new, old, kind=SUPERSEDES, weight=1, now=now)
        curation.doubt(old, because=new, amount=0.3, refutes=True, now=now)
        curation.name_fact(old, "archivist:network:port", now=now)
    kept = read(ada, old.id)
    assert (kept.content, kept.visibility, kept.confidence) == (old.content, old.visibility, old.confidence)
