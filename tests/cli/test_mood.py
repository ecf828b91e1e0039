"""`innerlife mood`: read, corrected, dropped, measured."""

from __future__ import annotations

from contextlib import closing
from datetime import timedelta

from innerlife.affect.cues import Affect, Cue, CueKind, Say, Statement
from innerlife.affect.signals import Glimpse
from innerlife.bootstrap import open_companion
from innerlife.conversations.events import USER, Ending
from innerlife.conversations.model import Answer
from innerlife.ledger.envelope import Derivation
from innerlife.membrane.turn import TurnRequest
from innerlife.selfmodel.events import Insight
from innerlife.settings import load
from tests.cli.conftest import Home, Invoke, data_of, read_in_the_last_message
from tests.cli.fakes import FakeEngine
from tests.support.client import user


def test_nothing_is_said_as_nothing(lived: Home, invoke: Invoke) -> None:
    """[U1] No chart of nothing."""
    assert "Nothing stood out" in invoke("mood").stderr, invoke("mood", "--evidence").stdout
    assert "corrected nothing" in invoke("mood", "--measures").stderr
    assert data_of(invoke("mood", "--json"))["readings"] == []
    assert invoke("mood", "correct", "so").exit_code == 3
    assert invoke("mood", "drop", "01ZZ").exit_code == 3


def test_every_reading_shows_its_evidence(lived: Home, invoke: Invoke) -> None:
    """[A1] What it rests on, in the person's words; how sure, then and now; and what it changes."""
    signal = read_in_the_last_message()
    chart = invoke("mood").stdout
    assert "day by day" in chart
    assert "█│" in chart
    assert "I answer first, without preamble" in chart
    shown = invoke("mood", "--evidence").stdout
    assert signal[:12] in shown
    assert "strong words: “Where”" in shown
    assert "linguistic, 0.60 sure then" in shown
    (one,) = data_of(invoke("mood", "--json"))["readings"]
    assert one["evidence"][0]["words"] == "Where"
    assert "week by week" in invoke("mood", "--weeks", "--days", "90").stdout


def test_the_persons_word_wins(lived: Home, invoke: Invoke, engine: FakeEngine) -> None:
    """[A2] [A5] Corrected, it changes nothing in the next prompt; dropped, it is gone; dropped twice is said."""
    signal = read_in_the_last_message()
    assert invoke("say", "Good morning").exit_code == 0
    assert "I answer first" in engine.received[-1]["messages"][-1]["content"]
    assert "stands corrected" in invoke("mood", "correct", signal[:14], "Only", "in", "a", "hurry").stdout
    assert invoke("say", "Good evening").exit_code == 0
    assert "I answer first" not in engine.received[-1]["messages"][-1]["content"]
    assert "You corrected it: “Only in a hurry”" in invoke("mood", "--evidence").stdout
    assert "set aside by your word" in invoke("mood").stdout
    assert data_of(invoke("mood", "correct", "That was joy", "--json"))["corrected"] == "That was joy"
    assert invoke("mood", "correct", signal).exit_code == 2
    assert invoke("mood", "drop", " ").exit_code == 2
    assert "dropped" in invoke("mood", "drop", signal).stdout
    assert invoke("mood", "drop", signal).exit_code == 3
    (month,) = data_of(invoke("mood", "--measures", "--json")) or [{"reports": 0}]
    assert month["reports"] == 0


def test_the_measures_are_shown_with_what_they_mean(lived: Home, invoke: Invoke) -> None:
    """[A7] By month, as shares."""
    read_in_the_last_message()
    invoke("mood", "correct", "Only in a hurry")
    shown = invoke("mood", "--measures").stdout
    assert "Both should be zero" in " ".join(shown.split())
    (month,) = data_of(invoke("mood", "--measures", "--json"))
    assert (month["reports"], month["ios"], month["corrections"], month["amr"]) == (1, 0.0, 1, 0.0)


