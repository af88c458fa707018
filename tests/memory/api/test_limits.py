"""What a plan allows: calls a minute, and records. At the limit writes are refused, and reading goes on."""

from datetime import timedelta

import pytest

from memory import quotas
from memory.models import Record, Tally, WritePolicy
from orgs.models import ApiKey, Organization
from orgs.tenancy import acting_for
from tests.memory.api.calling import get, post, told
from tests.memory.transfer.moving import exported, imported


def limit(cast, **limits):
    with acting_for(cast.organization.id):
        Organization.objects.filter(id=cast.organization.id).update(**limits)


def kept(cast):
    with acting_for(cast.organization.id):
        return Record.objects.filter(organization_id=cast.organization.id).count()


def test_a_key_is_told_its_limit_and_when_to_try_again(cast):
    with acting_for(cast.organization.id):
        ApiKey.objects.filter(id=cast.ada.key.id).update(calls_per_minute=2)
    first, second, third = (get(cast.ada, "/v1/records") for _ in range(3))
    assert [answer.status_code for answer in (first, second, third)] == [200, 200, 429]
    assert told(third) == (429, "too_many", None)
    assert 1 <= int(third["Retry-After"]) <= 120
    assert (first["RateLimit-Policy"], first["RateLimit"][:10]) == ('"key";q=2;w=60', '"key";r=1;')
    assert third["RateLimit"].startswith('"key";r=0;')
    free = get(cast.ben, "/v1/records")
    assert (free.status_code, "RateLimit" in free) == (200, False)


def test_an_organizations_limit_is_one_for_all_its_keys_and_none_of_anothers(cast):
    limit(cast, calls_per_minute=2)
    people = [cast.ada, cast.ben, cast.cy, cast.eve]
    assert [get(person, "/v1/records").status_code for person in people] == [200, 200, 429, 200]


def test_a_refused_key_is_unauthenticated_and_not_counted(cast):
    limit(cast, calls_per_minute=1)
    with acting_for(cast.organization.id):
        ApiKey.objects.filter(id=cast.ben.key.id).update(revoked_at=cast.ben.key.created_at)
    assert [get(cast.ben, "/v1/records").status_code for _ in range(3)] == [401] * 3
    assert get(cast.ada, "/v1/records").status_code == 200


def test_at_the_quota_writes_are_refused_and_reading_goes_on(cast):
    post(cast.ada, "/v1/remember", {"content": "quokka one"})
    limit(cast, greatest_records=2)
    assert post(cast.ben, "/v1/remember", {"content": "quokka two"}).status_code == 201
    refused = post(cast.cy, "/v1/remember", {"content": "quokka three"})
    assert told(refused) == (429, "too_many", None)
    assert (refused.json()["limit"], "Retry-After" in refused) == (2, False)
    found = post(cast.cy, "/v1/search", {"query": "quokka"}).json()["results"]
    assert ({one["content"] for one in found}, kept(cast)) == ({"quokka one", "quokka two"}, 2)
    assert post(cast.eve, "/v1/remember", {"content": "quokka three"}).status_code == 201


@pytest.mark.parametrize("verb", ["remember", "write", "supersede", "batch"])
def test_no_way_of_writing_goes_past_the_quota(cast, verb):
    id = post(cast.ada, "/v1/remember", {"content": "quokka"}).json()["id"]
    limit(cast, greatest_records=1)
    body = {"content": "wombat"}
    if verb == "batch":
        answer = post(cast.ada, "/v1/remember/batch", {"items": [body, body]}).json()
        assert [one["problem"]["status"] for one in answer["results"]] == [429, 429]
    else:
        sent = body | ({"node_id": id} if verb == "supersede" else {})
        assert told(post(cast.ada, f"/v1/{verb}", sent))[:2] == (429, "too_many")
    assert kept(cast) == 1


def test_a_reviewer_lets_nothing_in_past_the_quota(cast, now):
    with acting_for(cast.organization.id):
        WritePolicy.objects.create(
            organization_id=cast.organization.id, project=cast.project, mode="review", updated_at=now
        )
    pid = post(cast.ada, "/v1/write", {"content": "quokka"}).json()["pid"]
    limit(cast, greatest_records=0)
    assert told(post(cast.cy, f"/v1/proposals/{pid}/accept", {}))[:2] == (429, "too_many")
    limit(cast, greatest_records=1)
    assert post(cast.cy, f"/v1/proposals/{pid}/accept", {}).status_code == 200


def test_an_import_takes_in_no_more_than_there_is_room_for(cast, now):
    oz = cast.oz.signed_in(now=now)
    for text in ("one", "two"):
        post(cast.ada, "/v1/remember", {"content": text})
    lines = exported(oz, now=now)
    with acting_for(cast.organization.id):
        Record.objects.filter(organization_id=cast.organization.id).delete()
    limit(cast, greatest_records=1)
    report = imported(cast.oz.signed_in(now=now), lines, now=now)
    assert (report.ok, kept(cast)) == (False, 0)
    limit(cast, greatest_records=2)
    assert (imported(cast.oz.signed_in(now=now), lines, now=now).ok, kept(cast)) == (True, 2)
    assert imported(cast.oz.signed_in(now=now), lines, now=now).ok is True, "what is here already needs no room"


def test_what_was_added_or_purged_beside_the_count_is_counted_in_time(cast, now):
    limit(cast, greatest_records=2)
    caller = cast.ada.by_key(now=now)
    with acting_for(cast.organization.id):
        quotas.take(caller, 2, now=now)
        later = now + quotas.COUNTED_EVERY + timedelta(seconds=1)
        quotas.take(caller, 2, now=later)
        assert Tally.objects.get(organization_id=cast.organization.id).records == 2


def test_without_a_quota_nothing_is_counted(cast):
    post(cast.ada, "/v1/remember", {"content": "quokka"})
    with acting_for(cast.organization.id):
        assert not Tally.objects.filter(organization_id=cast.organization.id).exists()
