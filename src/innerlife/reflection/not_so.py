"""Words by which somebody says a thing without its being so: supposed, past, undone, told by others (design §10). Pure.

English and Spanish; other languages are held by what is denied and asked alone.
"""

from __future__ import annotations

import re
from typing import Final

_SUPPOSED: Final = (
    r"if|unless|whether|would(?!n't)(?! (?:like|love|rather|prefer))|could|might|maybe|perhaps|wish|imagine|suppose|"
    r"pretend|as if|"
    r"si|ojalá|quizás?|tal vez|a lo mejor|imagina|supón|sería|tendría|haría|podría|fuera|tuviera|pudiera"
)
_OVER: Final = (
    r"used to|no longer|any ?more|years ago|back then|as a (?:child|kid|boy|girl)|when i was|"
    r"solía|antes (?:era|vivía|trabajaba|tenía)|ya no|de (?:niño|niña|pequeño|pequeña)|hace años"
)
SUPPOSED: Final = re.compile(rf"\b(?:{_SUPPOSED})\b", re.IGNORECASE)
NOT_SO: Final = re.compile(rf"\b(?:{_SUPPOSED}|{_OVER})\b", re.IGNORECASE)
"""Supposed, wished or over: said, and not so."""

_WORKED: Final = "worked|lived|studied|played|taught|loved|liked|hoped|planned|dreamed|dreamt|owned|wanted"
_TRABAJABA: Final = (
    "fui|era|éramos|estuve|trabajé|trabajaba|viví|vivía|estudié|estudiaba|jugaba|tocaba|enseñaba|tenía|"
    "quería|soñaba"
)
PAST: Final = re.compile(
    rf"\b(?:i was(?! (?:born|raised|named|brought up))|i(?:'d| had) been|i had an?|(?:i|we)(?: once)? (?:{_WORKED})|"
    rf"{_TRABAJABA})\b",
    re.IGNORECASE,
)
"""Somebody tells of a state of theirs that was."""

TELLS_OF_PAST: Final = re.compile(
    rf"\b(?:was|were|had|been|former|retired|{_WORKED}|{_TRABAJABA}|fue|trabajó|vivió|estudió)\b",
    re.IGNORECASE,
)
"""A claim that says so too."""

UNDONE: Final = re.compile(
    r"\b(?:hardly|barely|scarcely|anything but|far from|(?:almost|nearly)(?! (?:always|every|all))|supposed(?:ly| to)|"
    r"allegedly|refuse[ds]?|forgot(?:ten)?|g(?:i|a)ve up|given up|giving up|quit|stopped|sick of|fed up|done with|"
    r"hates?|hated|can't stand|instead of|(?:mistakes?|mistook|confuse[ds]?) me|ex[- ]|former|"
    r"casi(?! (?:siempre|tod[oa]s?|cada))|apenas|lejos de|dejé|he dejado|renuncié|abandoné|me niego|olvid[éó]|"
    r"lost|turned down|applied|fired|laid off|retired|(?:look|feel)s? like|drags?|bor(?:ing|es|ed)|dead|"
    r"in another life|remind me|perdí|rechacé|solicité|despid\w+|despedid[oa]|jubilad[oa]|aburr\w+|"
    r"muert[oa]|difunt[oa]|recuérdame|se supone|hart[oa] de|odi[oa]|detest[oa]|no soporto)\b",
    re.IGNORECASE,
)
"""Hardly, no more, not done, not wanted: said in the same breath."""

_REPORTING: Final = (
    "say|think|said|thought|told|tell|claim|claimed|believe|believed|insist|insisted|swore|wrote"
)
I_SAY: Final = re.compile(
    rf"\b(?:i|we)(?:'ve|'d|'ll| have| had| must| should| can)?(?: \w+)? (?:{_REPORTING})\b|"
    r"\b(?:to|let me) (?:say|tell)\b|"
    r"\b(?:digo|dije|creo|pienso|he dicho|te cuento)\b",
    re.IGNORECASE,
)
OTHERS_SAY: Final = re.compile(
    rf"\b(?:{_REPORTING}|says|thinks|tells|claims|believes|insists|complains|swears|reckons|according to|"
    r"(?:wants?|expects?|asks?|asked|needs?) me to|assumes?|assumed|"
    r"(?:he|she|they) calls? me|called me|doubt|den(?:y|ied)|pretend(?:ed)?|lied|dreamed|dreamt|"
    r"dicen?|dij(?:o|eron)|creen?|piensan?|opinan?|afirman?|juran?|aseguran?|según|contó|escribió|"
    r"(?:quieren?|piden?|esperan?) que|dudo|niego|finjo|fingí|mentí|soñé)\b",
    re.IGNORECASE,
)
"""What follows is somebody else's view, or a thing that is doubted or dreamt."""

