"""Everything is constructed here, once."""

from __future__ import annotations

import contextlib
import random
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TypeVar

from innerlife.adapters.clock import SystemClock
from innerlife.adapters.files import held
from innerlife.adapters.models.embedders import shelf as shelf_of
from innerlife.adapters.models.upstream import OLLAMA_URL
from innerlife.adapters.sqlite.opening import LOCK, OpenCore, open_core
from innerlife.adapters.sqlite.stores import BlobStore, CorePages, RuntimeViews
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.companion import Companion
from innerlife.conversations import events as conversation_events
from innerlife.conversations import view as conversation_view
from innerlife.conversations.later import later_answers, pieces
from innerlife.conversations.reading import Conversations
from innerlife.conversations.recording import Recording
from innerlife.errors import BadInput, HomeBusy, NotFound
from innerlife.kernel.passage import Passage
from innerlife.learning import events as learning_events
from innerlife.learning.journal import LearningView
from innerlife.learning.policy import LearningPolicy
from innerlife.ledger.envelope import Event
from innerlife.ledger.forget import Forgetting, Store
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.registry import Registry
from innerlife.ledger.upkeep import Upkeep
from innerlife.ledger.views import View
from innerlife.membrane import events as membrane_events
from innerlife.membrane.clients import own_words
from innerlife.membrane.present import Present
from innerlife.membrane.remember import drawing_on, reader_of, remember_by
from innerlife.membrane.selves import desk_of
from innerlife.membrane.taught import taught
from innerlife.membrane.turns import Given, Turns
from innerlife.membrane.why import Why
from innerlife.ports import Clock, Embedder
from innerlife.recall.calibration import Calibration
from innerlife.recall.embeddings import Embeddings, Shelf
from innerlife.recall.policy import RecallPolicy
from innerlife.recall.search import Recall
from innerlife.recall.view import PassagesView
from innerlife.reflection.manner import Manner
from innerlife.reflection.noticing import Noticing
from innerlife.reflection.sources import Sources
from innerlife.reflection.wording import Wording
from innerlife.selfmodel import events as selfmodel_events
from innerlife.selfmodel.journal import SelfModelView
from innerlife.selfmodel.observations import passage as observation_passage
from innerlife.selfmodel.origin import DEFAULT_NAME, Origins, checked_name
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.settings import FILE, Configured, checked_profile, nearest
from innerlife.thinking import events as thinking_events
from innerlife.thinking.calls import Roles
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.runner import Runner
from innerlife.thinking.stage import AnyStage, Opener
from innerlife.thinking.thoughts import Thoughts
from innerlife.thinking.view import QueueView
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped

WORKER_LOCK = "thinking.lock"

ALONE_SECONDS = 120.0
"""How long a rebuild or a forgetting waits for another one in the same home: longer than the slowest allowed."""

P = TypeVar("P")


def registry() -> Registry:
    """Every kind of event of every room."""
    return Registry(
        (
            *conversation_events.KINDS,
            *membrane_events.KINDS,
            *selfmodel_events.KINDS,
            *learning_events.KINDS,
            *thinking_events.KINDS,
        )
    )


STAGES = (Noticing, Wording)
"""Every stage of thinking, a file each in `reflection`: the classes, made with what they may read. One that is named
here is run."""


EXTRACTORS: dict[str, Callable[[Event], Passage | None]] = {
    **dict.fromkeys(conversation_view.SEARCHABLE, conversation_view.passage),
    selfmodel_events.OBSERVATION: observation_passage,
}
"""How each searchable kind is read as a passage. A new kind is searchable by its line here."""


def views() -> list[View]:
    """Every view of every room."""
    return [
        conversation_view.ConversationsView(),
        SelfModelView(),
        LearningView(),
        PassagesView(EXTRACTORS),
        QueueView([Opener(one.name, one.version, one.opens, one.subjects) for one in STAGES]),
    ]


def policy_of(kind: type[P], numbers: dict[str, float], section: str = "") -> P:
    """A policy with the user's numbers over its defaults. Raises BadInput for a name it does not know.

    `section` is where they stand in the settings; the policy's own name, unless given.
    """
    known = sorted(kind.__dataclass_fields__)  # type: ignore[attr-defined]
    for name in numbers:
        if name not in known:
            section = section or kind.__name__.removesuffix("Policy").lower()
            raise BadInput(
                f"There is no setting {section}.{name}; {nearest(name, known)}",
                f"Correct it under [{section}] in {FILE}",
            )
    return replace(kind(), **numbers)  # type: ignore[type-var]


