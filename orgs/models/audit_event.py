"""The audit log: what was done and what was refused, chained so that a missing row shows."""

from typing import Any, ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from orgs.models.tenant import TenantModel


class AuditEvent(TenantModel):
    """One mutating act or one refusal. Never holds a secret or a record's text.

    Written by INSERT alone: the database numbers the rows of an organization, chains them by hash and refuses
    to change or delete them. `details` is canonical JSON as text, since its exact characters are hashed. Ids
    are plain values and not foreign keys: the log outlives what it speaks of.
    """

    number = models.PositiveBigIntegerField(_("number"), editable=False, db_default=0)
    at = models.DateTimeField(_("when"))
    verb = models.CharField(_("what"), max_length=64)
    user_id = models.UUIDField(_("who"), null=True)
    key_id = models.UUIDField(_("key"), null=True)
    object_type = models.CharField(_("kind of object"), max_length=64, default="")
    object_id = models.CharField(_("object"), max_length=200, default="")
    details = models.TextField(_("details"), default="{}")
    request_id = models.CharField(_("request"), max_length=200, default="")
    address = models.CharField(_("network address"), max_length=64, default="")
    previous_digest = models.CharField(max_length=64, editable=False, db_default="")
    digest = models.CharField(max_length=64, editable=False, db_default="")

    class Meta(TenantModel.Meta):
        verbose_name = _("audit event")
        verbose_name_plural = _("audit events")
        indexes = [
            models.Index(fields=["organization", "-at"], name="orgs_auditevent_at"),
            models.Index(fields=["organization", "object_id"], name="orgs_auditevent_object"),
        ]
        constraints: ClassVar[list[Any]] = [
            *TenantModel.Meta.constraints,
            models.UniqueConstraint(fields=["organization", "number"], name="one_audit_event_per_number"),
        ]

    def __str__(self) -> str:
        return f"{self.number} {self.verb}"
