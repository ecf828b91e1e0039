"""What is on the companion's mind, by rule: topics and open threads, in words that were said (promise F1). Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from innerlife.recall.terms import COMMON, stem, words
from innerlife.reflection.lines import Line
from innerlife.selfmodel.words import content_words, sentences

TOPICS: Final = 3
_SHORTEST: Final = 4
_LONGEST_QUESTION: Final = 120
_FILLER_WORDS: Final = """
    also really just like thing things something anything maybe please thanks thank today tomorrow yesterday know think
    want need good well okay yeah sure make made going come back time much many more most some then again because
    still even
    también cosa cosas algo quizá quizás favor gracias hoy mañana ayer creo quiero necesito bueno buena bien vale
    claro hacer hecho vamos tiempo mucho mucha muchos más entonces otra vez porque todavía sobre
"""
_FILLERS: Final = frozenset(_FILLER_WORDS.split())


@dataclass(frozen=True, slots=True)
class OnMind:
    """A sentence or two, and the messages whose words are in them."""

    text: str
    evidence: tuple[int, ...]


def substantive(text: str, least: int) -> bool:
    """Whether a message is more than a word in passing: it has at least so many content words."""
    return len(content_words(text)) >= least


def candidates(lines: Sequence[Line]) -> set[str]:
    """Stems of the words that may be a topic, for asking how rare they are."""
    return {stem(word) for line in lines if line.user for word in _topical(line.text)}


def on_mind(lines: Sequence[Line], rarity: Mapping[str, float]) -> OnMind | None:
    """The topics of what the person said, and what is left open. `rarity` by stem; None where nothing is said."""
    said = [line for line in lines if line.user]
    if not said:
        return None
    topics, evidence = _topics(said, rarity)
    parts = [f"We spoke of {_listed(topics)}."] if topics else []
    for text, seq in _open_threads(lines):
        parts.append(text)
        evidence.add(seq)
    return OnMind(" ".join(parts), tuple(sorted(evidence))) if parts else None


def _topics(said: Sequence[Line], rarity: Mapping[str, float]) -> tuple[list[str], set[int]]:
    weights: dict[str, float] = {}
    shown: dict[str, tuple[str, int]] = {}
    for age, line in enumerate(reversed(said)):
        for word in _topical(line.text):
            key = stem(word)
            # What was said last is nearer to the mind than what began the conversation.
            weights[key] = weights.get(key, 0.0) + rarity.get(key, 1.0) / (1 + age)
            shown.setdefault(key, (word, line.seq))
    best = sorted(weights, key=lambda key: -weights[key])[:TOPICS]
    return [shown[key][0] for key in best], {shown[key][1] for key in best}


def _topical(text: str) -> list[str]:
    found = [word for word in words(text) if len(word) >= _SHORTEST and not word.isdigit()]
    return [word for word in found if word not in COMMON and word not in _FILLERS]


def _open_threads(lines: Sequence[Line]) -> list[tuple[str, int]]:
    last = lines[-1]
    if last.user:
        return [("It has no answer yet.", last.seq)]
    if last.broken:
        return [("My answer broke off.", last.seq)]
    spoken = sentences(last.text)
    question = spoken[-1] if spoken else ""
    if question.endswith("?") and len(question) <= _LONGEST_QUESTION:
        return [(f"I asked: “{question}”", last.seq)]
    return []


def _listed(topics: Sequence[str]) -> str:
    return topics[0] if len(topics) == 1 else f"{', '.join(topics[:-1])} and {topics[-1]}"
