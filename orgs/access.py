"""Doors: from a key or a signed-in person to a Caller, and from names to rows.

Nothing is cached: a key that is revoked, or whose owner is suspended, stops at its next call. Whatever is
wrong with a key, the answer is the same; the audit log alone is told the reason.
"""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from orgs import audit, grants, keys, standing
from orgs.caller import Caller, Limits
from orgs.errors import Invalid, Unauthenticated, Unknown
from orgs.models import ApiKey, Project, User, Workspace
from orgs.names import LONGEST, canonical
from orgs.roles import (
    AT_MOST,
    NO_PERMISSION,
    ON_EVERY_PROJECT,
    REACHES_DEPARTMENTS,
    READS_ORGANIZATION,
    Action,
    Permission,
    Role,
    Visibility,
    permissions_of,
    permissions_of_key,
)
from orgs.standing import KeyStanding, Standing
from orgs.tenancy import acting_for

log = logging.getLogger(__name__)

USE_IS_NOTED_EVERY = timedelta(minutes=1)
REFUSAL_IS_NOTED_EVERY = timedelta(minutes=1)
# Every write asks this: put into words by the ORM, the question costs many times its answer.
_WORKSPACE = "SELECT * FROM orgs_workspace WHERE organization_id = %s AND project_id = %s AND name = %s"


def caller_for_key(token: str, *, now: datetime, address: str = "") -> Caller:
    """Tell who is asking with this key; raise Unauthenticated, always alike, if nobody may with it now.

    `address` is where the call comes from, for keys that are bound to networks. Opens its own transaction.
    """
    key = keys.parse(token.strip())
    place = standing.place_of_key(key.public_id) if key else None
    if key is None or place is None:
        log.info("key refused", extra={"reason": "unknown" if key else "malformed"})
        raise Unauthenticated
    organization_id, key_id = place
    with acting_for(organization_id):
        held = standing.of_key(organization_id, key_id)
        reason = _why_not(held, key, now=now, address=address)
        if held is not None and reason is None:
            _note_use(held, now=now)
            return _caller_of_key(held)
        event = {"verb": "key.refused", "object_type": "key", "object_id": key_id, "key_id": key_id}
        _note_refusal(organization_id, event | {"details": {"reason": reason}}, now=now)
    raise Unauthenticated


def caller_for_member(user: User, organization_id: UUID, *, now: datetime) -> Caller:
    """Tell who a signed-in person is in an organization.

    Raises Unknown where they are no member, and Unauthenticated where they were stopped. They write nowhere
    until `Caller.writing_in` says where. Opens its own transaction.
    """
    with acting_for(organization_id):
        held = standing.of_member(organization_id, user.id)
        if held is None:
            raise Unknown("There is no such organization here.")
        reason = held.stopped_by(now)
        if reason is None:
            return _caller_of_member(held)
        event = {"verb": "member.refused", "user_id": user.id, "details": {"reason": reason}}
        _note_refusal(organization_id, event, now=now)
    raise Unauthenticated


def workspace_for_write(caller: Caller, name: str) -> Workspace:
    """Find the workspace of this name where the caller writes; its first write makes it.

    Raises Invalid for what cannot be a name, Unknown outside the caller's list: that place does not exist
    for it. Needs the organization's transaction.
    """
    spelled = canonical(name)
    if not spelled or len(spelled) > LONGEST or not spelled.isprintable():
        raise Invalid(f"A workspace's name has 1 to {LONGEST} printable characters.", field="workspace")
    if caller.project_id is None or not caller.knows_workspace(spelled):
        raise Unknown("There is no such workspace here.", field="workspace")
    place = {"organization_id": caller.organization_id, "project_id": caller.project_id, "name": spelled}
    found = next(iter(Workspace.objects.raw(_WORKSPACE, list(place.values()))), None)
    if found is None:
        # Of writers at the same moment one makes it; the others wait for that one's commit and find it.
        Workspace.objects.bulk_create([Workspace(**place)], ignore_conflicts=True)
        found = Workspace.objects.get(**place)
    return found


def project_named(caller: Caller, slug: str) -> Project:
    """Find the caller's project of this short name, or raise Unknown. Needs its transaction."""
    place = {"organization_id": caller.organization_id, "id__in": caller.projects, "slug": slug}
    found = Project.objects.filter(**place).first() if slug.isprintable() else None
    if found is None:
        raise Unknown("There is no such project here.", field="project")
    return found


