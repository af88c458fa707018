"""API keys: one project each, acting for the member who owns it."""

from datetime import datetime
from typing import Any, ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from orgs.models.choices import ACTIONS, VISIBILITIES, one_of
from orgs.models.membership import Membership
from orgs.models.project import Project
from orgs.models.tenant import TenantModel
from orgs.roles import Visibility
from orgs.tenancy import SameOrganization


class ApiKey(TenantModel):
    """A key. Only a keyed hash of it is kept; `parent` issued it, `successor` replaced it."""

    name = models.CharField(_("name"), max_length=150)
    public_id = models.CharField(_("public part"), max_length=32, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    project = models.ForeignKey(Project, on_delete=models.CASCADE, db_constraint=False, related_name="keys")
    owner = models.ForeignKey(Membership, on_delete=models.CASCADE, db_constraint=False, related_name="keys")
    parent = models.ForeignKey(
        "self",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="children",
    )
    successor = models.ForeignKey(
        "self",
        on_delete=models.SET_NULL,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="predecessors",
    )
    actions = ArrayField(models.CharField(max_length=16, choices=ACTIONS), verbose_name=_("actions"))
    every_workspace = models.BooleanField(_("every workspace"), default=True)
    workspaces = ArrayField(
        models.CharField(max_length=200),
        default=list,
        blank=True,
        verbose_name=_("only these workspaces"),
    )
    default_visibility = models.CharField(_("default visibility"), max_length=16, choices=VISIBILITIES)
    greatest_visibility = models.CharField(_("greatest visibility"), max_length=16, choices=VISIBILITIES)
    reads_organization = models.BooleanField(_("reads the whole organization's records"), default=True)
    calls_per_minute = models.PositiveIntegerField(_("calls a minute at most"), null=True, blank=True)
    allowed_networks = ArrayField(
        models.CharField(max_length=43),
        default=list,
        blank=True,
        verbose_name=_("only from these networks"),
    )
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, blank=True, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("API key")
        verbose_name_plural = _("API keys")
        indexes = [models.Index(fields=["public_id"], name="orgs_apikey_public_id")]
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            models.UniqueConstraint(fields=["organization", "public_id"], name="one_key_per_public_id"),
            SameOrganization(name="orgs_apikey_project_same_organization", field="project"),
            SameOrganization(name="orgs_apikey_owner_same_organization", field="owner"),
            SameOrganization(name="orgs_apikey_parent_same_organization", field="parent"),
            SameOrganization(name="orgs_apikey_successor_same_organization", field="successor"),
            one_of("default_visibility", Visibility, name="orgs_apikey_default_visibility"),
            one_of(
                "greatest_visibility",
                Visibility,
                name="orgs_apikey_greatest_visibility",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} (pal_{self.public_id}_…)"

    def is_live(self, now: datetime) -> bool:
        """Say whether the key itself counts at that instant; the end itself is outside."""
        return self.revoked_at is None and (self.expires_at is None or now < self.expires_at)
