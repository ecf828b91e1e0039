"""The whole companion as `bootstrap` puts it together: recall, records of prompts and every view included."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from innerlife import bootstrap
from innerlife.adapters.sqlite.keys import keys_of, read_record, unwrap
from innerlife.adapters.sqlite.pages import contains
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.companion import Companion
from innerlife.conversations.events import CHECKPOINT, COMPANION, USER, Ending
from innerlife.conversations.model import Answer, Opened, Said
from innerlife.ledger.store import Intent
from innerlife.ledger.views import View
from innerlife.membrane.events import CONTEXT
from innerlife.membrane.turn import Standing, TurnRequest
from innerlife.settings import Configured, load
from tests.support.bytes import planted_in
from tests.support.client import assistant, user
from tests.support.clock import FixedClock
from tests.support.counting import CountingView

RARE = ["quartzine", "velociform"]


@pytest.fixture
def configured(tmp_path: Path) -> Configured:
    """A home of its own; no embedding model, so that everything is found by words."""
    environment = {"INNERLIFE_CONFIG": str(tmp_path / "config"), "INNERLIFE_EMBEDDING": "off"}
    return load(home=tmp_path / "home", environment=environment)


@pytest.fixture
def companion(configured: Configured) -> Iterator[Companion]:
    opened = bootstrap.open_companion(configured, clock=FixedClock())
    yield opened
    opened.close()


def turn(companion: Companion, history: list[Said], reply: str) -> Opened:
    """One turn through the membrane, its record for `why` written."""
    plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test"))
    assert plan.opened is not None
    companion.turns.checkpoint(plan.opened, reply[: len(reply) // 2])
    companion.turns.finish(plan.opened, Answer(reply, Ending.COMPLETE, "model"))
    history.append(assistant(reply))
    _wait_for_record(companion, plan.opened)
    companion.upkeep.catch_up()
    return plan.opened


def _wait_for_record(companion: Companion, opened: Opened) -> None:
    """The record for `why` is written beside the turn."""
    for _ in range(500):
        effects = companion.ledger.store.effects([opened.user_seq])
        if any(e.kind == CONTEXT for e in companion.ledger.get([effect.effect for effect in effects])):
            return
        time.sleep(0.02)
    raise AssertionError("no record was written")


def live(companion: Companion) -> tuple[Opened, list[Said]]:
    """A first chat names the word, a second one recalls it, others have nothing to do with it."""
    first = [user("My stone collection holds a quartzine, a velociform one")]
    said = turn(companion, first, "A velociform quartzine is rare.")
    first.append(user("Where does bread come from?"))
    turn(companion, first, "From the bakery around the corner.")
    turn(companion, [user("What does my stone collection hold?")], "It holds a quartzine.")
    turn(companion, [user("How many rivers are there in Austria?")], "Very many indeed.")
    return said, first


def keys_in(configured: Configured, profile: str) -> Any:
    folder = configured.places.profile(profile)
    return keys_of(unwrap(read_record(folder / "core.keys"), configured.places.config))


def tables_of(runtime: SqliteRuntime) -> list[str]:
    with runtime.reading() as rows:
        return [row[0] for row in rows.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]


def unregistered(tables: Iterable[str], views: Sequence[View]) -> list[str]:
    """Tables that no registered view owns: nobody would purge them."""
    own = tuple(f"{view.name}_" for view in views)
    return [
        name for name in tables if name not in {"projection", "sqlite_sequence"} and not name.startswith(own)
    ]


def contents(configured: Configured) -> dict[str, list[tuple[Any, ...]]]:
    """Every ordinary table of the views, row by row."""
    folder = configured.places.profile("default")
    runtime = SqliteRuntime(folder / "runtime.db", keys_in(configured, "default").database)
    try:
        tables = [t for t in tables_of(runtime) if not t.startswith("passages_text") and t != "projection"]
        with runtime.reading() as rows:
            return {t: sorted(map(tuple, rows.execute(f'SELECT * FROM "{t}"'))) for t in tables}
    finally:
        runtime.close()


def test_every_table_belongs_to_a_registered_view(configured: Configured, companion: Companion) -> None:
    """[G3] A table that no view owns would never be purged."""
    live(companion)
    folder = configured.places.profile("default")
    runtime = SqliteRuntime(folder / "runtime.db", keys_in(configured, "default").database)
    tables = tables_of(runtime)
    assert len(tables) > 4
    assert unregistered(tables, bootstrap.views()) == []
    with runtime.writing() as rows:
        CountingView({USER}).create(rows)
    assert unregistered(tables_of(runtime), bootstrap.views()) == ["counting_event"]
    runtime.close()


def test_every_store_says_what_it_holds_and_stops_holding_it(
    configured: Configured, companion: Companion
) -> None:
    """[G3] [G4] A walk over the registered stores and over every file of the home, with a control run before."""
    said, _ = live(companion)
    folder, keys = configured.places.home, keys_in(configured, "default")
    assert set().union(*planted_in(folder, keys, RARE).values()) == set(RARE)
    needles = [word.encode() for word in RARE]
    assert {"the ledger", "the views"} <= companion.forgetting.prove(needles).keys()
    assert companion.remember("quartzine stone collection", FixedClock().now()).items
    cited = [e for e in companion.ledger.newest(50, {CONTEXT}) if said.user_seq in {c.seq for c in e.causes}]
    assert len(cited) >= 2
    reach = companion.forgetting.preview([said.user_seq])
    intent = companion.forgetting.carry_out(reach)
    found = companion.remember("quartzine stone collection", FixedClock().now())
    assert not any(word in item.text for item in found.items for word in RARE)
    purged = contents(configured)
    companion.forgetting.finish(intent)
    assert contents(configured) == purged
    assert planted_in(folder, keys, RARE) == {}
    assert companion.forgetting.prove(needles) == {}
    ids = [event.id for event in reach.events]
    assert planted_in(folder, keys, ids) == {}
    answers = [e.body.text for e in companion.ledger.read(0, 100, {COMPANION})]
    assert answers == ["From the bakery around the corner.", "Very many indeed."]
    kept = {e.id for e in companion.ledger.read(0, 100)}
    for event in companion.ledger.read(0, 100, {CONTEXT}):
        assert not set(ids) & set(str(event.body.record).split("'")), event
        assert {e.id for e in companion.ledger.get([c.seq for c in event.causes])} <= kept


def test_it_does_not_come_back_through_an_open_chat(configured: Configured, companion: Companion) -> None:
    """[G6] The next turn resends all of it; nothing of it is recorded, recalled or kept for a retry."""
    said, history = live(companion)
    companion.forgetting.finish(companion.forgetting.carry_out(companion.forgetting.preview([said.user_seq])))
    history.append(user("What was I telling you about my stone collection?"))
    plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test"))
    assert not any(word in plan.block + plan.stable for word in RARE)
    turn(companion, history, "I would not know.")
    assert planted_in(configured.places.home, keys_in(configured, "default"), RARE) == {}


def test_a_retry_after_a_forgetting_gets_nothing_that_was_kept(companion: Companion) -> None:
    """[G3] The block of a message is kept for its retries, until something is forgotten."""
    said, _ = live(companion)
    ask = TurnRequest((user("Tell me of my stone collection with its quartzine"),), "model", "test")
    first = companion.turns.begin(ask)
    assert "velociform" in first.block
    assert companion.turns.begin(ask).block == first.block
    companion.forgetting.carry_out(companion.forgetting.preview([said.user_seq]))
    assert "velociform" not in companion.turns.begin(ask).block


def test_what_a_crash_left_half_forgotten_is_not_served_by_the_next_start(
    configured: Configured, companion: Companion
) -> None:
    """[G3] The ledger's rows are gone, the views still hold them: opening takes them out."""
    said, _ = live(companion)
    reach = companion.forgetting.preview([said.user_seq])
    companion.ledger.store.forget(lambda: Intent("01K", tuple(reach.why), reach.blobs))
    assert any(word in m.text for word in RARE for m in companion.conversations.messages(said.conversation))
    again = bootstrap.open_companion(configured, clock=FixedClock())
    assert not any(word in m.text for word in RARE for m in again.conversations.messages(said.conversation))
    assert len(again.forgetting.unfinished()) == 1
    assert again.forgetting.resume() == 1
    again.close()
    assert planted_in(configured.places.home, keys_in(configured, "default"), RARE) == {}


