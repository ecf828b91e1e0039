"""Who works beside turns lets one that begins go first, for a moment."""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack

import pytest

from innerlife.ledger.courtesy import LINGER_S, Courtesy


def beside(courtesy: Courtesy, most_s: float) -> tuple[threading.Thread, threading.Event]:
    """A thread that lets turns pass, and an event that it sets when it goes on."""
    went_on = threading.Event()

    def work() -> None:
        courtesy.let_pass(most_s)
        went_on.set()

    thread = threading.Thread(target=work)
    thread.start()
    return thread, went_on


def test_where_no_turn_begins_nobody_waits() -> None:
    start = time.monotonic()
    Courtesy().let_pass(10.0)
    assert time.monotonic() - start < 1.0


def test_work_goes_on_when_every_turn_has_begun() -> None:
    courtesy = Courtesy()
    with ExitStack() as first:
        first.enter_context(courtesy.beginning())
        with courtesy.beginning():
            thread, went_on = beside(courtesy, 30.0)
            assert not went_on.wait(0.05)
        assert not went_on.wait(0.05 + LINGER_S)
    assert went_on.wait(10.0)
    thread.join()


def test_a_turn_that_was_just_begun_still_goes_first() -> None:
    """Its request is on the way to the engine then."""
    now = 100.0
    courtesy = Courtesy(lambda: now)
    with courtesy.beginning():
        pass
    thread, went_on = beside(courtesy, 30.0)
    assert not went_on.wait(0.05)
    now += LINGER_S
    assert went_on.wait(10.0)
    thread.join()


def test_a_turn_that_broke_off_holds_nobody_up() -> None:
    courtesy = Courtesy()
    with pytest.raises(RuntimeError), courtesy.beginning():
        raise RuntimeError
    start = time.monotonic()
    courtesy.let_pass(30.0)
    assert time.monotonic() - start < 5.0


def test_under_a_steady_stream_of_turns_work_goes_on_too() -> None:
    courtesy = Courtesy()
    with courtesy.beginning():
        start = time.monotonic()
        courtesy.let_pass(0.05)
        assert 0.05 <= time.monotonic() - start < 5.0
