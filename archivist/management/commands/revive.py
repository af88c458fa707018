"""Give the errands that were given up another chance, once what they failed at is mended."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory import outbox
from orgs.management.places import organization_called
from orgs.queries import every_organization
from orgs.tenancy import acting_for


class Command(BaseCommand):
    """`manage.py revive`: what fails again is given up again."""

    help = str(__doc__)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Let one organization be named."""
        parser.add_argument("--organization", type=organization_called, help="only the one of this short name")

    def handle(self, *, organization: UUID | None = None, **_: Any) -> None:
        """Revive them, and say how many there were."""
        revived = 0
        for organization_id in [organization] if organization else every_organization():
            with acting_for(organization_id):
                revived += outbox.revive(organization_id, now=timezone.now())
        self.stdout.write(f"{revived} errands revived")
