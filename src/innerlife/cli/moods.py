"""How readings of mood are drawn for a person, and as data."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from innerlife.affect.course import Course, Reading, Report
from innerlife.affect.cues import Affect, Say, Span
from innerlife.affect.display import Period, word_for
from innerlife.affect.measures import Month
from innerlife.cli.output import count, heading, one_line, say, short, table, when, wrapped

HALF: Final = 16
"""Cells of a bar to either side of the middle."""

_SAID: Final = {
    Say.FEELS: "said how you are",
    Say.FINE: "said that all is well",
    Say.DENIES: "said that it is not so",
}

Words = Mapping[int, str]
"""The person's own words, by message."""


def reading_data(one: Reading, left: float, words: Words) -> dict[str, Any]:
    """A reading as data; `left` is what remains of its confidence now."""
    return {
        "id": one.id,
        "at": one.at,
        "conversation": one.conversation,
        "valence": one.affect.valence,
        "arousal": one.affect.arousal,
        "dominance": one.affect.dominance,
        "word": word_for(one.affect),
        "confidence": round(one.confidence, 3),
        "left": round(left, 3),
        "kind": one.kind.value,
        "read_by": one.stage,
        "evidence": [
            {
                "kind": cue.kind.value,
                "name": cue.name,
                "confidence": round(cue.confidence, 3),
                "words": _cut(words.get(one.message, ""), cue.span),
            }
            for cue in one.cues
        ],
        "corrected": one.corrected,
        "overridden": one.overridden,
        "moves": one.moves,
    }


def report_data(one: Report, words: Words) -> dict[str, Any]:
    """What the person said of how they are, as data."""
    told = one.words or _cut(words.get(one.message, ""), one.span)
    return {"at": one.at, "say": one.say.value, "words": told, "correction": bool(one.words)}


def period_data(one: Period) -> dict[str, Any]:
    """A day or week as data."""
    return {
        "from": one.first.isoformat(),
        "ease": None if one.ease is None else round(one.ease, 3),
        "word": one.word,
        "readings": one.readings,
        "set_aside": one.aside,
    }


def month_data(one: Month) -> dict[str, Any]:
    """A month's measures as data."""
    return {
        "month": one.month,
        "reports": one.reports,
        "overridden": one.overridden,
        "ios": one.ios,
        "corrections": one.corrections,
        "misaligned": one.misaligned,
        "amr": one.amr,
        "late": one.late,
    }


def show_chart(periods: Sequence[Period], *, weeks: bool) -> None:
    """A bar a day or week, to the left where it was hard, to the right where it was easy."""
    heading(f"How you seemed, {'week by week' if weeks else 'day by day'}")
    lead = " " * len("2026-03-01  ")
    say(f"{lead}{'hard':<{HALF}} {'easy':>{HALF}}")
    console = Console(highlight=False)
    beside = len(lead) + 2 * HALF + len("│") + 2
    for one in periods:
        bar, style = _bar(one.ease)
        told = f"{one.word}  ({count(one.readings, 'reading')})" if one.readings else ""
        aside = f"{one.aside} set aside by your word" if one.aside else ""
        tail = ", ".join(part for part in (told, aside) if part)
        if sys.stdout.isatty():
            first, *more = wrapped(tail, " " * beside).split("\n")
            drawn = Text.assemble(f"{one.first}  ", (bar, style), f"  {first.strip()}")
            console.print(drawn, soft_wrap=True)
            for line in more:
                say(line)
        else:
            say(f"{one.first}  {bar}  {tail}".rstrip())


def _bar(ease: float | None) -> tuple[str, str]:
    """The bar with its middle, and its colour."""
    if ease is None:
        return " " * HALF + "│" + " " * HALF, "dim"
    length = max(1, round(abs(ease) * HALF))
    bar = "█" * length
    if ease < 0:
        return f"{bar:>{HALF}}│{' ' * HALF}", "yellow"
    return f"{' ' * HALF}│{bar:<{HALF}}", "green"


def show_evidence(course: Course, words: Words, left: Mapping[int, float]) -> None:
    """Every reading with what it rests on, and what the person said."""
    heading("What it rests on")
    for one in course.readings:
        sure = f"{one.kind.value}, {one.confidence:.2f} sure then, {left[one.seq]:.2f} now"
        say(f"{short(one.id)}  {when(one.at, one.zone)}  {_point(one.affect)}")
        say(f"  {sure}")
        if one.corrected is not None:
            say(wrapped(f"You corrected it: “{one.corrected}”", "  "))
        elif one.overridden:
            say("  Set aside: you said otherwise.")
        for cue in one.cues:
            quote = _cut(words.get(one.message, ""), cue.span)
            say(wrapped(f"{cue.name}: “{one_line(quote, 60)}”" if quote else cue.name, "  "))
    spoken = [one for one in course.reports if not one.words]
    if spoken:
        say()
        heading("What you said of how you are")
        rows = [
            (when(one.at, one.zone), _SAID[one.say], one_line(_cut(words.get(one.message, ""), one.span)))
            for one in spoken
        ]
        table(("when", "what", "words"), rows, cut_last=True)


def show_measures(months: Sequence[Month]) -> None:
    """A month a line, and what the two figures mean."""
    rows = [
        (one.month, str(one.reports), _share(one.ios), str(one.corrections), _share(one.amr))
        for one in months
    ]
    table(("month", "said", "overridden", "corrected", "not followed"), rows)
    say()
    say(
        wrapped(
            "Overridden: of what you said of how you are, the share against which a manner was chosen all the same. "
            "Not followed: the share of your corrections after which that still happened. Both should be zero."
        )
    )


def _point(affect: Affect) -> str:
    known = {"valence": affect.valence, "arousal": affect.arousal, "dominance": affect.dominance}
    values = ", ".join(f"{name} {value:+.2f}" for name, value in known.items() if value is not None)
    return f"{word_for(affect)}: {values}" if values else "nothing that is known"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.0%}"


def _cut(words: str, span: Span | None) -> str:
    return words[span[0] : span[1]] if span else ""
