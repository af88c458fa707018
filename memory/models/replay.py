"""Replay: the first answer to a mutating call that carried an idempotency key, kept for a day."""

from django.db import models

from orgs.tenancy import TenantPolicy


class Replay(models.Model):
    """One effect per caller and idempotency key.

    `token` is a hash of caller and idempotency key (the key itself may hold a secret); `fingerprint` a hash
    of verb and body. The row commits with the effect, so a failed attempt leaves none.
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
        ]
        indexes = [models.Index(fields=["created_at"], name="replays_by_age")]

    def __str__(self) -> str:
        return self.token
