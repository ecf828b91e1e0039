"""The guard in an answer's way: a sentence that announces a feeling, or speaks of the machinery, never arrives.

A frame waits only while some of its text does (`affect.guard.text`); then it leaves with its own bytes, or without the
sentence. If nothing of an answer would be left, its end is held, the model is asked once more, and the second answer
goes into the same stream; if nothing is left of that either, one plain sentence does (promises A4, A9).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from innerlife.affect.guard.language import neutral
from innerlife.affect.guard.lifting import passing
from innerlife.affect.guard.rules import Passes
from innerlife.affect.guard.runs import Fate, Run, applied
from innerlife.affect.guard.text import GuardedText
from innerlife.affect.guard.whole import guarded
from innerlife.conversations.quoting import PartKind, parts
from innerlife.membrane import clients
from innerlife.membrane.fiction import is_fiction
from innerlife.membrane.turn import Speaker, TurnRequest
from innerlife.proxy.wire.call import Awaited, Format
from innerlife.proxy.wire.frame import Frame
from innerlife.proxy.wire.rewriting import number_of, rewritten

ONCE_MORE: Final = (
    "(Answer what I said. Write no sentence about how I seem, sound or feel, and none about notes, records or a memory"
    " that you have.)"
)
"""Stands behind the user's words when a model is asked again; the client never sees it, and nothing of it is kept."""


def guard_for(awaited: Awaited) -> Guard | None:
    """The guard of one answer; None for fiction and where the answer is to be data."""
    request, opened = awaited.request, awaited.opened
    fiction = request.fiction or (opened.fiction if opened is not None else is_fiction(request))
    if fiction or awaited.structured:
        return None
    return Guard(awaited.form, passing(partial(own_words, request)))


def own_words(request: TurnRequest) -> str:
    """The user's newest message without what they quote in it, and without what their program put around it."""
    texts = (said.text for said in reversed(request.messages) if said.speaker is Speaker.USER)
    newest = clients.own_words(next(texts, ""))
    return "".join(newest[part.start : part.end] for part in parts(newest) if part.kind is PartKind.OWN)


@dataclass(slots=True)
class _Waiting:
    """A frame with text of which so many characters are not decided."""

    frame: Frame
    undecided: int
    kept: list[str] = field(default_factory=list)
    at: int = 0

    def take(self, length: int, fate: Fate) -> int:
        """Take its share of a decision; returns how many characters that was."""
        share = min(length, self.undecided)
        self.kept.append(applied(self.frame.content[self.at : self.at + share], fate))
        self.at += share
        self.undecided -= share
        return share

    @property
    def only_space(self) -> bool:
        """Whether words of it may leave, and nothing is undecided but the space behind them."""
        return _says_something("".join(self.kept)) and self.frame.content[self.at :].isspace()

    def take_rest(self) -> int:
        """Let what is undecided stay; returns how many characters that was."""
        return self.take(self.undecided, Fate.LEAVES)