def shelf_for(configured: Configured) -> Shelf | None:
    """The embedding models that the settings name. Raises ModelUnavailable for one that is not installed."""
    settings = configured.settings
    return shelf_of(settings.models.embedding, settings.proxy.upstream or OLLAMA_URL)


def open_companion(
    configured: Configured,
    profile: str | None = None,
    *,
    name: str | None = None,
    clock: Clock | None = None,
    shelf: Shelf | None = None,
) -> Companion:
    """Open a profile's companion, made when there is none; `shelf` holds embedding models that are loaded already.

    Raises BadInput, KeyFailed, CoreCorrupted, CoreTooNew, StorageFailed; then nothing was changed or made.
    """
    settings = configured.settings
    profile = checked_profile(profile or settings.profile)
    clock = clock or SystemClock()
    # What can be wrong with the settings is said before anything is made.
    name = checked_name(name or settings.name or DEFAULT_NAME)
    policy_of(RecallPolicy, settings.recall)
    policy_of(WorkspacePolicy, settings.workspace)
    policy_of(SelfModelPolicy, settings.selfmodel.policy, "selfmodel.policy")
    policy_of(ThinkingPolicy, settings.thinking)
    policy_of(LearningPolicy, settings.learning)
    shelf = shelf or shelf_for(configured)
    opened = open_core(
        configured.places.profile(profile),
        configured.places.config,
        settings.key,
        configured.passphrase,
        clock.now,
    )
    try:
        return _assemble(opened, configured, profile, name, clock, shelf)
    except BaseException:
        opened.close()
        raise


def _assemble(
    opened: OpenCore,
    configured: Configured,
    profile: str,
    name: str,
    clock: Clock,
    shelf: Shelf | None,
) -> Companion:
    settings = configured.settings
    ledger = Ledger(opened.core, registry(), clock)
    origins = _origins(ledger, name, clock)
    embeddings, recall = _memory(opened, policy_of(RecallPolicy, settings.recall), shelf)
    serving = partial(_serving, embeddings)
    desk = desk_of(
        ledger,
        opened.runtime,
        clock,
        policy_of(SelfModelPolicy, settings.selfmodel.policy, "selfmodel.policy"),
        serving,
    )
    sources = Sources(
        ledger,
        opened.runtime,
        desk,
        serving,
        policy_of(LearningPolicy, settings.learning),
        frozenset({membrane_events.CONTEXT}),
    )
    stages: list[AnyStage] = [stage(sources) for stage in STAGES]
    projector = Projector(ledger, opened.runtime, views())
    upkeep = Upkeep(
        ledger,
        opened.runtime,
        projector,
        partial(_alone, opened.folder / LOCK),
        [embeddings.step] if embeddings else [],
    )
    texts = load_shipped()
    remember = remember_by(ledger, recall)
    origin = reader_of(origins)
    manner = Manner(sources)
    present = Present(desk, [partial(taught, manner)])
    given = Given(texts, origin, policy_of(WorkspacePolicy, settings.workspace), present)
    recording = Recording(ledger, opened.blobs, opened.handle, clock, own_words)
    turns = Turns(ledger, recording, remember, given, clock, opened.handle)
    forgetting = _forgetting(opened, ledger, projector, upkeep, clock)
    thinking = policy_of(ThinkingPolicy, settings.thinking)
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
        manner=manner,
        texts=texts,
        upkeep=upkeep,
        embeddings=embeddings,
        thoughts=Thoughts(ledger, opened.runtime, thinking, clock),
        worker=_worker(opened, ledger, stages, thinking, clock),
        warm=recall.warm,
        integrity=opened.core.check,
        close=lambda: _close(upkeep, turns, recall, opened),
        notices=list(opened.notices),
    )
    forgetting.acknowledge_pending()
    return companion


