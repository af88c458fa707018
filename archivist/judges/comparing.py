"""What differs between two texts, and what they share, as numbers that a judge can weigh. Pure.

Patterns are bounded, so that the time to read a text grows with its length and no faster.

English, Russian and Chinese; other languages by their words and numbers alone.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memory.search.folding import normal
from memory.search.stopwords import ASKING
from memory.search.words import words_of

GUESS = (0.15, 1.1)
"""Closeness from the share of common words, where there are no vectors: a line fitted beside the weights."""

_NUMBER = re.compile(r"(?<![\w.])v?\d+(?:[.,:]\d+)*(?![\w])|\d+(?:[.:]\d+)*")
_CJK = re.compile("[\u3400-\u9fff]")
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_NAME = re.compile(r"(?<![.!?。\n] )(?<!^)(?<![\w-])[A-ZА-ЯЁ][\w-]+|[A-Za-z]{0,24}[A-Z]{2,}\w*")
_SIDES = re.compile(r"\s*[?？:：]\s+[—–-]?\s*|\s+[—–=]\s+|[？?：]\s*[—–-]?\s*")

_NOT = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|without|cannot|neither|nor|false|incorrect|wrong|impossible|forbidden"
    r"|\w+n't)\b|\b(?:не|нет|ни|никогда|никто|ничего|без|нельзя|невозможно|неверно|неправда|запрещен\w*)\b"
    r"|不(?!断|仅|但|同|过|只|管|如)|没|未(?!来)|无(?!论|线)|从未|并非|禁止|别",
    re.IGNORECASE,
)
_CHANGED = re.compile(
    r"\b(?:now|no longer|any ?more|instead|since|changed?|switched|migrated|moved|replaced|raised|increased|lowered"
    r"|reduced|extended|updated?"
    r"|dropped|renamed|handed over|left|became|rescheduled|postponed|delayed|cancell?ed|used to|until"
    r"|new|from \S{1,40} to|just|recently|already)\b"
    r"|\b(?:теперь|больше не|отныне|вместо|сменил\w*|измени\w*|перевели|переехал\w*|перенес\w*|перешл\w*|увелич\w*"
    r"|уменьш\w*|сниз\w*|повыс\w*|подня\w*|отключ\w*|отказ\w*|заменил\w*|обнов\w*|передал\w*|уже|с \w+ по|новый"
    r"|новая|новое|отложил\w*|задержал\w*|отменил\w*|стал\w*)\b"
    r"|现在|如今|不再|改为|改成|改用|换成|换到|搬到|迁移|提高到|增加到|降低到|减少到|降到|升到|停用|取消|推迟|延误|起由|已经|已改|变成|更新",
    re.IGNORECASE,
)
_FIXED = re.compile(
    r"\b(?:fix(?:ed|es)?|resolved?|solved|no longer|correct(?:ly|ed)?|works? again|repaired|patched"
    r"|now (?:correct|works?))\b"
    r"|\b(?:исправ\w*|почин\w*|устран\w*|больше не|верн\w+|реш[её]н\w*|корректн\w*|невозможн\w*|работает)\b"
    r"|修复|已解决|解决了|不再|已正确|不会再|正确|正常",
    re.IGNORECASE,
)
_BROKEN = re.compile(
    r"\b(?:fails?|failed|failing|broken|bugs?|errors?|wrong|crash\w*|timeout|times out|incorrect|slow|leak\w*|hangs?"
    r"|stuck|cannot|can't|doesn't|lost|duplicate\w*|twice|early|late|missing|at the same moment)\b"
    r"|\b(?:пада\w+|сбо\w+|ошиб\w+|баг\w*|неверн\w+|лома\w+|завис\w+|тайм-?аут\w*|не работает|не может|не могут|теря\w+"
    r"|дважды|раньше|позже|одновременно|медленн\w+)\b"
    r"|失败|错误|崩溃|超时|不对|无法|不能|丢失|重复|卡住|出错|早一天|晚一天|同时",
    re.IGNORECASE,
)

_SUBJECT = re.compile(
    r"#\d+|\b[A-ZА-ЯЁ]{2,10}-\d+|(?<![\w/])(?:[\w.-]+/)+[\w.-]+|\A\W*(?:19|20)\d\d-\d\d-\d\d"
    r"|(?i:\b(?:ticket|issue|pr|pull request|step|sprint|phase|chapter|section|room|server|host|node"
    r"|shard|build|task|bug"
    r"|case|number|no\.|item|day|week|тикет\w{0,3}|задач\w{0,3}|шаг\w{0,3}|спринт\w{0,3}|этап\w{0,3}|глав\w{0,3}|раздел\w{0,3}"
    r"|комнат\w{0,3}|сервер\w{0,3}|узл?[ео]?\w{0,2}|сборк\w{0,3}|номер\w{0,3}|пункт\w{0,3}|день|недел\w{0,3})\s?[#№]?\d+)"
    r"|№\s?\d+|第\s?[\d一二三四五六七八九十]+\s?[章节步号期周天个]|(?:任务|工单|步骤|服务器|编号)\s?\d+"
)
"""What a text is about, where it is named by number or path: two tickets don't contradict each other."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One text, read once."""

    words: frozenset[str]
    order: tuple[str, ...]
    numbers: frozenset[str]
    names: frozenset[str]
    subjects: frozenset[str]
    negations: int
    changes: int
    fixed: bool
    broken: bool
    asks: bool
    sides: tuple[str, str] | None
    script: tuple[bool, bool]