def test_why_tells_the_manner_and_its_signal(lived: Home, invoke: Invoke) -> None:
    """[W6] Events that hold no words are told as what they mean."""
    read_in_the_last_message()
    assert invoke("say", "Good morning").exit_code == 0
    shown = invoke("why").stdout
    assert "byte for byte" in shown
    assert "Chose how to answer: answer first" in shown
    assert "Read a message of yours (linguistic: strong words)" in shown
    assert any("Chose how" in one["text"] for one in data_of(invoke("why", "--json"))["evidence"])
    assert "affect.manner" in invoke("activity").stdout


def test_a_later_statement_is_listed(lived: Home, invoke: Invoke) -> None:
    """[A5] What the person said of themselves stands in their own words."""
    companion = open_companion(load())
    (said,) = companion.ledger.newest(1, {USER})
    fine = Statement(Say.FINE, "", Affect(), (0, 5))
    hard = Cue(CueKind.LINGUISTIC, "strong words", Affect(-0.7), 0.6)
    companion.mood.record(said.seq, Glimpse((hard,), (fine,)), Derivation("affect.heads", "1"))
    now = companion.mood.desk.clock.now()
    assert companion.mood.guidance(now + timedelta(minutes=1)) == ()
    companion.close()
    shown = invoke("mood", "--evidence").stdout
    assert "said that all is well" in shown
    assert "Set aside: you said otherwise." in shown
    assert data_of(invoke("mood", "--json"))["said"][0]["words"] == "Where"


def test_registers_are_shown_with_their_numbers(home: Home, invoke: Invoke, engine: FakeEngine) -> None:
    """[A10] A table with counts, differences in plain words, and nothing of what is not known yet."""
    assert invoke("init").exit_code == 0
    assert "no message" in invoke("mood", "--channels").stderr
    companion = open_companion(load())
    for number in range(20):
        for surface, text in (
            ("proxy", f"ok, I'm here {number}!! 🙂"),
            (
                "chat",
                f"Write to Dr. Smith: I am writing about case {number}, and I do not know what to do, please.",
            ),
        ):
            plan = companion.turns.begin(TurnRequest((user(text),), "model", surface))
            assert plan.opened is not None
            companion.turns.finish(plan.opened, Answer("Very well.", Ending.COMPLETE, "model"))
    companion.close()
    assert invoke("say", "Tell Anna that I'm late").exit_code == 0
    done = invoke("mood", "--channels")
    shown = " ".join(done.stdout.split())
    assert done.exit_code == 0, done.output
    assert "chat “Dr. Smith” 20 14 ±0 14 ±0 0% 0%" in shown
    assert "proxy the companion 20 3 ±0" in shown
    assert "fewer than 20 messages through say to “Anna”: 1" in shown
    assert "Compared with what goes through chat to “Dr. Smith”" in shown
    assert "through proxy to the companion: shorter messages" in shown
    assert "more contractions" in shown
    data = data_of(invoke("mood", "--channels", "--json"))
    known = {(one["channel"], one["addressee"]): one for one in data["registers"]}
    length = known["proxy", ""]["measures"]["length"]
    assert length == {"median": 3.0, "spread": 0.0, "with_any": 1.0, "messages": 20}
    assert set(known["say", "Anna"]["measures"].values()) == {None}
    told = {one["addressee"]: one["differences"] for one in data["differences"]}
    assert told["Anna"] is None
    assert {one["measure"]: one["delta"] for one in told[""]}["emoji"] == 1.0


def test_what_was_said_in_a_strong_moment_says_so(lived: Home, invoke: Invoke) -> None:
    """[A8] Observations and goals, in text and as data, until the person says that it was not so."""
    read_in_the_last_message()
    with closing(open_companion(load())) as companion:
        (message,) = companion.ledger.newest(1, {USER})
        companion.self_model.observations.record(Insight.INSIGHT, "The list came first", [message.seq])
        companion.self_model.goals.open_goal("Keep the list", [message.seq])
    for name in ("observations", "goals"):
        assert "(said in a strong moment) " in invoke(name).stdout
        assert data_of(invoke(name, "--json"))[0]["strong_moment"] is True
    assert invoke("mood", "correct", "Only", "in", "a", "hurry").exit_code == 0
    for name in ("observations", "goals"):
        assert "strong moment" not in invoke(name).stdout
        assert not any(one["strong_moment"] for one in data_of(invoke(name, "--json")))
