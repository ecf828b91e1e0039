"""How the parts of the self-model are written for a person, and as data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import partial
from typing import Any

from innerlife.cli.output import heading, note, one_line, say, short, table, when, wrapped
from innerlife.selfmodel.goals import Goal
from innerlife.selfmodel.growth import Entry
from innerlife.selfmodel.human import Human
from innerlife.selfmodel.minding import Held
from innerlife.selfmodel.observations import Observation
from innerlife.selfmodel.portraits import Section
from innerlife.selfmodel.preferences import Preference
from innerlife.selfmodel.selfmodel import Selves

TITLES = {"identity": "Who it is", "persona": "How it speaks", "inner_state": "On its mind"}


def section_data(section: Section | None) -> dict[str, Any] | None:
    """A section as data."""
    return None if section is None else {**asdict(section), "shipped": section.seq == 0}


def selves_data(selves: Selves) -> dict[str, Any]:
    """All of it as data."""
    return {
        "identity": section_data(selves.identity),
        "persona": section_data(selves.persona),
        "human": human_data(selves.human),
        "inner_state": section_data(selves.inner_state),
        "working_memory": [asdict(one) for one in selves.working_memory],
        "goals": [asdict(one) for one in selves.goals],
        "preferences": [asdict(one) for one in selves.preferences],
        "observations": [asdict(one) for one in selves.observations],
        "growth": [asdict(one) for one in selves.growth],
    }


def human_data(human: Human) -> dict[str, Any]:
    """The human layer as data, with what was learned beside what the user set."""
    fields = {
        one.field.value: {
            "shown": one.shown.text if one.shown else "",
            "set": one.set.text if one.set else "",
            "learned": one.learned.text if one.learned else "",
            "difference": one.difference,
        }
        for one in human.fields
    }
    return {
        "fields": fields,
        "traits": [asdict(one) for one in human.traits],
        "interests": [asdict(one) for one in human.interests],
    }


def show_selves(selves: Selves, now: datetime | None = None) -> None:
    """All of it, a heading a part; empty parts are left out. What is overdue is told where `now` is given."""
    for section in (selves.identity, selves.persona, selves.inner_state):
        if section is not None:
            show_section(section)
            say()
    parts: tuple[tuple[str, Callable[[], None], bool], ...] = (
        ("You", partial(show_human, selves.human), _known(selves.human)),
        ("Held in mind", partial(show_held, selves.working_memory), bool(selves.working_memory)),
        ("Goals and promises", partial(show_goals, selves.goals, now), bool(selves.goals)),
        ("What you asked for", partial(show_preferences, selves.preferences), bool(selves.preferences)),
        ("What it noticed", partial(show_observations, selves.observations), bool(selves.observations)),
        ("How it changed", partial(show_growth, selves.growth[-10:]), bool(selves.growth)),
    )
    for title, show, there in parts:
        if there:
            heading(title)
            show()
            say()


def show_section(section: Section) -> None:
    """One text, with whose hand wrote it and when."""
    since = f"since {when(section.at)}" if section.at else "as it was shipped"
    heading(f"{TITLES[section.name]} ({since}{', by your hand' if section.by_user else ''})")
    say(wrapped(section.text, "  "))


def _known(human: Human) -> bool:
    return bool(human.everything) or any(one.shown for one in human.fields)


def show_human(human: Human) -> None:
    """What is known of the person, and where that differs from what was learned."""
    if not _known(human):
        note("Nothing is known of you yet.")
        return
    for one in human.fields:
        if one.shown:
            say(wrapped(f"{one.field.value}: {one.shown.text}", "  "))
            for learned in one.difference:
                say(wrapped(f"learned besides: {learned}", "    "))
    for title, traits in (("lasting", human.traits), ("interests", human.interests)):
        for trait in traits:
            say(f"  {title}: {trait.handle}  {one_line(trait.text)}  (confirmed {when(trait.confirmed)})")


def stands(goal: Goal, now: datetime | None) -> str:
    """How a goal or promise stands: its state, or that at `now` its day is over and it is still open."""
    late = now is not None and goal.open and goal.due is not None and goal.due < now
    return "overdue" if late else goal.state.value


def goal_data(goal: Goal, now: datetime) -> dict[str, Any]:
    """A goal or promise as data."""
    return {**asdict(goal), "overdue": stands(goal, now) == "overdue"}


def show_goals(goals: Sequence[Goal], now: datetime | None, strong: Collection[int] = ()) -> None:
    """A goal or promise a line, as it stands at `now`, or as it stood on some day, where nothing is overdue.

    Those of `strong` (by seq) were captured when feeling ran high.
    """
    rows = [
        (
            one.handle,
            stands(one, now),
            ("you" if one.by.value == "user" else "it") + (" promised" if one.promise else ""),
            when(one.due, one.zone) if one.due else "",
            _tag(one.seq, strong) + one.text + (f" ({one.reason})" if one.reason else ""),
        )
        for one in goals
    ]
    table(("goal", "state", "whose", "due", "what"), rows)


def show_held(held: Sequence[Held]) -> None:
    """A thing a line."""
    if not held:
        note("Nothing is held in mind now.")
        return
    rows = [
        (one.handle, when(one.due, one.zone) if one.due else "", when(one.expires), one.text) for one in held
    ]
    table(("thing", "due", "until", "what"), rows)


def show_preferences(preferences: Sequence[Preference]) -> None:
    """A preference a line."""
    table(
        ("preference", "said", "what"),
        [(one.handle, when(one.at), one.text) for one in preferences],
    )


def show_observations(observations: Sequence[Observation], strong: Collection[int] = ()) -> None:
    """An observation a line; those of `strong` (by seq) were captured when feeling ran high."""
    rows = [
        (one.handle, when(one.at), one.sort.value, _tag(one.seq, strong) + one.text) for one in observations
    ]
    table(("observation", "since", "kind", "what"), rows)


def show_growth(entries: Sequence[Entry]) -> None:
    """An entry a line; a change that was held back shows both texts."""
    for one in entries:
        say(f"{short(one.id)}  {when(one.at)}  {one.sort}")
        say(wrapped(one.text, "  "))
        if one.sort in ("flagged", "noted"):
            say(wrapped(f"Why: {one.reason}.", "  "))
            say(wrapped(f"Stood: {one.before}", "    "))
            say(wrapped(f"Proposed: {one.proposed}", "    "))


def _tag(seq: int, strong: Collection[int]) -> str:
    return "(said in a strong moment) " if seq in strong else ""
