"""The commands about the companion's self and about the person."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from innerlife.bootstrap import open_companion
from innerlife.learning.bodies import Pattern, RuleWorded, SkillFormed
from innerlife.learning.terms import Aspect, Criterion, Trigger
from innerlife.ledger.envelope import Actor, Draft, Trust
from innerlife.selfmodel.events import GoalState, Hand, Portrait, PromiseMade
from innerlife.selfmodel.first import first_text
from innerlife.selfmodel.handles import handle_of
from innerlife.settings import load
from tests.cli.conftest import Home, Invoke, data_of, hold_in_mind
from tests.cli.fakes import FakeEngine


def test_the_self_is_read_and_edited_by_hand(lived: Home, invoke: Invoke, engine: FakeEngine) -> None:
    """[S4] [S5] [U2] What is written by hand stands in the very next prompt."""
    assert data_of(invoke("self", "--json"))["identity"]["text"] == first_text(Portrait.IDENTITY)
    assert "as it was shipped" in invoke("self").stdout
    done = data_of(invoke("self", "edit", "persona", "--text", "I speak like a lighthouse.", "--json"))
    assert done == {"section": "persona", "text": "I speak like a lighthouse.", "changed": True}
    assert invoke("self", "edit", "family", "--text", "A sister, Anna.").exit_code == 0
    assert invoke("self", "edit", "inner_state", "--text", "The garden.").exit_code == 0
    assert invoke("say", "Good morning").exit_code == 0
    messages = engine.received[-1]["messages"]
    assert "I speak like a lighthouse." in messages[0]["content"]
    assert "A sister, Anna." in messages[0]["content"]
    assert "The garden." in messages[-1]["content"]
    shown = invoke("self").stdout
    assert "by your hand" in shown
    assert "family: A sister, Anna." in shown
    versions = data_of(invoke("persona", "--all", "--json"))
    assert [one["shipped"] for one in versions] == [True, False]
    assert "I speak like a lighthouse." in invoke("persona", "--all").stdout
    assert invoke("self", "show", "working_memory").exit_code == 0
    assert data_of(invoke("self", "show", "human", "--json"))["fields"]["family"]["set"] == "A sister, Anna."


def test_a_section_is_edited_in_the_persons_editor(
    lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """[U2] $EDITOR is opened with what stands; left as it was, nothing changes."""
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nsed -i "s/plainly/rarely/" "$1"\n', encoding="utf-8")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    assert data_of(invoke("self", "edit", "persona", "--json"))["text"].startswith(
        "I speak rarely and warmly"
    )
    assert "Nothing was changed" in invoke("self", "edit", "persona").stderr
    monkeypatch.setenv("EDITOR", os.fspath(tmp_path / "no-such-editor"))
    done = invoke("self", "edit", "persona")
    assert done.exit_code == 2
    assert "--text" in done.stderr


def test_what_is_too_long_is_refused_with_its_size(lived: Home, invoke: Invoke) -> None:
    """[W2] The user's too; what stood before stands."""
    done = invoke("self", "edit", "identity", "--text", "I am everything. " * 200)
    assert done.exit_code == 2
    assert "200 is the most" in done.stderr
    assert data_of(invoke("self", "show", "identity", "--json"))["shipped"]


def test_goals_have_handles(lived: Home, invoke: Invoke) -> None:
    """[S6] Opened, closed with a reason, named by the beginning of the handle."""
    (goal,) = data_of(invoke("goals", "--open", "Learn to play the cello", "--json"))
    assert "Learn to play the cello" in invoke("goals").stdout
    closed = data_of(
        invoke("goals", goal["handle"][:4], "--state", "completed", "--reason", "It works", "--json")
    )
    assert [(one["state"], one["reason"]) for one in closed] == [("completed", "It works")]
    for arguments, code in (
        (("goals", "#zz", "--state", "completed"), 3),
        (("goals", goal["handle"], "--state", "won"), 2),
        (("goals", "--state", "completed"), 2),
        (("goals", goal["handle"], "--text", " "), 2),
        (("goals", goal["handle"], "--reason", "So it is"), 2),
        (("goals", "--open", ""), 2),
    ):
        assert invoke(*arguments).exit_code == code
    worded = data_of(invoke("goals", goal["handle"], "--text", "Learn the cello", "--json"))
    assert [(one["state"], one["text"]) for one in worded] == [("completed", "Learn the cello")]


