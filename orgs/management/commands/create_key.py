"""manage.py create_key: an API key, printed once."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from orgs.access import caller_for_member, project_named
from orgs.errors import Refusal
from orgs.models import User, normal_email
from orgs.operations.api_keys import Issued, create_key
from orgs.operations.key_wishes import Wish
from orgs.operations.organizations import organization_named
from orgs.roles import Action, Visibility
from orgs.tenancy import acting_for


class Command(BaseCommand):
    """Issues a key as its owner would, who has to manage the project."""

    help = "Issue an API key for a member who manages the project, and print it once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be said on the command line."""
        parser.add_argument("organization", help="short name of the organization")
        parser.add_argument("project", help="short name of the project")
        parser.add_argument("--owner", required=True, help="e-mail address of the member the key acts for")
        parser.add_argument("--name", default="command line")
        parser.add_argument("--actions", nargs="+", type=Action, choices=list(Action), default=list(Action))
        parser.add_argument("--workspaces", nargs="*", default=[], help="only these; every one if left out")
        parser.add_argument("--greatest-visibility", type=Visibility, choices=list(Visibility))
        parser.add_argument("--default-visibility", type=Visibility, choices=list(Visibility))
        parser.add_argument("--days", type=int, help="days until it expires")
        parser.add_argument("--no-organization", action="store_true", help="no reading beyond its project")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, or say what is missing."""
        owner = User.objects.filter(email=normal_email(options["owner"])).first()
        organization_id = organization_named(options["organization"])
        if owner is None or organization_id is None:
            raise CommandError("There is no such organization or person.")
        now = timezone.now()
        wish = Wish(
            name=options["name"],
            actions=options["actions"],
            workspaces=options["workspaces"],
            default_visibility=options["default_visibility"],
            greatest_visibility=options["greatest_visibility"],
            reads_organization=not options["no_organization"],
            expires_at=now + timedelta(days=options["days"]) if options["days"] is not None else None,
        )
        try:
            issued = self._issued(owner, organization_id, options["project"], wish, now=now)
        except Refusal as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(issued.token)

    def _issued(self, owner: User, organization_id: Any, project: str, wish: Wish, *, now: Any) -> Issued:
        by = caller_for_member(owner, organization_id, now=now)
        with acting_for(organization_id):
            project_id = project_named(by, project).id
        return create_key(by, wish, project_id=project_id, now=now)
