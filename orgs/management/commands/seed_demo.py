"""manage.py seed_demo: an organization to try things in."""

import json
import secrets
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from orgs.access import caller_for_member
from orgs.models import User
from orgs.operations.api_keys import create_key
from orgs.operations.key_wishes import Wish
from orgs.operations.organizations import create_organization, organization_named
from orgs.operations.projects import create_project
from orgs.roles import Action

EMAIL, ORGANIZATION, PROJECT = "demo@palimpsest.example", "demo", "demo"


class Command(BaseCommand):
    """Makes the demo organization once. Secrets are printed on the run that made them, and never again."""

    help = "Make the demo organization with a login and an API key, unless it is there."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be said on the command line."""
        parser.add_argument("--json", action="store_true", help="answer with one line of JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it, or say that it is there."""
        told: dict[str, Any] = {"email": EMAIL, "organization": ORGANIZATION, "project": PROJECT}
        exists = organization_named(ORGANIZATION) is not None
        if not exists:
            told |= self._made()
        if options["json"]:
            self.stdout.write(json.dumps(told | {"exists": exists}))
        elif exists:
            self.stdout.write(f"The demo organization exists already; sign in as {EMAIL}.")
        else:
            self.stdout.write("\n".join(f"{name}: {value}" for name, value in told.items()))

    @transaction.atomic
    def _made(self) -> dict[str, str]:
        if User.objects.filter(email=EMAIL).exists():
            raise CommandError(f"{EMAIL} exists without the demo organization; remove that person first.")
        now, password = timezone.now(), secrets.token_urlsafe(15)
        owner = User.objects.create_user(EMAIL, password, name="Demo")
        member = create_organization(name="Demo", slug=ORGANIZATION, owner=owner, now=now)
        by = caller_for_member(owner, member.organization_id, now=now)
        project = create_project(by, name="Demo", slug=PROJECT, now=now)
        by = caller_for_member(owner, member.organization_id, now=now)
        issued = create_key(by, Wish(name="Demo", actions=list(Action)), project_id=project.id, now=now)
        return {"password": password, "api_key": issued.token}
