"""The tree of departments."""

import pytest

from orgs.errors import Clash, Forbidden, Invalid, Unknown, Unprocessable
from orgs.models import Department
from orgs.operations.departments import create_department, move_department
from orgs.tenancy import acting_for
from tests.factories import make_department


@pytest.fixture
def oz(cast, now):
    return cast.oz.signed_in(now=now)


def tree(cast):
    """Spell the tree as {name: names above, the highest first}."""
    with acting_for(cast.organization.id):
        rows = list(Department.objects.filter(organization=cast.organization))
    names = {row.id: row.name for row in rows}
    return {row.name: "/".join(names[above] for above in row.ancestors) for row in rows}


def test_a_department_knows_all_that_lie_above_it(cast, oz, now):
    create_department(oz, name="Deep", parent_id=cast.team.id, now=now)
    create_department(oz, name=" Other   Holding ", now=now)
    assert tree(cast) == {
        "Branch": "",
        "Team": "Branch",
        "Sales": "Branch",
        "Deep": "Branch/Team",
        "Other Holding": "",
    }


MOVES = {
    # what is hung below what → the tree afterwards
    ("Team", "Sales"): {"Branch": "", "Sales": "Branch", "Team": "Branch/Sales", "Deep": "Branch/Sales/Team"},
    ("Team", None): {"Branch": "", "Sales": "Branch", "Team": "", "Deep": "Team"},
    ("Deep", "Branch"): {"Branch": "", "Sales": "Branch", "Team": "Branch", "Deep": "Branch"},
    ("Sales", "Deep"): {"Branch": "", "Sales": "Branch/Team/Deep", "Team": "Branch", "Deep": "Branch/Team"},
    ("Branch", None): {"Branch": "", "Sales": "Branch", "Team": "Branch", "Deep": "Branch/Team"},
}


@pytest.mark.parametrize("move", MOVES, ids=str)
def test_what_lies_below_moves_along(cast, oz, now, move):
    with acting_for(cast.organization.id):
        deep = make_department(cast.organization, "Deep", cast.team)
    places = {"Branch": cast.branch, "Team": cast.team, "Sales": cast.sales, "Deep": deep}
    what, where = move
    move_department(oz, places[what].id, parent_id=places[where].id if where else None, now=now)
    assert tree(cast) == MOVES[move]


@pytest.mark.parametrize("where", ["branch", "team"])
def test_no_circle_closes(cast, oz, now, where):
    before = tree(cast)
    with pytest.raises(Unprocessable):
        move_department(oz, cast.branch.id, parent_id=getattr(cast, where).id, now=now)
    assert tree(cast) == before


def test_a_moved_department_takes_its_people_along(cast, oz, now):
    assert cast.hal.by_key(now=now).reachable_departments >= {cast.team.id}
    move_department(oz, cast.team.id, parent_id=None, now=now)
    assert cast.hal.by_key(now=now).reachable_departments == {cast.branch.id, cast.sales.id}
    assert cast.ada.by_key(now=now).reachable_departments == {cast.team.id}


def test_siblings_have_names_of_their_own(cast, oz, now):
    for parent in (cast.branch.id, None):
        name = "Team" if parent else "Branch"
        with pytest.raises(Clash):
            create_department(oz, name=name, parent_id=parent, now=now)
    nephew = create_department(oz, name="Team", parent_id=cast.sales.id, now=now)
    with pytest.raises(Clash):
        move_department(oz, nephew.id, parent_id=cast.branch.id, now=now)


def test_fc26_another_organizations_department_is_unknown(cast, oz, now):
    with acting_for(cast.elsewhere.id):
        foreign = make_department(cast.elsewhere, "Theirs")
    for act in (
        lambda: create_department(oz, name="x", parent_id=foreign.id, now=now),
        lambda: move_department(oz, foreign.id, parent_id=None, now=now),
        lambda: move_department(oz, cast.team.id, parent_id=foreign.id, now=now),
    ):
        with pytest.raises(Unknown):
            act()


@pytest.mark.parametrize("name", ["ada", "hal", "kit", "ann"])
def test_only_administrators_shape_the_tree(cast, now, name):
    with pytest.raises(Forbidden):
        create_department(getattr(cast, name).signed_in(now=now), name="x", now=now)


def test_not_even_an_owners_key_shapes_the_tree(cast, now):
    with pytest.raises(Forbidden):
        create_department(cast.oz.by_key(now=now), name="x", now=now)


@pytest.mark.parametrize("name", ["", " ", "x" * 151, "a\0b"])
def test_a_department_has_a_name(cast, oz, now, name):
    with pytest.raises(Invalid):
        create_department(oz, name=name, now=now)
