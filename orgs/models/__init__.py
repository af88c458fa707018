"""The tables of who belongs to what."""

from orgs.models.api_key import ApiKey
from orgs.models.audit_event import AuditEvent
from orgs.models.membership import Invitation, Membership
from orgs.models.organization import Department, Organization
from orgs.models.project import DepartmentGrant, MemberGrant, Project, Workspace
from orgs.models.tenant import TenantModel, new_id
from orgs.models.user import User, normal_email

__all__ = [
    "ApiKey",
    "AuditEvent",
    "Department",
    "DepartmentGrant",
    "Invitation",
    "MemberGrant",
    "Membership",
    "Organization",
    "Project",
    "TenantModel",
    "User",
    "Workspace",
    "new_id",
    "normal_email",
]
