"""The reading that a turn really has: words, habits and what came before, from the ledger."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any, cast

import pytest

from innerlife import bootstrap
from innerlife.affect.cues import Affect, CueKind, Say
from innerlife.affect.events import SAID, SIGNAL, Aim, Level
from innerlife.affect.manner import SENTENCES
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.companion import Companion
from innerlife.conversations.events import USER, Ending
from innerlife.conversations.model import Answer, Said
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.turn import Plan, TurnRequest
from innerlife.reflection.glance import Glances, Spoken, feeling_named
from innerlife.settings import Configured
from tests.support.client import assistant, user
from tests.support.clock import FixedClock


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
    ("I'm fine, I just want to die", Aim.LISTEN),
    ("Estoy cansada y ya no quiero vivir", Aim.LISTEN),
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
    talks: list[list[Said]] = [[], [], []]
    for number in range(30):
        clock.move(timedelta(minutes=number))
        ask(companion, f"please list river number {number}" + "!" * (number % 4), talks[number % 3])
        along.habits()
    ask(companion, "A DRAGON ROARS!!!", fiction=True)
    afresh = Glances(companion.ledger, policy).habits()
    assert along.habits() == afresh
    assert afresh.seen == 30
    assert afresh.known(policy)
    first = companion.ledger.read(0, 1, {"message.user"})[0]
    companion.forgetting.carry_out(companion.forgetting.preview([first.seq]))
    assert along.habits().seen < 30
    assert along.habits() == Glances(companion.ledger, policy).habits()


def test_habits_before_a_message_are_the_same_whenever_they_are_asked(
    companion: Companion, clock: FixedClock
) -> None:
    """[A6] Neither the message itself nor a later one is a habit it is measured by, however they are asked."""
    policy = ReadingPolicy()
    messages: list[int] = []
    asked = Glances(companion.ledger, policy)
    then = []
    for number in range(24):
        clock.move(timedelta(minutes=number))
        ask(companion, f"please list river number {number}" + "!" * (number % 5))
        messages.append(companion.ledger.newest(1, {USER})[0].seq)
        then.append(asked.habits_before(messages[-1]))
    assert [one.seen for one in then] == list(range(24))
    for glances in (asked, Glances(companion.ledger, policy)):
        for place in (23, 3, 4, 5, 16, 0, 23):
            assert glances.habits_before(messages[place]) == then[place], place
    companion.forgetting.carry_out(companion.forgetting.preview([messages[2]]))
    assert asked.habits_before(messages[23]).seen == 22


class Counting:
    """A ledger that counts the messages that were read from it, and waits on the way where it is told to."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self.read_so_far = 0
        self.on_read: Callable[[], object] = bool

    def epoch(self) -> int:
        return self._ledger.epoch()

    def read(self, *given: Any) -> list[Event]:
        return self._counted(self._ledger.read(*given))

    def newest(self, *given: Any) -> list[Event]:
        return self._counted(self._ledger.newest(*given))

    def by_stream(self, *given: Any) -> list[Event]:
        return self._counted(self._ledger.by_stream(*given))

    def _counted(self, found: list[Event]) -> list[Event]:
        self.read_so_far += len(found)
        self.on_read()
        return found


def many(companion: Companion, clock: FixedClock, count: int = 60) -> None:
    history: list[Said] = []
    for number in range(count):
        clock.move(timedelta(minutes=2))
        ask(companion, f"please list the next {number} rivers of austria for me", history)


def spoken(companion: Companion, words: str) -> Spoken:
    newest = companion.ledger.newest(1, {USER})[0]
    return Spoken(words, companion.ledger.head() + 1, newest.stream, newest.happened.at, newest.happened.zone)


LOUD = "PLEASE LIST THE NEXT RIVERS OF AUSTRIA FOR ME !!!!!!"