def _why_not(held: KeyStanding | None, key: keys.Key, *, now: datetime, address: str) -> str | None:
    if held is None:
        return "gone"
    if not key.fits(held.digest, pepper=settings.KEY_PEPPER):
        return "wrong_secret"
    if held.allowed_networks and not _within(address, held.allowed_networks):
        return "foreign_network"
    return held.stopped_by(now)


def _note_refusal(organization_id: UUID, event: Mapping[str, Any], *, now: datetime) -> None:
    """Note why somebody was refused, once a minute for each reason: who may not come in must not fill the log."""
    if not audit.noted_since(organization_id, now - REFUSAL_IS_NOTED_EVERY, event):
        audit.note_in(organization_id, now=now, **event)


def _within(address: str, networks: Iterable[str]) -> bool:
    try:
        origin = ip_address(address)
    except ValueError:
        return False
    return any(origin in ip_network(network) for network in networks)


def _note_use(held: KeyStanding, *, now: datetime) -> None:
    """Keep when the key was last used, at most once a minute: reading stays without a write."""
    due = now - USE_IS_NOTED_EVERY
    if held.last_used_at is None or held.last_used_at <= due:
        unnoted = Q(last_used_at=None) | Q(last_used_at__lte=due)
        mine = ApiKey.objects.filter(unnoted, organization_id=held.owner.organization_id, id=held.key_id)
        mine.update(last_used_at=now)


def _caller_of_member(member: Standing, *, project_id: UUID | None = None) -> Caller:
    """Build the caller from the member's rights, on every project or on one."""
    role = Role(member.role)
    greatest = _at_most(role, Visibility.ORGANIZATION)
    return Caller(
        organization_id=member.organization_id,
        user_id=member.user_id,
        role=role,
        key_id=None,
        home_department_id=_home(member),
        reachable_departments=_reachable(member),
        projects=_permissions(member, project_id=project_id),
        project_id=project_id,
        workspaces=frozenset(),
        every_workspace=True,
        reads_organization=role in READS_ORGANIZATION,
        default_visibility=min(Visibility(member.default_visibility_of_people), greatest),
        greatest_visibility=greatest,
        limits=Limits(calls_of_organization=member.calls_per_minute, records=member.greatest_records),
    )


def _caller_of_key(held: KeyStanding) -> Caller:
    """Narrow the owner's rights down to the key's: never is anything wider."""
    owner = _caller_of_member(held.owner, project_id=held.project_id)
    actions = frozenset(Action(action) for action in held.actions)
    allowed = permissions_of_key(actions, owner.projects.get(held.project_id, NO_PERMISSION))
    whole = held.reads_organization and held.every_workspace and Action.READ in actions
    greatest = min(
        owner.greatest_visibility,
        Visibility(held.greatest_visibility),
        Visibility(held.owner.greatest_visibility_of_keys),
    )
    return replace(
        owner,
        key_id=held.key_id,
        projects={held.project_id: allowed},
        workspaces=frozenset(held.workspaces),
        every_workspace=held.every_workspace,
        reads_organization=owner.reads_organization and whole,
        default_visibility=min(Visibility(held.default_visibility), greatest),
        greatest_visibility=greatest,
        limits=replace(owner.limits, calls_of_key=held.calls_per_minute),
    )


def _permissions(member: Standing, *, project_id: UUID | None) -> Mapping[UUID, frozenset[Permission]]:
    """Look up what a member may do on every project or on one; a role that says it all needs no query."""
    role = Role(member.role)
    if ON_EVERY_PROJECT[role]:
        everywhere = [project_id] if project_id else standing.projects(member.organization_id)
        return dict.fromkeys(everywhere, permissions_of(role, ()))
    if not AT_MOST[role]:
        return {}
    found = grants.granted(
        organization_id=member.organization_id,
        user_id=member.user_id,
        departments=_own_and_above(member),
        project_id=project_id,
    )
    return {project: permissions_of(role, granted) for project, granted in found.items()}


def _home(member: Standing) -> UUID | None:
    return member.department_id if member.role in REACHES_DEPARTMENTS else None


def _own_and_above(member: Standing) -> frozenset[UUID]:
    home = _home(member)
    return frozenset() if home is None else frozenset({home, *member.above})


def _reachable(member: Standing) -> frozenset[UUID]:
    reached = _own_and_above(member)
    if member.role == Role.HEAD and member.department_id is not None:
        reached |= frozenset(standing.below(member.organization_id, member.department_id))
    return reached


def _at_most(role: Role, visibility: Visibility) -> Visibility:
    """Keep a contractor's records inside the project: nothing of theirs is for the whole organization."""
    return min(visibility, Visibility.PROJECT) if role == Role.CONTRACTOR else visibility
