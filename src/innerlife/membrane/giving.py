"""What a turn is given: what comes to mind, put into layers, with the blocks of earlier turns left in place."""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TookTooLong
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache

from innerlife.conversations.branch import leading_to, places
from innerlife.conversations.recording import Handle
from innerlife.errors import CauseGone, InnerlifeError, StorageFailed
from innerlife.kernel.text import normalised
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.membrane.clients import own_words
from innerlife.membrane.events import ContextShown
from innerlife.membrane.mood import Attending
from innerlife.membrane.remember import Recollection, Remember
from innerlife.membrane.sent import Blocks, Sent, left_in_place
from innerlife.membrane.turn import Opened, Speaker, TurnRequest
from innerlife.ports import Clock
from innerlife.workspace.block import Workspace, assemble
from innerlife.workspace.inputs import Origin, TurnInputs, Written
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.record import record_of
from innerlife.workspace.shipped import ShippedTexts
from innerlife.workspace.tokens import rough_tokens

_log = logging.getLogger(__name__)

RECALL_SECONDS = 0.5
"""How long an answer waits for memory before it goes on without: far above any recall measured, short for a person."""

_SAID = 3
"""Messages of the user by which it is told what kind of request the newest is."""

NOTHING = Sent("", "", 0, ())
"""What a turn is given when nothing can be put together."""

_LET_PASS_S = 0.02
"""How long the record of a turn waits for others that begin, at most: some are written in between at any load."""

Near = Callable[[], Mapping[int, float]]
"""What is near to what is said, by seq; asked for as late as can be, since it is waited for."""


@dataclass(frozen=True)
class Given:
    """What every turn of a Core is given, whoever speaks."""

    texts: ShippedTexts
    origin: Callable[[], tuple[str, date]]
    policy: WorkspacePolicy
    present: Callable[[datetime, Near, Sequence[str]], tuple[Written, ...]] = lambda _now, _near, _said: ()
    """What is written about the companion and the person, by what is near to what is said, and by the user's last
    messages in their own words. Raises StorageFailed."""
    attending: Attending | None = None
    """Reads how a message is said, and chooses how to answer; None where nobody does."""


@dataclass(frozen=True, slots=True)
class Pending:
    """What is coming to mind, and the epoch before anything of the turn was read: None where it could not be read."""

    epoch: int | None
    found: Future[Recollection]


@dataclass(frozen=True, slots=True)
class Gift:
    """What is added to one request. `shown` are the seqs of everything remembered that the model can read in it."""

    sent: Sent
    kept: tuple[tuple[int, str], ...]
    shown: tuple[int, ...]
    degraded: str


@dataclass(frozen=True, slots=True)
class _Elder:
    """An earlier message of the user, its place in the request, and what was sent with it."""

    index: int
    sent: Sent | None


