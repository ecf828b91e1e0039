"""The turn itself: recorded, remembered for, and its answer recorded (design §8)."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from dataclasses import dataclass, replace
from datetime import date, datetime

from innerlife.conversations.recording import Arriving, Handle, Recording
from innerlife.errors import CauseGone, InnerlifeError, StorageFailed
from innerlife.kernel.text import normalised
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.clients import Purpose, own_words, purpose
from innerlife.membrane.events import ContextShown
from innerlife.membrane.fiction import is_fiction
from innerlife.membrane.remember import Recollection, Remember
from innerlife.membrane.turn import Answer, Opened, Plan, Speaker, Standing, TurnRequest
from innerlife.ports import Clock
from innerlife.workspace.block import Workspace, assemble
from innerlife.workspace.inputs import Origin, TurnInputs
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.record import record_of
from innerlife.workspace.shipped import ShippedTexts

RECALL_SECONDS = 0.5
"""How long an answer waits for memory before it goes on without: far above any recall measured, short for a person."""

_KEPT = 256
"""Blocks kept for tool rounds, retries and regenerations of a message: they get the same bytes again."""


@dataclass(frozen=True)
class Given:
    """What every turn of a Core is given, whoever speaks."""

    texts: ShippedTexts
    origin: Callable[[], tuple[str, date]]
    policy: WorkspacePolicy


class Turns:
    """Use-case: chat turns of one companion. Safe to use from any thread."""

    def __init__(
        self,
        ledger: Ledger,
        recording: Recording,
        remember: Remember,
        given: Given,
        clock: Clock,
        handle: Handle,
    ) -> None:
        self._ledger = ledger
        self._recording = recording
        self._remember = remember
        self._given = given
        self._clock = clock
        self._handle = handle
        self._beside = ThreadPoolExecutor(4, thread_name_prefix="recall")
        self._after = ThreadPoolExecutor(1, thread_name_prefix="context")
        self._kept: OrderedDict[tuple[int, int], tuple[Workspace, tuple[int, ...]]] = OrderedDict()
        self._lock = threading.Lock()
        self.context_failures = 0
        """How many records for `why` could not be written since the start."""

    def begin(self, request: TurnRequest) -> Plan:
        """Record what is new and say what to add. Durable on return; storage trouble is told, never raised."""
        kind = purpose(request)
        if kind in (Purpose.SIDE_TASK, Purpose.UNTOUCHED):
            return Plan(Standing.PASSTHROUGH)
        now = self._clock.now()
        request = replace(request, fiction=request.fiction or is_fiction(request))
        recollection = self._beside.submit(self._recollect, request, now)
        opened, unrecorded = None, "a temporary chat"
        if kind is Purpose.CHAT:
            opened, unrecorded = self._open(request)
        if opened is not None and opened.fiction:
            request = replace(request, fiction=True)
        if opened is None and not unrecorded:
            return Plan(Standing.PASSTHROUGH)
        workspace, shown, degraded = self._workspace(request, opened, recollection, now)
        plan = Plan(Standing.OK, "", workspace.stable, workspace.block)
        if opened is not None:
            plan = replace(plan, opened=replace(opened, shown=shown))
        if unrecorded:
            return replace(plan, standing=Standing.UNRECORDED, why=unrecorded)
        return replace(plan, standing=Standing.DEGRADED, why=degraded) if degraded else plan

    def preview(self, message: str, window: int | None = None) -> Workspace:
        """Exactly what the model would receive with this message in a new chat (promise W7). Records nothing."""
        recollection = self._remember(message, self._clock.now())
        return assemble(
            self._inputs(recollection, self._clock.now(), secrets.token_hex(4), window), self._given.policy
        )

    def checkpoint(self, opened: Opened, text: str, offset: int = 0, model: str = "") -> None:
        """Keep what was written of an answer since `offset`. Raises StorageFailed, CauseGone."""
        self._recording.checkpoint(opened, text, offset, model)

    def finish(self, opened: Opened, answer: Answer) -> None:
        """Record the answer; durable on return. Raises StorageFailed.

        Where something it rests on was forgotten while it was written, it is forgotten with it.
        """
        try:
            self._recording.close(opened, answer)
        except CauseGone:
            return

    def close(self) -> None:
        """Wait for what is still being written."""
        self._beside.shutdown()
        self._after.shutdown()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _open(self, request: TurnRequest) -> tuple[Opened | None, str]:
        """(The recorded message, why nothing was recorded): both empty where there is nothing to record."""
        hints = request.hints
        arriving = Arriving(
            request.messages, request.surface, hints.chat, hints.user_message, request.fiction
        )
        try:
            try:
                return self._recording.open(arriving), ""
            except CauseGone:
                # What it follows was forgotten a moment ago; it finds another place.
                return self._recording.open(arriving), ""
        except InnerlifeError as error:
            return None, error.message

    def _recollect(self, request: TurnRequest, now: datetime) -> tuple[Recollection, int]:
        """(What came to mind, the epoch in which it did)."""
        epoch = self._ledger.epoch()
        return self._come_to_mind(request, now), epoch

    def _come_to_mind(self, request: TurnRequest, now: datetime) -> Recollection:
        said = next((m for m in reversed(request.messages) if m.speaker is Speaker.USER), None)
        if said is None or request.fiction:
            return Recollection(())
        history = {normalised(m.text) for m in request.messages}
        history.add(normalised(words := own_words(said.text)))
        return self._remember(words, now, history)

    def _workspace(
        self,
        request: TurnRequest,
        opened: Opened | None,
        pending: Future[tuple[Recollection, int]],
        now: datetime,
    ) -> tuple[Workspace, tuple[int, ...], str]:
        """(What to add, what of the ledger is in it, what was missing)."""
        try:
            epoch = self._ledger.epoch()
            if opened is not None and (kept := self._kept.get((epoch, opened.user_seq))):
                return (*kept, "")
            recollection, begun = pending.result(RECALL_SECONDS)
            # What came to mind before a forgetting may hold its words: it is not kept for later requests.
            keeps = begun == epoch and not recollection.degraded
            if request.fiction:
                # That the conversation is a story may be known only since its place in it was found.
                recollection = Recollection(())
        except TookTooLong:
            pending.cancel()
            recollection, epoch, keeps = Recollection((), "recall took too long"), 0, False
        except StorageFailed as error:
            recollection, epoch, keeps = Recollection((), error.message), 0, False
        nonce = self._handle(f"nonce:{opened.user_id}")[:8] if opened else secrets.token_hex(4)
        inputs = self._inputs(recollection, now, nonce, request.window)
        workspace = assemble(inputs, self._given.policy)
        shown = tuple(sorted({seq for s in workspace.sections for line in s.lines for seq in line.sources}))
        if opened is not None:
            if keeps:
                self._keep((epoch, opened.user_seq), workspace, shown)
            self._after.submit(self._record, opened, workspace, inputs, shown)
        degraded = recollection.degraded or ("the model's window is too small" if workspace.overfull else "")
        return workspace, shown, degraded

    def _inputs(
        self, recollection: Recollection, now: datetime, nonce: str, window: int | None
    ) -> TurnInputs:
        name, born = self._given.origin()
        return TurnInputs(
            self._given.texts, Origin(name, born), recollection.items, now, nonce, self._clock.zone(), window
        )

    def _keep(self, key: tuple[int, int], workspace: Workspace, shown: tuple[int, ...]) -> None:
        with self._lock:
            self._kept[key] = (workspace, shown)
            # A forgetting raises the epoch: what was kept before it may hold its words.
            for old in [k for k in self._kept if k[0] != key[0]]:
                del self._kept[old]
            while len(self._kept) > _KEPT:
                self._kept.popitem(last=False)

    def _record(
        self, opened: Opened, workspace: Workspace, inputs: TurnInputs, shown: tuple[int, ...]
    ) -> None:
        record = record_of(workspace, inputs, self._given.policy)
        causes = (
            Cause(opened.user_seq, Role.FROM),
            *(Cause(s, Role.SHOWN) for s in shown if s != opened.user_seq),
        )
        draft = Draft(
            ContextShown(record.to_json()),
            Actor.SYSTEM,
            Trust.COMPANION,
            causes=causes,
            stream=opened.conversation,
        )
        try:
            self._ledger.append(draft)
        except CauseGone:
            return
        except InnerlifeError:
            # The turn itself is recorded or told as unrecorded; only its explanation is missing, and is counted.
            self.context_failures += 1