FEATURES = (
    *("closeness", "very_close", "longer", "long", "other_script", "words_shared", "alike", "old_kept", "new_known"),
    *("left_out", "added", "starts_alike", "numbers_differ", "number_shared", "alike_but_other_numbers"),
    *("close_but_other_numbers", "denies", "alike_but_denied", "close_but_denied", "close_and_changed"),
    *("very_close_and_changed", "very_close_in_other_words", "mends", "name_shared", "other_names", "asks", "both_ask"),
    *("has_sides", "same_value", "same_name_other_value"),
)
"""The names of what `compare` measures."""


def compare(old: "Reading", new: "Reading", *, closeness: float | None) -> dict[str, float]:
    """Return the features of a pair: how they are alike, and where they part.

    `closeness` is the cosine of their vectors, or None where there are none: then it is guessed from the words.
    """
    shared = len(old.words & new.words)
    alike, kept = shared / max(1, len(old.words | new.words)), shared / max(1, len(old.words))
    close = GUESS[0] + GUESS[1] * alike if closeness is None else closeness
    very_close = 2 * max(0.0, close - 0.5)
    differ = float(bool(old.numbers - new.numbers) and bool(new.numbers - old.numbers))
    denied = float((old.negations > 0) != (new.negations > 0))
    changed = max(0, min(2, new.changes) - min(2, old.changes))
    return {
        "closeness": close,
        "very_close": very_close,
        "longer": min(3.0, len(new.words) / max(1, len(old.words))),
        "long": float(max(len(old.words), len(new.words)) > 25),
        "other_script": float(old.script != new.script),
        "words_shared": math.log1p(shared),
        "alike": alike,
        "old_kept": kept,
        "new_known": shared / max(1, len(new.words)),
        "left_out": math.log1p(len(old.words) - shared),
        "added": math.log1p(len(new.words) - shared),
        "starts_alike": _first_difference(new, old),
        "numbers_differ": differ,
        "number_shared": float(bool(old.numbers & new.numbers)),
        "alike_but_other_numbers": (kept + alike) * differ,
        "close_but_other_numbers": very_close * differ,
        "denies": float(new.negations > old.negations),
        "alike_but_denied": (kept + alike) * denied,
        "close_but_denied": very_close * denied,
        "close_and_changed": close * changed,
        "very_close_and_changed": very_close * changed,
        "very_close_in_other_words": very_close * (1 - alike),
        "mends": float(old.broken and new.fixed),
        "name_shared": float(bool(old.names & new.names)),
        "other_names": float(bool(old.names and new.names and not old.names & new.names)),
        "asks": float(old.asks or new.asks),
        "both_ask": float(old.asks and new.asks),
        **_sides(old, new),
    }


def _first_difference(new: "Reading", old: "Reading") -> float:
    """Return where the new text first says another word, as a share of its length; 1 where it never does."""
    places = (place for place, word in enumerate(new.order) if word not in old.words)
    return next(places, len(new.order)) / max(1, len(new.order))


def _sides(old: "Reading", new: "Reading") -> dict[str, float]:
    """Return how alike name and value are in texts like `name: value`; zeros for others."""
    if not (old.sides and new.sides):
        return {"has_sides": 0.0, "same_value": 0.0, "same_name_other_value": 0.0}
    names = [frozenset(_words(text)) for text in (old.sides[0], new.sides[0])]
    values = [frozenset(_words(text)) for text in (old.sides[1], new.sides[1])]
    same_name = len(names[0] & names[1]) / max(1, len(names[0] | names[1]))
    same_value = len(values[0] & values[1]) / max(1, min(map(len, values)))
    return {"has_sides": 1.0, "same_value": same_value, "same_name_other_value": same_name * (1 - same_value)}


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    """Return what a text holds."""
    plain = normal(text)
    order = tuple(word for word in _words(plain))
    parts = [part.strip() for part in _SIDES.split(plain.strip(" .。"), maxsplit=1)]
    return Reading(
        words=frozenset(order),
        order=order,
        numbers=frozenset(_number(found) for found in _NUMBER.findall(plain)),
        names=frozenset(found.casefold() for found in _NAME.findall(plain)),
        subjects=frozenset("".join(found.casefold().split()) for found in _SUBJECT.findall(plain)),
        negations=len(_NOT.findall(plain)),
        changes=len(_CHANGED.findall(plain)),
        fixed=bool(_FIXED.search(plain)),
        broken=bool(_BROKEN.search(plain)),
        asks=plain.rstrip().endswith(("?", "？")),
        sides=(parts[0], parts[1]) if len(parts) == 2 and all(parts) else None,
        script=(bool(_CJK.search(plain)), bool(_CYRILLIC.search(plain))),
    )


def _words(text: str) -> Sequence[str]:
    return [word for word, step in words_of(text) if step and word not in ASKING and (len(word) > 1 or word.isdigit())]


def _number(found: str) -> str:
    return found.lower().lstrip("v").replace(",", "").lstrip("0") or "0"
