"""Who belongs to an organization, and who is invited."""

from datetime import datetime
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from orgs.models.choices import ROLES, one_of
from orgs.models.tenant import TenantModel
from orgs.roles import Role
from orgs.tenancy import SameOrganization


class Membership(TenantModel):
    """A person in an organization: one role, at most one department, and for contractors an end."""

    user = models.ForeignKey("orgs.User", on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(_("role"), max_length=16, choices=ROLES, default=Role.MEMBER)
    department = models.ForeignKey(
        "orgs.Department",
        on_delete=models.PROTECT,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="memberships",
        verbose_name=_("department"),
    )
    ends_at = models.DateTimeField(_("ends"), null=True, blank=True)
    suspended_at = models.DateTimeField(_("suspended"), null=True, blank=True)
    created_at = models.DateTimeField(_("joined"), default=timezone.now, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("member")
        verbose_name_plural = _("members")
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            models.UniqueConstraint(fields=["organization", "user"], name="one_membership_per_person"),
            SameOrganization(name="orgs_membership_department_same_organization", field="department"),
            one_of("role", Role, name="orgs_membership_role"),
            models.CheckConstraint(
                condition=~Q(role=Role.HEAD.value) | Q(department__isnull=False),
                name="a_head_has_a_department",
            ),
            models.CheckConstraint(
                condition=~Q(role=Role.CONTRACTOR.value) | Q(ends_at__isnull=False),
                name="a_contractor_has_an_end",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} ({self.role})"

    def is_live(self, now: datetime) -> bool:
        """Say whether the membership counts at that instant; the end itself is outside."""
        return self.suspended_at is None and (self.ends_at is None or now < self.ends_at)


class Invitation(TenantModel):
    """A way in for one e-mail address, once, for seven days. Only a hash of its token is kept."""

    email = models.EmailField(_("e-mail"), max_length=254)
    role = models.CharField(_("role"), max_length=16, choices=ROLES, default=Role.MEMBER)
    department = models.ForeignKey(
        "orgs.Department",
        on_delete=models.CASCADE,
        null=True,
        blank=True,
        db_constraint=False,
        related_name="+",
    )
    term_days = models.PositiveSmallIntegerField(_("days, for a contractor"), null=True, blank=True)
    digest = models.CharField(max_length=64, editable=False)
    invited_by = models.ForeignKey(
        Membership,
        on_delete=models.CASCADE,
        null=True,
        db_constraint=False,
        related_name="+",
    )
    created_at = models.DateTimeField(_("sent"), default=timezone.now, editable=False)
    expires_at = models.DateTimeField(_("expires"))
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)

    class Meta(TenantModel.Meta):
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        indexes = [models.Index(fields=["digest"], name="orgs_invitation_digest")]
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            SameOrganization(name="orgs_invitation_department_same_organization", field="department"),
            SameOrganization(name="orgs_invitation_inviter_same_organization", field="invited_by"),
            one_of("role", Role, name="orgs_invitation_role"),
        ]

    def __str__(self) -> str:
        return self.email
