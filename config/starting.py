"""What a serving process does before its first request or task."""

from django.db import connection


def begin(*, serves: bool = False) -> None:
    """Refuse to serve as a role that sees past the walls, and read the rules of redaction now rather than later.

    What `serves` callers reads the tables of the tokenizer too: every write counts.

    Raises ImproperlyConfigured, or what the database raises if it does not answer: whoever supervises tries again.
    """
    from memory.redaction import warm
    from memory.search import tokens
    from orgs.checks import refuse_unsafe_role

    refuse_unsafe_role()
    connection.close()  # what is forked or threaded later opens its own
    warm()
    if serves:
        tokens.load()
