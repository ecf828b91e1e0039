"""What a model claims of a conversation, held against the conversation: whose words, which words (design §10). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from innerlife.reflection.lines import Line
from innerlife.selfmodel.words import content_words, sentences
from innerlife.thinking.quotes import find_quote

_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ÿ]")

_SUBJECT: Final = re.compile(
    r"\b(?:i|i'm|i'd|i've|i'll|im|me|myself|we|we're|we've|us|"
    r"yo|me|conmigo|nosotros|nosotras|nos|soy|estoy|tengo|trabajo|vivo|quiero|prefiero|hago|voy|creo|necesito|odio|"
    r"juego|estudio|leo|escribo|toco|llevo|suelo|somos|tenemos|vivimos|trabajamos|"
    r"ich|mir|mich|wir|je|j'ai|moi|nous|io|eu|ik)\b",
    re.IGNORECASE,
)
_MINE: Final = re.compile(
    r"\b(?:my|mine|our|mi|mis|mío|mía|míos|mías|nuestro|nuestra|mein|meine|mon|ma|mes|mio|mia|meu|minha|mijn)\b",
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
    rf"mientras|quien)\s+)(?={_OTHER})"
)
_REPORTS: Final = re.compile(
    rf"\b(?:i|we)\s+(?:think|know|believe|heard|hear|guess|suspect|hope|wish|feel|bet|see|saw|read)\s+(?={_OTHER})|"
    rf"\b(?:creo|sé|supongo|espero|oí|veo)\s+(?:que\s+)?(?={_OTHER})",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote where it stands: the line, the sentence around it, and the clauses of the sentence that it covers."""

    line: Line
    sentence: str
    clauses: str


def quoted(quote: str, lines: Sequence[Line]) -> Quoted | None:
    """The line that has the quote, word for word; the last one of several. At least two words, or one long one."""
    if len(_WORD.findall(quote)) < 2 and len(quote.strip()) < 8:
        return None
    for line in reversed(lines):
        if find_quote(quote, line.text) is not None:
            for sentence in sentences(line.text):
                if (span := find_quote(quote, sentence)) is not None:
                    return Quoted(line, sentence, _clauses(sentence, span.start, span.end))
            return Quoted(line, line.text, line.text)
    return None


def carries(words: str, text: str, share: float) -> bool:
    """Whether `words` hold enough of what `text` says: at least this share of its content words, and one."""
    said, new = content_words(words, text), content_words(text, words)
    return bool(new) and len(new & said) >= max(1, round(share * len(new)))


def of_oneself(found: Quoted) -> bool:
    """Whether the quoted clauses speak of whoever says them; where no language can tell, they may."""
    plain = found.clauses.replace("’", "'")
    if _LATIN.search(plain) is None:
        return True
    return bool(_SUBJECT.search(plain) or _MY_OWN.search(plain))


def of_ones_people(found: Quoted) -> bool:
    """Whether the quoted clauses speak of whoever says them or of what is theirs."""
    return of_oneself(found) or _MINE.search(found.clauses) is not None


def _clauses(sentence: str, start: int, end: int) -> str:
    """The part of a sentence from the last new subject before the quote's end on, as far as it covers the quote."""
    borders = [match.end() for match in _NEW_CLAUSE.finditer(sentence)]
    borders += [match.end() for match in _REPORTS.finditer(sentence)]
    first = max((at for at in borders if at <= start), default=0)
    last = min((at for at in borders if at >= end), default=len(sentence))
    return sentence[first:last]
