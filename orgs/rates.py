"""How many calls a key and its organization made within a minute, counted in Redis: one round trip, and none unlimited.

A minute slides: what the last whole minute counted goes on counting for the share of it that is less than a minute ago.
Without Redis calls pass, since the service is worth more than the count: it is logged, and counted as a metric.
"""

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

import redis
from django.conf import settings
from prometheus_client import Counter
from redis.backoff import NoBackoff
from redis.retry import Retry

from orgs.caller import Caller
from orgs.errors import TooMany

log = logging.getLogger(__name__)

UNCOUNTED = Counter("palimpsest_uncounted_calls", "Calls that passed because Redis did not count them.")
REFUSED = Counter("palimpsest_calls_over_limit", "Calls that were refused for their number.", ["of"])
MINUTE = 60
PATIENCE = 0.25  # seconds that a call waits for Redis
REST = 5.0  # seconds in which Redis is not asked again after it failed

# KEYS: of each limit this minute's count and the last one's. ARGV: the share of the last one, then the limits.
# A call counts for all limits or, if one of them refuses it, for none.
_COUNT = """
local counts, fits = {}, 1
for i = 2, #ARGV do
    local this = tonumber(redis.call('GET', KEYS[2 * i - 3]) or '0')
    local last = tonumber(redis.call('GET', KEYS[2 * i - 2]) or '0')
    if this + math.ceil(last * tonumber(ARGV[1])) >= tonumber(ARGV[i]) then fits = 0 end
    counts[#counts + 1], counts[#counts + 2] = this, last
end
if fits == 1 then
    for i = 2, #ARGV do
        redis.call('INCR', KEYS[2 * i - 3])
        redis.call('EXPIRE', KEYS[2 * i - 3], 130)
    end
end
return counts
"""


@dataclass(frozen=True, slots=True)
class Rate:
    """A limit: of what, how many calls a minute, how many are left (-1: not even this one was), seconds until more."""

    of: str
    limit: int
    left: int
    wait: int


def count(caller: Caller, *, now: datetime) -> Sequence[Rate]:
    """Count one call of the caller, unless a limit is reached; return how it stands with each limit that there is."""
    held = {"key": caller.limits.calls_of_key, "organization": caller.limits.calls_of_organization}
    limits = {of: limit for of, limit in held.items() if limit is not None}
    if not limits or time.monotonic() < _resting.until:
        return ()
    minute, passed = divmod(now.timestamp(), MINUTE)
    share = 1 - passed / MINUTE
    who = {"key": caller.key_id, "organization": "all"}
    names = [f"palimpsest:calls:{{{caller.organization_id}}}:{who[of]}:" for of in limits]
    keys = [f"{name}{int(minute) - ago}" for name in names for ago in (0, 1)]
    try:
        counts = _script()(keys=keys, args=[share, *limits.values()])
    except redis.RedisError as error:
        _resting.until = time.monotonic() + REST
        UNCOUNTED.inc()
        log.warning("calls are not counted", extra={"fault": type(error).__name__})
        return ()
    pairs = zip(counts[::2], counts[1::2], strict=True)
    return [_rate(of, limit, *pair, share) for (of, limit), pair in zip(limits.items(), pairs, strict=True)]


def require_room(rates: Sequence[Rate]) -> None:
    """Let the call pass, or raise TooMany saying which limit it was and when to try again."""
    full = [rate for rate in rates if rate.left < 0]
    if not full:
        return
    worst = max(full, key=lambda rate: rate.wait)
    REFUSED.labels(worst.of).inc()
    raise TooMany(
        f"The {worst.of} may make {worst.limit} calls a minute.",
        hint=f"Try again in {worst.wait} seconds.",
        data={"limit": worst.limit, "of": worst.of},
        wait=worst.wait,
    )


def _rate(of: str, limit: int, this: int, last: int, share: float) -> Rate:
    """Tell how it stands after a call that found these counts; the wait is until the next one would fit."""
    left = limit - this - math.ceil(last * share) - 1
    over_soon = share - (limit - 1 - this) / max(last, 1)  # as the last minute fades
    over_next = share + 1 - (limit - 1) / max(this, 1)  # as this one does
    wait = math.ceil(MINUTE * (over_soon if this < limit else over_next))
    return Rate(of, limit, max(left, -1), max(1, wait))


class _Resting:
    until = 0.0


_resting = _Resting()


@cache
def _script() -> Any:
    return client(patience=PATIENCE).register_script(_COUNT)


def client(*, patience: float) -> "redis.Redis":
    """Connect to Redis where the broker is; nobody waits longer than so many seconds, and nothing is tried twice."""
    url = settings.REDIS_URL.replace("redis+socket://", "unix://").replace("virtual_host=", "db=")
    times = {"socket_timeout": patience, "socket_connect_timeout": patience}
    return redis.Redis.from_url(url, retry=Retry(NoBackoff(), 0), **times)
