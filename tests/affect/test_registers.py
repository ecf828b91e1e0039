"""Registers: what is measured of them, when it is known, and how two of them differ."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from statistics import median

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.registers import (
    Register,
    Written,
    cliffs_delta,
    differences,
    measures,
    registers_of,
    style_of,
)
from tests.affect.said import POLICY, message

ENOUGH = POLICY.known_from
ASCENDING = st.lists(st.integers(-5, 5), min_size=1, max_size=30).map(
    lambda values: tuple(map(float, sorted(values)))
)


def register(texts: Sequence[str], channel: str = "chat", addressee: str = "") -> Register:
    (found,) = registers_of(Written(channel, addressee, style_of(message(text), POLICY)) for text in texts)
    return found


def of_values(values: Sequence[float], measure: str = "length") -> Register:
    return Register("chat", "", len(values), {measure: tuple(sorted(values))})


def test_a_message_is_measured_as_it_is_written() -> None:
    """[A10] Words, words a sentence, marks and emoji a sentence, capitals, courtesies, forms of address."""
    style = style_of(message("Please come! I'm here, at the gate 🙂. It costs 3.50 today."), POLICY)
    assert style["length"] == 10
    assert style["sentence"] == pytest.approx(10 / 3)
    assert style["exclamations"] == pytest.approx(1 / 3)
    assert style["emoji"] == pytest.approx(1 / 3)
    assert (style["courtesy"], style["full_forms"], style["usted"]) == (1, 0.0, None)
    assert 0 < (style["capitals"] or 0) < 0.2
    assert tuple(style) == measures()


def test_a_message_without_words_is_no_sentence() -> None:
    """[A10] An emoji alone has a length of none, and no length of sentences."""
    style = style_of(message("👍"), POLICY)
    assert (style["length"], style["sentence"], style["emoji"], style["capitals"]) == (0, None, 1, None)


def test_a_long_message_is_measured_by_the_part_that_is_read() -> None:
    """[A10] Its length counts in full, its sentences are as long as those that were read."""
    long = style_of(message("This is a sentence of seven words. " * 300), POLICY)
    assert long["length"] == pytest.approx(2100, rel=0.01)
    assert long["sentence"] == pytest.approx(7, rel=0.05)


def test_each_channel_and_addressee_has_a_register_of_its_own() -> None:
    """[A10] Apart by channel and by what the addressee is called, whether in capitals or not."""
    style = style_of(message("Good morning"), POLICY)
    written = [
        Written("chat", "", style), Written("chat", "", style), Written("proxy", "", style),
        Written("chat", "my boss", style), Written("chat", "My Boss", style), Written("chat", "my boss", style),
        Written("chat", "mi jefa", style),
    ]  # fmt: skip
    found = [(one.channel, one.addressee, one.messages) for one in registers_of(written)]
    assert found == [("chat", "my boss", 3), ("chat", "", 2), ("chat", "mi jefa", 1), ("proxy", "", 1)]


def test_below_the_number_nothing_is_said() -> None:
    """[A10] No median and no difference from too few messages, of a register or of one measure."""
    texts = ["Could you send me the papers?"] * ENOUGH
    other = register(["ok!!!"] * (ENOUGH * 3))
    assert differences(register(texts), other, POLICY)
    few = register(texts[1:])
    assert not few.known(POLICY)
    assert all(few.usual(measure, POLICY) is None for measure in measures())
    assert differences(few, other, POLICY) is None
    assert differences(other, few, POLICY) is None
    one_told = register([*texts, "I'm here"])
    assert one_told.known(POLICY)
    assert one_told.usual("full_forms", POLICY) is None


def test_the_number_is_the_persons_to_set() -> None:
    """[A10] It is the policy's."""
    few = register(["Good morning"] * 5)
    assert few.usual("length", POLICY) is None
    assert few.usual("length", replace(POLICY, known_from=5)) is not None


def test_a_plain_difference_is_told_by_its_direction() -> None:
    """[A10] Shorter, louder and more familiar here than there."""
    casual = [f"I'm here!! don't wait {'!' * (n % 3)}" for n in range(ENOUGH + 10)]
    formal = [
        f"Dear Dr. Smith, I am writing about case {n}. I would be grateful for an answer, please."
        for n in range(30)
    ]
    found = differences(register(casual), register(formal, addressee="Dr. Smith"), POLICY)
    assert found is not None
    deltas = {one.measure: one.delta for one in found}
    assert deltas["length"] == -1
    assert deltas["exclamations"] == 1
    assert deltas["courtesy"] == -1
    assert deltas["full_forms"] == -1
    assert "emoji" not in deltas


def test_odd_messages_move_nothing() -> None:
    """[A10] Median and spread are robust: three letters of a thousand words among thirty short messages."""
    plain = of_values([8.0, 10.0, 12.0] * 10)
    odd = of_values([8.0, 10.0, 12.0] * 10 + [1000.0] * 3)
    assert differences(odd, plain, POLICY) == ()
    usual = odd.usual("length", POLICY)
    assert usual is not None
    assert usual.middle == 10
    assert usual.spread == pytest.approx(2 * 1.4826)


def test_the_same_hand_seldom_differs_from_itself() -> None:
    """[A10] Two registers of messages drawn from one pool: a difference in no more than three of a hundred."""
    draw = random.Random(4)
    styles = [
        style_of(
            message(" ".join(draw.choices(["Well", "I'm", "please", "it is", "here!", "🙂", "no."], k=k))),
            POLICY,
        )
        for k in range(1, 40)
        for _ in range(5)
    ]
    found = 0
    for _ in range(300):
        drawn = draw.sample(styles, 2 * ENOUGH)
        one, other = (
            registers_of(Written("chat", "", style) for style in half)[0]
            for half in (drawn[:ENOUGH], drawn[ENOUGH:])
        )
        found += bool(differences(one, other, POLICY))
    assert found <= 9


@given(ASCENDING, ASCENDING)
def test_delta_is_the_share_of_pairs(one: tuple[float, ...], other: tuple[float, ...]) -> None:
    """[A10] Greater less smaller, counted pair by pair; turned about it is the reverse."""
    pairs = [(a > b) - (a < b) for a in one for b in other]
    assert cliffs_delta(one, other) == pytest.approx(sum(pairs) / len(pairs))
    assert cliffs_delta(other, one) == pytest.approx(-cliffs_delta(one, other))


@given(st.lists(st.text(max_size=60), min_size=1, max_size=40))
def test_a_register_holds_every_message_and_no_word(texts: list[str]) -> None:
    """[A10] Whatever is written is counted; what is kept of it are numbers, and the median is theirs."""
    found = register(texts)
    assert found.messages == len(texts)
    assert len(found.values["length"]) == len(texts)
    usual = found.usual("length", replace(POLICY, known_from=1))
    assert usual is not None
    assert usual.middle == median(found.values["length"])
    assert all(isinstance(value, float) for values in found.values.values() for value in values)
