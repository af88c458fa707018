"""Words that ask or join and say nothing about what is looked for. They are stored, but a question drops them.

Pure. Phrases are cut out before anything else: in Chinese because its characters are paired, elsewhere those that ask
for the shape of the answer or name the conversation itself (``in the order in which I brought up``).
"""

import re

_ENGLISH = """
a an the this that these those some any each every both either neither no nor not and or but if then else so than too
very just only also i me my mine myself we us our ours you your yours he him his she her hers it its they them their
theirs who whom whose which what when where why how do does did doing done am is are was were be been being have has had
having can could shall should will would may might must ought of in on at by for from to into onto with without within
about as there here out up down over under again s t m re ve ll d dont didnt doesnt isnt wasnt arent im ive id youre
many much long often ever kind type sort tell please find show list know mention mentioned say said according during
between after before while because until through
"""
_RUSSIAN = """
и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне есть был была было были быть о об
от из ли если уже или ни нет до вас нам их ему ей им нас мы они меня мой моя мое мои наш наша наше наши ваш ваша свой
своя свои себя это этот эта эти этого этой тот та те того той для при под над без через между про чем чего чему кто кого
кому кем где куда откуда когда зачем почему сколько какой какая какое какие каким какой каких каков который которая
которое которые которых которой которому ли разве можно нужно надо будет будут может могут бы также еще только где-то
какую каком какими чей чья чье чьи насколько
"""
ASKING = frozenset(_ENGLISH.split()) | frozenset(_RUSSIAN.split())

_CHINESE = (
    "什么时候|什么样|为什么|多长时间|是什么|是多少|是哪些|有哪些|有多少|哪一年|哪一个|怎么样|什么|怎么|怎样|如何|为何|何时|何地"
    "|哪里|哪儿|哪些|哪个|哪位|哪年|哪种|哪|谁|多少|多久|几个|吗|呢|请问|是否|能否|的"
)
_TALK = r"(?:conversations|chats|discussions|sessions|messages|conversation|chat|discussion)"
_PHRASES = rf"""
\b(?:across|throughout|during|over|in|from)\ (?:all\ )?(?:of\ )?
    (?:my|our|these|your|previous|past|earlier)\ (?:\w+\ )?{_TALK}\b
| \b(?:the\ )?order\ in\ which\ (?:i|we|you)\ \w+ | \bin\ (?:chronological\ )?order\b(?=\W*(?:[.?!]|$))
| \b(?:(?:mention|list|name|give)\ )?only\ (?:and\ only\ )?\w+\ items?\b | \b(?:bring|brought|bringing)\ up\b
| \bwalk\ me\ through\b | \bstep[ -]by[ -]step\b | \baspects?\ of\b
| \bdifferent\ (?:aspects?|ways?|kinds?|types?|topics?)\b
| \bв\ (?:наших|наших\ с\ тобой|прошлых|моих)\ (?:разговорах|беседах|чатах|обсуждениях|сообщениях)\b
| \bв\ каком\ порядке\ (?:я|мы)\ \w+ | \bпо\ порядку\b | \bразные\ (?:стороны|виды|темы)\b
| \bшаг\ за\ шагом\b | \bпо\ шагам\b
| 在?我们的(?:对话|聊天|谈话|讨论)(?:中|里)? | 按(?:时间)?顺序 | 一步一步
"""
_ASKED = re.compile(f"{_CHINESE}|{_PHRASES}", re.IGNORECASE | re.VERBOSE)


def without_questions(text: str) -> str:
    """The text with the phrases that ask replaced by spaces; unchanged if nothing else would be left."""
    rest = _ASKED.sub(" ", text)
    return rest if rest.strip(" ?？。") else text
