"""What one record may take over from another: only what everybody who sees the one sees in the other."""

import itertools
from uuid import UUID

import pytest

from memory.audience import Audience, covers
from orgs.roles import Visibility

BRANCH, TEAM, SALES = UUID(int=1), UUID(int=2), UUID(int=3)
ADA, BEN, CY = UUID(int=11), UUID(int=12), UUID(int=13)
HOMES = {ADA: TEAM, BEN: TEAM, CY: SALES}


def told(visibility, author=ADA, department=None, workspace=1):
    home = HOMES[author]
    department = department or home
    return Audience(
        project_id=UUID(int=21),
        workspace_id=UUID(int=30 + workspace),
        visibility=Visibility(visibility),
        author_id=author,
        department_id=department,
        above=frozenset({BRANCH} if department != BRANCH else ()),
        authors=frozenset({home, BRANCH}),
    )


OF_ONE_TEAM = {  # by different authors of one department; wider: author, department, project, organization
    "author": (False, True, True, True),
    "department": (False, True, True, True),
    "project": (False, False, True, True),
    "organization": (False, False, False, True),
}
OF_TWO_TEAMS = {
    "author": (False, False, True, True),
    "department": (False, False, True, True),
    "project": (False, False, True, True),
    "organization": (False, False, False, True),
}
WIDER = ("author", "department", "project", "organization")


@pytest.mark.parametrize(("narrower", "wider"), list(itertools.product(WIDER, WIDER)))
def test_by_two_people_of_one_department(narrower, wider):
    assert covers(told(wider, BEN), told(narrower, ADA)) == OF_ONE_TEAM[narrower][WIDER.index(wider)]


@pytest.mark.parametrize(("narrower", "wider"), list(itertools.product(WIDER, WIDER)))
def test_by_people_of_two_departments(narrower, wider):
    assert covers(told(wider, CY), told(narrower, ADA)) == OF_TWO_TEAMS[narrower][WIDER.index(wider)]


def test_ones_own_draft_covers_ones_own_draft_alone():
    assert covers(told("author"), told("author"))
    assert not covers(told("author"), told("department"))


def test_what_is_for_a_branch_covers_what_is_for_a_team_of_it_and_not_the_other_way():
    assert covers(told("department", BEN, BRANCH), told("department", ADA, TEAM))
    assert not covers(told("department", ADA, TEAM), told("department", BEN, BRANCH))


def test_two_records_without_an_author_are_not_by_the_same_one():
    nobody = {"author_id": None}
    one, other = (Audience(**{**vars_of(told("author")), **nobody}) for _ in range(2))
    assert not covers(one, other)


def test_nothing_is_taken_over_from_another_workspace():
    assert not covers(told("organization", workspace=2), told("author", workspace=1))


def vars_of(audience):
    return {name: getattr(audience, name) for name in Audience.__slots__}
