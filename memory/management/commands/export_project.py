"""manage.py export_project: a project as JSON lines or Markdown, to a file or to the standard output."""

import sys
from argparse import ArgumentParser
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand
from django.utils import timezone

from memory.management.places import member_in, project_in
from memory.transfer.exporting import Export, written
from memory.transfer.selection import seen_by, whole_project
from orgs.audit import note_in
from orgs.management.places import organization_called
from orgs.tenancy import acting_for


class Command(BaseCommand):
    """Everything in the project, drafts too; or, with --as, what that member sees."""

    help = str(__doc__)

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take the place, the eyes and the file."""
        parser.add_argument("organization", type=organization_called, help="the organization's short name")
        parser.add_argument("project", help="the project's short name")
        parser.add_argument("--as", dest="email", help="e-mail address of a member: only what they see")
        parser.add_argument("--format", choices=["jsonl", "markdown"], default="jsonl")
        parser.add_argument("--output", type=Path, help="a new file; the standard output if omitted")

    def handle(self, *_: Any, organization: UUID, project: str, email: str | None, **options: Any) -> None:
        """Write the export."""
        now = timezone.now()
        place = project_in(organization, project)
        caller = member_in(organization, place, email, now=now) if email else None
        wanted = Export(
            select=lambda: seen_by(caller, project_id=place) if caller else whole_project(organization, place),
            organization_id=organization,
            project=project,
            by=caller.user_id if caller else None,
            now=now,
        )
        with acting_for(organization):
            note_in(organization, verb="export", object_type="project", object_id=place, now=now)
        with ExitStack() as stack:
            path: Path | None = options["output"]
            out = stack.enter_context(path.open("xb")) if path else sys.stdout.buffer
            for line in written(wanted, format=options["format"]):
                out.write(line)