def test_what_is_asked_in_part_is_not_done_in_silence(lived: Home, invoke: Invoke) -> None:
    """[U1] An empty handle from a script, a note without a change, two changes at once: said, and nothing done."""
    for arguments in (
        ("preferences", "--retire", ""),
        ("preferences", "--add", ""),
        ("human", "--remove", ""),
        ("human", "--trait", ""),
        ("human", "--note", "Sold them"),
        ("observations", "--note", "That was one week."),
        ("observations", "3fa", "--revise", "Mornings", "--retire"),
        ("reflections", "--limit", "100000000000000000000"),
    ):
        assert invoke(*arguments).exit_code in (2, 3), arguments


def test_the_person_is_known_and_corrects(lived: Home, invoke: Invoke) -> None:
    """[S5] [S7] [L3] Traits, interests and preferences by hand; what is taken out leaves a scar."""
    invoke("human", "--interest", "old film cameras")
    assert "old film cameras" in invoke("human").stdout
    data = data_of(invoke("human", "--remove", "old film cameras", "--note", "Sold them", "--json"))
    assert data["interests"] == []
    assert data["most"] == 320
    assert "Sold them" in invoke("growth").stdout
    (said,) = data_of(invoke("preferences", "--add", "No emojis", "--json"))
    assert "No emojis" in invoke("preferences").stdout
    assert data_of(invoke("preferences", "--retire", said["handle"], "--json")) == []


def test_what_it_was_on_a_day(lived: Home, invoke: Invoke) -> None:
    """[C10] Before it was born there is nothing; today it is what it is; nonsense is no day."""
    invoke("self", "edit", "persona", "--text", "I hum.")
    assert data_of(invoke("as-of", "today", "--json"))["persona"]["text"] == "I hum."
    assert "I hum." in invoke("as-of", "today").stdout
    for word in ("1999-01-01", "someday", "tomorrow", "9999-12-31", "0001-01-01"):
        assert invoke("as-of", word).exit_code == 2


def test_what_is_held_in_mind_is_dropped(lived: Home, invoke: Invoke) -> None:
    """[S1] [U2] By its handle, with a reason that stays; then the list says that nothing is held."""
    handle = hold_in_mind("Ask how the dentist went")
    assert handle in invoke("self", "working_memory").stdout
    assert "Ask how the dentist went" in invoke("self", "drop", handle[:4], "--note", "It went well").stdout
    assert "Nothing is held in mind now." in invoke("self", "working_memory").stderr
    assert "It went well" in invoke("activity").stdout
    assert invoke("self", "drop", handle).exit_code == 3


def test_a_promise_whose_day_is_over_is_overdue(lived: Home, invoke: Invoke) -> None:
    """[S6] Open and late is told from open; one that was kept is not late."""
    companion = open_companion(load())
    late, kept, ahead = (
        companion.ledger.append(Draft(PromiseMade(text, Hand.USER, due), Actor.USER, Trust.USER)).id
        for text, due in (
            ("Send it", "2020-01-01T00:00:00+00:00"),
            ("Write it", "2020-01-01T00:00:00+00:00"),
            ("Print it", "2999-01-01T00:00:00+00:00"),
        )
    )
    companion.upkeep.catch_up()
    companion.self_model.goals.change(handle_of(kept), GoalState.COMPLETED, user=True)
    companion.close()
    stand = {one["id"]: (one["state"], one["overdue"]) for one in data_of(invoke("goals", "--json"))}
    assert stand == {late: ("active", True), kept: ("completed", False), ahead: ("active", False)}
    shown = {line.split()[0]: line.split()[1] for line in invoke("goals").stdout.splitlines()[1:]}
    assert [shown[handle_of(one)] for one in (late, kept, ahead)] == ["overdue", "completed", "active"]
    assert "overdue" in invoke("self").stdout
    assert "overdue" not in invoke("as-of", "today").stdout


