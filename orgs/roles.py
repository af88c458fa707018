"""Roles, permissions, visibilities, and the tables between them.

Pure: no framework is imported here, so that the rules can be read, and tested, as tables.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum


class Role(StrEnum):
    """What a member is in an organization."""

    OWNER = "owner"
    ADMIN = "admin"
    HEAD = "head"
    MEMBER = "member"
    CONTRACTOR = "contractor"
    AUDITOR = "auditor"


class Permission(StrEnum):
    """What a caller may do with the records of one project."""

    VIEW = "view"
    WRITE = "write"
    FORGET = "forget"
    REVIEW = "review"
    MANAGE = "manage"


class Action(StrEnum):
    """What an API key was made for."""

    READ = "read"
    WRITE = "write"
    FORGET = "forget"
    REVIEW = "review"


class Duty(StrEnum):
    """What a role is trusted with in the organization itself, apart from any project."""

    STRUCTURE = "structure"
    PEOPLE = "people"
    KEYS = "keys"
    POLICIES = "policies"
    AUDIT = "audit"
    ERASURE = "erasure"


class Visibility(StrEnum):
    """Who may see a record, from the narrowest to the widest. Compares by width, not by spelling."""

    AUTHOR = "author"
    DEPARTMENT = "department"
    PROJECT = "project"
    ORGANIZATION = "organization"

    @property
    def width(self) -> int:
        """Count the visibilities narrower than this one."""
        return _NARROWEST_FIRST.index(self.value)

    def __lt__(self, other: str) -> bool:
        return self.width < Visibility(other).width

    def __le__(self, other: str) -> bool:
        return self.width <= Visibility(other).width

    def __gt__(self, other: str) -> bool:
        return self.width > Visibility(other).width

    def __ge__(self, other: str) -> bool:
        return self.width >= Visibility(other).width


_NARROWEST_FIRST = ("author", "department", "project", "organization")

EVERY_PERMISSION = frozenset(Permission)
NO_PERMISSION: frozenset[Permission] = frozenset()

GRANTABLE = (Permission.VIEW, Permission.WRITE, Permission.REVIEW, Permission.MANAGE)
"""What is kept as a grant; the rest follows from BRINGS."""

BRINGS: Mapping[Permission, frozenset[Permission]] = {
    Permission.VIEW: frozenset({Permission.VIEW}),
    Permission.WRITE: frozenset({Permission.VIEW, Permission.WRITE, Permission.FORGET}),
    Permission.REVIEW: frozenset({Permission.VIEW, Permission.REVIEW}),
    Permission.MANAGE: frozenset({Permission.VIEW, Permission.MANAGE}),
}
"""What a grant to a member brings with it: nobody changes what they cannot see."""

ALLOWS: Mapping[Action, Permission] = {
    Action.READ: Permission.VIEW,
    Action.WRITE: Permission.WRITE,
    Action.FORGET: Permission.FORGET,
    Action.REVIEW: Permission.REVIEW,
}
"""What an action of a key allows, as far as its owner may do it: a key that only writes reads nothing."""

ON_EVERY_PROJECT: Mapping[Role, frozenset[Permission]] = {
    Role.OWNER: EVERY_PERMISSION,
    Role.ADMIN: EVERY_PERMISSION,
    Role.HEAD: NO_PERMISSION,
    Role.MEMBER: NO_PERMISSION,
    Role.CONTRACTOR: NO_PERMISSION,
    Role.AUDITOR: NO_PERMISSION,
}
"""What a role holds on every project without being granted it."""

AT_MOST: Mapping[Role, frozenset[Permission]] = {
    Role.OWNER: EVERY_PERMISSION,
    Role.ADMIN: EVERY_PERMISSION,
    Role.HEAD: EVERY_PERMISSION,
    Role.MEMBER: EVERY_PERMISSION,
    Role.CONTRACTOR: EVERY_PERMISSION,
    Role.AUDITOR: NO_PERMISSION,
}
"""What a role can be granted: an auditor sees no record, whatever somebody granted."""

REACHES_DEPARTMENTS = frozenset({Role.OWNER, Role.ADMIN, Role.HEAD, Role.MEMBER})
READS_ORGANIZATION = frozenset({Role.OWNER, Role.ADMIN, Role.HEAD, Role.MEMBER})

DUTIES: Mapping[Role, frozenset[Duty]] = {
    Role.OWNER: frozenset(Duty),
    Role.ADMIN: frozenset(Duty),
    Role.HEAD: frozenset(),
    Role.MEMBER: frozenset(),
    Role.CONTRACTOR: frozenset(),
    Role.AUDITOR: frozenset({Duty.AUDIT}),
}


def permissions_of(role: Role, granted: Iterable[Permission]) -> frozenset[Permission]:
    """Say what a member of this role may do on a project where these permissions were granted."""
    brought = frozenset[Permission]().union(*(BRINGS[permission] for permission in granted))
    return (ON_EVERY_PROJECT[role] | brought) & AT_MOST[role]


def permissions_of_key(actions: Iterable[Action], owners: frozenset[Permission]) -> frozenset[Permission]:
    """Say what a key with these actions may do where its owner may do this: never more than the owner."""
    return frozenset(ALLOWS[action] for action in actions) & owners
