"""Issuing keys, replacing them and ending them. A key's text is told once, to whoever made it."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings

from orgs import keys
from orgs.audit import note
from orgs.caller import Caller
from orgs.errors import Clash, Forbidden, Invalid, Unknown
from orgs.models import ApiKey, Membership, Organization, Project
from orgs.operations.asking import found, trusted_with
from orgs.operations.key_wishes import Wish, inherited, require_narrower
from orgs.operations.naming import checked_name
from orgs.roles import Duty, Permission, Visibility
from orgs.tenancy import acting_for

LONGEST_OVERLAP = timedelta(days=30)
_KEPT_ON_ROTATION = (
    *("name", "project_id", "owner_id", "parent_id", "actions", "every_workspace", "workspaces"),
    *(
        "default_visibility",
        "greatest_visibility",
        "reads_organization",
        "calls_per_minute",
        "allowed_networks",
    ),
)


class Issued(NamedTuple):
    """A key, and its text, which nobody can read again."""

    key: ApiKey
    token: str


def create_key(by: Caller, wish: Wish, *, project_id: UUID, owner_id: UUID | None = None, now: datetime) -> Issued:
    """Issue a key on a project that the person manages: for themselves, or on duty for others."""
    wish = wish.checked(now=now)
    with acting_for(by.organization_id):
        project = found(Project, project_id, by=by, what="project")
        if by.key_id is not None or not by.may(Permission.MANAGE, project_id=project.id):
            raise Forbidden("Managing the project is needed for this.", data={"permission": Permission.MANAGE})
        owner = _owner(by, owner_id)
        policy = Organization.objects.get(id=by.organization_id)
        ceiling = Visibility(policy.greatest_visibility_of_keys)
        visibilities = _visibilities(wish, default=Visibility(policy.default_visibility_of_keys), ceiling=ceiling)
        issued = _keep(ApiKey(project=project, owner=owner, **visibilities, **wish.columns()), by, now=now)
        _note(by, "key.create", issued.key, now=now, details={"name": issued.key.name, "owner": owner.user_id})
    return issued


def create_child_key(caller: Caller, wish: Wish, *, now: datetime) -> Issued:
    """Issue, with a key, a narrower one for a sub-agent: same project, same owner, an end of its own."""
    wish = wish.checked(now=now)
    if caller.key_id is None:
        raise Forbidden("Only a key issues keys of its own.")
    with acting_for(caller.organization_id):
        parent = found(ApiKey, caller.key_id, by=caller, what="key", lock=True)
        if not parent.is_live(now):
            raise Unknown("There is no such key here.", field="key")
        wish = inherited(wish, parent)
        require_narrower(wish, parent)
        visibilities = _visibilities(
            wish,
            default=Visibility(parent.default_visibility),
            ceiling=Visibility(parent.greatest_visibility),
        )
        child = ApiKey(
            project_id=parent.project_id,
            owner_id=parent.owner_id,
            parent=parent,
            **visibilities,
            **wish.columns(),
        )
        issued = _keep(child, caller, now=now)
        _note(caller, "key.create", issued.key, now=now, details={"name": child.name, "parent": parent.id})
    return issued


def revoke_key(by: Caller, key_id: UUID, *, now: datetime) -> int:
    """End a key and all that it issued, from their next call on; say how many ended."""
    with acting_for(by.organization_id):
        key = found(ApiKey, key_id, by=by, what="key", lock=True)
        _require_say_over(by, key)
        ended = [one.id for one in _family(key) if one.revoked_at is None]
        ApiKey.objects.filter(organization_id=by.organization_id, id__in=ended).update(revoked_at=now)
        _note(by, "key.revoke", key, now=now, details={"ended": ended})
    return len(ended)


def rotate_key(by: Caller, key_id: UUID, *, overlap: timedelta, now: datetime) -> Issued:
    """Issue a key's successor; the old one, and what it issued, go on for the overlap and then end."""
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise Invalid(f"The overlap is 0 to {LONGEST_OVERLAP.days} days.", field="overlap")
    with acting_for(by.organization_id):
        old = found(ApiKey, key_id, by=by, what="key", lock=True)
        _require_say_over(by, old)
        if old.successor_id is not None or not old.is_live(now):
            raise Clash("This key has ended or been replaced already.", field="key")
        kept = {name: getattr(old, name) for name in _KEPT_ON_ROTATION}
        issued = _keep(ApiKey(expires_at=_renewed_end(old, now=now), **kept), by, now=now)
        old.successor = issued.key
        old.save(update_fields=["successor"])
        _end_by(_family(old), now + overlap)
        _note(by, "key.rotate", old, now=now, details={"successor": issued.key.id, "overlap": overlap})
    return issued


