"""What a model claims of a conversation, held against the conversation: whose words, which words (design §10). Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from innerlife.reflection.lines import Line
from innerlife.selfmodel.words import content_words, sentences
from innerlife.thinking.quotes import find_quote

_OWN: Final = re.compile(
    r"\b(?:i|i'm|i'd|i've|i'll|im|me|my|mine|myself|we|we're|our|us|"
    r"yo|me|mi|mis|mío|mía|míos|mías|conmigo|nosotros|nosotras|nuestro|nuestra|nos|"
    r"soy|estoy|tengo|trabajo|vivo|quiero|prefiero|hago|voy|creo|necesito|odio|juego|estudio|leo|escribo|"
    r"somos|tenemos|vivimos|ich|mein|meine|mir|mich|wir|je|j'ai|mon|ma|moi|nous|io|mio|mia|eu|meu|minha|ik|mijn)\b",
    re.IGNORECASE,
)
_WORD: Final = re.compile(r"[^\W\d_]+")
_LATIN: Final = re.compile(r"[A-Za-zÀ-ÿ]")


@dataclass(frozen=True, slots=True)
class Quoted:
    """A quote where it stands: the line, and the sentence around it."""

    line: Line
    sentence: str


def quoted(quote: str, lines: Sequence[Line]) -> Quoted | None:
    """The line that has the quote, word for word; the last one of several. At least two words, or one long one."""
    if len(_WORD.findall(quote)) < 2 and len(quote.strip()) < 8:
        return None
    for line in reversed(lines):
        if find_quote(quote, line.text) is not None:
            around = [one for one in sentences(line.text) if find_quote(quote, one) is not None]
            return Quoted(line, around[0] if around else line.text)
    return None


def carries(words: str, text: str, share: float) -> bool:
    """Whether `words` hold enough of what `text` says: at least this share of its content words, and one."""
    said, new = content_words(words, text), content_words(text, words)
    return bool(new) and len(new & said) >= max(1, round(share * len(new)))


def of_oneself(sentence: str) -> bool:
    """Whether a sentence speaks of whoever says it; where no language can tell, it may."""
    return _OWN.search(sentence.replace("’", "'")) is not None or _LATIN.search(sentence) is None
