"""Two conversations in which rare words are planted, and everything that came to rest on them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Image, Opened
from innerlife.ledger.envelope import Actor, Cause, Draft, Event, Role, Trust
from innerlife.membrane.events import ContextShown
from innerlife.ports import StoredVector
from innerlife.selfmodel.events import OriginGiven
from tests.support.bytes import planted_in
from tests.support.client import ChatClient, assistant, tool
from tests.support.stack import Stack

RARE = ["quartzine", "velociform", "pictorubia", "toolomancy", "reasonwort", "halfspokenia"]
"""Words of what is forgotten. None of them stands anywhere else."""

KEPT = ["The moon is far.", "Bread rises.", "Rivers flow."]
"""Answers that have nothing to do with it."""

SPREAD = 1_000_003
"""So far apart that no seq can stand anywhere by chance."""


@dataclass
class Life:
    """What was lived, with the seqs by name."""

    stack: Stack
    seqs: dict[str, int]
    first: ChatClient
    second: ChatClient

    def planted(self, words: list[str] | None = None) -> dict[str, set[str]]:
        """Where the rare words stand, in any file, decrypted."""
        return planted_in(self.stack.opened.folder, self.stack.opened.keys, words or RARE)

    def forget(self, *names: str) -> set[str]:
        """Forget by name and finish; the names of what went."""
        forgetting = self.stack.forgetting
        reach = forgetting.preview([self.seqs[name] for name in names])
        forgetting.finish(forgetting.carry_out(reach))
        return self.gone()

    def gone(self) -> set[str]:
        """Names of what is not in the ledger any more."""
        there = {e.seq for e in self.stack.ledger.get(list(self.seqs.values()))}
        return {name for name, seq in self.seqs.items() if seq not in there}

    def events(self) -> list[Event]:
        return self.stack.ledger.read(0, 1000)


def lived_in(stack: Stack) -> Life:
    """Live it. Each event gets a name."""
    stack.opened.core._stride = lambda: SPREAD  # noqa: SLF001 - seqs that can be looked for
    stack.ledger.append(Draft(OriginGiven("Anima", "2026-03-01"), Actor.SYSTEM, Trust.USER, key="origin"))
    first, second = ChatClient(stack.recording), ChatClient(stack.recording)
    life = Life(stack, {}, first, second)
    said = first.ask("My stone is a quartzine, a velociform one", Image(b"pictorubia" * 300, "image/png"))
    stack.recording.checkpoint(said, "A quartzine", 0)
    _call_tool(life, said)
    said = first.send()
    answer = _answer(life, first, said, "Quartzine is toolomancy, I see.", "halfspokenia reasonwort")
    life.seqs |= {"said": said.user_seq, "answer": answer}
    unrelated = first.ask("What is the moon?")
    life.seqs |= {"moon": unrelated.user_seq, "moon answer": _answer(life, first, unrelated, KEPT[0])}
    later = first.ask("And what was mine?")
    stack.recording.checkpoint(later, "Yours is the quart", 0)
    stack.recording.checkpoint(later, "Yours is the quartzine", 18)
    life.seqs |= {
        "asked": later.user_seq,
        "used answer": _answer(life, first, later, "Yours is the velociform quartzine."),
    }
    elsewhere = second.ask("Do you know what I collect?")
    shown = replace(elsewhere, shown=(said.user_seq,))
    life.seqs["context"] = _context(stack, shown)
    life.seqs |= {
        "collect": elsewhere.user_seq,
        "shown and used": _answer(life, second, shown, "Your quartzine, of course."),
    }
    other = second.ask("How does bread rise?")
    shown = replace(other, shown=(said.user_seq,))
    life.seqs["other context"] = _context(stack, shown)
    life.seqs |= {"bread": other.user_seq, "shown, unused": _answer(life, second, shown, KEPT[1])}
    free = second.ask("And rivers?")
    life.seqs["free context"] = _context(stack, free)
    life.seqs |= {"rivers": free.user_seq, "free": _answer(life, second, free, KEPT[2])}
    _vectors(life)
    stack.upkeep.catch_up()
    return life


def _call_tool(life: Life, said: Opened) -> None:
    """The answer begins with a call of a client's tool, whose result names the word."""
    calls = '[{"name":"look","arguments":"quartzine"}]'
    life.stack.recording.close(said, Answer("", Ending.COMPLETE, tool_calls=calls))
    life.first.history += [assistant("", calls), tool("toolomancy of the quartzine")]


def _answer(life: Life, client: ChatClient, opened: Opened, text: str, reasoning: str = "") -> int:
    event = life.stack.recording.close(opened, Answer(text, Ending.COMPLETE, "model", reasoning))
    client.history.append(assistant(text))
    return event.seq


def _context(stack: Stack, opened: Opened) -> int:
    """The record of a turn names what it cites by id."""
    cited = [event.id for event in stack.ledger.get(opened.shown)]
    causes = (Cause(opened.user_seq, Role.FROM), *(Cause(seq, Role.SHOWN) for seq in opened.shown))
    draft = Draft(
        ContextShown({"lines": cited}),
        Actor.SYSTEM,
        Trust.COMPANION,
        causes=causes,
        stream=opened.conversation,
    )
    return stack.ledger.append(draft).seq


def _vectors(life: Life) -> None:
    """Every message has a vector; that of the moon holds the words of its neighbour."""
    seqs = life.seqs
    near = {"moon": (seqs["said"], seqs["moon"])}
    SqliteVectors(life.stack.opened.core).put(
        "model",
        4,
        [StoredVector(seq, near.get(name, (seq,)), b"\1\2\3\4", 1.0) for name, seq in seqs.items()],
    )
