"""manage.py import_project: an export into a project, as one of its managers. May be stopped and run again."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memory.management.places import member_in, project_in
from memory.protocol.shapes import ImportInputs
from memory.transfer.importing import bring_in
from orgs.management.places import organization_called


class Command(BaseCommand):
    """Prints the report as JSON; exit code 1 when a line could not be taken in."""

    help = str(__doc__)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the place, the manager and the file."""
        parser.add_argument("organization", type=organization_called, help="the organization's short name")
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("file", type=Path, help="an export as JSON lines")
        parser.add_argument("--as", dest="email", required=True, help="e-mail address of a manager of the project")

    def handle(self, *_: Any, organization: UUID, project: str, email: str, file: Path, **options: Any) -> None:
        """Bring it in."""
        now = timezone.now()
        caller = member_in(organization, project_in(organization, project), email, now=now)
        with file.open("rb") as stream:
            report = bring_in(caller, stream, ImportInputs(), now=now)
        self.stdout.write(report.model_dump_json(indent=2))
        if report.stopped_at:
            raise CommandError(f"Line {report.stopped_at.line}: {report.stopped_at.detail}")