def _family(key: ApiKey) -> list[ApiKey]:
    """Lock a key and all that it issued, one generation after the other, so that none is born unseen."""
    family, generation = [], [key]
    while generation:
        family += generation
        parents = [one.id for one in generation]
        born = ApiKey.objects.filter(organization_id=key.organization_id, parent_id__in=parents)
        generation = list(born.select_for_update(no_key=True))
    return family


def _end_by(family: Iterable[ApiKey], end: datetime) -> None:
    sooner = [one for one in family if one.expires_at is None or one.expires_at > end]
    for one in sooner:
        one.expires_at = end
    ApiKey.objects.bulk_update(sooner, ["expires_at"])


def _renewed_end(old: ApiKey, *, now: datetime) -> datetime | None:
    """Give the successor as long a life as the old key had, within that of the key that issued it."""
    end = None if old.expires_at is None else now + (old.expires_at - old.created_at)
    parents_end = old.parent.expires_at if old.parent else None
    return min(filter(None, (end, parents_end)), default=None)


def _keep(key: ApiKey, by: Caller, *, now: datetime) -> Issued:
    minted = keys.mint()
    key.organization_id, key.name, key.created_at = by.organization_id, checked_name(key.name), now
    key.public_id, key.digest = minted.public_id, minted.digest(settings.KEY_PEPPER)
    key.save(force_insert=True)
    return Issued(key, minted.text)


def _visibilities(wish: Wish, *, default: Visibility, ceiling: Visibility) -> dict[str, Visibility]:
    greatest = wish.greatest_visibility or ceiling
    if greatest > ceiling:
        raise Invalid(f"The greatest visibility a key may give here is {ceiling}.", field="greatest_visibility")
    if wish.default_visibility and wish.default_visibility > greatest:
        raise Invalid(f"The default lies above the greatest, {greatest}.", field="default_visibility")
    return {
        "default_visibility": wish.default_visibility or min(default, greatest),
        "greatest_visibility": greatest,
    }


def _owner(by: Caller, owner_id: UUID | None) -> Membership:
    if owner_id is None:
        return Membership.objects.get(organization_id=by.organization_id, user_id=by.user_id)
    owner = found(Membership, owner_id, by=by, what="member")
    if owner.user_id != by.user_id and not trusted_with(by, Duty.KEYS):
        raise Forbidden("Only administrators issue keys for others.")
    return owner


def _require_say_over(by: Caller, key: ApiKey) -> None:
    """Let the key's owner, its project's managers and administrators decide; to others it does not exist."""
    if by.key_id is not None:
        mine = key.parent_id == by.key_id
    else:
        managed = trusted_with(by, Duty.KEYS) or by.may(Permission.MANAGE, project_id=key.project_id)
        mine = managed or key.owner.user_id == by.user_id
    if not mine:
        raise Unknown("There is no such key here.", field="key")


def _note(by: Caller, verb: str, key: ApiKey, *, now: datetime, details: dict[str, object]) -> None:
    note(by, verb=verb, object_type="key", object_id=key.id, now=now, details=details)
