"""What is left out, folded and said once on the screens a person looks at."""

from __future__ import annotations

from datetime import date
from typing import Any

import click
import pytest

from innerlife.affect.cues import Affect
from innerlife.affect.display import Period, word_for
from innerlife.bootstrap import open_companion
from innerlife.cli import moods, output
from innerlife.cli.commands import reflections
from innerlife.cli.engines import Choice
from innerlife.cli.playing import engine_finding, thinking_finding
from innerlife.conversations.events import CHECKPOINT, USER, Checkpoint
from innerlife.ledger.envelope import Actor, Derivation, Draft, Trust
from innerlife.reflection.events import Reflected, Sort
from innerlife.reflection.quick import NO_MODEL
from innerlife.selfmodel.events import GoalOpened, Hand
from innerlife.settings import load
from innerlife.thinking.events import DUE, Due, ProbeResult
from innerlife.thinking.probes import PROBES_VERSION, Verdict
from tests.cli.conftest import Home, Invoke, data_of
from tests.cli.fakes import FakeEngine


def record(*bodies: Any) -> None:
    """Events of the companion, as background thinking leaves them."""
    companion = open_companion(load())
    derivation = Derivation("probe", "", "", PROBES_VERSION, "")
    companion.ledger.append_all([
        Draft(body, Actor.COMPANION, Trust.COMPANION, derivation=derivation) for body in bodies
    ])  # fmt: skip
    companion.upkeep.catch_up()
    companion.close()


def told(**given: Any) -> dict[str, Any]:
    """A reflection as data: one that looked back and found nothing, but for what is given."""
    return {
        "id": "01", "sort": "quick", "at": load_time(), "conversation": "c", "model": "", "model_free": True,
        "read": [], "concluded": [], "left": [NO_MODEL], "changed": [], **given,
    }  # fmt: skip


def load_time() -> Any:
    """Some moment."""
    companion = open_companion(load())
    at = companion.ledger.newest(1)[0].recorded_at
    companion.close()
    return at


def test_activity_leaves_out_the_clockwork(lived: Home, invoke: Invoke) -> None:
    """[U1] Kept pieces of answers and timers are shown when they are asked for, and not before."""
    record(Checkpoint(0, "Bees are"), Due("daily"))
    usual = {one["kind"] for one in data_of(invoke("activity", "--json"))}
    assert USER in usual
    assert not usual & {CHECKPOINT, DUE}
    assert {CHECKPOINT, DUE} <= {one["kind"] for one in data_of(invoke("activity", "--all", "--json"))}
    assert {one["kind"] for one in data_of(invoke("activity", "--kind", DUE, "--json"))} == {DUE}


def test_a_day_of_moods_breaks_at_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[A4] [U1] What does not fit beside the bar goes on under it, and no word is cut by the edge."""
    monkeypatch.setattr(output, "_columns", lambda: 80)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    day = date(2026, 11, 30)
    word = word_for(Affect(-0.7, 0.4, -0.6))
    moods.show_chart([Period(day, -0.5, Affect(-0.7, 0.4, -0.6), 3, 2)], weeks=False)
    first, *more = click.unstyle(capsys.readouterr().out).splitlines()[2:]
    assert first.startswith("2026-11-30")
    assert more
    assert all(len(line) <= 80 for line in (first, *more))
    told = " ".join([first.split("│")[1], *more])
    assert " ".join(told.split()) == f"{word} (3 readings), 2 set aside by your word"


def test_what_was_read_is_counted_as_it_is_shown(
    lived: Home, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[F9] What is not shown of six is told; of three nothing is left out."""
    monkeypatch.setattr(output, "_columns", lambda: 80)
    six = [{"what": f"You said: {number} {'word ' * 20}", "handle": ""} for number in range(6)]
    reflections.show([told(read=six, concluded=["A thing."])])
    shown = capsys.readouterr().out
    assert "Read 6 messages:" in shown
    assert shown.count("You said:") == 3
    assert "…and 3 more" in shown
    assert all(len(line) <= 80 for line in shown.splitlines())
    reflections.show([told(read=six[:3], concluded=["A thing."])])
    assert "more" not in capsys.readouterr().out


