"""The events that a reading makes, to be appended by the caller; pure (for turns and for stages of reflection)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from innerlife.affect.cues import Span
from innerlife.affect.events import MannerChosen, SignalRead, StateSaid
from innerlife.affect.journal import about
from innerlife.affect.manner import Guidance
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import Glimpse, signal_of
from innerlife.kernel import canonical
from innerlife.ledger.envelope import Actor, Cause, Derivation, Draft, Event, Role, Trust

GLANCE = "affect.glance"
"""The stage of what is read inside a turn, without a model."""


def glanced(policy: AffectPolicy) -> Derivation:
    """What a glance was decided by."""
    return Derivation(GLANCE, policy=policy.digest)


def grounded(glimpse: Glimpse, words: str) -> Glimpse:
    """What really stands in the person's own words: a span beyond them is no evidence, and neither is an empty one."""
    return replace(
        glimpse,
        cues=tuple(cue for cue in glimpse.cues if cue.span is None or _stands(cue.span, words)),
        statements=tuple(one for one in glimpse.statements if _stands(one.span, words)),
    )


def signal_draft(
    message: Event, glimpse: Glimpse, policy: AffectPolicy, derivation: Derivation
) -> Draft | None:
    """The signal of a message; None where nothing stands out. The same stage and run read a message once."""
    signal = signal_of(glimpse, policy)
    if signal is None:
        return None
    body = SignalRead(signal.affect, signal.confidence, signal.kind, signal.cues)
    return _of(message, body, derivation, [derivation.stage, derivation.run])


def said_drafts(message: Event, glimpse: Glimpse, derivation: Derivation) -> list[Draft]:
    """What the person said of how they are, each statement once, whoever reads it."""
    return [
        _of(message, StateSaid(one.say, one.affect, one.span), derivation, [one.say.value, *one.span])
        for one in sorted(glimpse.statements, key=lambda one: one.span)
    ]


def read_drafts(
    message: Event, words: str, glimpse: Glimpse, policy: AffectPolicy, derivation: Derivation
) -> list[Draft]:
    """Everything that one look at a message records; `words` are the person's own in it, empty where nothing is."""
    if not words.strip():
        return []
    seen = grounded(glimpse, words)
    signal = signal_draft(message, seen, policy, derivation)
    return [*said_drafts(message, seen, derivation), *([signal] if signal else [])]


def manner_draft(message: Event, chosen: Sequence[Guidance], policy: AffectPolicy) -> Draft:
    """The manner chosen for a message, resting on everything behind it."""
    signals = sorted({seq for one in chosen for seq in one.evidence} - {message.seq})
    derivation = Derivation("affect.manner", policy=policy.digest)
    draft = _of(message, MannerChosen(tuple(one.point for one in chosen)), derivation, [])
    return replace(draft, causes=(*draft.causes, *(Cause(seq, Role.FROM) for seq in signals)))


def _stands(span: Span, words: str) -> bool:
    start, end = span
    return 0 <= start < end <= len(words) and bool(words[start:end].strip())


def _of(
    message: Event,
    body: SignalRead | StateSaid | MannerChosen,
    derivation: Derivation,
    once: Sequence[object],
) -> Draft:
    return Draft(
        body,
        Actor.COMPANION,
        Trust.COMPANION,
        happened=message.happened,
        causes=about(message.seq),
        # It goes with the message, so that the digest outlives nothing.
        key=canonical.digest(["affect", type(body).__name__, message.id, *once])[:40],
        stream=message.stream,
        derivation=derivation,
    )