def test_no_editor_is_told_with_the_option_that_the_command_has(
    lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """[U1] The way out exists."""
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", os.fspath(tmp_path / "no-such-editor"))
    for arguments, option in ((("profile", "edit"), "--set"), (("self", "edit", "persona"), "--text")):
        done = invoke(*arguments)
        assert done.exit_code == 2
        assert f"or use {option}" in done.stderr
        assert option in invoke(*arguments, "--help").stdout


def test_what_it_had_learned_on_a_day(lived: Home, invoke: Invoke) -> None:
    """[C10] [L2] Rules and skills stand in the day as the other parts do; before they were learned they do not."""
    told = data_of(invoke("as-of", "today", "--json"))
    assert (told["rules"], told["skills"]) == ([], [])
    assert "inferred" not in invoke("as-of", "today").stdout
    pattern = Pattern(Aspect.SHORTER, Trigger.CODE)
    formed = SkillFormed(pattern, "Brevity", ("Write the command.",), (Criterion.NOT_CORRECTED,))
    companion = open_companion(load())
    for body in (RuleWorded(pattern, "Code first."), formed):
        companion.ledger.append(Draft(body, Actor.USER, Trust.USER))
    companion.close()
    told = data_of(invoke("as-of", "today", "--json"))
    assert [rule["text"] for rule in told["rules"]] == ["Code first."]
    assert [skill["steps"] for skill in told["skills"]] == [["Write the command."]]
    shown = invoke("as-of", "today").stdout
    assert "Code first." in shown
    assert "Write the command." in shown


def test_why_names_the_sections(lived: Home, invoke: Invoke) -> None:
    """[W6] The evidence of a turn names the parts of the self that stood in it."""
    invoke("self", "edit", "persona", "--text", "I hum.")
    assert invoke("say", "Hello again").exit_code == 0
    shown = invoke("why").stdout
    assert "byte for byte" in shown
    assert "I hum." in shown


def test_who_you_are_is_said_in_one_go(lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch) -> None:
    """[S5] `profile edit` sets several fields, or none where one of them is wrong; the editor takes them as a card."""
    done = data_of(
        invoke("profile", "edit", "--set", "work=I am a nurse.", "--set", "family=Anna.", "--json")
    )
    assert done["fields"]["work"]["set"] == "I am a nurse."
    for wrong in ("shoe=42", "work", f"matters={'word ' * 2000}"):
        refused = invoke("profile", "edit", "--set", "family=Nobody.", "--set", wrong)
        assert refused.exit_code == 2
        assert len(refused.stderr.strip().splitlines()) <= 3
    assert "Anna." in invoke("self", "human").stdout
    monkeypatch.setattr(
        "innerlife.cli.commands.profile.edited",
        lambda text, _: text.replace("work: I am a nurse.", "work: I am a nurse\nat night.").replace(
            "Anna.", ""
        ),
    )
    shown = invoke("profile", "edit").stdout
    assert "I am a nurse at night." in shown
    assert "Anna" not in shown


def test_a_card_keeps_what_was_set_in_several_lines(
    lived: Home, invoke: Invoke, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[S5] Lines that look like ours, or like another field's, are part of the text."""
    text = "Anna, my sister.\n# Since 2019: Lisbon\nwork: we never speak of it"
    invoke("self", "edit", "family", "--text", text)
    monkeypatch.setattr(
        "innerlife.cli.commands.profile.edited", lambda card, _: card.replace("name:", "name: Jo")
    )
    fields = data_of(invoke("profile", "edit", "--json"))["fields"]
    assert fields["name"]["set"] == "Jo"
    assert fields["family"]["set"] == text
    assert fields["work"]["set"] == ""


def test_a_reflection_is_asked_for_and_shown(lived: Home, invoke: Invoke, engine: FakeEngine) -> None:
    """[F1] [F9] Where no model is fit, what was found by rule is told; there is nothing left to think about then."""
    told = data_of(invoke("reflect", "--json"))
    assert told
    assert all(one["model_free"] and one["read"] and one["left"] for one in told)
    again = invoke("reflect")
    assert "nothing new" in again.stderr
    assert data_of(invoke("reflections", "--sort", "quick", "--json"))[0]["id"] == told[0]["id"]
    both = invoke("reflect", "--self", "--intentions")
    assert both.exit_code == 2
