"""How a companion is put together."""

from __future__ import annotations

import contextlib
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path

from innerlife.adapters.clock import SystemClock
from innerlife.adapters.files import held
from innerlife.adapters.models.embedders import minilm
from innerlife.adapters.models.embedders import shelf as shelf_of
from innerlife.adapters.models.upstream import OLLAMA_URL
from innerlife.adapters.sqlite.opening import LOCK, OpenCore, open_core
from innerlife.adapters.sqlite.stores import BlobStore, CorePages, RuntimeViews
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.affect.heads import shipped as heads
from innerlife.affect.read import prepare as prepare_reading
from innerlife.bootstrap.policies import Policies, policies_of
from innerlife.bootstrap.rooms import EXTRACTORS, RECORDS, mood_of, registry, views
from innerlife.companion import Companion
from innerlife.conversations import events as conversation_events
from innerlife.conversations.later import later_answers, pieces
from innerlife.conversations.reading import Conversations
from innerlife.conversations.recording import Recording
from innerlife.errors import HomeBusy, ModelUnavailable, NotFound, StorageFailed
from innerlife.ledger.forget import Forgetting, Store
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.upkeep import Upkeep
from innerlife.membrane import events as membrane_events
from innerlife.membrane.clients import own_words
from innerlife.membrane.mood import Attending
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
from innerlife.recall.tidying import Tidying
from innerlife.reflection.glance import Glance, Glances
from innerlife.reflection.registers import Registers
from innerlife.reflection.room import Room, room_of
from innerlife.reflection.sources import Serving, Sources
from innerlife.selfmodel.origin import DEFAULT_NAME, Origins, checked_name
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.settings import Configured, checked_profile
from innerlife.thinking.calls import Roles
from innerlife.thinking.gate import Gate
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.runner import Runner
from innerlife.thinking.thoughts import Thoughts
from innerlife.workspace.shipped import load_shipped

WORKER_LOCK = "thinking.lock"

ALONE_SECONDS = 120.0
"""How long a rebuild or a forgetting waits for another one in the same home: longer than the slowest allowed."""


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
    glance: Glance | None = None,
) -> Companion:
    """Open a profile's companion, made when there is none; `shelf` holds embedding models that are loaded already.

    `glance` reads how a message is said, in a turn, in place of the reading that there is.

    Raises BadInput, KeyFailed, CoreCorrupted, CoreTooNew, StorageFailed; then nothing was changed or made.
    """
    settings = configured.settings
    profile = checked_profile(profile or settings.profile)
    clock = clock or SystemClock()
    # What can be wrong with the settings is said before anything is made.
    name = checked_name(name or settings.name or DEFAULT_NAME)
    policies = policies_of(settings)
    shelf = shelf or shelf_for(configured)
    opened = open_core(
        configured.places.profile(profile),
        configured.places.config,
        settings.key,
        configured.passphrase,
        clock.now,
    )
    try:
        return _assemble(opened, policies, profile, name, clock, shelf, glance)
    except BaseException:
        opened.close()
        raise


def _assemble(
    opened: OpenCore,
    policies: Policies,
    profile: str,
    name: str,
    clock: Clock,
    shelf: Shelf | None,
    glance: Glance | None,
) -> Companion:
    ledger = Ledger(opened.core, registry(), clock)
    origins = _origins(ledger, name, clock)
    origin = reader_of(origins)
    embeddings, recall = _memory(opened, policies.recall, shelf)
    sources = _sources(opened, policies, ledger, clock, partial(_serving, embeddings), _english(shelf))
    desk, glances, texts = sources.self_model.desk, sources.glances, sources.texts
    reflecting = room_of(sources)
    projector = Projector(ledger, opened.runtime, views(reflecting.stages))
    alone = partial(_alone, opened.folder / LOCK)
    beside = [*([embeddings.step] if embeddings else []), glances.step, Tidying(opened.runtime).step]
    upkeep = Upkeep(ledger, opened.runtime, projector, alone, beside)
    remember = remember_by(ledger, recall)
    present = Present(desk, [partial(taught, reflecting.helping)])
    given = Given(texts, origin, policies.workspace, present, Attending(sources.mood, glance or glances))
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
        self_model=sources.self_model,
        mood=sources.mood,
        registers=Registers(ledger, policies.affect),
        helping=reflecting.helping,
        reflections=reflecting.reflections,
        texts=texts,
        upkeep=upkeep,
        embeddings=embeddings,
        thoughts=Thoughts(ledger, opened.runtime, policies.thinking, clock, reflecting.stages),
        worker=_worker(opened, ledger, policies.thinking, clock, reflecting),
        warm=partial(_warm, recall, glances),
        integrity=opened.core.check,
        close=lambda: _close(upkeep, turns, recall, glances, opened),
        notices=list(opened.notices),
    )
    forgetting.acknowledge_pending()
    return companion


def _sources(
    opened: OpenCore,
    policies: Policies,
    ledger: Ledger,
    clock: Clock,
    serving: Serving,
    english: Embedder | None,
) -> Sources:
    """What every stage of reflection works with."""
    return Sources(
        ledger=ledger,
        runtime=opened.runtime,
        clock=clock,
        self_model=SelfModel(desk_of(ledger, opened.runtime, clock, policies.selfmodel, serving)),
        mood=mood_of(ledger, opened.runtime, clock, policies.affect),
        glances=Glances(ledger, policies.affect),
        serving=serving,
        english=english,
        texts=load_shipped(),
        reflection=policies.reflection,
        learning=policies.learning,
        records=RECORDS,
    )


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


def _english(shelf: Shelf | None) -> Embedder | None:
    """The model that the tone of English words is read by, loaded when first needed; none where none is wanted."""
    return (shelf.named(heads().embedder) or minilm()) if shelf else None


def _serving(embeddings: Embeddings | None) -> tuple[Embedder, Calibration | None] | None:
    """The model that measures nearness now, and what its cosines mean where that is known."""
    return (embeddings.serving, embeddings.calibration()) if embeddings else None


def _warm(recall: Recall, glances: Glances) -> None:
    """Load what the first turn would wait for, in the background."""

    def prepare() -> None:
        # Damaged weights and trouble with the Core are told where they are met; a turn reads without.
        with contextlib.suppress(ModelUnavailable):
            prepare_reading()
        with contextlib.suppress(StorageFailed):
            glances.catch_up()

    recall.warm()
    threading.Thread(target=prepare, name="reading", daemon=True).start()


def _worker(
    opened: OpenCore, ledger: Ledger, policy: ThinkingPolicy, clock: Clock, reflecting: Room
) -> Callable[[Roles, Gate], Runner]:
    lease = partial(_only_worker, opened.folder / WORKER_LOCK)

    def worker(roles: Roles, gate: Gate) -> Runner:
        return Runner(
            ledger,
            opened.runtime,
            reflecting.stages,
            roles,
            gate,
            policy,
            clock,
            draw=random.random,
            lease=lease,
            timers=reflecting.timers,
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


def _close(upkeep: Upkeep, turns: Turns, recall: Recall, glances: Glances, opened: OpenCore) -> None:
    with contextlib.ExitStack() as closing:
        closing.callback(opened.close)
        closing.callback(glances.close)
        closing.callback(recall.close)
        closing.callback(turns.close)
        closing.callback(upkeep.stop)
