"""How a person's manner differs by channel and by whom they write to (promise A10). Pure.

A register is how they write on one channel to one addressee: medians and spreads of their messages, with the number of
those. It is worked out when it is read and stored nowhere, so that a forgotten message is in none. Nothing of it
reaches a prompt, and no other room reads it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import sqrt
from typing import Final

from innerlife.affect.addressing import addresses, courtesies, formality
from innerlife.affect.features import features_of, readable
from innerlife.affect.folding import fold
from innerlife.affect.habits import Usual, usual_of
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Said

_SENTENCE: Final = re.compile(r"[.!?…]+(?=[\s\"”»)]|\Z)|\n+")
_WORDED: Final = re.compile(r"[^\W\d_]")

LENGTH, SENTENCE, CAPITALS = "length", "sentence", "capitals"
EXCLAMATIONS, EMOJI, COURTESY = "exclamations", "emoji", "courtesy"
WRITTEN: Final = (LENGTH, SENTENCE, EXCLAMATIONS, EMOJI, CAPITALS, COURTESY)


def measures() -> tuple[str, ...]:
    """What is measured.

    Words a message, words a sentence, exclamation marks and emoji a sentence, the share of capital letters, courtesies
    a message, and for each language the share of its formal forms of address.
    """
    return (*WRITTEN, *(address.form for address in addresses()))


Style = Mapping[str, float | None]
"""One message: its value for each measure, None where it has no such thing."""


def style_of(said: Said, policy: ReadingPolicy) -> Style:
    """How a message, or the part of it that is meant for somebody, is written."""
    features = features_of(said, policy)
    text = readable(said.text, policy)
    shown = sum(1 for one in _SENTENCE.split(text) if _WORDED.search(one))
    # Of a long message the part read stands for the whole.
    sentences = max(1.0, shown * len(said.text) / max(len(text), 1))
    folded = fold(text)
    return {
        LENGTH: float(features.words),
        SENTENCE: features.words / sentences if features.words else None,
        EXCLAMATIONS: features.exclamations / max(shown, 1),
        EMOJI: features.emoji / max(shown, 1),
        CAPITALS: features.capitals,
        COURTESY: float(courtesies(folded)),
        **formality(folded),
    }


@dataclass(frozen=True, slots=True)
class Written:
    """A message's style, the channel it came through, and whom it is meant for: "" for the companion itself."""

    channel: str
    addressee: str
    style: Style


@dataclass(frozen=True, slots=True)
class Register:
    """How somebody writes on a channel to an addressee, who is named in their own words.

    `values` are those of the messages by measure, ascending; a measure that few messages have has few.
    """

    channel: str
    addressee: str
    messages: int
    values: Mapping[str, tuple[float, ...]] = field(default_factory=dict)

    def known(self, policy: ReadingPolicy) -> bool:
        """Whether there are enough messages to say anything."""
        return self.messages >= policy.known_from

    def usual(self, measure: str, policy: ReadingPolicy) -> Usual | None:
        """Median and spread of a measure; None while too few messages tell."""
        values = self.values.get(measure, ())
        return usual_of(values, 0.0) if len(values) >= policy.known_from else None


@dataclass(frozen=True, slots=True)
class Difference:
    """How far a measure of one register lies from that of another: Cliff's delta in [-1, 1], and both medians.

    Delta is the chance that a message of the one has more of it than one of the other, less the chance of the
    reverse: a few odd messages move it little.
    """

    measure: str
    delta: float
    median: float
    other: float


def registers_of(written: Iterable[Written]) -> tuple[Register, ...]:
    """A register for each channel and addressee, most messages first; an addressee is spelt as in the first message."""
    found: defaultdict[tuple[str, str], list[Written]] = defaultdict(list)
    for one in written:
        found[one.channel, fold(one.addressee)].append(one)
    registers = [
        Register(
            channel,
            messages[0].addressee,
            len(messages),
            {measure: _values(messages, measure) for measure in measures()},
        )
        for (channel, _), messages in found.items()
    ]
    return tuple(sorted(registers, key=lambda one: (-one.messages, one.channel, fold(one.addressee))))


def differences(one: Register, other: Register, policy: ReadingPolicy) -> tuple[Difference, ...] | None:
    """What is surely and plainly different between two registers, the clearest first.

    None while it is not known: where one of them has too few messages to say anything.
    """
    if not (one.known(policy) and other.known(policy)):
        return None
    found = []
    for measure in measures():
        mine, others = one.usual(measure, policy), other.usual(measure, policy)
        if mine is None or others is None:
            continue
        delta = cliffs_delta(mine.values, others.values)
        if abs(delta) >= max(policy.register_apart, policy.register_sure * _by_chance(mine, others)):
            found.append(Difference(measure, delta, mine.middle, others.middle))
    return tuple(sorted(found, key=lambda difference: -abs(difference.delta)))


def cliffs_delta(ascending: tuple[float, ...], others: tuple[float, ...]) -> float:
    """Share of pairs in which the first is greater, less the share in which it is smaller (Cliff, 1993).

    Both ascending and not empty.
    """
    below = above = total = 0
    for value in ascending:
        while below < len(others) and others[below] < value:
            below += 1
        while above < len(others) and others[above] <= value:
            above += 1
        total += below - (len(others) - above)
    return total / (len(ascending) * len(others))


def _by_chance(one: Usual, other: Usual) -> float:
    """Standard deviation of delta where both are drawn from the same (that of the rank sum, ties left out)."""
    mine, others = len(one.values), len(other.values)
    return sqrt((mine + others + 1) / (3 * mine * others))


def _values(messages: Iterable[Written], measure: str) -> tuple[float, ...]:
    return tuple(sorted(value for one in messages if (value := one.style.get(measure)) is not None))