def test_words_in_reasoning_calls_and_fiction_are_reached(
    configured: Configured, companion: Companion
) -> None:
    """[G3] An answer that used it only in its reasoning or a tool call goes; so does one in a fiction conversation."""
    history = [user("My stone is a quartzine")]
    said = turn(companion, history, "I see.")
    for reasoning, calls in (("the quartzine again", ""), ("", '[{"name":"find","arguments":"quartzine"}]')):
        history.append(user(f"Go on, please{calls[:1]}"))
        plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test"))
        assert plan.opened is not None
        companion.turns.finish(plan.opened, Answer("Well.", Ending.COMPLETE, "model", reasoning, calls))
        history.append(assistant("Well."))
    history.append(user("And now?"))
    plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test"))
    assert plan.opened is not None
    companion.turns.checkpoint(plan.opened, "Cut off at the quartzine")
    companion.forgetting.finish(companion.forgetting.carry_out(companion.forgetting.preview([said.user_seq])))
    assert planted_in(configured.places.home, keys_in(configured, "default"), RARE) == {}
    assert companion.ledger.count({CHECKPOINT}) == 0


@pytest.mark.parametrize(
    "text",
    [
        "a NUL \0 inside",
        "lone \ud800 surrogate",
        "\u202eright to left",
        "\"'*- AND OR NEAR(",
        "日本語の質問",
        "\ud800",
    ],
)
def test_odd_words_go_through_the_whole_of_a_turn(companion: Companion, text: str) -> None:
    """[C1] Recorded as sent, searched for without an error, in the views when the turn is over."""
    history = [user(text)]
    turn(companion, history, f"You said {text}")
    history.append(user(f"Once more: {text}"))
    plan = companion.turns.begin(TurnRequest(tuple(history), "model\ud800", "test"))
    assert plan.standing is Standing.OK
    assert [e.body.text for e in companion.ledger.read(0, 10, {USER})] == [text, f"Once more: {text}"]
    assert companion.upkeep.trouble == ""
    assert companion.upkeep.behind() <= 2


