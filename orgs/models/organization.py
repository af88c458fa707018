"""Organizations and their tree of departments."""

from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from orgs.models.choices import VISIBILITIES, one_of
from orgs.models.tenant import TenantModel, new_id
from orgs.roles import Visibility
from orgs.tenancy import SameOrganization, TenantPolicy


class Organization(models.Model):
    """The tenant: nothing crosses it. A personal account is an organization of one."""

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    slug = models.SlugField(_("short name"), max_length=63, unique=True)
    name = models.CharField(_("name"), max_length=150)
    is_personal = models.BooleanField(_("personal account"), default=False)
    plan = models.CharField(_("plan"), max_length=32, default="standard")
    greatest_records = models.PositiveBigIntegerField(_("records at most"), null=True, blank=True)
    calls_per_minute = models.PositiveIntegerField(_("calls a minute at most"), null=True, blank=True)
    default_visibility_of_people = models.CharField(
        _("visibility of what people write"),
        max_length=16,
        choices=VISIBILITIES,
        default=Visibility.PROJECT,
    )
    default_visibility_of_keys = models.CharField(
        _("visibility of what keys write"),
        max_length=16,
        choices=VISIBILITIES,
        default=Visibility.PROJECT,
    )
    greatest_visibility_of_keys = models.CharField(
        _("greatest visibility a key may give"),
        max_length=16,
        choices=VISIBILITIES,
        default=Visibility.ORGANIZATION,
    )
    members_may_widen = models.BooleanField(_("members may widen their own records"), default=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta:
        verbose_name = _("organization")
        verbose_name_plural = _("organizations")
        constraints = [
            TenantPolicy(name="orgs_organization_of_organization", field="id"),
            one_of(
                "default_visibility_of_people",
                Visibility,
                name="orgs_organization_people_visibility",
            ),
            one_of(
                "default_visibility_of_keys",
                Visibility,
                name="orgs_organization_keys_visibility",
            ),
            one_of(
                "greatest_visibility_of_keys",
                Visibility,
                name="orgs_organization_greatest_visibility",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Department(TenantModel):
    """A unit of an organization. `ancestors` lists the departments above it, kept true by operations."""

    name = models.CharField(_("name"), max_length=150)
    parent = models.ForeignKey(
        "self",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="children",
        verbose_name=_("part of"),
    )
    ancestors = ArrayField(models.UUIDField(), default=list, editable=False)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("department")
        verbose_name_plural = _("departments")
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            SameOrganization(name="orgs_department_parent_same_organization", field="parent"),
            models.UniqueConstraint(
                fields=["organization", "parent", "name"],
                name="one_department_per_name_and_parent",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=~Q(ancestors__contains=[models.F("id")]),
                name="no_department_above_itself",
            ),
        ]

    def __str__(self) -> str:
        return self.name
