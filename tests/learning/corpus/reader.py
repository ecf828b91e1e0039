"""Reads the labelled conversations: what each detector should and should not find."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from innerlife.learning.terms import Aspect, Sort
from innerlife.learning.turns import Followed, Nearness, Read, Turn, Window, unmeasured, unread

FOLDER = Path(__file__).parent

_LINE = re.compile(r"(?P<who>END|U|E|A\+|A):? ?(?P<text>.*?)(?: ?\{(?P<labels>[a-z_, ]+)\})?\s*\Z")


@dataclass(frozen=True, slots=True)
class Point:
    """A place in a conversation where something may be noticed, and what should be: sort → aspects."""

    language: str
    window: Window
    labels: dict[Sort, tuple[Aspect, ...]]
    part: str = ""


def points(part: str, near: Nearness = unmeasured, read: Read = unread) -> list[Point]:
    """Every such place of a part of the corpus: `tuned` or `hand_1`."""
    text = (FOLDER / f"{part}.txt").read_text("utf-8")
    found: list[Point] = []
    for block in text.split("\n== ")[1:]:
        language, *lines = block.strip().splitlines()
        found += [replace(one, part=part) for one in _conversation(language, lines, near, read)]
    return found


def messages(part: str) -> int:
    """How many messages of the user a part has."""
    text = (FOLDER / f"{part}.txt").read_text("utf-8")
    return sum(line.startswith(("U:", "E:")) for line in text.splitlines())


def _conversation(language: str, lines: list[str], near: Nearness, read: Read) -> Iterator[Point]:
    turns: list[Turn] = []
    for seq, line in enumerate(lines, 1):
        match = _LINE.match(line)
        assert match is not None, line
        who, text, labels = match["who"], match["text"], _labels(match["labels"] or "")
        if who == "A":
            turns[-1] = replace(turns[-1], answer=text, answer_seq=seq)
            continue
        followed = {"U": Followed.MESSAGE, "E": Followed.EDIT, "A+": Followed.AGAIN, "END": Followed.NOTHING}[
            who
        ]
        coming = Turn(seq, text) if who in {"U", "E"} else None
        answered = [turn for turn in turns if turn.answer_seq]
        # A conversation that ended with the person's own last word was not left: nothing was open.
        if answered and (followed is not Followed.NOTHING or turns[-1].answer_seq):
            yield Point(language, Window(tuple(answered[-4:]), followed, coming, near, read), labels)
        if who == "A+":
            turns[-1] = replace(turns[-1], answer=text, answer_seq=seq)
        elif who == "E":
            turns[-1:] = [Turn(seq, text)]
        elif who == "U":
            turns.append(Turn(seq, text))


def _labels(text: str) -> dict[Sort, tuple[Aspect, ...]]:
    found: dict[Sort, tuple[Aspect, ...]] = {}
    for part in filter(None, (one.strip() for one in text.split(","))):
        sort, *aspects = part.split()
        found[Sort(sort)] = tuple(Aspect(aspect) for aspect in aspects)
    return found
