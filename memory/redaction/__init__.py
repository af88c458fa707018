"""Takes secrets out of texts before anything keeps, indexes, queues, logs or sends them.

Pure: no framework, no network, no clock. `redact` for a text, `redact_tree` for a whole payload.
"""

from memory.redaction.detectors.catalogue import CATALOGUE
from memory.redaction.detectors.catalogue import load as warm
from memory.redaction.detectors.personal import PERSONAL_KINDS
from memory.redaction.finding import Finding, Redacted
from memory.redaction.own_rules import OwnRules, Pattern, digest
from memory.redaction.pipeline import redact
from memory.redaction.tree import redact_tree

RULES_VERSION = f"2+{CATALOGUE}"

__all__ = [
    "PERSONAL_KINDS",
    "RULES_VERSION",
    "Finding",
    "OwnRules",
    "Pattern",
    "Redacted",
    "digest",
    "redact",
    "redact_tree",
    "warm",
]
