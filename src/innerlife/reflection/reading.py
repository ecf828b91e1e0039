"""A stage's own reading of how somebody seemed."""

from __future__ import annotations

from dataclasses import replace

from innerlife.affect.events import SignalRead
from innerlife.ledger.envelope import Draft


def own_reading(draft: Draft) -> Draft:
    """The draft without a derivation, for the worker to say whose it is: stage, run, model and numbers.

    A signal is read once in each run of a stage; what the person said of themselves once, whoever reads it.
    """
    mine = isinstance(draft.body, SignalRead)
    return replace(draft, derivation=None, key=None if mine else draft.key)
