"""manage.py verify_audit: is every organization's audit log whole?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from orgs.management.places import organization_called
from orgs.queries import audit_chain_of, every_organization


class Command(BaseCommand):
    """Hashes every event anew. Keep its last lines elsewhere: they show later if the end was cut off."""

    help = "Check the audit logs' chains; print each one's length and last digest, and fail at a break."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be said on the command line."""
        parser.add_argument("--organization", help="short name; every organization if left out")

    def handle(self, *args: Any, **options: Any) -> None:
        """Walk the chains one after the other."""
        chosen = [organization_called(options["organization"])] if options["organization"] else every_organization()
        broken = 0
        for organization_id in chosen:
            chain = audit_chain_of(organization_id)
            broken += chain.broken_at is not None
            state = "whole" if chain.broken_at is None else f"BROKEN at event {chain.broken_at}"
            self.stdout.write(f"{organization_id} {chain.length} {chain.digest or '-'} {state}")
        if broken:
            raise CommandError(f"{broken} of {len(chosen)} audit logs are broken.")