def test_a_turn_learns_little_and_the_rest_is_learned_beside_it(
    companion: Companion, clock: FixedClock
) -> None:
    """[A6] [P4] The first glance of a process, and the first after a forgetting, go by what is at hand."""
    many(companion, clock)
    ledger = Counting(companion.ledger)
    glances = Glances(cast("Ledger", ledger), ReadingPolicy())
    for _ in range(2):
        ledger.read_so_far = 0
        cues = glances(spoken(companion, LOUD)).cues
        assert ledger.read_so_far <= 41 + 30, "what is new, and what was said before"
        assert not any(one.kind is CueKind.BEHAVIOURAL for one in cues)
        assert glances.step() > 0
        assert glances.step() == 0
        ledger.read_so_far = 0
        cues = glances(spoken(companion, LOUD)).cues
        assert any(one.kind is CueKind.BEHAVIOURAL for one in cues)
        assert ledger.read_so_far <= 6
        first = companion.ledger.read(0, 1, {USER})[0]
        companion.forgetting.carry_out(companion.forgetting.preview([first.seq]))


def test_no_turn_waits_for_what_is_learned_beside_it(companion: Companion, clock: FixedClock) -> None:
    """[P4] While the habits are being learned, a glance is read, and learning is broken off where it all ends."""
    many(companion, clock)
    ledger = Counting(companion.ledger)
    glances = Glances(cast("Ledger", ledger), ReadingPolicy())
    under_way, go_on = threading.Event(), threading.Event()

    def wait() -> None:
        ledger.on_read = bool
        under_way.set()
        go_on.wait(30)

    ledger.on_read = wait
    learning = threading.Thread(target=glances.catch_up)
    learning.start()
    assert under_way.wait(30)
    seen = glances(spoken(companion, "I'm so frustrated"))
    assert learning.is_alive()
    assert [one.say for one in seen.statements] == [Say.FEELS]
    go_on.set()
    glances.close()
    learning.join(30)
    assert not learning.is_alive()


def test_what_was_said_before_is_whole_where_an_older_conversation_goes_on(
    companion: Companion, clock: FixedClock
) -> None:
    """[A6] A conversation that was not at hand, whose newest event is an answer: what came before is read too."""
    history: list[Said] = []
    for number in range(5):
        clock.move(timedelta(minutes=5))
        ask(companion, f"please list river number {number}", history)
    glances = Glances(companion.ledger, ReadingPolicy())
    glances.catch_up()
    clock.move(timedelta(minutes=5))
    ask(companion, "and the next one", history)
    glances(spoken(companion, "and another one"))
    clock.move(timedelta(minutes=5))
    ask(companion, "the last one", history)
    newest = companion.ledger.newest(1, {USER})[0]
    said = glances.said_in(newest)
    assert said is not None
    assert [one.text for one in said.earlier] == [
        *(f"please list river number {number}" for number in range(5)), "and the next one",
    ]  # fmt: skip
    assert said == Glances(companion.ledger, ReadingPolicy()).said_in(newest)


def test_a_companion_that_is_warmed_knows_the_habits(
    companion: Companion, clock: FixedClock, configured: Configured
) -> None:
    """[A6] They are learned at the start, beside the first turn, so that no turn has to."""
    many(companion, clock)
    other = bootstrap.open_companion(configured, clock=clock)
    other.warm()
    for thread in threading.enumerate():
        if thread.name == "reading":
            thread.join(30)
    ask(other, LOUD)
    other.close()
    (signal,) = companion.ledger.newest(1, {SIGNAL})
    assert signal.body.kind is CueKind.BEHAVIOURAL


def test_a_correction_is_read_for_what_it_names() -> None:
    """[A5] A word or a sentence, in either language; what names nothing known stays words."""
    for words in ("tired", "I'm only tired", "I was just exhausted", "cansada", "Solo estaba cansado"):
        assert (feeling_named(words).valence or 0) < 0, words
    assert feeling_named("in a hurry, that's all") == Affect()


def test_what_weighs_most_is_met_by_a_manner_and_no_label(companion: Companion) -> None:
    """[A2] [A3] What is said of it in the prompt is how to answer."""
    for text in ("I want to die. I'm going to kill myself tomorrow.", "Ya no quiero vivir, quiero morirme."):
        plan = ask(companion, text)
        assert SENTENCES[Aim.LISTEN, Level.CLEAR] in manner_in(plan)
        lines = set(manner_in(plan))
        told = [line for line in f"{plan.stable}\n{plan.block}".splitlines() if line not in lines]
        assert not any(
            word in line.lower() for line in told for word in ("suicid", "distress", "depress", "crisis")
        )
