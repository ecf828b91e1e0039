"""The port to language models: one question, one answer, over plain values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final, Literal, Protocol


class ModelRole(StrEnum):
    """What a model is used as; each role names an engine and a model and falls back to the chat's (design §6)."""

    CHAT = "chat"
    ANALYSIS = "analysis"
    REFLECTION = "reflection"
    SYNTHESIS = "synthesis"
    DELEGATE = "delegate"
    AUDIT = "audit"


Speaker = Literal["system", "user", "assistant"]


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a background call."""

    speaker: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class Limits:
    """What one answer may take: tokens written, bytes read (reasoning included), seconds."""

    tokens: int
    bytes: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked. `schema` is a JSON schema for the answer; an engine may not keep to it."""

    model: str
    messages: tuple[Message, ...]
    limits: Limits
    schema: Mapping[str, Any] | None = None


class Finish(StrEnum):
    """Why a model stopped: by itself, at the token limit, cut by us at the byte limit, or with a tool call."""

    STOP = "stop"
    LENGTH = "length"
    CUT = "cut"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, as it came. Token counts are 0 where the engine does not tell them."""

    text: str
    finish: Finish = Finish.STOP
    reasoning: str = ""
    tokens_in: int = 0
    tokens_out: int = 0


@dataclass(frozen=True, slots=True)
class LastChat:
    """A chat's request as it went to the engine: its path and its body.

    Kept in memory only. Its options are repeated by background calls, its text warms the engine's cache again, for as
    long as `usable` says so: nothing of it was forgotten since (the Core's epoch is what it was). May block.
    """

    path: str
    body: Mapping[str, Any] = field(repr=False)
    usable: Callable[[], bool] = field(default=lambda: True, repr=False, compare=False)

    @property
    def model(self) -> str:
        """The model that was asked for, or empty."""
        name = self.body.get("model")
        return name if isinstance(name, str) else ""

    @property
    def wordless(self) -> bool:
        """Whether only its options are left."""
        return not self.body.keys() - _OPTIONS

    def without_words(self) -> LastChat:
        """Its options alone."""
        return replace(self, body={key: self.body[key] for key in _OPTIONS & self.body.keys()})


_OPTIONS: Final = frozenset({"model", "options", "keep_alive"})

LOADING: Final = frozenset(
    {
        "num_ctx", "num_batch", "num_gpu", "main_gpu", "num_thread", "use_mmap", "use_mlock", "numa", "low_vram",
        "vocab_only", "f16_kv", "logits_all",
    }
)  # fmt: skip
"""Ollama's options that a model is loaded with: other values make it load the model anew."""


def loading_options(chat: LastChat | None, model: str) -> dict[str, Any]:
    """The members of an Ollama request that keep `model` loaded as the chat has it; empty where it has not.

    How to sample (temperature, stop words, a bound on the length) is the chat's own affair and is not repeated.
    """
    if chat is None or chat.model != model or not chat.path.startswith("/api/"):
        return {}
    options = chat.body.get("options")
    kept = {k: v for k, v in options.items() if k in LOADING} if isinstance(options, Mapping) else {}
    members: dict[str, Any] = {"options": kept} if kept else {}
    if chat.body.get("keep_alive") is not None:
        members["keep_alive"] = chat.body["keep_alive"]
    return members


class Thinker(Protocol):
    """A language model's engine, as background calls see it. Cancelling a call drops it at once on both sides."""

    async def ask(self, question: Question, chat: LastChat | None = None) -> Reply:
        """One answer. `chat` is the engine's last chat, whose model options are repeated.

        Raises EngineUnavailable (no engine, or it broke off), ModelUnavailable (no such model), ModelFailed (too
        late, or the engine refuses the question).
        """
        ...

    async def warm(self, chat: LastChat) -> None:
        """Let the engine read the chat's prefix again, where background calls pushed it out. Raises as `ask`."""
        ...

    async def rest(self) -> None:
        """There is nothing more to ask for a while: let go of what only background calls need."""
        ...


@dataclass(frozen=True, slots=True)
class Assigned:
    """Who plays a role now. `engine` is the gate's name for it: the same engine as the chat's has the same name."""

    engine: str
    model: str
    thinker: Thinker


class Roles(Protocol):
    """Knows who plays which role."""

    async def assigned(self, role: ModelRole) -> Assigned:
        """Who plays this role now. Raises EngineUnavailable, ModelUnavailable."""
        ...


@dataclass(slots=True)
class Meter:
    """Adds up what the calls of one attempt cost."""

    requests: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def add(self, reply: Reply) -> None:
        """Count an answer; its request was counted when it was sent."""
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