def test_deleting_the_views_gives_the_same_views(configured: Configured) -> None:
    """[C2] Every table of every view, the index and its counts included; no model is there to be called."""
    companion = bootstrap.open_companion(configured, clock=FixedClock())
    said, _ = live(companion)
    for number in range(30):
        turn(companion, [user(f"Something about number {number}")], f"Number {number} it is.")
    companion.forgetting.carry_out(companion.forgetting.preview([said.user_seq]))
    before = contents(configured)
    companion.close()
    for path in configured.places.profile("default").glob("runtime.db*"):
        path.unlink()
    again = bootstrap.open_companion(configured, clock=FixedClock())
    again.upkeep.catch_up()
    assert contents(configured) == before
    again.upkeep.rebuild()
    assert contents(configured) == before
    again.close()


def test_two_profiles_of_one_household_share_nothing(configured: Configured) -> None:
    """[C8] Neither recall nor history nor any byte of the one is in the other."""
    household = bootstrap.Household(configured)
    ann, ben = household.companion("ann"), household.companion("ben")
    live(ann)
    turn(ben, [user("What does my stone collection hold?")], "I do not know yet.")
    items = ben.remember("quartzine velociform stone collection", FixedClock().now()).items
    assert {item.text for item in items} <= {"What does my stone collection hold?", "I do not know yet."}
    assert ben.ledger.count({USER}) == 1
    assert household.companion("ann") is ann
    household.close()
    for profile, expected in (("ann", set(RARE)), ("ben", set())):
        folder, keys = configured.places.profile(profile), keys_in(configured, profile)
        found = set().union(
            *(contains(p, keys.database, [w.encode() for w in RARE]) for p in folder.glob("*.db"))
        )
        assert {word.decode() for word in found} == expected
    assert configured.places.profiles == ["ann", "ben"]
