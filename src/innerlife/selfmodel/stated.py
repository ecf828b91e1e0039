"""Preferences in what the user says, found by pattern in English and Spanish (promise L3). Pure.

A preference is a wish about how they want to be treated from now on: "call me Jo", "don't use emojis", "from now on
answer in Spanish". What is asked for this once, of a thing in the text, of others, or under a condition is none.
Rather too few than too many: whoever wants more says it with `innerlife preferences --add`.
"""

from __future__ import annotations

import re
from typing import Final

from innerlife.selfmodel.words import sentences

_LONGEST: Final = 160
_NAME: Final = re.compile(
    r"^(?:(?:please|and|so|oh|hey|hi|hello|btw|by the way|hola|oye|por favor|pues),?\s+)*"
    r"(?:just )?(?:(?:you can |you may )?call me|puedes llamarme|ll[aá]mame|me puedes llamar)\s+"
    r"(?P<name>[^\W\d_][\w'’-]*(?:\s[^\W\d_][\w'’-]*)?)(?:,? please|,? por favor| instead)?[.!]*$",
    re.IGNORECASE,
)
_NO_NAMES: Final = """
    back when if later tomorrow tonight now soon maybe crazy stupid old a an the at on in
    cuando si luego mañana loco loca más al el la un una
"""
_NOT_A_NAME: Final = frozenset(_NO_NAMES.split())
_POLITE: Final = re.compile(r"\b(?:please|instead|you (?:can|may)|por favor|puedes)\b", re.IGNORECASE)
_ALWAYS: Final = (
    r"from now on|from here on|in (?:the )?future|going forward|in general|every time|always|never|whenever you answer|"
    r"de ahora en adelante|a partir de ahora|en adelante|en general|siempre|nunca|cada vez"
)
_MANNER: Final = (
    r"emojis?|emoticons?|bullet points?|bullets|tables|headings|headers|markdown|bold(?: text)?|jargon|buzzwords|"
    r"small talk|flattery|compliments|apologi[sz]e|apologies|disclaimers|exclamation (?:marks|points)|preambles?|"
    r"long answers|short answers|answers? short|answers? brief|filler|formal|informal|"
    r"emoticonos|viñetas|tablas|negritas?|jerga|halagos|cumplidos|disculpas|preámbulos?|respuestas (?:largas|cortas)|"
    r"(?:trátame|tratarme|háblame) de (?:tú|usted)|de (?:tú|usted)|tutéame|tutearme"
)
_LASTING: Final = re.compile(
    r"\b(?:please|from now on|from here on|going forward|"
    r"por favor|de ahora en adelante|a partir de ahora|en adelante)\b",
    re.IGNORECASE,
)
_HIS_OR_YOURS: Final = "responde|contesta|escribe|usa|empieza|acaba|explica|habla|sé"
"""What somebody does, or I do, as much as what is asked of you: Spanish leaves the subject out."""

_YOURS: Final = (
    r"answer|answers|reply|replies|respond|write|use|using|say|start|begin|end|give|call|explain|ask|speak|talk|keep|"
    r"repeat|skip|lead|send|show|remind|"
    r"respóndeme|contéstame|escríbeme|uses|digas|dime|empieces|des|dame|"
    r"llames|llámame|explícame|preguntes|pregúntame|háblame|repitas|recuérdame"
)


def _both(one: str, other: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{one})\b.*\b(?:{other})\b|\b(?:{other})\b.*\b(?:{one})\b", re.IGNORECASE)


