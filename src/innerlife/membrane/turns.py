"""The turn itself: recorded, remembered for, and its answer recorded (design §8)."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import datetime

from innerlife.conversations.recording import Arriving, Handle, Recording
from innerlife.errors import CauseGone, InnerlifeError
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.clients import Purpose, purpose
from innerlife.membrane.fiction import is_fiction
from innerlife.membrane.giving import NOTHING, Gift, Given, Giving, Pending
from innerlife.membrane.remember import Remember
from innerlife.membrane.turn import Answer, Opened, Plan, Standing, TurnRequest
from innerlife.ports import Clock
from innerlife.workspace.block import Workspace

__all__ = ["Given", "Turns"]

_log = logging.getLogger(__name__)


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
        self._clock = clock
        self._giving = Giving(ledger, remember, given, clock, handle)

    @property
    def context_failures(self) -> int:
        """How many records for `why` could not be written since the start."""
        return self._giving.failures

    def begin(self, request: TurnRequest) -> Plan:
        """Record what is new and say what to add. Durable on return; storage trouble is told, never raised."""
        kind = purpose(request)
        if kind in (Purpose.SIDE_TASK, Purpose.UNTOUCHED):
            return Plan(Standing.PASSTHROUGH)
        with self._ledger.courtesy.beginning():
            return self._begun(request, kind)

    def _begun(self, request: TurnRequest, kind: Purpose) -> Plan:
        now = self._clock.now()
        request = replace(request, fiction=request.fiction or is_fiction(request))
        pending = self._giving.begin(request, now)
        opened, unrecorded = None, "a temporary chat"
        if kind is Purpose.CHAT:
            opened, unrecorded = self._open(request)
        if opened is not None and opened.fiction and not request.fiction:
            # The conversation began as a story: nothing of the user's life goes into it.
            request = replace(request, fiction=True)
            pending.found.cancel()
            pending = self._giving.begin(request, now)
        if opened is None and not unrecorded:
            return Plan(Standing.PASSTHROUGH)
        gift = self._gift(request, opened, pending, now)
        plan = Plan(
            Standing.OK,
            "",
            gift.sent.stable,
            gift.sent.block,
            gift.kept,
            stands=self._giving.standing(pending),
        )
        if opened is not None:
            plan = replace(plan, opened=replace(opened, shown=gift.shown))
        if unrecorded:
            return replace(plan, standing=Standing.UNRECORDED, why=unrecorded)
        return replace(plan, standing=Standing.DEGRADED, why=gift.degraded) if gift.degraded else plan

    def preview(self, message: str, window: int | None = None) -> Workspace:
        """Exactly what the model would receive with this message in a new chat (promise W7). Records nothing."""
        return self._giving.preview(message, window)

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
        self._giving.close()

    def _gift(self, request: TurnRequest, opened: Opened | None, pending: Pending, now: datetime) -> Gift:
        try:
            return self._giving.give(request, opened, pending, now)
        # The message is recorded: whatever is wrong with what is added, its answer has to be recorded too.
        except Exception as error:  # noqa: BLE001
            _log.warning("nothing could be added to a turn: %s", type(error).__name__)
            return Gift(NOTHING, (), (), "what is remembered could not be put together")

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
