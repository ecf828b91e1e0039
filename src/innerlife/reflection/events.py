"""Events of reflection: that one happened, and that one is called for."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from innerlife.ledger.envelope import Event
from innerlife.ledger.registry import Kind, Retention
from innerlife.thinking.events import Due


class Sort(StrEnum):
    """Which reflection it is."""

    QUICK = "quick"
    SELF = "self"
    INTENTIONS = "intentions"


class Why(StrEnum):
    """Why one is called for before its time."""

    THIRD = "third exchange"
    ASKED = "asked for"
    MORE = "more is unread"


@dataclass(frozen=True, slots=True)
class Reflected:
    """A reflection came to its end (promise F9). What it read, and whatever else is told in it, are its causes.

    `concluded` are plain sentences; `left` are those that say what it could not do or did not believe. What it
    changed are the events that were appended with it.
    """

    sort: Sort
    concluded: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    model_free: bool = False


@dataclass(frozen=True, slots=True)
class Called:
    """A reflection is wanted now; of a conversation, the one whose stream it is in, occasioned by a message of it."""

    sort: Sort
    why: Why


ReflectionEvent = Reflected | Called

REFLECTED = "reflection.done"
CALLED = "reflection.called"


def words_of(event: Event) -> str:
    """Everything an event of this room says; empty for other kinds (for forgetting)."""
    body = event.body
    return "\n".join((*body.concluded, *body.left)) if isinstance(body, Reflected) else ""


def _told(done: Reflected) -> str:
    what = {
        Sort.QUICK: "Looked back on a conversation",
        Sort.SELF: "Reconsidered who it is",
        Sort.INTENTIONS: "Went through what it means to do",
    }[done.sort]
    return f"{what}: {' '.join(done.concluded) or 'nothing was to be changed'}"


KINDS = (
    Kind(REFLECTED, Reflected, Retention.ARCHIVE, tells=_told),
    Kind(
        CALLED,
        Called,
        Retention.VOLATILE,
        tells=lambda called: f"Was called to reflect ({called.why.value})",
    ),
)
"""Kinds this room registers."""


def wants(event: Event, timer: str, sort: Sort) -> bool:
    """Whether an event asks for a reflection of this sort: its timer went off, or somebody called for it. Pure."""
    match event.body:
        case Due() as due:
            return due.timer == timer
        case Called() as called:
            return called.sort is sort
        case _:
            return False
