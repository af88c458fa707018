"""Statuses, their reasons and relations in plain words, and records' text made safe to look at."""

import re
import unicodedata
from collections.abc import Callable
from urllib.parse import urlsplit

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy, ngettext

from memory.protocol import shapes
from memory.protocol.vocabulary import Direction, Reason, RelationKind, Status
from memory.versions import ARCHIVISTS_PREFIX

register = template.Library()

STATUS_WORDS: dict[Status, str | Promise] = {
    Status.UNVERIFIED: gettext_lazy("unverified"),
    Status.STALE: gettext_lazy("stale"),
    Status.CONFLICT: gettext_lazy("conflict"),
}
_LOOKS = {Status.UNVERIFIED: "", Status.STALE: "warning", Status.CONFLICT: "danger"}
_ADVICE = {
    Status.UNVERIFIED: gettext_lazy("Nothing known here speaks against it; nobody has proved it either."),
    Status.STALE: gettext_lazy("It may be out of date: read its source again and remember it anew."),
    Status.CONFLICT: gettext_lazy("Something else is remembered too: ask a person which is right."),
}
_REASONS: dict[Reason, Callable[[int], str]] = {
    Reason.OTHER_VERSIONS: lambda n: ngettext(
        "%(n)d other version of this fact says something else",
        "%(n)d other versions of this fact say something else",
        n,
    ),
    Reason.SOURCE_CONFLICT: lambda n: ngettext(
        "%(n)d record it was built from is contradicted", "%(n)d records it was built from are contradicted", n
    ),
    Reason.SOURCE_CHANGED: lambda _n: gettext("the document it came from has changed since"),
    Reason.REFUTED: lambda n: ngettext("%(n)d newer record refutes it", "%(n)d newer records refute it", n),
    Reason.SUPERSEDED: lambda _n: gettext("a newer record has taken its place"),
    Reason.EXPIRED: lambda _n: gettext("the time it was valid for has passed"),
    Reason.SOURCE_STALE: lambda n: ngettext(
        "%(n)d record it was built from is out of date", "%(n)d records it was built from are out of date", n
    ),
    Reason.SOURCE_FORGOTTEN: lambda n: ngettext(
        "%(n)d record it was built from was forgotten", "%(n)d records it was built from were forgotten", n
    ),
}
_RELATIONS = {
    (RelationKind.RELATES_TO, Direction.OUTGOING): gettext_lazy("relates to"),
    (RelationKind.RELATES_TO, Direction.INCOMING): gettext_lazy("relates to"),
    (RelationKind.FIXES_ISSUE, Direction.OUTGOING): gettext_lazy("fixes"),
    (RelationKind.FIXES_ISSUE, Direction.INCOMING): gettext_lazy("is fixed by"),
    (RelationKind.SUPERSEDES, Direction.OUTGOING): gettext_lazy("takes the place of"),
    (RelationKind.SUPERSEDES, Direction.INCOMING): gettext_lazy("gave its place to"),
}
_VISIBILITIES = {
    "author": gettext_lazy("only its author"),
    "department": gettext_lazy("its department"),
    "project": gettext_lazy("the project"),
    "organization": gettext_lazy("the whole organization"),
}


@register.filter
def status_word(status: Status) -> str:
    """Return the status as a word."""
    return str(STATUS_WORDS[status])


@register.filter
def status_look(status: Status) -> str:
    """Return the variant of unfold's label for a status."""
    return _LOOKS[status]


@register.filter
def advice(status: Status) -> str:
    """Return what to do with a record of this status."""
    return str(_ADVICE[status])


@register.filter
def in_words(reason: shapes.StatusReason) -> str:
    """Return a reason as half a sentence."""
    count = max(reason.count, 1)
    said = _REASONS[reason.reason](count)
    return said % {"n": count} if "%(n)" in said else said


@register.filter
def relation_words(relation: shapes.GraphRelation) -> str:
    """Return how the record shown bears on the other."""
    return str(_RELATIONS[relation.relation, relation.direction])


@register.filter
def given_key(key: str | None) -> str:
    """Return the fact key that somebody chose; nothing for one the archivist made up, which tells a reader nothing."""
    return "" if not key or key.startswith(ARCHIVISTS_PREFIX) else key


@register.filter
def seen_by(visibility: str) -> str:
    """Return who may see a record."""
    return str(_VISIBILITIES[visibility])


_LEFT_ALONE = "\r\u200c\u200d"  # line ends, and the joiners that scripts and emoji need
_INVISIBLE = re.compile(r"[^\S\n\t ]|[^\w\s]")


@register.filter
def laid_open(text: str) -> str:
    """Return a text with its invisible characters written out: overrides of direction, zero widths, controls.

    Templates escape what comes out of here like any other text.
    """
    return _INVISIBLE.sub(lambda found: _visible(found[0]), text)


@register.filter
def web_address(text: str | None) -> str:
    """Return the text if it is an http(s) address to link to, else nothing."""
    if not text or text != text.strip() or not text.isprintable():
        return ""
    try:
        parts = urlsplit(text)
    except ValueError:
        return ""
    return text if parts.scheme in {"http", "https"} and parts.hostname else ""


def _visible(character: str) -> str:
    hidden = unicodedata.category(character) in {"Cc", "Cf"} and character not in _LEFT_ALONE
    return f"[U+{ord(character):04X}]" if hidden else character
