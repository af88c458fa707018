"""What somebody wants a key to be, checked before there is one."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime
from ipaddress import ip_network
from typing import Any

from orgs.errors import Invalid
from orgs.models import ApiKey
from orgs.names import LONGEST, canonical
from orgs.roles import Action, Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """The reach of a key. What is left out comes from the policy, or from the key that issues it."""

    name: str
    actions: Collection[Action]
    workspaces: Collection[str] = ()
    default_visibility: Visibility | None = None
    greatest_visibility: Visibility | None = None
    reads_organization: bool | None = None
    allowed_networks: Collection[str] = ()
    calls_per_minute: int | None = None
    expires_at: datetime | None = None

    def checked(self, *, now: datetime) -> "Wish":
        """Return the wish in its one spelling, or raise Invalid naming the field."""
        if not self.actions:
            raise Invalid(f"A key needs one of these at least: {', '.join(Action)}.", field="actions")
        if self.expires_at is not None and self.expires_at <= now:
            raise Invalid("The end has to lie ahead.", field="expires_at")
        if self.calls_per_minute is not None and self.calls_per_minute < 1:
            raise Invalid("A key needs one call a minute at least.", field="calls_per_minute")
        return replace(
            self,
            actions=sorted(set(self.actions)),
            workspaces=sorted({_workspace(name) for name in self.workspaces}),
            allowed_networks=sorted({_network(network) for network in self.allowed_networks}),
        )

    def columns(self) -> dict[str, Any]:
        """Return what an ApiKey keeps of the wish."""
        return {
            "name": self.name,
            "actions": [str(action) for action in self.actions],
            "every_workspace": not self.workspaces,
            "workspaces": list(self.workspaces),
            "reads_organization": self.reads_organization is not False,
            "allowed_networks": list(self.allowed_networks),
            "calls_per_minute": self.calls_per_minute,
            "expires_at": self.expires_at,
        }


def inherited(wish: Wish, parent: ApiKey) -> Wish:
    """Fill in what a child key's wish leaves out with what its parent has."""
    return replace(
        wish,
        workspaces=wish.workspaces or parent.workspaces,
        default_visibility=wish.default_visibility or Visibility(parent.default_visibility),
        greatest_visibility=wish.greatest_visibility or Visibility(parent.greatest_visibility),
        reads_organization=(parent.reads_organization if wish.reads_organization is None else wish.reads_organization),
        allowed_networks=wish.allowed_networks or parent.allowed_networks,
        calls_per_minute=wish.calls_per_minute or parent.calls_per_minute,
        expires_at=wish.expires_at or parent.expires_at,
    )


def require_narrower(wish: Wish, parent: ApiKey) -> None:
    """Let a child key be no wider than its parent and have an end, or raise Invalid naming the field."""
    limited = parent.calls_per_minute is not None
    wider = {
        "actions": not set(wish.actions) <= set(parent.actions),
        "workspaces": not parent.every_workspace and not set(wish.workspaces) <= set(parent.workspaces),
        "greatest_visibility": (wish.greatest_visibility or Visibility.ORGANIZATION) > parent.greatest_visibility,
        "reads_organization": bool(wish.reads_organization) and not parent.reads_organization,
        "allowed_networks": not _networks_within(wish.allowed_networks, parent.allowed_networks),
        "calls_per_minute": limited and (wish.calls_per_minute or 0) > (parent.calls_per_minute or 0),
        "expires_at": _outlives(wish.expires_at, parent.expires_at),
    }
    for field, is_wider in wider.items():
        if is_wider:
            raise Invalid("A key issues only keys that are narrower and end no later than itself.", field=field)


def _outlives(wished: datetime | None, parents: datetime | None) -> bool:
    return wished is None or (parents is not None and wished > parents)


def _networks_within(wished: Collection[str], allowed: Collection[str]) -> bool:
    if not allowed:
        return True
    outer = [ip_network(network) for network in allowed]
    inner = [ip_network(network) for network in wished]
    return bool(inner) and all(
        any(one.version == other.version and one.subnet_of(other) for other in outer)  # type: ignore[arg-type]
        for one in inner
    )


def _workspace(name: str) -> str:
    spelled = canonical(name)
    if not spelled or len(spelled) > LONGEST or not spelled.isprintable():
        raise Invalid(f"A workspace's name has 1 to {LONGEST} printable characters.", field="workspaces")
    return spelled


def _network(text: str) -> str:
    try:
        return str(ip_network(text))
    except ValueError as refused:
        raise Invalid("A network is written like 10.0.0.0/8 or 2001:db8::/32.", field="allowed_networks") from refused
