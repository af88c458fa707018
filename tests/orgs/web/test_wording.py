"""How long ago something was, in words."""

from datetime import timedelta

import pytest
from django.utils import timezone

from orgs.web.wording import ago


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "just now"), (59, "just now"), (61, "1 minute ago"), (7200, "2 hours ago")],
)
def test_what_was_within_a_minute_was_just_now(seconds, said):
    assert ago(timezone.now() - timedelta(seconds=seconds)).replace("\xa0", " ") == said
