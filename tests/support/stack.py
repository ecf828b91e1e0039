"""The rooms on the ground floor put together as `bootstrap` does, without recall and without a model."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from filelock import FileLock

from innerlife.adapters.sqlite.keys import Method
from innerlife.adapters.sqlite.opening import LOCK, OpenCore, open_core
from innerlife.adapters.sqlite.stores import BlobStore, CorePages, RuntimeViews
from innerlife.conversations import events as conversation_events
from innerlife.conversations.later import later_answers, pieces
from innerlife.conversations.reading import Conversations
from innerlife.conversations.recording import Recording
from innerlife.conversations.view import ConversationsView, words
from innerlife.ledger.envelope import Event
from innerlife.ledger.forget import Forgetting, Store
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.registry import Registry
from innerlife.ledger.upkeep import Upkeep
from innerlife.ledger.views import View
from innerlife.membrane import events as membrane_events
from innerlife.ports import Clock
from innerlife.selfmodel import events as selfmodel_events
from tests.support.client import without_wrapper
from tests.support.clock import FixedClock

KINDS = (*conversation_events.KINDS, *membrane_events.KINDS, *selfmodel_events.KINDS)


@dataclass
class Stack:
    """One open Core with its use-cases."""

    opened: OpenCore
    clock: Clock
    ledger: Ledger
    projector: Projector
    upkeep: Upkeep
    recording: Recording
    conversations: Conversations
    forgetting: Forgetting

    @property
    def key(self) -> bytes:
        """The raw key of both databases."""
        return self.opened.keys.database

    def close(self) -> None:
        """Close the databases."""
        self.upkeep.stop()
        self.opened.close()

    def texts(self) -> list[str]:
        """Every text that the views serve, the newest conversation first."""
        served = self.conversations
        return [m.text for c in served.newest(1000) for m in served.messages(c.id)]


def open_stack(
    folder: Path,
    *,
    config: Path | None = None,
    clock: Clock | None = None,
    method: Method = "file",
    passphrase: str | None = None,
    slice_size: int = 500,
    views: Sequence[View] | None = None,
) -> Stack:
    """Open the Core in `folder`; its key lies beside it unless `config` says where."""
    clock = clock or FixedClock()
    opened = open_core(
        folder, config or folder.parent / f"{folder.name}.config", method, passphrase, clock.now
    )
    try:
        return _assemble(opened, clock, slice_size, views or [ConversationsView()])
    except BaseException:
        opened.close()
        raise


@contextlib.contextmanager
def opened_stack(folder: Path, slice_size: int = 500) -> Iterator[Stack]:
    """Open, and close when the block ends."""
    stack = open_stack(folder, slice_size=slice_size)
    try:
        yield stack
    finally:
        stack.close()


def alone(folder: Path) -> FileLock:
    """The lock of a Core's folder, as `bootstrap` takes it."""
    return FileLock(folder / LOCK, timeout=20)


def uses_words(shown: Event, answer: Event) -> bool:
    """Stands in for recall's detector: an answer uses what shares a long word with it."""
    return bool(_long_words(shown) & _long_words(answer))


def _long_words(event: Event) -> set[str]:
    return {word.strip(".,!?").lower() for word in words(event).split() if len(word) >= 7}


def _assemble(opened: OpenCore, clock: Clock, slice_size: int, views: Sequence[View]) -> Stack:
    ledger = Ledger(opened.core, Registry(KINDS), clock)
    projector = Projector(ledger, opened.runtime, views, slice_size)
    upkeep = Upkeep(ledger, opened.runtime, projector, partial(alone, opened.folder))
    key = opened.keys.database
    stores: list[Store] = [
        CorePages(opened.core, key),
        RuntimeViews(opened.runtime, projector, upkeep, key),
        BlobStore(opened.blobs, opened.core.citations),
    ]
    forgetting = Forgetting(
        ledger,
        stores,
        clock,
        records=membrane_events.RECORDS,
        implied=[partial(later_answers, ledger), partial(pieces, ledger)],
        uses=uses_words,
    )
    recording = Recording(ledger, opened.blobs, opened.handle, clock, without_wrapper)
    conversations = Conversations(opened.runtime)
    stack = Stack(opened, clock, ledger, projector, upkeep, recording, conversations, forgetting)
    forgetting.acknowledge_pending()
    return stack


StackMaker = Callable[..., Stack]