class Giving:
    """Use-case: decide what a turn is given. Safe to use from any thread."""

    def __init__(
        self, ledger: Ledger, remember: Remember, given: Given, clock: Clock, handle: Handle
    ) -> None:
        self._ledger = ledger
        self._remember = remember
        self._given = given
        self._clock = clock
        self._handle = handle
        self._beside = ThreadPoolExecutor(4, thread_name_prefix="recall")
        self._after = ThreadPoolExecutor(1, thread_name_prefix="context")
        self._blocks = Blocks(ledger, given.texts, given.origin)
        self.failures = 0
        """How many records for `why` could not be written since the start."""

    def begin(self, request: TurnRequest, now: datetime) -> Pending:
        """Start remembering beside whatever else is to be done."""
        return Pending(self._epoch(), self._beside.submit(self._come_to_mind, request, now))

    def give(self, request: TurnRequest, opened: Opened | None, pending: Pending, now: datetime) -> Gift:
        """What to add to the request. Never raises for storage trouble: it is told in `degraded`."""
        degraded = ""
        try:
            elders = self._elders(request, opened)
            sent = self._blocks.at_hand(opened.user_seq) if opened else None
        except StorageFailed as error:
            elders, sent, degraded = [], None, error.message
        if sent is None:
            sent, missing = self._new(request, opened, pending, now, elders)
            degraded = degraded or missing
        before = [elder.sent for elder in elders]
        stay = 0 if sent.drops else _back_to_last_drop(before)
        kept = tuple((e.index, e.sent.block) for e in elders[:stay] if e.sent is not None and e.sent.block)
        shown = {seq for e in elders[:stay] if e.sent is not None for seq in e.sent.shown} | set(sent.shown)
        return Gift(sent, kept, tuple(sorted(shown)), degraded)

    def standing(self, pending: Pending) -> Callable[[], bool]:
        """Whether nothing was forgotten since that turn began; says so when it is called."""

        def stands() -> bool:
            return pending.epoch is not None and self._epoch() == pending.epoch

        return stands

    def preview(self, message: str, window: int | None) -> Workspace:
        """What a first message would be given; nothing is recorded. Raises StorageFailed."""
        now = self._clock.now()
        recollection = self._remember(message, now)
        taken = rough_tokens(message)
        written = self._given.present(now, lambda: dict(recollection.near), (message,))
        if self._given.attending is not None:
            written += self._given.attending.foresee(own_words(message), now)
        inputs = self._inputs(now, secrets.token_hex(4), window, taken)
        return assemble(replace(inputs, remembered=recollection.items, written=written), self._given.policy)

    def close(self) -> None:
        """Wait for what is still being written."""
        self._beside.shutdown()
        self._after.shutdown()

    # --- inside ---------------------------------------------------------------------------------------------------

    def _epoch(self) -> int | None:
        try:
            return self._ledger.epoch()
        except StorageFailed:
            return None

    def _come_to_mind(self, request: TurnRequest, now: datetime) -> Recollection:
        said = next((m for m in reversed(request.messages) if m.speaker is Speaker.USER), None)
        if said is None or request.fiction:
            return Recollection(())
        history = {normalised(m.text) for m in request.messages}
        history.add(normalised(words := own_words(said.text)))
        return self._remember(words, now, history)

    def _elders(self, request: TurnRequest, opened: Opened | None) -> list[_Elder]:
        """The user's earlier messages in the request that are recorded, newest first."""
        said = [(i, m.text) for i, m in enumerate(request.messages) if m.speaker is Speaker.USER]
        if opened is None or len(said) < 2:
            return []
        branch = leading_to(self._ledger, opened.conversation, opened.user_seq)
        placed = places(branch, [(index, own_words(text)) for index, text in said[-1 - len(branch) : -1]])
        return [_Elder(placed[e.seq], self._blocks.of(e)) for e in branch if e.seq in placed]

    def _new(
        self,
        request: TurnRequest,
        opened: Opened | None,
        pending: Pending,
        now: datetime,
        elders: Sequence[_Elder],
    ) -> tuple[Sent, str]:
        """(What this message is given for the first time, what was missing)."""
        policy, window = self._given.policy, request.window
        before = [elder.sent for elder in elders]
        own = sum(rough_tokens(m.text) for m in request.messages) + request.tools_size // 3
        stay = _back_to_last_drop(before)
        resting = sum(sent.tokens for sent in before[:stay] if sent is not None)
        # Where the window is full, what was left in place goes before the new block has to shrink.
        crowded = policy.block_budget(window, own + resting) < policy.block_budget(window, own)
        attended = self._attend(request, opened, now)
        nonce = self._handle(f"nonce:{opened.user_id}")[:8] if opened else secrets.token_hex(4)
        inputs = self._inputs(now, nonce, window, own if crowded else own + resting)
        recalled = cache(lambda: self._awaited(pending))
        # Memory takes longest: whatever else there is to read is read meanwhile.
        written, untold = self._present(request, now, lambda: dict(recalled()[0].near))
        recollection, epoch = recalled()
        manner, unread = self._chosen(attended)
        written, untold = written + manner, untold or unread
        epoch = None if untold else epoch
        inputs = replace(inputs, remembered=recollection.items, written=written)
        workspace = assemble(inputs, policy)
        stay, drops = left_in_place(before, workspace.block_tokens, policy.kept_budget(window))
        if crowded and stay:
            stay, drops = 0, True
        shown = tuple(sorted({seq for s in workspace.sections for line in s.lines for seq in line.sources}))
        sent = Sent(workspace.stable, workspace.block, workspace.block_tokens, shown, drops)
        if opened is not None:
            if epoch is not None:
                self._blocks.keep(epoch, opened.user_seq, sent)
            self._after.submit(self._record, opened, workspace, inputs, sent, stay).add_done_callback(
                self._noted
            )
        degraded = recollection.degraded or untold
        return sent, degraded or ("the model's window is too small" if workspace.overfull else "")

    def _awaited(self, pending: Pending) -> tuple[Recollection, int | None]:
        """(What came to mind, the epoch under which it may be kept: None when it is not whole)."""
        try:
            recollection = pending.found.result(RECALL_SECONDS)
        except TookTooLong:
            pending.found.cancel()
            return Recollection((), "recall took too long"), None
        except InnerlifeError as error:
            return Recollection((), error.message), None
        return recollection, None if recollection.degraded else pending.epoch

    def _present(self, request: TurnRequest, now: datetime, near: Near) -> tuple[tuple[Written, ...], str]:
        """(What is written about the companion and the person, what was missing of it)."""
        if request.fiction:
            # Nothing of the user's life goes into a story.
            return (), ""
        try:
            said = [own_words(m.text) for m in request.messages if m.speaker is Speaker.USER]
            return self._given.present(now, near, said[-_SAID:]), ""
        except StorageFailed as error:
            return (), error.message

    def _attend(
        self, request: TurnRequest, opened: Opened | None, now: datetime
    ) -> Future[tuple[Written, ...]] | None:
        """Start attending to how it is said, while memory is searched; never in a story or a temporary chat."""
        if self._given.attending is None or opened is None or request.fiction:
            return None
        return self._beside.submit(self._given.attending.attend, opened.user_seq, now)

    def _chosen(self, attended: Future[tuple[Written, ...]] | None) -> tuple[tuple[Written, ...], str]:
        """(The manner for this turn, what was missing of it)."""
        if attended is None:
            return (), ""
        try:
            return attended.result(RECALL_SECONDS), ""
        except TookTooLong:
            attended.cancel()
            return (), "choosing a manner took too long"
        except InnerlifeError as error:
            return (), error.message

    def _inputs(self, now: datetime, nonce: str, window: int | None, taken: int) -> TurnInputs:
        """What a prompt is made of, but for what is remembered and written."""
        origin, zone = Origin(*self._given.origin()), self._clock.zone()
        return TurnInputs(self._given.texts, origin, (), now, nonce, zone, window, taken=taken)

    def _noted(self, written: Future[None]) -> None:
        # The turn itself is recorded or told as unrecorded; only its explanation is missing, and is counted.
        if not written.cancelled() and (error := written.exception()) is not None:
            self.failures += 1
            _log.warning("the record of what a turn was given could not be written: %s", type(error).__name__)

    def _record(
        self, opened: Opened, workspace: Workspace, inputs: TurnInputs, sent: Sent, kept: int
    ) -> None:
        self._ledger.courtesy.let_pass(_LET_PASS_S)
        record = record_of(workspace, inputs, self._given.policy)
        shown = (Cause(seq, Role.SHOWN) for seq in sent.shown if seq != opened.user_seq)
        draft = Draft(
            ContextShown(record.to_json(), kept, sent.drops),
            Actor.SYSTEM,
            Trust.COMPANION,
            causes=(Cause(opened.user_seq, Role.FROM), *shown),
            stream=opened.conversation,
        )
        # Where something shown was forgotten meanwhile, the record of it goes too.
        with suppress(CauseGone):
            self._ledger.append(draft)


def _back_to_last_drop(before: Sequence[Sent | None]) -> int:
    """How many turns stay that no later one has dropped, newest first."""
    for back, sent in enumerate(before, 1):
        if sent is not None and sent.drops:
            return back
    return len(before)
