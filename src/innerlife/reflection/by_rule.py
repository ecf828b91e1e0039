"""What is on the companion's mind, by rule: topics and open threads, in words that were said (promise F1). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from innerlife.affect.moods import names_mood
from innerlife.recall.terms import COMMON, stem, words
from innerlife.reflection.lines import Line
from innerlife.selfmodel.words import content_words, sentences

TOPICS: Final = 3
_SHORTEST: Final = 4
_WRITTEN: Final = re.compile(r"[^\W\d_]+")
_LONGEST_QUESTION: Final = 120
_LONG: Final = 6
_TOLD: Final = ("ed", "ly", "ful", "ous", "body", "mente", "aron", "ieron")
"""Endings of words that tell what happened, or how, and not what of."""

_FILLER_WORDS: Final = """
    about again already also always another anything ask asked away back because been before being best better
    bring call called came change come comes coming day days does doing done down else enough even ever every
    everything feel find finish finished first from gave get gets getting give given goes going gone good great
    guess half happen hard hear heard help here hour hours idea just keep kind knew know last late later least
    leave left less let lets like little long look looked looking looks lost made make makes making many maybe
    mean might minute minutes month months more morning most much must need needs never new next night nothing now
    often okay once only open other people please point problem put quite read ready real really right said same
    saw say says second see seem seems seen sent set short should show since small some something sometimes soon
    start started still stop such sure take taken tell thank thanks that then there thing things think thought
    three time times today together told tomorrow tonight too took tried try trying turn twice under until use
    used using very wait want wanted wants way week weeks well went whole wish without wonder work works would
    wrong year years yeah yes yesterday yet ahora además algo alguien allí antes aquí así aunque ayer ayuda
    bastante bien buena bueno cada casi claro como cosa cosas creo cuál dame debe decir dejar después dice dicho
    días dime donde duda entonces estar estoy favor gente gracias hablar hace hacer hecho hola horas igual luego
    mañana más mejor menos mismo momento mucha mucho muchos nada nadie necesito noche nueva nuevo nunca otra otro
    otros parece pasa pasado pero poco podría porque primera primero pronto próxima próximo puede puedes puedo
    quería quiere quiero quizá quizás saber seguro semana siempre sigue sobre solo tal también tampoco tanto tarde
    tengo tiempo tiene todavía todo todos última último vamos veces vale verdad vida voy
"""
_LEADING_WORDS: Final = """
    the a an my your our his her their this that these those about of with for from in on at into under behind
    el la los las un una unos unas mi mis tu tus su sus nuestro nuestra este esta estos estas ese esa del al de sobre
    con para en por
"""
_LEADS: Final = frozenset(_LEADING_WORDS.split())
"""What a thing follows: articles, possessives, prepositions. Without a parser this tells nouns from the rest."""

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
    return {key for line in lines if line.user for _, key in _topical(line.text)}


def on_mind(lines: Sequence[Line], rarity: Mapping[str, float], *, threads: bool = True) -> OnMind | None:
    """The topics of what the person said, and with `threads` what is left open; None where nothing is said.

    `rarity` is by stem.
    """
    said = [line for line in lines if line.user]
    if not said:
        return None
    topics, evidence = _topics(said, rarity)
    parts = [f"We spoke of {_listed(topics)}."] if topics else []
    for text, seq in _open_threads(lines) if threads else ():
        parts.append(text)
        evidence.add(seq)
    return OnMind(" ".join(parts), tuple(sorted(evidence))) if parts else None


def _topics(said: Sequence[Line], rarity: Mapping[str, float]) -> tuple[list[str], set[int]]:
    weights: dict[str, float] = {}
    shown: dict[str, tuple[str, int]] = {}
    for age, line in enumerate(reversed(said)):
        for word, key in _topical(line.text):
            # What was said last is nearer to the mind than what began the conversation.
            weights[key] = weights.get(key, 0.0) + rarity.get(key, 1.0) / (1 + age)
            shown.setdefault(key, (word, line.seq))
    best = sorted(weights, key=lambda key: -weights[key])[:TOPICS]
    return [shown[key][0] for key in best], {shown[key][1] for key in best}


def _topical(text: str) -> list[tuple[str, str]]:
    """(Word as it was written, its stem) of each word that may be a topic: a name, or what an article leads to."""
    written = _WRITTEN.findall(text)
    found: list[tuple[str, str]] = []
    led = 0
    for place, word in enumerate(written):
        plain = next(iter(words(word)), "")
        if word.casefold() in _LEADS:
            led = 2
            continue
        named = word[:1].isupper() and not word.isupper() and place > 0 and not _begins(text, word)
        if (led or named) and _may_be_one(word.casefold(), plain):
            found.append((word, stem(plain)))
            led = 0
        led = max(0, led - 1)
    return found


def _begins(text: str, word: str) -> bool:
    """Whether a word stands at the beginning of a sentence, where every word is written so."""
    return any(sentence.lstrip("¿¡“\"'(").startswith(word) for sentence in sentences(text))


def _may_be_one(written: str, plain: str) -> bool:
    """A word of substance. What somebody feels is no topic: the prompt that this goes to names no feeling."""
    if len(plain) < _SHORTEST or plain in COMMON or written in _FILLERS:
        return False
    told = len(plain) >= _LONG and plain.endswith(_TOLD)
    return not told and not names_mood(written)


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
