"""Personal data, for organizations that ask for it: each kind is switched on by its name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

import re2

from memory.redaction.finding import Finding

_EMAIL = re2.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
_PHONE = re2.compile(
    r"(?:\+\d{1,3}[ .-]?)?(?:\(\+?\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]\(\d{1,4}\))?(?:[ .-]\d{2,4}){1,5}"
    r"|\+\d{9,15}|\b[78]\d{10}\b"
)
_CARD = re2.compile(r"\b\d(?:[ -]?\d){11,18}\b")
_SSN = re2.compile(r"\b\d{3}-\d{2}-\d{4}\b")
_ADDRESS = re2.compile(r"\b(?:\d{1,3}\.){3}\d{1,3}\b")
_IBAN = re2.compile(r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_NOT_A_PHONE = re.compile(r"\d{4}-\d{2}-\d{2}|\d{1,2}[.-]\d{1,2}[.-]\d{2,4}|(?:\d{1,3}\.){3}\d{1,3}|\d{3}-\d{2}-\d{4}")

Detector = Callable[[str], Iterator[Finding]]


def emails(text: str) -> Iterator[Finding]:
    """Yield e-mail addresses."""
    yield from (Finding("email", *found.span()) for found in _EMAIL.finditer(text))


def phones(text: str) -> Iterator[Finding]:
    """Yield telephone numbers as people write them; dates, versions and addresses of hosts are none."""
    for found in _PHONE.finditer(text):
        start, end = found.span()
        digits = sum(c.isdigit() for c in found.group())
        glued = text[start - 1 : start].isalnum() or text[end : end + 1].isalnum() or text[start - 1 : start] in "-./#"
        if 8 <= digits <= 15 and not (glued and start) and not _NOT_A_PHONE.fullmatch(found.group()):
            yield Finding("phone", start, end)


def cards(text: str) -> Iterator[Finding]:
    """Yield payment cards' numbers, by their check digit."""
    for found in _CARD.finditer(text):
        digits = re.sub(r"\D", "", found.group())
        if _checks(digits) and (len(digits) > 12 or digits[0] in "56"):  # only Maestro has twelve
            yield Finding("payment-card", *found.span())


def accounts(text: str) -> Iterator[Finding]:
    """Yield bank accounts' numbers (IBAN), by their check digits."""
    for found in _IBAN.finditer(text):
        plain = found.group().replace(" ", "")
        number = "".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4])
        if 15 <= len(plain) <= 34 and int(number) % 97 == 1:
            yield Finding("bank-account", *found.span())


def social_security_numbers(text: str) -> Iterator[Finding]:
    """Yield numbers of the United States' social security."""
    yield from (Finding("social-security-number", *found.span()) for found in _SSN.finditer(text))


def network_addresses(text: str) -> Iterator[Finding]:
    """Yield IPv4 addresses."""
    for found in _ADDRESS.finditer(text):
        if all(int(part) <= 255 for part in found.group().split(".")):
            yield Finding("ip-address", *found.span())


def _checks(digits: str) -> bool:
    """Say whether digits pass Luhn's test."""
    doubled = sum(sum(divmod(2 * int(digit), 10)) for digit in digits[-2::-2])
    return (doubled + sum(map(int, digits[-1::-2]))) % 10 == 0 and len(set(digits)) > 2


PERSONAL_KINDS: Mapping[str, Detector] = MappingProxyType(
    {
        "email": emails,
        "payment-card": cards,
        "bank-account": accounts,
        "social-security-number": social_security_numbers,
        "ip-address": network_addresses,
        "phone": phones,
    }
)
