"""Tally: how many records an organization keeps, counted only where there is a limit to them."""

from django.db import models

from orgs.tenancy import TenantPolicy


class Tally(models.Model):
    """One row per organization with a quota; writers there wait for each other at it, from the last gate to the commit.

    Forgotten records count until they are purged. Counted anew now and then (`memory.quotas`), for not everybody who
    adds or removes records keeps the tally.
    """

    organization = models.OneToOneField(
        "orgs.Organization", primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    records = models.BigIntegerField()
    counted_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [TenantPolicy(name="tally_of_one_organization")]

    def __str__(self) -> str:
        return str(self.records)
