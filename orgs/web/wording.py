"""What keys may do, and how long ago something was, in words."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django import template
from django.utils import timezone
from django.utils.timesince import timesince
from django.utils.translation import gettext
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


@register.filter
def ago(at: datetime) -> str:
    """Return how long ago it was, to the minute."""
    now = timezone.now()
    if now - at < timedelta(minutes=1):
        return gettext("just now")
    return gettext("%(span)s ago") % {"span": timesince(at, now)}
