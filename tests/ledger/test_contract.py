"""What every ledger store promises: the twin in memory and SQLite alike."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from innerlife.errors import BadInput, CauseGone
from innerlife.kernel.moments import Moment, Precision
from innerlife.ledger.envelope import Actor, Cause, Derivation, Draft, Role, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.registry import Registry
from innerlife.ledger.store import Effect, Intent, LedgerStore
from tests.ledger.notes import KIND, NOTE, Note, draft
from tests.support.clock import FixedClock


@pytest.fixture
def ledger(store: LedgerStore) -> Ledger:
    return Ledger(store, Registry([KIND]), FixedClock())


def test_everything_of_the_envelope_comes_back(ledger: Ledger) -> None:
    """[C1] When it happened and was recorded, zone, precision, actor, trust, derivation, causes, stream, key."""
    first = ledger.append(draft("cause"))
    happened = Moment(datetime(2019, 2, 3, 4, 5, 6, 789, tzinfo=UTC), "Asia/Tokyo", Precision.MONTH)
    derivation = Derivation("stage", "run", "model \ud800", "3", "policy")
    given_draft = Draft(
        Note("lone \udfff and \0"), Actor.OTHER, Trust.WEB, happened, (Cause(first.seq, Role.SHOWN),),
        "key", "stream", "handle", derivation,
    )  # fmt: skip
    appended = ledger.append(given_draft)
    assert appended.seq > first.seq
    [read] = ledger.get([appended.seq])
    assert read == appended
    assert (read.body, read.actor, read.trust) == (Note("lone \udfff and \0"), Actor.OTHER, Trust.WEB)
    assert (read.happened, read.derivation) == (happened, derivation)
    assert (read.key, read.stream, read.handle) == ("key", "stream", "handle")
    assert read.recorded_at == FixedClock().now()
    assert read.caused(Role.SHOWN) == (first.seq,)
    assert first.derivation is None


def test_appends_are_ordered_and_read_in_every_way(ledger: Ledger) -> None:
    events = ledger.append_all([draft(f"n{i}", stream=f"s{i % 2}") for i in range(9)])
    seqs = [e.seq for e in events]
    assert seqs == sorted(seqs)
    assert [e.seq for e in ledger.read()] == seqs
    assert [e.seq for e in ledger.read(seqs[3], 2)] == seqs[4:6]
    assert [e.seq for e in ledger.newest(2)] == seqs[:-3:-1]
    assert ledger.newest(5, {"other"}) == []
    assert [e.seq for e in ledger.newest(2, before=seqs[-1])] == seqs[-2:-4:-1]
    assert ledger.newest(2, before=seqs[0]) == []
    assert [e.seq for e in ledger.by_stream("s1", 2)] == [seqs[7], seqs[5]]
    assert [e.seq for e in ledger.by_stream("s1", 2, before=seqs[5])] == [seqs[3], seqs[1]]
    assert [e.seq for e in ledger.by_stream("s1", 2, {NOTE}, before=seqs[1])] == []
    assert [e.seq for e in ledger.by_handle("h:n4")] == [seqs[4]]
    assert [e.seq for e in ledger.by_id(events[2].id)] == [seqs[2]]
    assert [e.seq for e in ledger.get([seqs[5], seqs[1], 10**9])] == [seqs[1], seqs[5]]
    assert (ledger.head(), ledger.count(), ledger.count({NOTE}), ledger.count({"other"})) == (
        seqs[-1],
        9,
        9,
        0,
    )
    assert ledger.store.count(after=seqs[6]) == 2


def test_a_key_is_used_once(ledger: Ledger) -> None:
    """[C9] Nothing is applied twice: a second append with the same key returns the first event."""
    first = ledger.append(draft("once", key="k"))
    assert ledger.append(draft("other words", key="k")) == first
    batch = ledger.append_all([draft("a", key="k2"), draft("b", key="k2"), draft("c", key="k"), draft("d")])
    assert [e.body.text for e in batch] == ["a", "a", "once", "d"]
    assert ledger.count() == 3
    assert ledger.by_key("k") == first
    assert ledger.by_key("unknown") is None


def test_a_cause_that_is_gone_refuses_the_whole_batch(ledger: Ledger) -> None:
    kept = ledger.append(draft("kept"))
    with pytest.raises(CauseGone):
        ledger.append_all([draft("fine", kept.seq), draft("rests on nothing", kept.seq + 10_000)])
    assert ledger.count() == 1
    following = ledger.append(draft("after", kept.seq))
    assert following.causes == (Cause(kept.seq, Role.FROM),)


def test_what_rests_on_an_event_is_found(ledger: Ledger) -> None:
    one, two = ledger.append_all([draft("1"), draft("2")])
    three = ledger.append(draft("3", one.seq, two.seq, role=Role.TRIGGER))
    assert sorted(ledger.store.effects([one.seq]), key=repr) == [Effect(one.seq, three.seq, Role.TRIGGER)]
    assert len(ledger.store.effects([one.seq, two.seq])) == 2
    assert ledger.store.effects([three.seq]) == []


def test_deleting_takes_events_and_causes_and_raises_the_epoch(ledger: Ledger) -> None:
    """[C1] No method but this one takes an event away."""
    one, two, three = ledger.append_all([draft("1"), draft("2"), draft("3")])
    four = ledger.append(draft("4", one.seq, two.seq))
    before = ledger.epoch()
    intent = Intent("i", (one.seq, three.seq), ())
    assert ledger.store.forget(lambda: intent) == intent
    assert [e.body.text for e in ledger.read()] == ["2", "4"]
    assert ledger.get([four.seq])[0].causes == (Cause(two.seq, Role.FROM),)
    assert ledger.epoch() != before
    assert ledger.store.intents() == [intent]
    ledger.store.scrub()
    ledger.store.drop_intent(intent)
    assert ledger.store.intents() == []


def test_a_seq_is_never_given_twice(ledger: Ledger) -> None:
    one, two = ledger.append_all([draft("1"), draft("2")])
    ledger.store.forget(lambda: Intent("i", (one.seq, two.seq), ()))
    assert ledger.head() == 0
    assert ledger.store.allotted() >= two.seq
    assert ledger.append(draft("3")).seq > two.seq


def test_a_forgetting_that_cannot_be_planned_changes_nothing(ledger: Ledger) -> None:
    ledger.append(draft("1"))
    epoch = ledger.epoch()

    def refuse() -> Intent:
        raise BadInput("Nothing to forget")

    with pytest.raises(BadInput):
        ledger.store.forget(refuse)
    assert (ledger.count(), ledger.epoch(), ledger.store.intents()) == (1, epoch, [])


def test_blobs_go_with_their_last_event(ledger: Ledger) -> None:
    def with_blobs(*names: str) -> int:
        return ledger.append(Draft(Note("x"), Actor.USER, Trust.USER, blobs=names)).seq

    one, two, three = with_blobs("a", "b"), with_blobs("b"), with_blobs("c")
    assert ledger.store.blobs_only_in([one]) == ["a"]
    assert ledger.store.blobs_only_in([one, two]) == ["a", "b"]
    assert ledger.store.blobs_only_in([three, 10**9]) == ["c"]


def test_a_clock_that_goes_backwards_changes_no_order(store: LedgerStore) -> None:
    """[C1] Order is seq, never a clock; not even one before 1970."""
    clock = FixedClock()
    ledger = Ledger(store, Registry([KIND]), clock)
    for hours in (0, -5, 3, -24 * 365 * 60):
        clock.move(timedelta(hours=hours))
        ledger.append(draft(str(hours)))
    events = ledger.read()
    assert [e.body.text for e in events] == ["0", "-5", "3", str(-24 * 365 * 60)]
    assert events[1].recorded_at < events[0].recorded_at
    assert events[3].recorded_at.year < 1970
    assert len({e.id for e in events}) == 4


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(st.characters(codec=None, categories=None), max_size=40))
def test_any_string_survives(ledger: Ledger, text: str) -> None:
    """[C1] Lone surrogates, NUL, unassigned characters: kept unmodified."""
    assert ledger.get([ledger.append(draft("n" + text)).seq])[0].body.text == "n" + text
