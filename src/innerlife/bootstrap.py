"""Everything is constructed here, once."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cache, partial
from pathlib import Path
from typing import TypeVar

from filelock import FileLock, Timeout

from innerlife.adapters.clock import SystemClock
from innerlife.adapters.models.embedders import choose_embedder
from innerlife.adapters.sqlite.opening import LOCK, OpenCore, open_core
from innerlife.adapters.sqlite.stores import BlobStore, CorePages, RuntimeViews
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.companion import Companion
from innerlife.conversations import events as conversation_events
from innerlife.conversations import view as conversation_view
from innerlife.conversations.later import later_answers, pieces
from innerlife.conversations.reading import Conversations
from innerlife.conversations.recording import Recording
from innerlife.errors import BadInput, HomeBusy, InnerlifeError, NotFound, StorageFailed
from innerlife.kernel.passage import Passage
from innerlife.ledger.envelope import Event
from innerlife.ledger.forget import Forgetting, Store
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.registry import Registry
from innerlife.ledger.upkeep import Upkeep
from innerlife.ledger.views import View
from innerlife.membrane import events as membrane_events
from innerlife.membrane.clients import own_words
from innerlife.membrane.lived import Lived
from innerlife.membrane.present import Present
from innerlife.membrane.remember import Recollection, Remember, hydrate
from innerlife.membrane.turns import Given, Turns
from innerlife.membrane.why import Why
from innerlife.ports import Clock, Embedder, Runtime
from innerlife.recall.backfill import Backfill
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.search import Recall
from innerlife.recall.use import uses
from innerlife.recall.view import PassagesView
from innerlife.selfmodel import events as selfmodel_events
from innerlife.selfmodel.desk import Desk
from innerlife.selfmodel.gates import Gate
from innerlife.selfmodel.journal import SelfModelView
from innerlife.selfmodel.observations import passage as observation_passage
from innerlife.selfmodel.origin import DEFAULT_NAME, Origins
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.probe_pairs import calibrate
from innerlife.selfmodel.rows import words_of
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.settings import Configured, checked_profile
from innerlife.workspace.markup import defused
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped
from innerlife.workspace.tokens import estimate_tokens

ALONE_SECONDS = 120.0
"""How long a rebuild or a forgetting waits for another one in the same home: longer than the slowest allowed."""

P = TypeVar("P")


def registry() -> Registry:
    """Every kind of event of every room."""
    return Registry((*conversation_events.KINDS, *membrane_events.KINDS, *selfmodel_events.KINDS))


EXTRACTORS: dict[str, Callable[[Event], Passage | None]] = {
    **dict.fromkeys(conversation_view.SEARCHABLE, conversation_view.passage),
    selfmodel_events.OBSERVATION: observation_passage,
}
"""How each searchable kind is read as a passage. A new kind is searchable by its line here."""


def views() -> list[View]:
    """Every view of every room."""
    return [conversation_view.ConversationsView(), SelfModelView(), PassagesView(EXTRACTORS)]


def policy_of(kind: type[P], numbers: dict[str, float]) -> P:
    """A policy with the user's numbers over its defaults. Raises BadInput for a name it does not know."""
    try:
        return replace(kind(), **numbers)  # type: ignore[type-var]
    except TypeError:
        known = ", ".join(sorted(kind.__dataclass_fields__))  # type: ignore[attr-defined]
        raise BadInput(f"{kind.__name__} has no such number", f"Known are: {known}.") from None


def open_companion(
    configured: Configured, profile: str | None = None, *, name: str | None = None, clock: Clock | None = None
) -> Companion:
    """Open a profile's companion, made when there is none.

    Raises BadInput, KeyFailed, CoreCorrupted, CoreTooNew, StorageFailed; then nothing was changed.
    """
    settings = configured.settings
    profile = checked_profile(profile or settings.profile)
    clock = clock or SystemClock()
    opened = open_core(
        configured.places.profile(profile),
        configured.places.config,
        settings.key,
        configured.passphrase,
        clock.now,
    )
    try:
        return _assemble(opened, configured, profile, name or settings.name or DEFAULT_NAME, clock)
    except BaseException:
        opened.close()
        raise


