"""What a model claims of a conversation, held against the conversation: whose words, which words (design §10). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from typing import Final

from innerlife.reflection.lines import Line
from innerlife.reflection.not_so import (
    AHEAD,
    I_SAY,
    NAMES_ONESELF,
    NOT_ONLY,
    NOT_SO,
    OTHERS_SAY,
    PAST,
    PURSUED,
    SAID_AFTERWARDS,
    SUPPOSED,
    TELLS_OF_PAST,
    TO_COME,
    TOLD_AS_A_TALE,
    UNDONE,
    WANTED,
)
from innerlife.selfmodel.events import GoalState
from innerlife.selfmodel.words import content_words, denies, sentences
from innerlife.thinking.language import language_of
from innerlife.thinking.quotes import find_quote

_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ÿ]")

_SUBJECT: Final = re.compile(
    r"\b(?:i|i'm|i'd|i've|i'll|im|me|myself|we|we're|we've|us|"
    r"yo|me|conmigo|nosotros|nosotras|nos|soy|estoy|tengo|trabajo|vivo|quiero|prefiero|hago|voy|creo|necesito|odio|"
    r"juego|estudio|leo|escribo|toco|llevo|suelo|doy|dirijo|enseño|colecciono|bailo|cocino|pinto|corro|nado|viajo|"
    r"conduzco|programo|cuido|puedo|debo|bebo|fumo|llamo|mando|"
    r"compro|traigo|preparo|termino|mí|(?<=no )como|somos|tenemos|vivimos|trabajamos|"
    r"ich|mir|mich|wir|je|j'ai|moi|nous|io|eu|ik)\b",
    re.IGNORECASE,
)
_MINE: Final = re.compile(
    r"\b(?:my|mine|our|mi|mis|mío|mía|míos|mías|nuestro|nuestra|mein|meine|mon|ma|mes|mio|mia|meu|minha|mijn)\b"
    r"(?P<whom>(?:\s+[^\W\d_]+){0,3})",
    re.IGNORECASE,
)
_MY_OWN: Final = re.compile(
    r"\b(?:my|our|mi|mis|nuestro|nuestra)\s+(?:job|work|profession|trade|career|shifts?|office|company|studies|"
    r"favou?rites?|hobby|hobbies|passion|habit|style|way|life|name|dream|goal|plan|"
    r"trabajo|profesión|oficio|carrera|turno|oficina|empresa|afición|aficiones|pasión|costumbre|estilo|vida|nombre|"
    r"sueño|meta|plan)\b",
    re.IGNORECASE,
)
_OTHER: Final = (
    r"(?:he|she|they|it|his|her|their|my|our|the|a|an|this|that|everyone|people|"
    r"él|ella|ellos|ellas|su|sus|mi|mis|el|la|los|las|un|una|todos)\s|[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+\s"
)
_NEW_CLAUSE: Final = re.compile(
    rf"(?:[,;:]\s*(?:and|but|so|y|pero)?\s*|\s(?:and|but|because|that|while|since|so|whose|who|y|pero|porque|que|"
    rf"mientras|quien)\s+)(?={_OTHER}|(?:[iI]|we|yo|nosotros)\b)"
)
_REPORTS: Final = re.compile(
    rf"\b(?i:i|we)\s+(?i:think|know|believe|heard|hear|guess|suspect|hope|wish|feel|bet|see|saw|read)\s+(?={_OTHER})|"
    rf"\b(?i:creo|sé|supongo|espero|oí|veo)\s+(?:que\s+)?(?={_OTHER})"
)


_ASKS: Final = re.compile(
    r"^(?:so |and |but |well,? )?(?:should|shall|do|does|did|am|is|are|was|were|can|could|will|would|have|has)\s+i\b|"
    r"\?[\"'”»)]*\s*$|¿",
    re.IGNORECASE,
)
_QUESTION_BEGINS: Final = re.compile(
    r"[,;:–—-]\s*(?:and |but |so |y |pero )?(?=¿|(?:do|does|did|can|could|would|will|shall|should|is|are|isn't|aren't|"
    r"what|how|which|why|when|where|who|any|cuál|qué|cómo|dónde|cuándo|quién|por qué|puedes|sabes)\b)",
    re.IGNORECASE,
)
_CONTRAST: Final = re.compile(
    r"(?:[,;:–—]\s*|\s(?=(?:and|but|y|pero)\s))"
    r"(?=(?:(?:so|and|but|though|although|y|pero|aunque|así que)\s+)?(?:please\s+|por favor\s+)?"
    r"(?:not|no|never|nunca|nada|ni|sin|nicht|keine?n?|pas|non|não|niet)\b)",
    re.IGNORECASE,
)
_ADVERSATIVE: Final = re.compile(r"(?:\b(?:but|pero)\s*|;\s*)$", re.IGNORECASE)
_OTHERS_SPEECH: Final = re.compile(r"“[^”]{3,}”|\"[^\"]{3,}\"|«[^»]{3,}»|„[^“”]{3,}[“”]")


_READ: Final = frozenset({"", "en", "es"})
"""Languages, and texts too short to tell, of which the words in `not_so` are known."""


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote where it stands: the line, the sentence around it, and the clauses of the sentence that it covers."""

    line: Line
    sentence: str
    clauses: tuple[str, ...]
    every: tuple[str, ...]
    """All clauses of the sentence."""

    def clause_of(self, claim: str) -> str:
        """The clause that has most of what is claimed."""
        wanted = content_words(claim, self.sentence)
        return max(self.clauses, key=lambda one: len(content_words(one, claim) & wanted))

    def leading_to(self, clause: str) -> str:
        """The sentence up to the end of a clause, from the last "but" before it on."""
        led = ""
        for one in self.every:
            led = one if _ADVERSATIVE.search(led) else led + one
            if one == clause:
                break
        return led


