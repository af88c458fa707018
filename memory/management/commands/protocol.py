"""manage.py protocol: the declared protocol, and whether the service keeps it."""

import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memory.api.surface import rest_surface
from memory.mcp.surface import mcp_surface
from memory.protocol.conformance import check
from memory.protocol.publishing import published


class Command(BaseCommand):
    """Reads only. Exit code 1 when a FAIL check fails."""

    help = "Print the declared protocol and check it against the real addresses and tools."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Take --json for the whole declaration."""
        parser.add_argument("--json", action="store_true", help="print the declaration as published at /v1/protocol")

    def handle(self, *_: Any, **options: Any) -> None:
        """Print and check."""
        if options["json"]:
            self.stdout.write(json.dumps(published(), indent=2))
            return
        findings = check([rest_surface(), mcp_surface()])
        for finding in findings:
            verdict = "ok  " if finding.ok else finding.level
            self.stdout.write(f"{verdict} {finding.id}: {finding.detail}")
        if any(finding.level == "FAIL" and not finding.ok for finding in findings):
            sys.exit(1)
