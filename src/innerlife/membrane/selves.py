"""The self-model put to work: what it may ask of conversations, embeddings and workspace."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from innerlife.affect.moods import mood_words
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.lived import Lived
from innerlife.ports import Clock, Embedder, Runtime
from innerlife.recall.calibration import Calibration as Measured
from innerlife.selfmodel.desk import Desk
from innerlife.selfmodel.gates import Calibration, Gate
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.workspace.markup import defused
from innerlife.workspace.tokens import estimate_tokens

Serving = Callable[[], tuple[Embedder, Measured | None] | None]
"""The embedding model that serves, and what its cosines mean where that was measured; None where there is no model."""


def desk_of(
    ledger: Ledger, runtime: Runtime, clock: Clock, policy: SelfModelPolicy, serving: Serving
) -> Desk:
    """What the use-cases of the self-model work with."""
    return Desk(
        ledger,
        runtime,
        clock,
        policy,
        prompt_tokens,
        Lived(ledger, runtime),
        lambda: gate_of(serving()),
        mood_in,
    )


def mood_in(text: str, own_words: str, *, dated: bool, mine: bool) -> str:
    """The first word of mood that a text makes something lasting of, empty where it makes nothing of one."""
    found = mood_words(text, own_words, in_first_person=mine)
    fit = found.fit_for_observation if dated else found.fit_for_trait
    return "" if fit else found.words[0]


def prompt_tokens(text: str) -> int:
    """What a text takes in a prompt, made harmless as it is there."""
    return estimate_tokens(defused(text))


def gate_of(serving: tuple[Embedder, Measured | None] | None) -> Gate:
    """The gate against the same thing twice, by the model that serves; open where nothing was measured."""
    embedder, measured = serving or (None, None)
    if embedder is None or measured is None:
        return Gate()

    def nearness(text: str, others: Sequence[str]) -> Sequence[float]:
        vectors = embedder.embed_passages([text, *others])
        return [float(one @ vectors[0]) for one in vectors[1:]]

    return Gate(nearness, Calibration(measured.model, measured.near, measured.same, measured.degenerate))
