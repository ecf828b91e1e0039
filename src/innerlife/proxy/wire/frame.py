"""A stream is a sequence of frames, each with its original bytes and what was read in them (design §8)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from innerlife.kernel import canonical
from innerlife.membrane.turn import Answer, Ending

LONGEST_FRAME: Final = 16 * 1024 * 1024
"""Bytes without an end of frame after which what came is let go as it is: nothing is held without bound."""

CUT_SHORT: Final = frozenset({
    "length", "max_tokens", "max_output_tokens", "content_filter", "model_context_window_exceeded",
})  # fmt: skip
"""Finish reasons of an answer that the model had not ended."""


@dataclass(frozen=True, slots=True)
class ToolPiece:
    """A tool call, or a part of one: `index` tells which; `arguments` of parts of one call are joined.

    `whole` is the call in the client's own shape, where the format sends calls whole.
    """

    index: int
    name: str = ""
    arguments: str = ""
    call_id: str = ""
    whole: Any = None

    def joined(self, more: ToolPiece) -> ToolPiece:
        """This part and the next one of the same call."""
        arguments = self.arguments + more.arguments
        return ToolPiece(
            self.index, self.name or more.name, arguments, self.call_id or more.call_id, self.whole
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame. `raw` is what goes on the wire; the rest is a reading, empty where nothing could be read.

    `final` says that the client now knows the answer to be over; `finish` is the reason in the format's own
    word; `error` is the sentence of an error that came in the stream; `answer_id` is the answer's own name, where
    clients go on from it by that name. `closes` says that a text ends here, and may be told once more as a whole.
    `choices` are the numbers of answers in it besides the one that is read, where several were asked for.
    """

    raw: bytes
    content: str = ""
    reasoning: str = ""
    tools: tuple[ToolPiece, ...] = ()
    final: bool = False
    finish: str = ""
    error: str = ""
    model: str = ""
    usage: tuple[int, int] | None = None
    answer_id: str = ""
    closes: bool = False
    choices: tuple[int, ...] = ()


Tell = Callable[[str], str]
"""What stands in place of a text."""


def retold(holder: object, key: str, tell: Tell) -> bool:
    """Put one text of a frame's value through `tell`; whether it was one and is another now."""
    text = holder.get(key) if isinstance(holder, dict) else None
    if not isinstance(holder, dict) or not isinstance(text, str):
        return False
    holder[key] = tell(text)
    return bool(holder[key] != text)


class Splitter(Protocol):
    """Cuts a stream of bytes into frames; the frames' bytes, joined, are the stream's."""

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The frames that are complete now."""
        ...

    def rest(self) -> bytes:
        """What is left when the stream has ended."""
        ...


class Stage(Protocol):
    """Something that may hold, drop or rewrite frames on their way to the client.

    Whatever ends an answer arrives as a frame too (`final` or `error`), so a stage that holds frames lets them
    go then. A new stage is made for each answer.
    """

    def __call__(self, frame: Frame) -> Iterable[Frame]:
        """The frames to send now in place of `frame`."""
        ...


@dataclass(slots=True)
class Tally:
    """What a client has seen of an answer so far."""

    model: str = ""
    finish: str = ""
    error: str = ""
    final: bool = False
    answer_id: str = ""
    _content: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _tools: dict[int, ToolPiece] = field(default_factory=dict)

    def add(self, frame: Frame) -> None:
        """Count a frame as seen."""
        if frame.content:
            self._content.append(frame.content)
        if frame.reasoning:
            self._reasoning.append(frame.reasoning)
        for piece in frame.tools:
            # A whole call never merges with another, whatever its place in the frame it came in.
            index = piece.index if piece.whole is None else len(self._tools)
            known = self._tools.get(index)
            self._tools[index] = piece if known is None else known.joined(piece)
        self.model = frame.model or self.model
        self.finish = frame.finish or self.finish
        self.error = frame.error or self.error
        self.answer_id = frame.answer_id or self.answer_id
        self.final = self.final or frame.final

    @property
    def text(self) -> str:
        """The whole text so far."""
        return "".join(self._content)

    @property
    def pieces(self) -> int:
        """How many pieces of text have come; grows whenever the text does."""
        return len(self._content)

    def answer(self, *, broken: bool = False) -> Answer:
        """The answer as seen. `broken` says that it was cut off by something else than its own end."""
        return Answer(
            text=self.text,
            ending=self._ending(broken=broken),
            model=self.model,
            reasoning="".join(self._reasoning),
            tool_calls=_tool_text(self._tools),
            error=self.error,
        )

    def _ending(self, *, broken: bool) -> Ending:
        if broken:
            return Ending.INTERRUPTED
        if self.error:
            return Ending.FAILED
        if not self.final:
            return Ending.INTERRUPTED
        return Ending.TRUNCATED if self.finish in CUT_SHORT else Ending.COMPLETE


def _tool_text(pieces: dict[int, ToolPiece]) -> str:
    """The tool calls as JSON in the client's own shape, so that they equal what it resends; "" for none."""
    if not pieces:
        return ""
    return canonical.dumps(
        [
            piece.whole
            if piece.whole is not None
            else {
                "id": piece.call_id,
                "type": "function",
                "function": {"name": piece.name, "arguments": piece.arguments},
            }
            for _, piece in sorted(pieces.items())
        ]
    )
