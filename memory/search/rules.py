"""Whether a question asks for something to be done, and the words by which records say how things are to be done.

Pure. Who asks "how do I add a page" should find "always use tags for the markup" beside the pages that were talked
about; who asks what happened should not. Measured in tests/quality/RESULTS.md.
"""

import re

_ENGLISH = r"""
\bhow\ to\b | \bhow\ (?:do|should|can|could|would|might|must)\ (?:i|we|one|you)\b
| \b(?:can|could|would|will)\ you\b | \b(?:can|could|should|must)\ (?:i|we)\b | \bdo\ (?:i|we)\ need\b
| \bplease\b | \b(?:show|help|teach|guide|give)\ me\b
| \bi(?:['\u2019]m|\ am)\ (?:thinking|planning|trying|looking|going)\b
| \bi(?:\ need|\ want|\ would\ like|['\u2019]d\ like)\b
| ^\W*(?:explain|suggest|recommend|advise|write|create|make|build|add|fix|implement|plan|draft|design|set\ up)\b
"""
_RUSSIAN = r"""
\bкак\ (?:мне|нам|лучше|правильно|бы)\b | \bкак\ (?:\w+\ )?\w{2,}(?:(?<!ос)ть|ться|ти|чь)\b
| \b(?:можешь|можете|могли\ бы|мог\ бы|могла\ бы|пожалуйста|хочу|хотим)\b
| \b(?:мне|нам)\ (?:нужно|надо|стоит|следует)\b
| \b(?:нужно|надо|стоит|следует)\ ли\b
| \b(?:помоги|покажи|объясни|подскажи|посоветуй|предложи|напиши|сделай|добавь|исправь|создай|настрой)(?:те)?\b
"""
_CHINESE = r"""
(?:^|[，,。；;\s])请(?!问) | 帮我 | 帮忙 | (?:我|我们)(?:应该|该|要|想|需要|可以|能) | (?:应该|该)(?:怎么|如何|怎样)
| 能不能 | 能否 | 有什么建议
"""
_REQUEST = re.compile(f"{_ENGLISH}|{_RUSSIAN}|{_CHINESE}", re.IGNORECASE | re.VERBOSE)
_WHAT_WAS = re.compile(
    r"""^\W*(?:did|was|were|who|when|where|кто|когда|где)\b | ^谁
    | \b(?:i|we|you)\ (?:brought|mentioned|discussed|said|told|asked)\b | \b(?:did|have|had)\ (?:i|we|you)\b
    | \b(?:я|мы|ты|вы)\ (?:\w+л|\w+ла|\w+ли)\b | \bмы\ обсуждали\b | 我们?(?:说|提|聊|讨论)(?:过|了)""",
    re.IGNORECASE | re.VERBOSE,
)

SPELLINGS = (
    *("always", "never", "prefer", "instead", "rather than", "avoid", "whenever", "when I ask", "from now on"),
    *("всегда", "никогда", "предпочитаю", "предпочтительно", "вместо", "избегай", "нельзя", "обязательно"),
    *("总是", "始终", "从不", "绝不", "偏好", "避免", "优先", "务必", "不要"),
)


def is_request(text: str) -> bool:
    """Return whether a text asks how to do something, or to do it, rather than what is or was."""
    return bool(_REQUEST.search(text)) and not _WHAT_WAS.search(text)
