"""The other answers of a request that asked for several: each has a guard of its own.

A chat shows the first, and it alone is recorded; a program that asks for more may show any of them. An answer of which
nothing is left is not asked for again: one plain sentence stands in its place (promises A4, A9).
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from functools import partial

from innerlife.affect.guard.lifting import passing
from innerlife.affect.guard.rules import Passes
from innerlife.proxy.guard import Guard, own_words
from innerlife.proxy.wire.call import Awaited, Format
from innerlife.proxy.wire.frame import Frame
from innerlife.proxy.wire.openai import OpenAI
from innerlife.proxy.wire.splitting import event_data


def others_for(awaited: Awaited) -> OtherChoices | None:
    """The stage for the other answers; None in formats that have but one."""
    if awaited.form.name != "openai":
        return None
    return OtherChoices(awaited.form, passing(partial(own_words, awaited.request)))


@dataclass(slots=True)
class OtherChoices:
    """A `Stage`: what it changes in a frame is what belongs to another answer than the one that is read."""

    form: Format
    passes: Passes
    _guards: dict[int, Guard] = field(default_factory=dict)

    def __call__(self, frame: Frame) -> list[Frame]:
        """The frames to send now in place of `frame`."""
        if frame.raw.lstrip()[:1] == b"{":
            return [self._whole(frame)]
        if not frame.choices:
            over = frame.error or (frame.final and not frame.finish)
            return [*self._rest(), frame] if over else [frame]
        return [sent for number, part in self._parts(frame) for sent in self._guarded(number, part)]

    def _guarded(self, number: int, raw: bytes) -> list[Frame]:
        if number == 0:
            return [self.form.frame(raw)]
        guard = self._guards.setdefault(number, Guard(OpenAI(number), self.passes))
        out = guard(OpenAI(number).frame(raw))
        if guard.bereft:
            out += guard.over()
        return [self.form.frame(frame.raw) for frame in out]

    def _parts(self, frame: Frame) -> list[tuple[int, bytes]]:
        """One event for each answer, by number; the event as it came where it holds but one."""
        value = json.loads(event_data(frame.raw))
        choices = value["choices"]
        if len(choices) == 1:
            return [(frame.choices[0], frame.raw)]
        alone = [{**value, "choices": [choice]} for choice in choices]
        return [
            (choice.get("index", 0), b"data: " + json.dumps(one, ensure_ascii=False).encode() + b"\n\n")
            for choice, one in zip(choices, alone, strict=True)
        ]

    def _whole(self, frame: Frame) -> Frame:
        """An answer that is not streamed: the same document, with each of the others guarded."""
        raw = frame.raw
        for number in frame.choices:
            guard = Guard(OpenAI(number), self.passes)
            out = guard(replace(OpenAI(number).whole(raw), final=True))
            out += guard.over() if guard.bereft else guard.rest()
            raw = b"".join(one.raw for one in out)
        return replace(frame, raw=raw)

    def _rest(self) -> list[Frame]:
        """What waits in the others, where they have no end of their own."""
        waiting, self._guards = self._guards, {}
        return [self.form.frame(frame.raw) for guard in waiting.values() for frame in guard.rest()]