@dataclass(slots=True)
class Guard:
    """The guard of one answer: a `Stage` that may ask for a second answer. `form` is the client's."""

    form: Format
    passes: Passes
    _text: GuardedText | None = None
    _queue: deque[_Waiting] = field(default_factory=deque)
    _ends: list[Frame] = field(default_factory=list)
    _template: Frame | None = None
    _last: bytes = b""
    _dropped: str = ""
    _left: bool = False
    _calls: bool = False
    _over: bool = False
    _second: list[str] = field(default_factory=list)
    _pending: str = ""
    _inserted: int = 0
    _ahead: int = 0

    @property
    def bereft(self) -> bool:
        """Whether the answer is over and nothing of it is left: it waits for the words of another one."""
        return self._over and bool(self._ends)

    def __call__(self, frame: Frame) -> list[Frame]:
        """The frames to send now in place of `frame`.

        The end of an answer of which nothing is left is held; a call of a tool, or an error, is something.
        """
        self._calls = self._calls or bool(frame.tools)
        out = self._taken(frame) if frame.content else []
        ends = frame.closes or frame.final
        if ends or frame.error:
            out += self._closed()
        self._over = self._over or frame.final
        nothing = self._dropped and not (self._left or self._calls or frame.error)
        if nothing and (self._ends or ends):
            self._ends += out if frame.content else [*out, frame]
            return []
        out = [*self._released(), *out]
        if not frame.content:
            out.append(self._told_again(frame) if ends else frame)
        self._last = out[-1].raw if out else self._last
        return out

    def rest(self) -> list[Frame]:
        """What waits, where an answer broke off."""
        return [*self._released(), *self._closed()]

    def again(self, words: str) -> list[Frame]:
        """Words of the second answer, as frames of this one."""
        if self._text is None:
            self._text = GuardedText(self.passes)
        self._pending += words
        return self._spoken(self._text.feed(words))

    def over(self) -> list[Frame]:
        """The end of the second answer: what it lacks, and the end that was held."""
        out = self._spoken(self._text.end()) if self._text is not None else []
        self._text = None
        if not _says_something("".join(self._second)):
            out += self._said(neutral(self._dropped))
        ends, self._ends = self._ends, []
        return out + [self._with_second(frame, place) for place, frame in enumerate(ends, 1)]

    def _taken(self, frame: Frame) -> list[Frame]:
        if self._text is None:
            self._text = GuardedText(self.passes)
        self._queue.append(_Waiting(frame, len(frame.content)))
        return self._decided(self._text.feed(frame.content))

    def _closed(self) -> list[Frame]:
        """A text is over: what waits of it is decided."""
        if self._text is None:
            return []
        text, self._text = self._text, None
        out = self._decided(text.end())
        if text.dropped:
            self._dropped = text.dropped[-1].language
        return out

    def _decided(self, runs: Iterable[Run]) -> list[Frame]:
        out: list[Frame] = []
        for length, fate in runs:
            gone = min(length, self._ahead)
            self._ahead -= gone
            left = length - gone
            while left:
                waiting = self._queue[0]
                left -= waiting.take(left, fate)
                if not waiting.undecided:
                    out.append(self._leaves())
        if self._queue and self._queue[0].only_space:
            # Words do not wait for the space behind them: it goes with them, whatever is decided of it.
            self._ahead += self._queue[0].take_rest()
            out.append(self._leaves())
        return out

    def _leaves(self) -> Frame:
        """The first frame that waited, of which all is decided."""
        waited = self._queue.popleft()
        return self._rebuilt(waited.frame, "".join(waited.kept))

    def _rebuilt(self, frame: Frame, kept: str) -> Frame:
        """A frame with what is left of its text; one that is the whole of an answer stays until all is known."""
        self._left = self._left or _says_something(kept)
        if not frame.final:
            self._template = self._template or frame
        elif self._template is None and not (self._left or self._calls):
            return frame
        if kept == frame.content:
            return frame

        def tell(text: str) -> str:
            # Of several texts, as the blocks of a whole message are, each is looked at by itself.
            return kept if text == frame.content else self._guarded(text)

        return replace(frame, raw=rewritten(self.form, frame.raw, tell), content=kept)

    def _told_again(self, frame: Frame) -> Frame:
        """A frame that may repeat a text as a whole."""
        return replace(frame, raw=rewritten(self.form, frame.raw, self._guarded))

    def _guarded(self, text: str) -> str:
        return guarded(text, self.passes)[0]

    def _released(self) -> list[Frame]:
        ends, self._ends = self._ends, []
        return [frame if frame.content else self._told_again(frame) for frame in ends]

    def _spoken(self, runs: Iterable[Run]) -> list[Frame]:
        kept = ""
        for length, fate in runs:
            kept += applied(self._pending[:length], fate)
            self._pending = self._pending[length:]
        return self._said(kept) if kept else []

    def _said(self, words: str) -> list[Frame]:
        """Words of the second answer in a frame like those of the first; kept for its end where there was none."""
        self._second.append(words)
        if self._template is None:
            return []
        self._inserted += 1
        raw = rewritten(self.form, self._template.raw, lambda _: words, self._number(self._inserted))
        return [replace(self._template, raw=raw, content=words)]

    def _number(self, after: int) -> int | None:
        number = number_of(self._last)
        return None if number is None else number + after

    def _with_second(self, frame: Frame, place: int) -> Frame:
        """A frame of the end that was held, with the second answer where the first stood."""
        words = "".join(self._second)
        untold = [words]

        def tell(text: str) -> str:
            if not text.strip():
                return text
            return untold.pop() if untold else ""

        number = self._number(self._inserted + place) if self._inserted else None
        raw = rewritten(self.form, frame.raw, tell, number)
        return replace(frame, raw=raw, content=words if frame.content else "")


def _says_something(text: str) -> bool:
    return any(character.isalnum() for character in text)
