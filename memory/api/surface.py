"""What REST really offers: the names in its URL registry."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from memory.protocol.conformance import Surface

NOT_OPERATIONS = frozenset({"openapi", "docs", "protocol"})
"""Addresses that describe the service and touch no record."""


def rest_surface() -> Surface:
    """Return the door REST, from the real registry."""
    names = {name for address, name in _addresses("", get_resolver()) if address.startswith("v1/")}
    return Surface("REST", frozenset(names - NOT_OPERATIONS))


def _addresses(prefix: str, resolver: Any) -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        if isinstance(pattern, URLResolver):
            yield from _addresses(prefix + str(pattern.pattern), pattern)
        elif isinstance(pattern, URLPattern):
            yield prefix + str(pattern.pattern), str(pattern.name)