def quoted(quote: str, lines: Sequence[Line]) -> Quoted | None:
    """The line that has the quote, word for word; the last one of several. At least two words, or one long one.

    What stands between quotation marks is somebody else's, and quotes nothing.
    """
    if len(_WORD.findall(quote)) < 2 and len(quote.strip()) < 8:
        return None
    for line in reversed(lines):
        text = _OTHERS_SPEECH.sub(lambda found: " " * len(found[0]), line.text)
        if find_quote(quote, text) is None:
            continue
        for sentence in sentences(text):
            if (span := find_quote(quote, sentence)) is not None:
                marks = _borders(sentence)
                return Quoted(
                    line,
                    sentence,
                    _between(sentence, marks, span.start, span.end),
                    _between(sentence, marks, 0, len(sentence)),
                )
    return None


def carries(words: str, text: str, share: float) -> bool:
    """Whether `words` hold enough of what `text` says: at least this share of its content words, and one."""
    said, new = content_words(words, text), content_words(text, words)
    return bool(new) and len(new & said) >= max(1, ceil(share * len(new) - 1e-9))


def stands(found: Quoted, claim: str) -> bool:
    """Whether the quoted clause says what is claimed as something that is so.

    Neither denied where the claim does not deny, nor asked, supposed, wished or past where the claim says nothing of
    that. Rather too little is believed than too much.
    """
    clause = found.clause_of(claim)
    if (
        _denies(clause) != _denies(claim)
        or _ASKS.search(clause.strip())
        or _set_against(found, clause, claim)
    ):
        return False
    # A question that follows a statement makes it no less of one.
    told = " ".join(one for one in found.every if not _ASKS.search(one.strip())) or clause
    return NOT_SO.search(told) is None or NOT_SO.search(claim) is not None


def is_ones_own(found: Quoted, claim: str) -> bool:
    """Whether somebody says of their life that it is so: no view of others, no tale, nothing undone or hardly done."""
    clause = found.clause_of(claim)
    told = I_SAY.sub(" ", _up_to(found.leading_to(clause), claim))
    if TOLD_AS_A_TALE.search(found.sentence) or SAID_AFTERWARDS.search(found.sentence):
        return False
    return not (_unlike(OTHERS_SAY, told, claim) or _unlike(UNDONE, clause, claim))


