"""What can be seen of one message without a model: length, pace, marks, capitals, repetition, topic, hour. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from typing import Final

from innerlife.affect.emoji import emoji_in
from innerlife.affect.folding import fold
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Earlier, Said, Voice

_WORD: Final = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_MARKS: Final = re.compile(r"[!?]+")
_DRAWN_OUT: Final = re.compile(r"([^\W\d_])\1\1+")
_TOPIC_LETTERS: Final = 4
_TOPIC_WORDS: Final = 2
"""Words of at least so many letters make a topic, and so many of them at least."""

_PAIRS: Final = 4
_LONGEST_TOPIC: Final = 400
"""Characters of an earlier message by which its topic is told."""


@dataclass(frozen=True, slots=True)
class Features:
    """One message in numbers, None where it has no such thing.

    `words`, `characters`, `exclamations`, `emoji`, `drawn_out` (words with a letter three times in a row) and
    `repeated` (words said twice in a row) are counts; `marks` is the longest run of "!" and "?"; `capitals` the share
    of letters that are capital, in messages of some length; `pace_s` seconds from the answer before; `switches` the
    share of the last messages that turned to another topic; `hour` and `weekday` (0 is Monday) are the person's own;
    `sitting_minutes` is how long they have been here. Of
    spoken ones `speech_rate` is in words a second without the pauses, `pause_share` the share of pauses in the time.
    """

    words: int
    characters: int
    exclamations: int
    marks: int
    capitals: float | None
    drawn_out: int
    repeated: int
    emoji: int
    ellipses: int
    pace_s: float | None
    switches: float | None
    hour: int
    weekday: int
    sitting_minutes: float
    speech_rate: float | None
    pause_share: float | None


def features_of(said: Said, policy: ReadingPolicy) -> Features:
    """The features of a message; of a very long one, marks and words are those of the part that is read."""
    text = readable(said.text, policy)
    words, typed = _WORD.findall(text), _WORD.findall(_without_codes(text))
    local = said.at.astimezone(said.zone)
    shown = max(len(text), 1)
    # Of a long message the part read stands for the whole.
    count = round(len(words) * max(len(said.text), 1) / shown)
    rate, pauses = _spoken(said.voice, count)
    return Features(
        words=count,
        characters=len(said.text),
        exclamations=text.count("!"),
        marks=max(map(len, _MARKS.findall(text)), default=0),
        capitals=_capitals(typed),
        drawn_out=sum(1 for word in typed if _DRAWN_OUT.search(word)),
        repeated=sum(1 for one, other in pairwise(typed) if one.lower() == other.lower()),
        emoji=len(emoji_in(text)),
        ellipses=text.count("...") + text.count("…"),
        pace_s=_pace(said, policy),
        switches=_switches(
            [one.text[:_LONGEST_TOPIC] for one in said.earlier[-_PAIRS:]] + [text[:_LONGEST_TOPIC]]
        ),
        hour=local.hour,
        weekday=local.weekday(),
        sitting_minutes=_sitting(said.earlier, said, policy),
        speech_rate=rate,
        pause_share=pauses,
    )


def readable(text: str, policy: ReadingPolicy) -> str:
    """The part of a message that is read: all of it, or of a very long one its beginning and its end."""
    if len(text) <= policy.read_characters:
        return text
    half = policy.read_characters // 2
    return f"{text[:half]}\n{text[-half:]}"


_CODE: Final = re.compile(r"\d|www\.|://|@|_|[A-Z]-[A-Z]")
"""What no word has that somebody says: a handle, a serial number or an address is written as it is, loud or not."""


def _without_codes(text: str) -> str:
    return " ".join(piece for piece in text.split() if not _CODE.search(piece) or not piece.isascii())


_NAME: Final = 5
"""Letters that a name in capitals, such as TCP, has at most."""

_VOWEL: Final = re.compile(r"[aeiouy]")


def _is_name(words: Sequence[str], place: int) -> bool:
    """Whether a word in capitals stands alone among others, as names do: who shouts goes on, or draws it out.

    What cannot be spoken, such as HDMI, is a name wherever it stands, and makes no other word loud.
    """
    word = words[place]
    if not word.isupper() or not 1 < len(word) <= _NAME or _DRAWN_OUT.search(word):
        return False
    beside = (*words[max(0, place - 1) : place], *words[place + 1 : place + 2])
    loud = any(len(one) > 1 and one.isupper() and _is_spoken(one) for one in beside)
    return not _is_spoken(word) or (bool(beside) and not loud)


def _is_spoken(word: str) -> bool:
    """Whether it has a vowel, or letters of another script."""
    folded = fold(word)
    return not folded.isascii() or _VOWEL.search(folded) is not None


def _capitals(words: Sequence[str]) -> float | None:
    """Share of capital letters in words of two letters and more; None where there are too few to shout."""
    words = [word for place, word in enumerate(words) if not _is_name(words, place)]
    letters = [char for word in words if len(word) > 1 for char in word]
    told = [char for char in letters if char.lower() != char.upper()]
    if len(told) < 6:
        return None
    return sum(char.isupper() for char in told) / len(told)


def _pace(said: Said, policy: ReadingPolicy) -> float | None:
    if said.answered is None:
        return None
    seconds = (said.at - said.answered).total_seconds()
    return seconds if 0 <= seconds <= policy.longest_pace_s else None


def _spoken(voice: Voice | None, words: int) -> tuple[float | None, float | None]:
    """Words a second without pauses, and the share of pauses; None of what was typed or took no time."""
    if voice is None or not voice.seconds > 0:
        return None, None
    silent = min(sum(pause for pause in voice.pauses if pause > 0), voice.seconds)
    speaking = voice.seconds - silent
    return words / speaking if speaking > 0 else None, silent / voice.seconds


def _switches(texts: Sequence[str]) -> float | None:
    """Share of neighbours without a word in common; None where fewer than two pairs are long enough to tell."""
    topics = [topic for text in texts if len(topic := _topic(text)) >= _TOPIC_WORDS]
    pairs = list(pairwise(topics))
    if len(pairs) < 2:
        return None
    return sum(not (one & other) for one, other in pairs) / len(pairs)


def _topic(text: str) -> frozenset[str]:
    # The first letters stand for a word in its inflections.
    return frozenset(word[:5] for word in _WORD.findall(fold(text)) if len(word) >= _TOPIC_LETTERS)


def _sitting(earlier: Sequence[Earlier], said: Said, policy: ReadingPolicy) -> float:
    """Minutes since the first message that no long pause parts from this one."""
    gap = timedelta(hours=policy.sitting_hours)
    begun = said.at
    for one in reversed(earlier):
        if not timedelta() <= begun - one.at <= gap:
            break
        begun = one.at
    return (said.at - begun) / timedelta(minutes=1)
