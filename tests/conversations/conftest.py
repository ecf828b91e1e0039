"""Recording over a ledger in memory: fast, and held to the same contract as the real one."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from itertools import count

import pytest

from innerlife.conversations.events import COMPANION, TOOL, USER
from innerlife.conversations.recording import Recording
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.registry import Registry
from tests.support.client import ChatClient, without_wrapper
from tests.support.clock import FixedClock
from tests.support.memory import MemoryStore
from tests.support.stack import KINDS


class DictionaryBlobs:
    """Blobs in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, bytes] = {}

    def put(self, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        self.kept[name] = data
        return name

    def get(self, name: str) -> bytes:
        return self.kept[name]


@dataclass
class Record:
    """A ledger in memory with its recording, and looks at what was recorded."""

    store: MemoryStore = field(default_factory=MemoryStore)
    clock: FixedClock = field(default_factory=FixedClock)
    blobs: DictionaryBlobs = field(default_factory=DictionaryBlobs)

    def __post_init__(self) -> None:
        self.ledger = Ledger(self.store, Registry(KINDS), self.clock)
        self.recording = Recording(
            self.ledger, self.blobs, lambda t: hashlib.sha256(t.encode("utf-8", "surrogatepass")).hexdigest(),
            self.clock, without_wrapper,
        )  # fmt: skip
        self._names = (f"chat-{number}" for number in count())

    def client(self, chat: str = "") -> ChatClient:
        return ChatClient(self.recording, chat)

    def events(self, stream: str = "") -> list[Event]:
        every = self.ledger.read(0, 10_000, {USER, COMPANION, TOOL})
        return [e for e in every if not stream or e.stream == stream]

    def said(self, stream: str = "") -> list[str]:
        return [e.body.text for e in self.events(stream) if e.kind == USER]

    def streams(self) -> list[str]:
        return list(dict.fromkeys(e.stream for e in self.events()))


@pytest.fixture
def record() -> Record:
    return Record()