def closes(found: Quoted, state: GoalState) -> bool:
    """Whether a sentence that speaks of a goal says that it is done, or given up: not that it is still to be."""
    clause = " ".join(found.clauses)
    if _ASKS.search(clause.strip()) or SUPPOSED.search(clause):
        return False
    if state is GoalState.COMPLETED:
        return not denies(clause) and TO_COME.search(clause) is None
    return PURSUED.search(clause) is None


def _up_to(text: str, claim: str) -> str:
    """A text to the last word of what is claimed: "my wife Clara told me" says that there is a wife, called Clara."""
    wanted = content_words(claim, text)
    ends = [word.end() for word in _WORD.finditer(text) if content_words(word[0], text) & wanted]
    return text[: ends[-1]] if ends else text


def _unlike(how: re.Pattern[str], told: str, claim: str) -> bool:
    return how.search(told) is not None and how.search(claim) is None


def _denies(text: str) -> bool:
    return denies(NOT_ONLY.sub(" ", text))


def _set_against(found: Quoted, clause: str, claim: str) -> bool:
    """Whether a part of what is claimed stands where the sentence denies it: "I live in Graz, not in Vienna"."""
    rest = content_words(claim, found.sentence) - content_words(clause, claim)
    return any(
        rest & content_words(one, claim)
        for one in found.every
        if one != clause and _denies(one) != _denies(claim)
    )


def of_oneself(found: Quoted, claim: str) -> bool:
    """Whether the clause that says what is claimed speaks of whoever says it; where no language can tell, it may."""
    plain = found.clause_of(claim).replace("’", "'")
    if _LATIN.search(plain) is None:
        return True
    if PAST.search(plain) and not TELLS_OF_PAST.search(claim):
        return False
    return bool(_SUBJECT.search(plain) or _MY_OWN.search(plain))


def looks_ahead(found: Quoted, claim: str) -> bool:
    """Whether whoever says it speaks of what they will do or want to reach; in a language not read here, they may."""
    if not of_oneself(found, claim):
        return False
    read = language_of(found.line.text) in _READ
    return not read or AHEAD.search(found.sentence.replace("’", "'")) is not None


def names_oneself(found: Quoted, claim: str) -> bool:
    """Whether that clause says that somebody is called so; where no language can tell, it may."""
    plain = found.clause_of(claim).replace("’", "'")
    return _LATIN.search(plain) is None or NAMES_ONESELF.search(plain) is not None


def of_ones_people(found: Quoted, claim: str) -> bool:
    """Whether that clause speaks of whoever says it, or of theirs whom the claim names too."""
    if _unlike(WANTED, found.clause_of(claim), claim):
        return False
    if of_oneself(found, claim):
        return True
    wanted = content_words(claim, found.sentence)
    theirs = (match["whom"] for match in _MINE.finditer(found.clause_of(claim)))
    return any(content_words(whom, found.sentence) & wanted for whom in theirs)


Whose = Callable[[Quoted, str], bool]
WHOSE: Final[dict[str, Whose]] = {
    "family": of_ones_people,
    "relationship": of_ones_people,
    "matters": of_ones_people,
    "name": names_oneself,
}
"""What is asked of a claim in a field that speaks of others too, or of the name; the rest is `of_oneself`."""


def _borders(sentence: str) -> list[int]:
    """Where the clauses of a sentence begin, and its end: with another subject, with a question."""
    borders = {0, len(sentence)}
    for begins in (_NEW_CLAUSE, _REPORTS, _QUESTION_BEGINS, _CONTRAST):
        borders |= {match.end() for match in begins.finditer(sentence)}
    return sorted(borders)


def _between(sentence: str, marks: Sequence[int], start: int, end: int) -> tuple[str, ...]:
    """The clauses that stand between two places."""
    covered = [sentence[first:last] for first, last in pairwise(marks) if first < end and last > start]
    return tuple(covered) or (sentence,)
