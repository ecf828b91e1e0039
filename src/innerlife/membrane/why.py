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
from innerlife.membrane.remember import remembered
from innerlife.workspace.inputs import Origin, Remembered
from innerlife.workspace.record import Replay, WorkspaceRecord, render_again
from innerlife.workspace.shipped import ShippedTexts


@dataclass(frozen=True, slots=True)
class Explanation:
    """One turn: what was said, what the model was given with it, and the events that stood behind it."""

    said: Event
    record: WorkspaceRecord
    replay: Replay
    evidence: tuple[Event, ...]


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
        effects = [e.effect for e in self._ledger.store.effects([said.seq]) if e.role is Role.FROM]
        contexts = [e for e in self._ledger.get(effects) if e.kind == CONTEXT]
        if said.kind != USER or not contexts:
            raise NotFound("There is no record of what was shown with this message")
        return self._explain(said, contexts[-1])

    def _explain(self, said: Event, context: Event) -> Explanation:
        body: ContextShown = context.body
        record = WorkspaceRecord.from_json(body.record)
        evidence = self._ledger.get(context.caused(Role.SHOWN))
        by_id = {event.id: event for event in evidence}
        order = {event_id: -float(place) for place, event_id in enumerate(record.event_ids())}

        def lookup(event_id: str) -> Remembered | None:
            event = by_id.get(event_id)
            return None if event is None else remembered(event, order[event_id])

        name, born = self._origin()
        replay = render_again(record, lookup, self._texts, Origin(name, born))
        return Explanation(said, record, replay, tuple(evidence))
