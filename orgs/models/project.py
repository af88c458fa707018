"""Projects, their workspaces, and who was granted what on them."""

from typing import Any, ClassVar

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from guardian.models import GroupObjectPermissionBase, UserObjectPermissionBase

from orgs.models.tenant import TenantModel
from orgs.tenancy import SameOrganization


class Project(TenantModel):
    """The unit of access. The permissions named here are what can be granted on it."""

    slug = models.SlugField(_("short name"), max_length=63)
    name = models.CharField(_("name"), max_length=150)
    retention_days = models.PositiveIntegerField(_("days a forgotten record is kept"), null=True, blank=True)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("project")
        verbose_name_plural = _("projects")
        default_permissions = ()
        permissions = [
            ("view_project", _("View records")),
            ("write_project", _("Write and forget records")),
            ("review_project", _("Decide the review queue and settle conflicts")),
            ("manage_project", _("Manage keys, policies and capabilities")),
        ]
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            models.UniqueConstraint(fields=["organization", "slug"], name="one_project_per_slug"),
        ]

    def __str__(self) -> str:
        return self.name


class Workspace(TenantModel):
    """A named collection inside a project. It comes into being with its first record; names are kept NFC."""

    project = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="workspaces",
    )
    name = models.CharField(_("name"), max_length=200)
    created_at = models.DateTimeField(_("created"), default=timezone.now, editable=False)

    class Meta(TenantModel.Meta):
        verbose_name = _("workspace")
        verbose_name_plural = _("workspaces")
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            SameOrganization(name="orgs_workspace_project_same_organization", field="project"),
            models.UniqueConstraint(
                fields=["organization", "project", "name"],
                name="one_workspace_per_name",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class _Grant(TenantModel):
    """An object permission on a project, which takes its organization from the project."""

    content_object: models.ForeignKey[Project, Project]

    class Meta(TenantModel.Meta):
        abstract = True

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the grant in the organization of its project, whatever was said."""
        self.organization_id = self.content_object.organization_id
        super().save(*args, **kwargs)


class MemberGrant(_Grant, UserObjectPermissionBase):
    """A permission that one member holds on one project."""

    content_object = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="member_grants",
    )

    class Meta(_Grant.Meta):
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["organization", "user", "permission", "content_object"],
                name="one_grant_per_member",
            ),
            SameOrganization(
                name="orgs_membergrant_project_same_organization",
                field="content_object",
            ),
            SameOrganization(
                name="a_grant_goes_to_a_member",
                field="user",
                model="orgs.Membership",
                to="user",
            ),
        ]


class DepartmentGrant(_Grant, GroupObjectPermissionBase):
    """A permission that everybody of a department, and of those below it, holds on one project."""

    group = models.ForeignKey(  # type: ignore[assignment]  # guardian's groups are departments here
        "orgs.Department",
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="grants",
    )
    content_object = models.ForeignKey(
        Project,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="department_grants",
    )

    class Meta(_Grant.Meta):
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            models.UniqueConstraint(
                fields=["organization", "group", "permission", "content_object"],
                name="one_grant_per_department",
            ),
            SameOrganization(
                name="orgs_departmentgrant_project_same_organization",
                field="content_object",
            ),
            SameOrganization(name="orgs_departmentgrant_department_same_organization", field="group"),
        ]
