"""Who may what, as tables."""

import itertools

import pytest

from orgs.roles import (
    DUTIES,
    GRANTABLE,
    Action,
    Duty,
    Permission,
    Role,
    Visibility,
    permissions_of,
    permissions_of_key,
)

V, W, F, R, M = Permission.VIEW, Permission.WRITE, Permission.FORGET, Permission.REVIEW, Permission.MANAGE
ALL = {V, W, F, R, M}

HOLDS = {
    #                 nothing  view  write       review   manage   (granted)
    Role.OWNER: (ALL, ALL, ALL, ALL, ALL),
    Role.ADMIN: (ALL, ALL, ALL, ALL, ALL),
    Role.HEAD: (set(), {V}, {V, W, F}, {V, R}, {V, M}),
    Role.MEMBER: (set(), {V}, {V, W, F}, {V, R}, {V, M}),
    Role.CONTRACTOR: (set(), {V}, {V, W, F}, {V, R}, {V, M}),
    Role.AUDITOR: (set(), set(), set(), set(), set()),
}


@pytest.mark.parametrize("role", Role)
def test_what_a_role_holds_on_a_project(role):
    granted = [(), *((permission,) for permission in GRANTABLE)]
    assert [permissions_of(role, given) for given in granted] == list(HOLDS[role])


KEY_MAY: dict[tuple[Action, ...], tuple[set[Permission], ...]] = {
    #              of an owner with everything, one who views, one who writes, nobody
    (Action.READ,): ({V}, {V}, {V}, set()),
    (Action.WRITE,): ({W}, set(), {W}, set()),
    (Action.FORGET,): ({F}, set(), {F}, set()),
    (Action.REVIEW,): ({R}, set(), set(), set()),
    tuple(Action): ({V, W, F, R}, {V}, {V, W, F}, set()),
}


@pytest.mark.parametrize("actions", KEY_MAY)
def test_a_key_does_what_both_it_and_its_owner_may(actions):
    owners = [frozenset(ALL), frozenset({V}), frozenset({V, W, F}), frozenset()]
    assert [permissions_of_key(actions, owner) for owner in owners] == list(KEY_MAY[actions])


def test_no_key_ever_manages():
    assert M not in permissions_of_key(Action, frozenset(ALL))


def test_visibilities_compare_by_width_and_not_by_spelling():
    widths = [Visibility.AUTHOR, Visibility.DEPARTMENT, Visibility.PROJECT, Visibility.ORGANIZATION]
    assert sorted(Visibility) == widths
    for (i, one), (j, other) in itertools.product(enumerate(widths), repeat=2):
        assert (one < other, one <= other, one > other, one >= other) == (i < j, i <= j, i > j, i >= j)


TRUSTED = {
    Role.OWNER: set(Duty),
    Role.ADMIN: set(Duty),
    Role.HEAD: set(),
    Role.MEMBER: set(),
    Role.CONTRACTOR: set(),
    Role.AUDITOR: {Duty.AUDIT},
}


def test_what_a_role_is_trusted_with():
    assert DUTIES == TRUSTED
