"""Cues to a signal, and a signal over time."""

from __future__ import annotations

import math
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.cues import Affect, Cue, CueKind
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import DIMENSIONS, Glimpse, cap_of, faded, signal_of, size_of, strain
from tests.affect.made import AFFECTS, CUES, GLAD, HARD, NOW, POLICY, cue, feels

CAPS = {
    CueKind.EXPLICIT: 0.9, CueKind.LINGUISTIC: 0.6, CueKind.BEHAVIOURAL: 0.5, CueKind.CONTEXTUAL: 0.3,
}  # fmt: skip


@pytest.mark.parametrize(("kind", "cap"), CAPS.items())
def test_confidence_is_capped_by_kind(kind: CueKind, cap: float) -> None:
    """[A1] However many and however sure: explicit 0.9, linguistic 0.6, behavioural 0.5, contextual 0.3."""
    many = tuple(cue(kind, confidence=1.0, name=f"sign {number}") for number in range(20))
    found = signal_of(Glimpse(many), AffectPolicy(floor=0.1))
    assert found is not None
    assert found.confidence == pytest.approx(cap)
    assert cap_of(kind, POLICY) == cap


def test_each_sign_weighs_no_more_than_its_kind() -> None:
    """[A1] However sure a weak kind says it is, it does not outweigh a strong one."""
    weak = tuple(cue(CueKind.CONTEXTUAL, Affect(0.9), 1.0, f"sign {number}") for number in range(1))
    found = signal_of(
        Glimpse((*weak, cue(CueKind.EXPLICIT, Affect(None, 0.6)), cue(CueKind.LINGUISTIC, HARD))), POLICY
    )
    assert found is not None
    assert found.affect.valence == pytest.approx((0.3 * 0.9 - 0.6 * 0.7) / 0.9)


def test_context_alone_is_not_even_recorded() -> None:
    """[A1] It adds to what else there is, and is nothing by itself."""
    context = tuple(cue(CueKind.CONTEXTUAL, name=f"sign {number}") for number in range(9))
    assert signal_of(Glimpse(context), POLICY) is None
    weak = cue(CueKind.BEHAVIOURAL, confidence=0.3)
    alone, together = signal_of(Glimpse((weak,)), POLICY), signal_of(Glimpse((weak, *context)), POLICY)
    assert alone is None
    assert together is not None
    assert together.confidence == pytest.approx(0.5)


@given(st.lists(CUES, max_size=12))
def test_a_signal_stays_on_its_scales(cues: list[Cue]) -> None:
    """[A1] Valence, arousal and dominance in [-1, 1], confidence below the cap of its kind; evidence is kept."""
    found = signal_of(Glimpse(tuple(cues)), POLICY)
    if found is None:
        return
    assert 0 < found.confidence <= CAPS[found.kind] + 1e-9
    assert all(-1 <= value <= 1 for pick in DIMENSIONS if (value := pick(found.affect)) is not None)
    assert found.cues
    assert found.kind in {one.kind for one in found.cues}


@given(st.lists(CUES, max_size=8), st.randoms())
def test_the_order_of_cues_plays_no_part(cues: list[Cue], random: st.DataObject) -> None:
    shuffled = list(cues)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    one, other = signal_of(Glimpse(tuple(cues)), POLICY), signal_of(Glimpse(tuple(shuffled)), POLICY)
    assert (one is None) is (other is None)
    if one and other:
        assert one.confidence == pytest.approx(other.confidence)


def test_the_persons_word_alone_counts_in_what_it_names() -> None:
    """[A1] [A5] Exclamation marks do not outvote "I'm worn out"."""
    loud = tuple(cue(CueKind.LINGUISTIC, GLAD, 0.6, f"sign {number}") for number in range(5))
    found = signal_of(Glimpse(loud, (feels(HARD),)), POLICY)
    assert found is not None
    assert found.affect == HARD
    assert found.confidence == pytest.approx(0.9)


def test_a_statement_counts_once_however_it_arrives() -> None:
    """[A1] As a cue and as a statement over the same words it is one."""
    statement = feels(HARD)
    twin = Cue(CueKind.EXPLICIT, "said so", HARD, 0.5, statement.span)
    found = signal_of(Glimpse((twin,), (statement,)), POLICY)
    assert found is not None
    assert len(found.cues) == 1


def test_signs_that_pull_apart_are_believed_less() -> None:
    glad, hard = cue(CueKind.LINGUISTIC, GLAD, 0.5, "a"), cue(CueKind.LINGUISTIC, HARD, 0.5, "b")
    alone = signal_of(Glimpse((hard,)), POLICY)
    assert alone is not None
    assert signal_of(Glimpse((glad, hard)), POLICY) is None


@pytest.mark.parametrize("broken", [math.nan, math.inf, -math.inf])
def test_what_is_no_number_is_no_sign(broken: float) -> None:
    odd = (cue(CueKind.LINGUISTIC, Affect(broken)), cue(CueKind.LINGUISTIC, HARD, broken))
    assert signal_of(Glimpse(odd), POLICY) is None


@given(AFFECTS)
def test_strain_lies_on_its_scale(affect: Affect) -> None:
    found = strain(affect)
    assert found is None or -1 <= found <= 1
    assert size_of(affect) <= 1


def test_harder_where_it_is_unpleasant_stirred_and_overwhelming() -> None:
    plain = strain(Affect(-0.5))
    assert plain == 0.5
    assert (strain(Affect(-0.5, 0.5)) or 0) > plain
    assert (strain(Affect(-0.5, None, -0.5)) or 0) > plain
    assert (strain(Affect(0.5, 0.9)) or 0) == -0.5
    assert strain(Affect(None, 0.9)) is None


@given(st.floats(0.01, 1), st.floats(0, 1000), st.floats(0, 1000))
def test_a_signal_only_fades(confidence: float, first: float, later: float) -> None:
    """[A2] Half after 48 hours, half again after the next; never more than before."""
    policy = AffectPolicy()
    one = faded(confidence, NOW, NOW + timedelta(hours=first), policy)
    two = faded(confidence, NOW, NOW + timedelta(hours=first + later), policy)
    assert two <= one <= confidence
    assert faded(confidence, NOW, NOW + timedelta(hours=48), policy) == pytest.approx(confidence / 2)
    assert faded(confidence, NOW + timedelta(hours=1), NOW, policy) == confidence


def test_the_gravest_statement_is_not_made_lighter_by_what_stands_beside_it() -> None:
    """[A1] "I'm so tired, I want to die", and "thanks, that was lovely, but I want to die"."""
    grave = feels(Affect(-1.0, 0.1, -0.9), 20)
    for other in (HARD, GLAD):
        found = signal_of(Glimpse((), (feels(other), grave)), POLICY)
        assert found is not None
        assert found.affect == grave.affect
        assert found.confidence == pytest.approx(0.9)
        assert len(found.cues) == 2
