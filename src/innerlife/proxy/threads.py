"""Where a client leaves the history to the engine: the last words before each answer, by the answer's name.

With `previous_response_id` or `conversation` a request brings only what is new. What was said before it is put in front
of it here, as any other client would resend it: as context that tells which conversation goes on, never as evidence.
It is held in memory alone; after a restart, and after a forgetting, such a conversation begins anew.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Final

from innerlife.membrane.turn import Answer, Said, Speaker, always
from innerlife.proxy.wire.call import Chat

_TAIL: Final = 6
"""Messages kept of each: enough to tell one conversation from another that had the same last words."""

_LONGEST: Final = 100_000
"""Characters and bytes of a message beyond which it is not kept."""

_MOST: Final = 2_000


@dataclass(frozen=True, slots=True)
class _Tail:
    """The last words of a conversation; `stands` says whether nothing was forgotten since they were kept."""

    said: tuple[Said, ...]
    stands: Callable[[], bool]


@dataclass(slots=True)
class Threads:
    """The tails of conversations, newest used last."""

    _tails: OrderedDict[tuple[str, str], _Tail] = field(default_factory=OrderedDict)

    def joined(self, profile: str, chat: Chat) -> Chat:
        """The chat with what went before it, where that is known."""
        key = (profile, chat.follows or chat.conversation)
        kept = self._tails.get(key)
        if kept is None:
            return chat
        if not kept.stands():
            self._let_go()
            return chat
        self._tails.move_to_end(key)
        tail = kept.said
        head = sum(1 for place, said in zip(chat.places, chat.said, strict=True) if _is_apart(said, place))
        said = (*chat.said[:head], *tail, *chat.said[head:])
        places = (*chat.places[:head], *(-1 for _ in tail), *chat.places[head:])
        return replace(chat, said=said, places=places)

    def keep(
        self, profile: str, chat: Chat, answer_id: str, answer: Answer, stands: Callable[[], bool] = always
    ) -> None:
        """Remember a joined chat with its answer under the names by which clients go on from it."""
        said = [one for one in chat.said if one.speaker is not Speaker.SYSTEM]
        said.append(Said(Speaker.ASSISTANT, answer.text, tool_calls=answer.tool_calls))
        tail = tuple(one for one in said[-_TAIL:] if _size(one) <= _LONGEST)
        for name in filter(None, (answer_id, chat.conversation)):
            self._tails[profile, name] = _Tail(tail, stands)
            self._tails.move_to_end((profile, name))
        while len(self._tails) > _MOST:
            self._tails.popitem(last=False)

    def _let_go(self) -> None:
        """Drop every tail that may hold what was forgotten."""
        for key in [key for key, tail in self._tails.items() if not tail.stands()]:
            del self._tails[key]


def _is_apart(said: Said, place: int) -> bool:
    """Whether it is a system text in a member of its own."""
    return place < 0 and said.speaker is Speaker.SYSTEM


def _size(said: Said) -> int:
    return len(said.text) + len(said.tool_calls) + sum(len(image.data) for image in said.images)