SAID_AFTERWARDS: Final = re.compile(
    r",\s*(?:(?:he|she|they|my \w+|[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+) (?:said|says|wrote|thinks|claims)|(?:said|says|wrote) \w+|"
    r"(?:me |nos )?(?:dijo|dice|dicen))\b|\bsaid (?:nobody|no one)\b"
)
TOLD_AS_A_TALE: Final = re.compile(
    r"^\W*(?:(?:and|but|so|y|pero) )?(?:in|en) (?:my|the|a|this|that|mi|la|el|un|una|este|esta) (?:\w+ )?"
    r"(?:novel|dream|nightmare|story|game|play|film|movie|book|song|novela|sueño|pesadilla|cuento|juego|película|libro|"
    r"canción)\b(?! (?:club|shop|store|industry|business|company))|"
    r"^\W*(?:yeah,? right|oh,? sure|as if|ya,? claro)\b",
    re.IGNORECASE,
)
"""A story, a dream, or plain irony from the first word."""

WANTED: Final = re.compile(r"\b(?:(?:i|we) want(?:ed)?|quiero|queremos)\b", re.IGNORECASE)
"""Somebody whom one would like to have."""

NAMES_ONESELF: Final = re.compile(
    r"\b(?:my (?:nick)?name|i'm|i am|im|it's|this is|calls? me|known as|goes by|go by|"
    r"me llam\w+|ll[aá]m[ae]\w*|mi (?:nombre|apodo)|soy|me dicen|"
    r"ich bin|ich heiße|je suis|je m'appelle|mi chiamo|sono|meu nome|me chamo|mijn naam|ik heet|ik ben)\b",
    re.IGNORECASE,
)
"""Somebody says what they are called, and does not only speak of a name."""

NOT_ONLY: Final = re.compile(
    r"\b(?:not (?:only|just|merely)|no (?:sólo|solo|solamente|únicamente))\b", re.IGNORECASE
)
"""Denies nothing."""

AHEAD: Final = re.compile(
    r"\b(?:will|\w+'ll|shall|going to|gonna|promise|want|wanna|would (?:like|love)|i'd (?:like|love)|plan\w*|"
    r"hop(?:e|ing)|try(?:ing)?|need to|have to|must|should|aim|goal|dream|intend|learn\w*|sav(?:e|ing)|"
    r"train\w*|tomorrow|tonight|(?:mon|tues|wednes|thurs|fri|satur|sun)day|next|soon|later|"
    r"prometo|quiero|queremos|quisiera|gustaría|voy a|vamos a|espero|intent\w+|tengo que|debo|meta|objetivo|sueño|"
    r"pienso|aprend\w+|ahorr\w+|entren\w+|mañana|luego|lunes|martes|miércoles|jueves|viernes|sábado|domingo|próxim[oa]|"
    r"\w+(?:aré|eré|iré|dré|bré))\b",
    re.IGNORECASE,
)
"""Somebody looks ahead: to what they will do, or want to reach."""

PURSUED: Final = re.compile(
    r"(?:\b(?:not|never|no|nunca|jamás)|n't)(?: \w+){0,2} (?:give up|giving up|quit\w*|stop\w*|drop\w*|abandon\w*|"
    r"renunci\w+|dej\w+)\b",
    re.IGNORECASE,
)
"""It is not given up."""

TO_COME: Final = re.compile(
    r"\b(?:will|i'll|we'll|shall|going to|gonna|want(?:ed)? to|wanna|plan(?:ning)? to|hop(?:e|ing) to|need to|have to|"
    r"must|not yet|almost|nearly|voy a|vamos a|quiero|queremos|tengo que|tenemos que|debo|todavía|aún no|casi|"
    r"\w+(?:aré|eré|iré))\b",
    re.IGNORECASE,
)
"""It is still to be done."""
