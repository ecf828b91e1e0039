"""The tools of the self-model: their forms, their replies, and calls that are wrong, repeated or at once."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.errors import BadInput
from innerlife.selfmodel.events import Portrait
from innerlife.selfmodel.first import first_text
from innerlife.selfmodel.shipped import protocol
from innerlife.selfmodel.tool_calls import reply
from innerlife.selfmodel.tools import NAMES, definitions, read_call
from innerlife.settings import Settings
from tests.selfmodel.conftest import Room


def test_the_tools_are_defined_once() -> None:
    """[S9] Six, each with a description and a schema that is plain JSON."""
    tools = definitions()
    assert tuple(tool.name for tool in tools) == NAMES
    assert set(NAMES) == {
        "get_self_model", "update_self_model", "update_user_model", "update_human_memory", "add_insight", "reflect",
    }  # fmt: skip
    for tool in tools:
        assert tool.description
        assert tool.parameters["type"] == "object"
        assert '"title"' not in json.dumps(tool.parameters)
    assert len(json.dumps([tool.parameters for tool in tools])) < 4_000


def test_they_are_off_until_asked_for() -> None:
    """[S9] For all profiles, or for one."""
    assert not Settings().selfmodel.tools_for("default")
    chosen = Settings.model_validate({"selfmodel": {"profiles": {"work": True}}}).selfmodel
    assert chosen.tools_for("work")
    assert not chosen.tools_for("default")


def test_the_protocol_says_how_to_keep_it() -> None:
    """[S14] With the one sentence on accuracy, word for word."""
    text = protocol()
    assert "Accuracy over flattery — record what is true, not what pleases." in text
    for word in ("brief", "finished", "60 days", "A mood is not a trait", "note"):
        assert word in text


def test_replies_say_the_change_and_the_size(room: Room) -> None:
    """[S9] [S11] Only what changed, and how much of the room is used."""
    (seq,) = room.say("My sister Anna lives in Lisbon")
    said = reply(
        room.self_model, "update_human_memory", {"field": "family", "text": "A sister, Anna."}, [seq]
    )
    assert said.splitlines()[0] == "Added: A sister, Anna."
    assert "of 320 tokens" in said
    said = reply(room.self_model, "update_human_memory", {"field": "family", "text": "A sister, Anna"}, [seq])
    assert said == "That is known already. Nothing was changed."
    said = reply(
        room.self_model, "update_self_model", {"goals": [{"action": "open", "text": "Ask about Anna"}]}, [seq]
    )
    handle = said.split()[1]
    assert said == f"Open: {handle} Ask about Anna"
    done = {"goals": [{"action": "complete", "handle": handle}, {"action": "abandon", "handle": "#nope"}]}
    said = reply(room.self_model, "update_self_model", done, [seq])
    assert said.splitlines()[0] == f"Completed: {handle} Ask about Anna"
    assert "There is no goal '#nope'" in said


def test_a_summary_goes_through_governance(room: Room) -> None:
    """[S9] And the reply says applied, noted or flagged."""
    summary = f"{first_text(Portrait.IDENTITY)} I keep answers short."
    arguments = {"summary": summary, "direction": "shorter"}
    assert reply(room.self_model, "update_self_model", arguments, []).startswith("Noted, not applied.")
    seqs = room.live(
        5, "Please keep your answers short, I read them on the train.", "My garden needs rain. " * 5
    )
    other = {"summary": "Answers short; the garden needs rain.", "direction": "else"}
    assert reply(room.self_model, "update_self_model", other, seqs).startswith("Flagged, not applied.")
    assert reply(room.self_model, "update_self_model", arguments, seqs).startswith("Applied")
    long = {"summary": "I listen. " * 200}
    assert "200 is the most" in reply(room.self_model, "update_self_model", long, seqs)
    assert room.self_model.portraits.read(Portrait.IDENTITY).text == summary


def test_the_person_is_merged_and_near_traits_are_asked_about(room: Room) -> None:
    """[S7] [S8] [S14] Add, confirm, remove with a note; what is stale is said."""
    model = room.self_model
    said = reply(model, "update_user_model", {"add_interests": ["old film cameras", "old film posters"]}, [])
    assert "the same twice, or a contradiction?" in said
    assert reply(model, "update_user_model", {"add_interests": ["Old film cameras"]}, []).startswith(
        "Confirmed"
    )
    gone = {"remove": [{"what": "old film posters", "note": " "}, {"what": "chess", "note": "x"}]}
    said = reply(model, "update_user_model", gone, [])
    assert "needs a note" in said
    assert "There is no trait or interest 'chess'" in said
    room.clock.move(timedelta(days=61))
    assert reply(model, "get_self_model", "", []).count("unconfirmed for long") == 2


def test_an_insight_twice_is_shown_back(room: Room) -> None:
    """[S8] With the handle to revise it by."""
    model = room.self_model
    first = reply(model, "add_insight", {"text": "They calm down when they cook"}, [])
    handle = first.split()[1]
    said = reply(model, "add_insight", {"text": "They calm down when they bake"}, [])
    assert said.startswith(f"There is {handle} already")
    revision = {"text": "They calm down when they bake", "revises": handle, "note": "It is baking."}
    assert reply(model, "add_insight", revision, []) == f"Revised: {handle} They calm down when they bake"
    assert reply(model, "reflect", {}, [], lambda: "soon") == "soon"


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("forget_all", "{}", "There is no tool"),
        ("add_insight", "{", "not JSON"),
        ("add_insight", "[]", "not right"),
        ("add_insight", "{}", "text is not right"),
        ("add_insight", '{"text": 7}', "text is not right"),
        ("add_insight", '{"text": "x", "kind": "mood"}', "kind is not right"),
        ("add_insight", '{"text": ""}', "cannot be empty"),
        ("update_human_memory", '{"field": "soul", "text": "x"}', "field is not right"),
        ("update_self_model", '{"goals": [{"action": "win"}]}', "action is not right"),
        ("update_self_model", '{"identity": "x"}', "identity is not right"),
        ("update_self_model", "{}", "nothing was changed"),
        ("update_user_model", '{"add_traits": ["a","b","c","d","e","f"]}', "add_traits is not right"),
    ],
)
def test_a_wrong_call_changes_nothing_and_says_why(room: Room, name: str, arguments: str, said: str) -> None:
    """[S9] In words for the model, never an error."""
    before = room.stack.ledger.count()
    assert said in reply(room.self_model, name, arguments, [])
    assert room.stack.ledger.count() == before


@given(st.sampled_from(NAMES), st.text(max_size=60))
def test_any_arguments_are_read_or_refused(name: str, arguments: str) -> None:
    """[S9] Whatever a model sends."""
    try:
        call = read_call(name, arguments)
    except BadInput:
        return
    assert type(call).__name__.lower() == name.replace("_", "")


def test_calls_twice_and_at_once(room: Room) -> None:
    """[S9] A call that comes again, or beside itself, leaves one thing; different ones are all kept."""
    calls: list[tuple[str, dict[str, Any]]] = []
    for number in range(4):
        calls += [("add_insight", {"text": f"Entirely unlike {number}{number}{number}"})] * 3
        calls += [("update_self_model", {"goals": [{"action": "open", "text": f"Goal {number}"}]})] * 3
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda call: reply(room.self_model, call[0], call[1], []), calls))
    for name, arguments in calls:
        reply(room.self_model, name, arguments, [])
    texts = sorted(one.text for one in room.self_model.observations.read())
    assert texts == [f"Entirely unlike {n}{n}{n}" for n in range(4)]
    assert sorted(one.text for one in room.self_model.goals.read()) == [
        "Goal 0",
        "Goal 1",
        "Goal 2",
        "Goal 3",
    ]
