"""What keys may do, in words."""

from collections.abc import Iterable

from django import template
from django.utils.translation import gettext_lazy as _

from orgs.roles import Action

register = template.Library()

ACTION_WORDS = {
    Action.READ: _("read"),
    Action.WRITE: _("write"),
    Action.FORGET: _("forget"),
    Action.REVIEW: _("review"),
}


@register.filter
def actions_in_words(actions: Iterable[str]) -> str:
    """Return a key's actions as a list in words, always in one order."""
    held = set(actions)
    return ", ".join(str(word) for action, word in ACTION_WORDS.items() if action.value in held)
