"""The cast: one person per boundary that a record can lie behind.

ada writes. ben is of her department, cy of her project but another department, dot of her organization but
another project, eve of another organization. hal heads the department above ada's; kit is a contractor on her
project; ann audits; sam, of her department, is suspended; oz owns the organization. Everybody has a key.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from orgs.access import caller_for_key, caller_for_member
from orgs.caller import Caller
from orgs.models import ApiKey, Department, Membership, Organization, Project, User
from orgs.roles import Permission, Role
from orgs.tenancy import acting_for
from tests.factories import (
    make_department,
    make_grants,
    make_key,
    make_member,
    make_organization,
    make_project,
)

_GRANTED = (Permission.WRITE, Permission.REVIEW)


@dataclass(frozen=True)
class Person:
    """One of the cast: a member with a key on a project."""

    member: Membership
    project: Project
    key: ApiKey
    token: str

    @property
    def user(self) -> User:
        """Return the person."""
        return self.member.user

    @property
    def headers(self) -> dict[str, str]:
        """Return the header that carries the key."""
        return {"Authorization": f"Bearer {self.token}"}

    def by_key(self, *, now: datetime) -> Caller:
        """Come in through the key."""
        return caller_for_key(self.token, now=now)

    def signed_in(self, *, now: datetime) -> Caller:
        """Come in by signing in, and write where the key would."""
        return replace(caller_for_member(self.user, self.member.organization_id, now=now), project_id=self.project.id)


@dataclass(frozen=True)
class Cast:
    """Everybody, and the places they stand in."""

    organization: Organization
    elsewhere: Organization
    branch: Department
    team: Department
    sales: Department
    project: Project
    other_project: Project
    foreign_project: Project
    ada: Person
    ben: Person
    cy: Person
    dot: Person
    eve: Person
    hal: Person
    kit: Person
    ann: Person
    sam: Person
    oz: Person

    @property
    def everybody(self) -> dict[str, Person]:
        """Return the people by name."""
        return {name: person for name, person in vars(self).items() if isinstance(person, Person)}


def gather(*, now: datetime) -> Cast:
    """Make the two organizations and everybody in them."""
    organization, elsewhere = make_organization("Acme"), make_organization("Elsewhere")
    with acting_for(elsewhere.id):
        foreign = make_project(elsewhere, "apollo")
        eve = _person(elsewhere, "eve", foreign)
        make_grants([(eve.member, foreign)], _GRANTED)
    with acting_for(organization.id):
        branch = make_department(organization, "Branch")
        team = make_department(organization, "Team", branch)
        sales = make_department(organization, "Sales", branch)
        project, other = make_project(organization, "apollo"), make_project(organization, "gemini")
        people = _people(organization, project, other, branch=branch, team=team, sales=sales, now=now)
        granted = [person for name, person in people.items() if name != "oz"]
        make_grants([(person.member, person.project) for person in granted], _GRANTED)
    return Cast(organization, elsewhere, branch, team, sales, project, other, foreign, eve=eve, **people)


def _people(
    organization: Organization,
    project: Project,
    other: Project,
    *,
    branch: Department,
    team: Department,
    sales: Department,
    now: datetime,
) -> dict[str, Person]:
    term = {"role": Role.CONTRACTOR, "ends_at": now + timedelta(days=30)}
    return {
        "ada": _person(organization, "ada", project, department=team),
        "ben": _person(organization, "ben", project, department=team),
        "cy": _person(organization, "cy", project, department=sales),
        "dot": _person(organization, "dot", other, department=sales),
        "hal": _person(organization, "hal", project, department=branch, role=Role.HEAD),
        "kit": _person(organization, "kit", project, **term),
        "ann": _person(organization, "ann", project, role=Role.AUDITOR),
        "sam": _person(organization, "sam", project, department=team, suspended_at=now),
        "oz": _person(organization, "oz", project, role=Role.OWNER),
    }


def _person(organization: Organization, name: str, project: Project, **fields: Any) -> Person:
    member = make_member(organization, name, **fields)
    key, token = make_key(member, project)
    return Person(member, project, key, token)
