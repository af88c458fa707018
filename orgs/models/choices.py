"""Turns the pure vocabularies into choices for forms and checks for the database."""

from collections.abc import Iterable
from enum import StrEnum

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from orgs.roles import Action, Role, Visibility

VISIBILITIES = [
    (Visibility.AUTHOR.value, _("author only (a draft)")),
    (Visibility.DEPARTMENT.value, _("department")),
    (Visibility.PROJECT.value, _("project")),
    (Visibility.ORGANIZATION.value, _("organization")),
]

ROLES = [
    (Role.OWNER.value, _("owner")),
    (Role.ADMIN.value, _("administrator")),
    (Role.HEAD.value, _("head of department")),
    (Role.MEMBER.value, _("member")),
    (Role.CONTRACTOR.value, _("contractor")),
    (Role.AUDITOR.value, _("auditor")),
]

ACTIONS = [
    (Action.READ.value, _("read")),
    (Action.WRITE.value, _("write")),
    (Action.FORGET.value, _("forget")),
    (Action.REVIEW.value, _("review")),
]


def one_of(field: str, values: Iterable[StrEnum], *, name: str) -> models.CheckConstraint:
    """Refuse, in the database too, a word that the vocabulary does not have."""
    return models.CheckConstraint(condition=Q(**{f"{field}__in": [value.value for value in values]}), name=name)
