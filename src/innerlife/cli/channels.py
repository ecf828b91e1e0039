"""How registers are drawn for a person, and as data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, Final

from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.registers import (
    CAPITALS,
    COURTESY,
    EMOJI,
    EXCLAMATIONS,
    LENGTH,
    SENTENCE,
    Difference,
    Register,
    differences,
    measures,
)
from innerlife.cli.output import count, heading, say, table, wrapped

_COLUMNS: Final = {
    LENGTH: "words",
    SENTENCE: "a sentence",
    EXCLAMATIONS: "!",
    EMOJI: "emoji",
    CAPITALS: "capitals",
    COURTESY: "courtesy",
    "full_forms": "in full",
}
"""Headings of the measures; a language's form of address is its own heading."""

_COUNTED: Final = frozenset({EXCLAMATIONS, EMOJI, COURTESY})
"""Measures that most messages have none of: shown is the share of messages that have any."""

_WORDS: Final = {
    LENGTH: ("longer messages", "shorter messages"),
    SENTENCE: ("longer sentences", "shorter sentences"),
    EXCLAMATIONS: ("more exclamation marks", "fewer exclamation marks"),
    EMOJI: ("more emoji", "fewer emoji"),
    CAPITALS: ("more capitals", "fewer capitals"),
    COURTESY: ("more courtesies", "fewer courtesies"),
    "full_forms": ("more words in full", "more contractions"),
    "usted": ("more often usted", "more often tú"),
}

_FEW_NAMED: Final = 12
"""Registers that are not known yet, named on one screen."""

_LEGEND: Final = (
    "Words and words a sentence: median, and how far messages usually lie from it. “!”, emoji and courtesy: the share "
    "of messages with any. Capitals, words in full (“I am” instead of “I'm”) and usted (instead of tú): the median "
    "share. A dash stands where too few messages tell. Worked out now from your newest messages and kept nowhere; "
    "nothing of it changes an answer."
)


def register_data(one: Register, policy: ReadingPolicy) -> dict[str, Any]:
    """A register as data; measures are null while they are not known."""
    return {
        "channel": one.channel,
        "addressee": one.addressee,
        "messages": one.messages,
        "known": one.known(policy),
        "measures": {name: _measure_data(one, name, policy) for name in measures()},
    }


def differences_data(registers: Sequence[Register], policy: ReadingPolicy) -> list[dict[str, Any]]:
    """How each other register differs from the one with most messages; null while it is not known."""
    return [
        {
            "channel": one.channel,
            "addressee": one.addressee,
            "from": {"channel": registers[0].channel, "addressee": registers[0].addressee},
            "differences": None if found is None else [_difference_data(each) for each in found],
        }
        for one in registers[1:]
        for found in [differences(one, registers[0], policy)]
    ]


def show_registers(registers: Sequence[Register], policy: ReadingPolicy) -> None:
    """A register a line, then how they differ, then those that are not known yet."""
    known = [one for one in registers if one.known(policy)]
    if known:
        heading("How you write, by channel and by whom it is for")
        names = measures()
        headings = ("through", "to", "messages", *(_COLUMNS.get(name, name) for name in names))
        rows = [
            (_through(one), _to(one), f"{one.messages:,}", *(_cell(one, name, policy) for name in names))
            for one in known
        ]
        table(headings, rows)
        say()
        say(wrapped(_LEGEND))
    if len(known) > 1:
        say()
        heading(f"Compared with what goes through {_through(known[0])} to {_to(known[0])}")
        for one in known[1:]:
            found = differences(one, known[0], policy) or ()
            told = ", ".join(_in_words(each) for each in found) or "no clear difference"
            say(wrapped(f"through {_through(one)} to {_to(one)}: {told}", "  "))
    few = [one for one in registers if not one.known(policy)]
    if few:
        if known:
            say()
        heading(f"Not known yet, with fewer than {count(policy.known_from, 'message')}")
        for one in islice(few, _FEW_NAMED):
            say(wrapped(f"through {_through(one)} to {_to(one)}: {one.messages}", "  "))
        if len(few) > _FEW_NAMED:
            say(f"  and {len(few) - _FEW_NAMED:,} more")


def _measure_data(one: Register, name: str, policy: ReadingPolicy) -> dict[str, Any] | None:
    usual = one.usual(name, policy)
    if usual is None:
        return None
    return {
        "median": round(usual.middle, 3),
        "spread": round(usual.spread, 3),
        "with_any": round(sum(value > 0 for value in usual.values) / len(usual.values), 3),
        "messages": len(usual.values),
    }


def _difference_data(one: Difference) -> dict[str, Any]:
    return {
        "measure": one.measure,
        "delta": round(one.delta, 3),
        "median": round(one.median, 3),
        "other": round(one.other, 3),
    }


def _cell(one: Register, name: str, policy: ReadingPolicy) -> str:
    usual = one.usual(name, policy)
    if usual is None:
        return "–"
    if name in _COUNTED:
        return f"{sum(value > 0 for value in usual.values) / len(usual.values):.0%}"
    if name in {LENGTH, SENTENCE}:
        return f"{usual.middle:.0f} ±{usual.spread:.0f}"
    return f"{usual.middle:.0%}"


def _in_words(one: Difference) -> str:
    more, less = _WORDS.get(one.measure, (f"more {one.measure}", f"less {one.measure}"))
    return more if one.delta > 0 else less


def _through(one: Register) -> str:
    return one.channel or "unknown"


def _to(one: Register) -> str:
    return f"“{one.addressee}”" if one.addressee else "the companion"
