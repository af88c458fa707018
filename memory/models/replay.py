"""Replay: the first answer to a mutating call that carried an idempotency key, kept for a day; and whom it names."""

from django.db import models

from orgs.tenancy import SameOrganization, TenantPolicy


class Replay(models.Model):
    """One effect per caller and idempotency key.

    `token` is a hash of caller and idempotency key (the key itself may hold a secret); `fingerprint` a hash
    of verb and body. The row commits with the effect, so a failed attempt leaves none. Of an answer that may be said
    to nobody any more, the row alone stays, without a form: the effect still happens once.
    """

    id = models.BigAutoField(primary_key=True)
    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=64)
    fingerprint = models.CharField(max_length=64)
    form = models.CharField(max_length=40)
    answer = models.JSONField()
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            TenantPolicy(name="replay_of_one_organization"),
            models.UniqueConstraint(fields=["organization", "token"], name="one_effect_per_idempotency_key"),
            models.UniqueConstraint(fields=["organization", "id"], name="one_replay_per_organization_and_id"),
        ]
        indexes = [models.Index(fields=["created_at"], name="replays_by_age")]

    def __str__(self) -> str:
        return self.token


class KeptName(models.Model):
    """An id that a kept answer holds. `seen`: it is that of a record which the caller saw, live, when it was told."""

    organization = models.ForeignKey("orgs.Organization", db_index=False, on_delete=models.CASCADE, related_name="+")
    replay = models.ForeignKey(
        Replay, db_index=False, db_constraint=False, on_delete=models.CASCADE, related_name="names"
    )
    named = models.UUIDField()
    seen = models.BooleanField()

    class Meta:
        constraints = [
            TenantPolicy(name="kept_name_of_one_organization"),
            SameOrganization(name="kept_name_in_replay_of_organization", field="replay", cascades=True),
            models.UniqueConstraint(fields=["organization", "replay", "named"], name="one_kept_name_per_answer"),
        ]
        indexes = [models.Index(fields=["organization", "named"], name="answers_that_name")]

    def __str__(self) -> str:
        return str(self.named)
