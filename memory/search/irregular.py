"""Irregular English forms that no stemmer joins (``went`` and ``go``), as a table of plain forms.

Pure. Forms that are also other common words (``left``, ``found`` a company, ``saw``) are taken as the verb.
"""

_VERBS = """
be am is are was were been; become became; begin began begun; bend bent; bite bit bitten; blow blew blown;
break broke broken; bring brought; build built; buy bought; catch caught; choose chose chosen; come came; creep crept;
deal dealt; dig dug; do did done; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feed fed; feel felt; fight fought; find found; fly flew flown; forbid forbade forbidden;
forget forgot forgotten; forgive forgave forgiven; freeze froze frozen; get got gotten; give gave given;
go went gone; grow grew grown; hang hung; have has had; hear heard; hide hid hidden; hold held; keep kept;
know knew known; lay laid; lead led; leave left; lend lent; lose lost; make made; mean meant; meet met; pay paid;
ride rode ridden; ring rang rung; rise rose risen; run ran; say said; see saw seen; seek sought; sell sold; send sent;
shake shook shaken; shoot shot; show shown; shrink shrank shrunk; sing sang sung; sink sank sunk; sit sat;
sleep slept; speak spoke spoken; spend spent; spin spun; stand stood; steal stole stolen; stick stuck;
strike struck; swear swore sworn; sweep swept; swim swam swum; swing swung; take took taken; teach taught;
tear tore torn; tell told; think thought; throw threw thrown; understand understood; undo undid undone; wake woke woken;
wear wore worn; weep wept; win won; withdraw withdrew withdrawn; write wrote written; rewrite rewrote rewritten;
overwrite overwrote overwritten; rebuild rebuilt; resend resent; undergo underwent undergone
"""
_NOUNS = (
    "child children; man men; woman women; person people; foot feet; tooth teeth; mouse mice; wife wives; life lives"
)

PLAIN_FORM = {
    form: plain for entry in (_VERBS + ";" + _NOUNS).split(";") for plain, *others in [entry.split()] for form in others
}
