"""The reading that a turn really has: words, habits and what came before, from the ledger."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from innerlife import bootstrap
from innerlife.affect.cues import Affect, CueKind
from innerlife.affect.events import SAID, SIGNAL, Aim
from innerlife.affect.manner import SENTENCES
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.companion import Companion
from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Said
from innerlife.membrane.turn import Plan, TurnRequest
from innerlife.reflection.glance import Glances, feeling_named
from innerlife.settings import load
from tests.support.client import assistant, user
from tests.support.clock import FixedClock


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def companion(tmp_path: Path, clock: FixedClock) -> Iterator[Companion]:
    environment = {"INNERLIFE_CONFIG": str(tmp_path / "config"), "INNERLIFE_EMBEDDING": "off"}
    opened = bootstrap.open_companion(load(home=tmp_path / "home", environment=environment), clock=clock)
    yield opened
    opened.close()


def ask(companion: Companion, text: str, history: list[Said] | None = None, *, fiction: bool = False) -> Plan:
    history = [] if history is None else history
    history.append(user(text))
    plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test", fiction=fiction))
    assert plan.opened is not None
    companion.turns.finish(plan.opened, Answer("Very well.", Ending.COMPLETE, "model"))
    history.append(assistant("Very well."))
    return plan


def manner_in(plan: Plan) -> list[str]:
    return [line for line in plan.block.splitlines() if line in SENTENCES.values()]


@pytest.mark.parametrize(("text", "aim"), [
    ("I'm so frustrated, the build is broken again", Aim.ANSWER_FIRST),
    ("Estoy agotada, no puedo más", Aim.SHORTER),
    ("I'm thrilled, we won!", Aim.LIVELY),
])  # fmt: skip
def test_what_is_said_plainly_is_met_in_the_same_turn(companion: Companion, text: str, aim: Aim) -> None:
    """[A1] [A3] In English and Spanish, with the first message there ever was."""
    assert {SENTENCES[key] for key in SENTENCES if key[0] is aim} & set(manner_in(ask(companion, text)))


@pytest.mark.parametrize("text", ["I'm fine", "Estoy bien", "I'm not angry", "No estoy enfadado"])
def test_their_word_is_accepted(companion: Companion, text: str) -> None:
    """[A5] In the words that people use for it."""
    history: list[Said] = []
    assert manner_in(ask(companion, "I'm angry about the build", history))
    assert manner_in(ask(companion, text, history)) == []
    assert companion.ledger.count({SAID}) == 2


@pytest.mark.parametrize("text", [
    "Where does bread come from?", "She's furious with me", "If I were tired, what tea helps?", "I'm afraid I can't",
])  # fmt: skip
def test_what_says_nothing_of_them_leaves_nothing(companion: Companion, text: str) -> None:
    """[A1] Others, what would be, and turns of speech are no statement of how they are."""
    ask(companion, text)
    signals = companion.ledger.newest(9, {SIGNAL})
    assert not any(one.body.kind is CueKind.EXPLICIT for one in signals)
    assert companion.ledger.count({SAID}) == 0


def test_who_always_shouts_is_not_read_as_shouting(companion: Companion, clock: FixedClock) -> None:
    """[A6] Behaviour stands out against this person's own habit only, and only once that is known."""
    quiet = [f"please list the next {number} rivers of austria for me" for number in range(24)]
    for text in quiet:
        clock.move(timedelta(minutes=2))
        ask(companion, text)
    assert companion.ledger.count({SIGNAL}) == 0
    ask(companion, "PLEASE LIST THE NEXT RIVERS OF AUSTRIA FOR ME !!!!!!")
    loud = [one for one in companion.ledger.newest(9, {SIGNAL}) if one.body.kind is CueKind.BEHAVIOURAL]
    for number in range(60):
        clock.move(timedelta(minutes=2))
        ask(companion, f"LIST THE NEXT {number} RIVERS OF AUSTRIA NOW !!!!!!")
    before = companion.ledger.count({SIGNAL})
    ask(companion, "LIST ALL THE OTHER RIVERS OF AUSTRIA NOW !!!!!!")
    assert companion.ledger.count({SIGNAL}) == before
    assert len(loud) == 1


def test_habits_are_the_same_learned_at_once_or_one_by_one(companion: Companion, clock: FixedClock) -> None:
    """[A6] A process that starts afresh knows what one that was there all along knows; stories are no habit."""
    policy = ReadingPolicy()
    along = Glances(companion.ledger, policy)
    for number in range(30):
        clock.move(timedelta(minutes=number))
        ask(companion, f"please list river number {number}" + "!" * (number % 4))
        along.habits(companion.ledger.head() + 1)
    ask(companion, "A DRAGON ROARS!!!", fiction=True)
    head = companion.ledger.head() + 1
    afresh = Glances(companion.ledger, policy).habits(head)
    assert along.habits(head) == afresh
    assert afresh.seen == 30
    assert afresh.known(policy)
    first = companion.ledger.read(0, 1, {"message.user"})[0]
    companion.forgetting.carry_out(companion.forgetting.preview([first.seq]))
    assert along.habits(head).seen == 29


def test_a_correction_is_read_for_what_it_names() -> None:
    """[A5] A word or a sentence, in either language; what names nothing known stays words."""
    for words in ("tired", "I'm only tired", "I was just exhausted", "cansada", "Solo estaba cansado"):
        assert (feeling_named(words).valence or 0) < 0, words
    assert feeling_named("in a hurry, that's all") == Affect()
