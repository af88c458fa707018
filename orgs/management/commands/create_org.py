"""manage.py create_org: an organization with its first owner and a first project."""

import getpass
from argparse import ArgumentParser
from typing import Any

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from orgs.access import caller_for_member
from orgs.errors import Refusal
from orgs.models import User, normal_email
from orgs.operations.organizations import create_organization
from orgs.operations.projects import create_project


class Command(BaseCommand):
    """Makes an organization; the owner is made too if nobody has the address yet."""

    help = "Make an organization with its first owner and project. A new owner's password is asked for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare what can be said on the command line."""
        parser.add_argument("slug", help="short name, e.g. acme")
        parser.add_argument("--name", help="name for people; the short name if left out")
        parser.add_argument("--owner", required=True, help="e-mail address of the first owner")
        parser.add_argument("--project", default="main", help="short name of the first project")
        parser.add_argument("--password-stdin", action="store_true", help="read the new owner's password from stdin")

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        """Do it, all or nothing."""
        now, email = timezone.now(), normal_email(options["owner"])
        owner = User.objects.filter(email=email).first() or self._new_user(email, stdin=options["password_stdin"])
        try:
            member = create_organization(
                name=options["name"] or options["slug"], slug=options["slug"], owner=owner, now=now
            )
            by = caller_for_member(owner, member.organization_id, now=now)
            create_project(by, name=options["project"], slug=options["project"], now=now)
        except Refusal as refused:
            raise CommandError(refused.detail) from refused
        self.stdout.write(f"Organization {options['slug']} with project {options['project']}, owned by {email}.")

    def _new_user(self, email: str, *, stdin: bool) -> User:
        password = input() if stdin else getpass.getpass(f"Password for {email}: ")
        try:
            validate_password(password, User(email=email))
        except ValidationError as refused:
            raise CommandError(" ".join(refused.messages)) from refused
        return User.objects.create_user(email, password)