def _assemble(opened: OpenCore, configured: Configured, profile: str, name: str, clock: Clock) -> Companion:
    settings = configured.settings
    ledger = Ledger(opened.core, registry(), clock)
    origins = Origins(ledger, lambda: ledger.count({conversation_events.COMPANION}) > 0)
    try:
        origins.read()
    except NotFound:
        origins.give(name, clock.now().date())
    projector = Projector(ledger, opened.runtime, views())
    vectors = SqliteVectors(opened.core)
    embedder = choose_embedder(settings.models.embedding)
    recall = Recall(opened.runtime, vectors, embedder, policy_of(RecallPolicy, settings.recall))
    backfill = Backfill(opened.runtime, vectors, embedder, frozenset(EXTRACTORS)) if embedder else None
    upkeep = Upkeep(
        ledger,
        opened.runtime,
        projector,
        partial(_alone, opened.folder / LOCK),
        [backfill.step] if backfill else [],
    )
    texts = load_shipped()
    remember = _remember(ledger, recall)
    origin = _origin_reader(origins)
    desk = _desk(
        ledger, opened.runtime, clock, embedder, policy_of(SelfModelPolicy, settings.selfmodel.policy)
    )
    given = Given(texts, origin, policy_of(WorkspacePolicy, settings.workspace), Present(desk))
    recording = Recording(ledger, opened.blobs, opened.handle, clock, own_words)
    turns = Turns(ledger, recording, remember, given, clock, opened.handle)
    forgetting = _forgetting(opened, ledger, projector, upkeep, clock)
    companion = Companion(
        profile=profile,
        ledger=ledger,
        turns=turns,
        conversations=Conversations(opened.runtime),
        remember=remember,
        why=Why(ledger, texts, origin),
        forgetting=forgetting,
        origins=origins,
        self_model=SelfModel(desk),
        texts=texts,
        upkeep=upkeep,
        backfill=backfill,
        warm=recall.warm,
        integrity=opened.core.check,
        close=lambda: _close(upkeep, turns, opened),
        notices=list(opened.notices),
    )
    forgetting.acknowledge_pending()
    return companion


def _forgetting(
    opened: OpenCore, ledger: Ledger, projector: Projector, upkeep: Upkeep, clock: Clock
) -> Forgetting:
    key = opened.keys.database
    stores: list[Store] = [
        CorePages(opened.core, key),
        RuntimeViews(opened.runtime, projector, upkeep, key),
        BlobStore(opened.blobs, opened.core.cited_blobs),
    ]
    return Forgetting(
        ledger,
        stores,
        clock,
        records=membrane_events.RECORDS,
        implied=[partial(later_answers, ledger), partial(pieces, ledger)],
        uses=draws_on,
    )


def draws_on(shown: Event, answer: Event) -> bool:
    """Whether an answer draws on something it was shown (for forgetting: rather once too often)."""
    source, target = (conversation_view.words(one) or words_of(one) for one in (shown, answer))
    return bool(source and target) and uses(answer=target, item=source)


def _remember(ledger: Ledger, recall: Recall) -> Remember:
    def remember(words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        if not words.strip():
            return Recollection(())
        found = recall.search(words, now)
        ranked = [(hit.source, hit.score) for hit in found.hits]
        return Recollection(tuple(hydrate(ledger, ranked, except_texts)), found.degraded, tuple(ranked))

    return remember


def _desk(
    ledger: Ledger, runtime: Runtime, clock: Clock, embedder: Embedder | None, policy: SelfModelPolicy
) -> Desk:
    @cache
    def gate() -> Gate:
        return _gate(embedder, policy)

    return Desk(ledger, runtime, clock, policy, prompt_tokens, Lived(ledger, runtime), gate)


def prompt_tokens(text: str) -> int:
    """What a text takes in a prompt, made harmless as it is there."""
    return estimate_tokens(defused(text))


def _gate(embedder: Embedder | None, policy: SelfModelPolicy) -> Gate:
    if embedder is None:
        return Gate()

    def nearness(text: str, others: Sequence[str]) -> Sequence[float]:
        vectors = embedder.embed_passages([text, *others])
        return [float(one @ vectors[0]) for one in vectors[1:]]

    try:
        return Gate(nearness, calibrate(embedder, policy))
    except InnerlifeError:
        # Without its model there is no gate; `doctor` says so.
        return Gate()


def _origin_reader(origins: Origins) -> Callable[[], tuple[str, date]]:
    last = origins.read()

    def read() -> tuple[str, date]:
        nonlocal last
        # A Core that cannot be read for a while is still who it is: a turn goes on, and says what is wrong.
        with contextlib.suppress(StorageFailed):
            last = origins.read()
        return last.name, date.fromisoformat(last.born)

    return read


@contextlib.contextmanager
def _alone(path: Path) -> Iterator[None]:
    try:
        with FileLock(path, timeout=ALONE_SECONDS):
            yield
    except Timeout:
        raise HomeBusy(
            "Another Innerlife is rebuilding or forgetting", "Try again when it is done."
        ) from None


def _close(upkeep: Upkeep, turns: Turns, opened: OpenCore) -> None:
    upkeep.stop()
    turns.close()
    opened.close()


@dataclass
class Household:
    """The companions of one home, each opened once, when it is first asked for."""

    configured: Configured

    def __post_init__(self) -> None:
        self._open: dict[str, Companion] = {}
        self._lock = threading.Lock()

    def companion(self, profile: str) -> Companion:
        """The profile's companion, keeping its views up to date. Raises as `open_companion` does."""
        with self._lock:
            if profile not in self._open:
                companion = open_companion(self.configured, profile)
                companion.upkeep.start()
                companion.warm()
                self._open[profile] = companion
            return self._open[profile]

    def opened(self) -> dict[str, Companion]:
        """Those that are open now."""
        with self._lock:
            return dict(self._open)

    def close(self) -> None:
        """Close them all."""
        with self._lock:
            for companion in self._open.values():
                companion.close()
            self._open.clear()
