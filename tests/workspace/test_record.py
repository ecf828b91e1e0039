"""What a turn received, shown again."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.kernel.canonical import dumps, loads
from innerlife.workspace import (
    Origin,
    Remembered,
    TurnInputs,
    WorkspacePolicy,
    WorkspaceRecord,
    all_layers,
    assemble,
    record_of,
    render_again,
)
from tests.workspace.hostile import HOSTILE
from tests.workspace.material import NOW, ORIGIN, SHIPPED, memory, turn

POLICY = WorkspacePolicy()
GARDEN = tuple(
    memory(n, f"Number {n}: the garden and the fence. " * (n % 9 + 1), score=-n) for n in range(80)
)


def recorded(inputs: TurnInputs, policy: WorkspacePolicy = POLICY) -> WorkspaceRecord:
    return record_of(assemble(inputs, policy), inputs, policy)


def ledger(*items: Remembered) -> dict[str, Remembered]:
    return {item.event_id: item for item in items}


def test_a_past_turn_is_shown_again_byte_for_byte() -> None:
    """[W6] From ids and spans alone the whole context comes back, and it says that it is the same."""
    inputs = turn(*GARDEN, window=8192)
    replay = render_again(recorded(inputs), ledger(*GARDEN).get, SHIPPED, ORIGIN)
    assert (replay.matches, replay.missing, replay.reasons) == (True, (), ())
    assert replay.workspace.block == assemble(inputs, POLICY).block
    assert replay.workspace.stable == assemble(inputs, POLICY).stable
    assert " more." in replay.workspace.block


@given(
    st.lists(st.tuples(st.text(max_size=500), st.floats(allow_nan=True)), max_size=25),
    st.one_of(st.none(), st.integers(600, 9000)),
    st.integers(20, 400),
)
def test_any_turn_is_shown_again(
    texts: list[tuple[str, float]], window: int | None, item_tokens: int
) -> None:
    """[W6] Whatever was remembered, under any numbers and window: what was sent can be shown again."""
    items = tuple(
        memory(n, text, score=score, at=NOW - timedelta(days=n % 7)) for n, (text, score) in enumerate(texts)
    )
    inputs = turn(*items, window=window)
    policy = WorkspacePolicy(item_tokens=item_tokens)
    replay = render_again(recorded(inputs, policy), ledger(*items).get, SHIPPED, ORIGIN)
    assert replay.matches, replay.reasons


def test_hostile_texts_are_shown_again_too() -> None:
    """[W6] [W8] The record of a turn full of hostile texts replays to the same harmless bytes."""
    items = tuple(memory(n, text) for n, text in enumerate(HOSTILE.values()))
    assert render_again(recorded(turn(*items)), ledger(*items).get, SHIPPED, ORIGIN).matches


def test_the_record_survives_json() -> None:
    """[W6] As an event's payload it is plain JSON and reads back equal."""
    record = recorded(turn(*GARDEN, window=8192))
    assert WorkspaceRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
    assert WorkspaceRecord.from_json(loads(dumps(record.to_json()))) == record


def test_the_record_names_what_was_shown_without_its_words() -> None:
    """[W6] Ids, spans, versions, hash, time, digests; not one remembered word, so forgetting stays simple."""
    record = recorded(turn(memory(3, "unmistakable words"), memory(9, "others", speaker="Quentin")))
    text = json.dumps(record.to_json())
    assert record.event_ids() == ("E3", "E9")
    assert "unmistakable" not in text
    assert "Quentin" not in text
    assert {section.layer: section.version for section in record.sections} == {
        layer.name: layer.version for layer in all_layers()
    }
    assert record.now == NOW.isoformat()
    assert [line.spans for line in record.sections[-1].lines] == [((0, 18),), ((0, 6),)]
    assert len(text) < 1_700


def test_an_event_that_is_gone_is_named() -> None:
    """[W6] After a forget the rest is shown, the digest differs, and it is said what is missing."""
    inputs = turn(*GARDEN[:3])
    replay = render_again(recorded(inputs), ledger(*GARDEN[:2]).get, SHIPPED, ORIGIN)
    assert not replay.matches
    assert replay.missing == ("E2",)
    assert replay.reasons == ("1 of the events shown then are gone.",)
    assert "Number 1:" in replay.workspace.block


def test_a_changed_word_is_noticed() -> None:
    """[W6] An event that reads differently now is no silent replacement."""
    inputs = turn(*GARDEN[:3])
    changed = (*GARDEN[:2], replace(GARDEN[2], text="Something else entirely."))
    replay = render_again(recorded(inputs), ledger(*changed).get, SHIPPED, ORIGIN)
    assert not replay.matches
    assert replay.reasons


def test_a_newer_wording_is_named() -> None:
    """[W6] After an update the record says which layer and which shipped text changed."""
    inputs = turn(*GARDEN[:3])
    layers = tuple(replace(layer, version=9) if layer.name == "recalled" else layer for layer in all_layers())
    shipped = replace(SHIPPED, guardrails="Others.", digests=(("guardrails.md", "0"), *SHIPPED.digests[2:]))
    replay = render_again(recorded(inputs), ledger(*GARDEN).get, shipped, ORIGIN, layers)
    assert not replay.matches
    assert "guardrails.md has changed since." in replay.reasons
    assert "The layer recalled is worded differently now." in replay.reasons


def test_another_name_is_noticed() -> None:
    """[W6] The name stands in the text, so another one is a difference."""
    replay = render_again(
        recorded(turn(*GARDEN[:3])), ledger(*GARDEN).get, SHIPPED, Origin("Nour", date(2023, 3, 1))
    )
    assert not replay.matches
    assert replay.reasons == ("An event shown then, or the companion's name, reads differently now.",)


def test_numbers_of_the_past_are_used_again() -> None:
    """[W6] A record made under other numbers, some of them unknown today, is still shown."""
    record = recorded(turn(*GARDEN), WorkspacePolicy(block_tokens=400))
    assert render_again(record, ledger(*GARDEN).get, SHIPPED, ORIGIN).matches
    stranger = replace(record, policy=(*record.policy, ("forgotten_number", 3)))
    assert render_again(stranger, ledger(*GARDEN).get, SHIPPED, ORIGIN).matches


@pytest.mark.parametrize("broken", [{}, {"sections": []}, {"sections": [{}], "shipped": [], "policy": []}])
def test_what_is_no_record_is_refused(broken: dict[str, object]) -> None:
    """[W6] A payload that is no record raises instead of giving an empty context."""
    with pytest.raises((KeyError, TypeError)):
        WorkspaceRecord.from_json(broken)
