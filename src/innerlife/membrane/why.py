"""Why an answer was as it was: the exact context of a past turn, shown again with its evidence (promise W6)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from innerlife.conversations.events import COMPANION, USER
from innerlife.conversations.view import parent_of
from innerlife.errors import NotFound
from innerlife.ledger.envelope import Event, Role
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.events import CONTEXT, ContextShown
from innerlife.membrane.sent import again, context_of, record_in
from innerlife.workspace.record import Replay, WorkspaceRecord
from innerlife.workspace.shipped import ShippedTexts


@dataclass(frozen=True, slots=True)
class Explanation:
    """One turn: what was said, what the model was given with it, and the events that stood behind it.

    `kept` is how many blocks of earlier turns stood in place in its history.
    """

    said: Event
    record: WorkspaceRecord
    replay: Replay
    evidence: tuple[Event, ...]
    kept: int = 0


class Why:
    """Use-case: explain past turns of one ledger."""

    def __init__(self, ledger: Ledger, texts: ShippedTexts, origin: Callable[[], tuple[str, date]]) -> None:
        self._ledger = ledger
        self._texts = texts
        self._origin = origin

    def last(self) -> Explanation:
        """The newest turn that has a record. Raises NotFound."""
        contexts = self._ledger.newest(1, {CONTEXT})
        if not contexts:
            raise NotFound("No turn has been recorded yet", 'Say something first: `innerlife say "…"`.')
        return self._explain(self._ledger.get(contexts[0].caused(Role.FROM))[0], contexts[0])

    def of(self, message: Event) -> Explanation:
        """The turn that a user message or an answer belongs to. Raises NotFound."""
        said = message
        if message.kind == COMPANION:
            said = next(iter(self._ledger.get([parent_of(message)])), message)
        context = context_of(self._ledger, said.seq)
        if said.kind != USER or context is None:
            raise NotFound("There is no record of what was shown with this message")
        return self._explain(said, context)

    def _explain(self, said: Event, context: Event) -> Explanation:
        body: ContextShown = context.body
        replay, evidence = again(self._ledger, context, self._texts, self._origin())
        return Explanation(said, record_in(context), replay, evidence, body.kept)