_STANDING: Final = _both(_ALWAYS, _YOURS)
_PERHAPS_STANDING: Final = _both(_ALWAYS, _HIS_OR_YOURS)
_LANGUAGE: Final = (
    "english|spanish|german|french|italian|portuguese|dutch|"
    "español|castellano|inglés|alemán|francés|italiano|portugués"
)
_HOW: Final = re.compile(
    rf"\b(?:in|en|con) (?:{_LANGUAGE})\b|"
    r"\b(?:brevemente|con brevedad|sin rodeos|de (?:tú|usted)|en (?:una|dos|pocas) \w+)\b",
    re.IGNORECASE,
)
_OF_ANSWERS: Final = re.compile(
    r"\b(?:me|my|mine|mi|mis|answers?|repl(?:y|ies)|responses?|questions?|results?|compliments?|examples?|summar\w+|"
    r"sources?|sentences?|lists?|code|short|brief|apolog\w+|disclaimers?|language|respuestas?|preguntas?|resultados?|"
    r"ejemplos?|resumen|frases?|listas?|código|cumplidos?)\b",
    re.IGNORECASE,
)
"""What a wish about answers speaks of; a maxim ("Never give up!") speaks of something else."""
_ABOUT_MANNER: Final = re.compile(
    r"^(?:(?:please|and|also|por favor|y|oye),?\s+)*"
    r"(?:(?:do not|don['’]?t|no more|stop|avoid|skip|leave out|drop|use|keep|be|"
    r"no uses?|no me des|no pongas|evita|deja de|sin|usa|sé)\b)"
    rf".{{0,40}}\b(?:{_MANNER})\b",
    re.IGNORECASE,
)
_LIKING: Final = re.compile(
    r"^(?:(?:please|and|also|honestly|actually|la verdad|y),?\s+)*"
    r"(?:i(?:['’]d| would)? (?:really |much |always |generally )?(?:prefer|rather you)|"
    r"i (?:do not|don['’]?t|really don['’]?t) (?:like|want) (?:it when you|you to|your)|"
    r"i (?:like|love) it when you|i hate it when you|it (?:bothers|annoys) me when you|"
    r"(?:yo )?prefiero|preferiría que|no me gusta que|me gusta que|me molesta que|odio que)\b",
    re.IGNORECASE,
)
_TO_YOU: Final = re.compile(
    r"\b(?:you|your|answers?|replies|responses?|explanations?|examples?|mode|"
    r"me (?:des|digas|hables|respondas|contestes|llames|expliques|preguntes|trates|escribas|repitas)|"
    r"tus|respuestas?|explicaciones|ejemplos?|que (?:uses|seas|respondas|contestes|repitas|"
    r"digas|expliques|preguntes|hables|escribas|des))\b",
    re.IGNORECASE,
)
_NOT_STANDING: Final = re.compile(
    r"\b(?:if|unless|for (?:this|that|now|today|the moment)|this time|just (?:this )?once|here|below|above|today|"
    r"in (?:this|that|the|my) (?:\w+ )?(?:function|file|code|class|script|document|text|letter|mail|email|essay|story|"
    r"paragraph|sentence|chapter|example|case)|she|he|they|her|his|their|"
    r"si|a menos que|por ahora|por esta vez|esta vez|solo hoy|aquí|hoy|"
    r"en (?:esta|este|la|el|mi) (?:función|archivo|código|clase|texto|carta|correo|párrafo|frase|cuento)|"
    r"ella|ellos|ellas|(?<!\bi )(?:said|told|wrote)|says|dijo|dijeron|dice|le dije|les dije)\b",
    re.IGNORECASE,
)
_WITH_SOMEBODY: Final = re.compile(rf"\b(?:with|con) (?!(?i:{_LANGUAGE})\b)[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+")


def preferences_in(text: str) -> tuple[str, ...]:
    """The sentences in which the user says how they want to be treated, in order. Give their own words only."""
    found: list[str] = []
    for sentence in sentences(text):
        plain = " ".join(sentence.split())
        if _is_one(plain) and plain not in found:
            found.append(plain)
    return tuple(found)


def without_preferences(text: str) -> str:
    """What else the user says."""
    said = set(preferences_in(text))
    return " ".join(one for one in sentences(text) if " ".join(one.split()) not in said)


def wanted_name(preference: str) -> str:
    """The name that a preference asks to be called by; empty where it speaks of something else."""
    named = _NAME.match(" ".join(preference.split()))
    if named is None:
        return ""
    words = named["name"].split()
    if words[0].casefold() in _NOT_A_NAME:
        return ""
    # "Call me paranoid." asks for nothing; who asks nicely for a name may write it as they like.
    return named["name"] if not words[0].islower() or _POLITE.search(preference) else ""


def _is_one(sentence: str) -> bool:
    if len(sentence) > _LONGEST or sentence.endswith("?") or "¿" in sentence:
        return False
    if wanted_name(sentence):
        return True
    if _NOT_STANDING.search(sentence) or _WITH_SOMEBODY.search(sentence):
        return False
    if _ABOUT_MANNER.match(sentence):
        return True
    if _LIKING.match(sentence):
        return bool(_TO_YOU.search(sentence))
    # "I always use tabs" tells of a habit; only a sentence that begins as a request is one.
    if _TELLS.match(sentence):
        return False
    lasting = _LASTING.search(sentence) or _HOW.search(sentence)
    if _STANDING.search(sentence):
        return bool(lasting or _OF_ANSWERS.search(sentence))
    return bool(lasting and _PERHAPS_STANDING.search(sentence))


_TELLS: Final = re.compile(
    r"^(?:(?:and|but|so|because|well|y|pero|porque|pues),?\s+)*"
    r"(?:\w+s (?:nowadays|today|always|never)|"
    r"i|i['’]\w+|we|we['’]\w+|you|my|our|the|a(?! partir)|an|it|it['’]s|this|that|there|people|everyone|nobody|"
    r"what|why|how|"
    r"yo|nosotros|tú|mi|mis|nuestro|el|la|los|las|un|una|eso|esto|hay|la gente|todos|nadie|que|por qué|cómo|"
    r"he|has|ha|hemos|tengo|tenía|suelo|solía|me|nos)\b",
    re.IGNORECASE,
)
