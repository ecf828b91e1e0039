"""Promises that either side makes in a chat, found by pattern in English and Spanish (promise S13). Pure.

A promise is something that the speaker says they will do, for a reason outside the moment: "I'll call her tomorrow",
"te aviso el lunes". What is asked, denied, conditional, hypothetical, told of others or done within the answer itself
("I'll explain") is none. Rather too few than too many.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from innerlife.selfmodel.events import Hand
from innerlife.selfmodel.words import sentences

_LONGEST = 240
_SHORTEST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Promise:
    """The sentence that promises, who said it, and the words that name the day, empty where none do."""

    text: str
    by: Hand
    due: str = ""


_ADVERBS = r"(?:definitely |certainly |also |then |just |really |still |at least |try to )?"
_GIVEN: Final = re.compile(
    rf"\b(?:i promise(?: you)?(?: that)?|you have my word|i(?:'ll| will) {_ADVERBS}(?P<verb>\w+)|"
    rf"i(?:'m| am) going to {_ADVERBS}(?P<going>\w+)|"
    r"(?:te|le|os|les) (?:lo )?prometo|prometo|"
    r"(?:yo )?(?:te|le|os|les) (?P<later>\w+?(?:aré|eré|iré|dré|bré)|aviso|llamo|escribo|mando|envío|cuento|traigo)|"
    r"(?P<futuro>\w+(?:aré|eré|iré|dré|bré))|voy a (?P<ir>\w+))\b"
)
_NOT_MEANT: Final = re.compile(
    r"\b(?:if|unless|whether|would|could|might|maybe|perhaps|probably|don't think|do not think|not sure|never|won't|"
    r"will not|'ll not|not going to|as if|imagine|suppose|used to|wish|hope|guess|when i die|"
    r"(?<!\bi )(?:said|told)|says|thinks|i thought|according to|ain't|"
    r"(?:kill|hurt|harm) myself|end (?:my (?:own )?life|it all)|matarme|suicidarme|quitarme la vida|hacerme daño|"
    r"si|quizás?|tal vez|acaso|a lo mejor|no (?:te|le|os|les|lo|la|creo|voy|sé|estoy)|nunca|jamás|ojalá|"
    r"dijo|dijeron|dice|dicen|cree|creen|según|pensé|supongo|creo que|aunque)\b"
)
_MOMENTARY: Final = """
    explain show tell say be have assume admit go guess take use call start begin keep see need want like love miss
    always never give try let bet wait die get feel know describe summarize list walk break answer ask put
    turn lose fail regret cry freeze forget sleep fall
    explicar mostrar decir ver ser estar tener ir usar empezar dar hacer intentar sentir saber
    seré estaré tendré iré explicaré mostraré diré veré haré podré querré sabré daré
    cumpliré cumplir perderé perder aprobaré aprobar suspenderé suspender lloraré llorar moriré morir olvidaré
"""
_OF_THE_MOMENT: Final = frozenset(_MOMENTARY.split())
"""Verbs that in the first person future speak of the moment, of a state or of the answer itself, without a day."""

_DAY: Final = re.compile(
    r"\b(?:(?:by|on|until|before|next|this|in|at)\s+)?(?:(?:the\s+)?day after tomorrow|tomorrow|tonight|"
    r"(?:next |this )?(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|weekend|month)|"
    r"in (?:a|an|one|two|three|four|five|six|\d+) (?:days?|weeks?|months?)|\d{1,2}(?:st|nd|rd|th)|"
    r"(?:pasado )?mañana|(?:el )?(?:próximo )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo)(?: que viene)?|"
    r"(?:la )?(?:próxima semana|semana que viene)|(?:el )?(?:próximo mes|mes que viene)|"
    r"(?:en|dentro de) (?:un|una|dos|tres|cuatro|cinco|\d+) (?:días?|semanas?|mes(?:es)?)|"
    r"\d{1,2} de (?:enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)|"
    r"(?:\d{1,2} )?(?:january|february|april|june|july|august|september|october|november|december|"
    # These two are verbs as well.
    r"(?:(?<=\bin )|(?<=\bby )|(?<=\bon )|(?<=\buntil )|(?<=\bbefore )|(?<=\bnext )|(?<=\bthis )|(?<=\d ))"
    r"(?:march|may))"
    r"(?: \d{1,2})?)\b"
)
_EXPLICIT: Final = re.compile(r"\b(?:i promise|you have my word|prometo)\b")
_SOMEBODY_SAYS: Final = re.compile(r"(?:\S+ ){0,3}\S+:\s+(?:I|Te|Le|Os|Les)\b")
"""A line of a talk that is retold: "Ana: I'll bring the cake"."""
_PAST: Final = re.compile(r"\b(?:yesterday|last (?:week|month|year|night)|ayer|anoche|la semana pasada)\b")


def promises_in(text: str, by: Hand) -> tuple[Promise, ...]:
    """The promises in what somebody said, in order. Give the user's own words only: quoted ones promise nothing."""
    found: list[Promise] = []
    for sentence in sentences(text):
        promise = _promise(sentence, by)
        if promise is not None and all(one.text != promise.text for one in found):
            found.append(promise)
    return tuple(found)


def _promise(sentence: str, by: Hand) -> Promise | None:
    plain = " ".join(sentence.casefold().replace("’", "'").split())
    if len(plain.split()) < _SHORTEST_WORDS or len(plain) > _LONGEST or plain.endswith("?") or "¿" in plain:
        return None
    given = _GIVEN.search(plain)
    if given is None or _NOT_MEANT.search(plain) or _PAST.search(plain) or _SOMEBODY_SAYS.match(sentence):
        return None
    # The day of what is promised follows the promise; one in front of it may belong to something else.
    day = _DAY.search(plain, given.end()) or _DAY.search(plain)
    explicit = _EXPLICIT.search(plain) is not None
    verb = next((one for one in given.groupdict().values() if one), "")
    if not explicit and day is None:
        # Without a day, only what is plainly about later and about doing counts.
        return None
    if verb in _OF_THE_MOMENT and not (explicit or _about_doing(plain, verb, by)):
        return None
    return Promise(sentence.strip(), by, day.group() if day else "")


def _about_doing(plain: str, verb: str, by: Hand) -> bool:
    """Verbs that say something about a state or the moment count where they clearly say what is done for whom."""
    told = {
        "call",
        "tell",
        "ask",
        "give",
        "show",
        "try",
        "take",
        "get",
        "start",
        "go",
        "put",
        "let",
        "see",
        "keep",
    }
    done = {
        "haré",
        "daré",
        "iré",
        "diré",
        "empezar",
        "ir",
        "hacer",
        "dar",
        "ver",
        "mostrar",
        "intentar",
        "decir",
    }
    if by is Hand.COMPANION:
        # A companion does nothing on its own but ask, remind and tell; a plan it lays out is no promise.
        return verb in {"ask", "tell", "keep"} and " you" in plain
    return verb in told | done