def _origins(ledger: Ledger, name: str, clock: Clock) -> Origins:
    """The origin of a Core, given where it has none."""
    origins = Origins(ledger, lambda: ledger.count({conversation_events.COMPANION}) > 0)
    try:
        origins.read()
    except NotFound:
        origins.give(name, clock.now().date())
    return origins


def _memory(opened: OpenCore, policy: RecallPolicy, shelf: Shelf | None) -> tuple[Embeddings | None, Recall]:
    """What embeds, where there are models, and what searches by it."""
    vectors = SqliteVectors(opened.core)
    if shelf is None:
        return None, Recall(opened.runtime, vectors, None, policy)
    embeddings = Embeddings(opened.runtime, vectors, opened.core, shelf, EXTRACTORS, policy)
    recall = Recall(opened.runtime, vectors, embeddings.serving, policy)
    embeddings.on_change(recall.use)
    return embeddings, recall


def _serving(embeddings: Embeddings | None) -> tuple[Embedder, Calibration | None] | None:
    """The model that measures nearness now, and what its cosines mean where that is known."""
    return (embeddings.serving, embeddings.calibration()) if embeddings else None


def _worker(
    opened: OpenCore, ledger: Ledger, stages: Sequence[AnyStage], policy: ThinkingPolicy, clock: Clock
) -> Callable[[Roles, Gate], Runner]:
    lease = partial(_only_worker, opened.folder / WORKER_LOCK)

    def worker(roles: Roles, gate: Gate) -> Runner:
        return Runner(
            ledger, opened.runtime, stages, roles, gate, policy, clock, draw=random.random, lease=lease
        )

    return worker


def _forgetting(
    opened: OpenCore, ledger: Ledger, projector: Projector, upkeep: Upkeep, clock: Clock
) -> Forgetting:
    key = opened.keys.database
    stores: list[Store] = [
        CorePages(opened.core, key),
        RuntimeViews(opened.runtime, projector, upkeep, key),
        BlobStore(opened.blobs, opened.core.citations),
    ]
    return Forgetting(
        ledger,
        stores,
        clock,
        records=membrane_events.RECORDS,
        implied=[partial(later_answers, ledger), partial(pieces, ledger)],
        uses=drawing_on(opened.runtime),
    )


def _alone(path: Path) -> AbstractContextManager[None]:
    busy = HomeBusy("Another Innerlife is rebuilding or forgetting", "Try again when it is done.")
    return held(path, ALONE_SECONDS, busy)


@contextlib.contextmanager
def _only_worker(path: Path) -> Iterator[bool]:
    """One process thinks for a Core; gives False where another one does."""
    with contextlib.ExitStack() as holding:
        try:
            holding.enter_context(held(path, 0.0, HomeBusy("Another Innerlife thinks for this Core")))
            mine = True
        except HomeBusy:
            mine = False
        yield mine


def _close(upkeep: Upkeep, turns: Turns, recall: Recall, opened: OpenCore) -> None:
    with contextlib.ExitStack() as closing:
        closing.callback(opened.close)
        closing.callback(recall.close)
        closing.callback(turns.close)
        closing.callback(upkeep.stop)


@dataclass
class Household:
    """The companions of one home, each opened once, when it is first asked for; `greet` is told of each one."""

    configured: Configured
    greet: Callable[[Companion], None] = field(default=lambda _: None)

    def __post_init__(self) -> None:
        self._open: dict[str, Companion] = {}
        self._lock = threading.Lock()
        self._opening: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)

    @cached_property
    def shelf(self) -> Shelf | None:
        """The embedding models of this process, each loaded once; every companion uses them."""
        return shelf_for(self.configured)

    @property
    def embedder(self) -> Embedder | None:
        """The one that embeds for other programs."""
        return self.shelf.english if self.shelf else None

    def companion(self, profile: str) -> Companion:
        """The profile's companion, keeping its views up to date. Raises as `open_companion` does."""
        with self._lock:
            opening = self._opening[profile]
        # Opening may take a passphrase's seconds: the other profiles do not wait for it.
        with opening:
            with self._lock:
                if profile in self._open:
                    return self._open[profile]
            companion = open_companion(self.configured, profile, shelf=self.shelf)
            companion.upkeep.start()
            companion.warm()
            self.greet(companion)
            with self._lock:
                self._open[profile] = companion
            return companion

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