def test_reflections_that_found_nothing_take_a_line(lived: Home, capsys: pytest.CaptureFixture[str]) -> None:
    """[F9] However many stand together; one with something in it stands between in full."""
    full = told(concluded=["She keeps bees."], left=[NO_MODEL, "One claim was not believed."])
    reflections.show([told(), told(), told(), full, told()])
    lines = [line for line in capsys.readouterr().out.splitlines() if line]
    assert lines[0].startswith("Looked back 3 times · ")
    assert lines[0].endswith("nothing was to be changed")
    assert "    She keeps bees." in lines
    assert "    One claim was not believed." in lines
    assert sum("wait for a model" in line for line in lines) == 1
    assert "`innerlife queue` says why" in " ".join(lines[-2:])
    reflections.show([told(left=[], sort="self")])
    own = capsys.readouterr().out
    assert "Nothing was to be changed." in own
    assert "wait for a model" not in own


def test_what_a_reflection_changed_is_named_by_what_other_commands_take(lived: Home, invoke: Invoke) -> None:
    """[F9] Ids that were made in one moment begin alike; a handle names one thing."""
    record(
        Reflected(Sort.QUICK, ("Something.",)),
        GoalOpened("Visit Lisbon", Hand.COMPANION),
        GoalOpened("Read on bees", Hand.COMPANION),
    )
    (one,) = data_of(invoke("reflections", "--json"))
    handles = [changed["handle"] for changed in one["changed"]]
    assert len(set(handles)) == 2
    shown = invoke("reflections").stdout
    for handle, words in zip(handles, ("Visit Lisbon", "Read on bees"), strict=True):
        assert f"{handle} Opened a goal: {words}" in shown
        assert words in invoke("goals", handle).stdout
    assert one["changed"][0]["id"][:12] not in shown


def test_doctor_speaks_of_the_models_that_play_a_role_now(
    lived: Home, invoke: Invoke, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[P11] [U7] One that was tried once and plays nothing is of no concern; the one named for a role is."""
    record(
        ProbeResult(engine.url, "old-toy", "reflection", False, {"schema": "it counted wrong"}),
        ProbeResult(engine.url, "fake", "reflection", True, {}),
    )
    thinking = _finding(invoke, "Thinking")
    assert (thinking["verdict"], thinking["found"]) == ("ok", "fake can be trusted")
    (lived.config / "innerlife.toml").write_text('[models.roles]\nreflection = "old-toy"\n', encoding="utf-8")
    thinking = _finding(invoke, "Thinking")
    assert thinking["verdict"] == "attention"
    assert "old-toy is not trusted with reflection" in thinking["found"]


def _finding(invoke: Invoke, what: str) -> dict[str, Any]:
    return next(one for one in data_of(invoke("doctor", "--json")) if one["what"] == what)


def test_only_roles_that_are_played_are_judged() -> None:
    """[P11] By model and role, the untrusted ones by name."""
    verdicts = [
        Verdict("e", "a", "reflection", False, {}),
        Verdict("e", "a", "audit", False, {}),
        Verdict("e", "b", "analysis", True, {}),
        Verdict("e", "c", "analysis", False, {}),
    ]
    playing = {"reflection": "a", "audit": "a", "analysis": "b"}
    assert thinking_finding(verdicts, playing).found.startswith("a is not trusted with reflection, audit;")
    assert thinking_finding(verdicts, {"analysis": "b", "audit": "z"}).found == "b can be trusted"
    assert thinking_finding(verdicts, {}).found == "no model was tried yet"


@pytest.mark.parametrize(
    ("choice", "verdict"),
    [
        (Choice("none"), "failed"),
        (Choice("configured", "http://x", answers=False), "failed"),
        (Choice("embedded", model="m", toy=True), "attention"),
        (Choice("ollama", "http://x"), "ok"),
    ],
)
def test_an_engine_is_judged_by_what_it_is(choice: Choice, verdict: str) -> None:
    """[U7] What does not answer has failed, a toy is remarked on; both with a way out."""
    finding = engine_finding(choice)
    assert finding.verdict == verdict
    assert bool(finding.way_out) == (verdict != "ok")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("self", "edit"), "`innerlife self edit` needs SECTION: one of identity, persona, "),
        (("mood", "correct"), "`innerlife mood correct` needs WORDS. "),
        (("say", "Hello", "there", "you"), "'there you' is more than `innerlife say` takes; "),
        (("recall",), "`innerlife recall` needs QUERY. "),
        (("goals", "--stat", "x"), "No such option '--stat'. "),
    ],
)
def test_a_slip_is_told_in_words(arguments: tuple[str, ...], said: str, invoke: Invoke, home: Home) -> None:
    """[U1] One line that says what is needed, and where it is read."""
    done = invoke(*arguments)
    assert done.exit_code == 2
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1
    assert "\t" not in done.stderr
    assert "--help` shows how it is used." in done.stderr
