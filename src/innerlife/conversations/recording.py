"""Recording a turn: the user's new messages before the model is called, the answer before its end is shown."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from innerlife.conversations.alignment import Known, Past, Place, Recorded, place
from innerlife.conversations.events import (
    COMPANION,
    USER,
    Attachment,
    Checkpoint,
    CompanionMessage,
    Ending,
    Relation,
    ToolResult,
    UserMessage,
)
from innerlife.conversations.model import Answer, Opened, Said, Speaker
from innerlife.conversations.quoting import quoted_spans
from innerlife.conversations.view import parent_of
from innerlife.kernel.ids import new_id
from innerlife.kernel.text import normalised
from innerlife.ledger.envelope import Actor, Cause, Draft, Event, Role, Trust
from innerlife.ledger.ledger import Ledger
from innerlife.ports import Blobs, Clock

Handle = Callable[[str], str]
"""A keyed hash of a text: finds equal texts without saying what they are."""

_ALIKE = 64
"""Equal messages that are looked through for the one whose history agrees ("OK." is answered often)."""

_TELLING = 24
"""Characters from which on a message is hardly ever said twice by chance."""

_SIBLINGS = 200
"""Messages of a conversation that are looked through for its first ones (an edited opening)."""


@dataclass(frozen=True, slots=True)
class Arriving:
    """What arrives with a turn: the client's messages and what is known about the client.

    `chat` and `user_message` are the client's own ids where it gave any.
    """

    messages: tuple[Said, ...]
    surface: str
    chat: str = ""
    user_message: str = ""
    fiction: bool = False


class Recording:
    """Use-case: record turns of one ledger."""

    def __init__(
        self,
        ledger: Ledger,
        blobs: Blobs,
        handle: Handle,
        clock: Clock,
        own_words: Callable[[str], str] = lambda text: text,
    ) -> None:
        self._ledger = ledger
        self._blobs = blobs
        self._handle = handle
        self._clock = clock
        self._own_words = own_words
        # Two requests that arrive at once must not both find the conversation new.
        self._one_at_a_time = threading.Lock()

    def open(self, arriving: Arriving) -> Opened | None:
        """Record what is new in a request; durable on return. None when it holds nothing of the user's.

        Raises StorageFailed.
        """
        said, prefix = _without_prefix(arriving.messages)
        talk = _talk(said)
        if not talk or talk[-1].speaker is not Speaker.USER:
            return None
        history = [
            Past(self._handle_of(m), m.speaker is Speaker.USER, len(m.text.strip()) >= _TELLING) for m in talk
        ]
        # Images take their time; other turns must not wait for them.
        attachments = self._kept(talk[-1])
        with self._one_at_a_time:
            stream = "c" + self._handle(f"chat:{arriving.chat}")[:25] if arriving.chat else ""
            found = place(history, self._recorded(), stream)
            fiction = arriving.fiction
            if self._in_fiction(found):
                # The same first words in a chat of its own are no retry of a story's.
                fiction, found = (True, found) if fiction or found.after or stream else (False, Place())
            opened = self._append_new(replace(arriving, fiction=fiction), talk, found, attachments)
        # A forgetting that met the images before they were cited may have taken them away.
        self._kept(talk[-1])
        opened = replace(opened, prefix=prefix, fiction=fiction)
        self._append_tool_results(said, opened)
        return opened

    def checkpoint(self, opened: Opened, text: str, offset: int, model: str = "") -> None:
        """Keep what was written since `offset`. Raises StorageFailed, CauseGone."""
        self._ledger.append(
            Draft(
                Checkpoint(offset, text[offset:], model),
                Actor.COMPANION,
                Trust.ASSISTANT_TEXT,
                # A piece rests on all that was shown: with any of it the piece goes, for its words may be those.
                causes=(Cause(opened.user_seq, Role.FROM), *_shown(opened)),
                stream=opened.conversation,
            )
        )

    def close(self, opened: Opened, answer: Answer) -> Event:
        """Record what the client saw; durable on return.

        Raises StorageFailed; CauseGone when what it rests on was forgotten while it was written: then it is gone too.
        """
        text = opened.prefix + answer.text
        body = CompanionMessage(
            text,
            answer.ending,
            answer.model,
            answer.reasoning,
            answer.tool_calls,
            again=opened.again,
            error=answer.error,
            fiction=opened.fiction,
        )
        return self._ledger.append(
            Draft(
                body,
                Actor.COMPANION,
                Trust.ASSISTANT_TEXT,
                causes=(Cause(opened.user_seq, Role.FROM), *_shown(opened)),
                stream=opened.conversation,
                handle=self._handle(f"assistant:{normalised(text)}") if text.strip() else None,
            )
        )

    # --- what is recorded already ---------------------------------------------------------------------------------

    def _handle_of(self, said: Said) -> str:
        words = self._own_words(said.text) if said.speaker is Speaker.USER else said.text
        if not words.strip() and not said.images:
            return ""
        images = "".join(self._handle(image.data.hex()) for image in said.images)
        return self._handle(f"{said.speaker}:{normalised(words)}{images}")

    def _recorded(self) -> Recorded:
        return Recorded(
            lambda handle: [
                self._known(e) for e in self._ledger.by_handle(handle) if e.kind in (USER, COMPANION)
            ],
            lambda handle: [
                _bare(e) for e in self._ledger.by_handle(handle, _ALIKE) if e.kind in (USER, COMPANION)
            ],
            lambda seq: next((_bare(e) for e in self._ledger.get([seq])), None),
            self._children,
        )

    def _children(self, stream: str, after: int) -> list[Known]:
        if after:
            effects = [e.effect for e in self._ledger.store.effects([after]) if e.role is Role.TRIGGER]
            events = [e for e in self._ledger.get(effects) if e.kind == USER][::-1]
        else:
            newest = self._ledger.by_stream(stream, _SIBLINGS, {USER}) if stream else []
            events = [e for e in newest if not parent_of(e)]
        return [self._known(event) for event in events]

    def _known(self, event: Event) -> Known:
        answers: list[Event] = []
        if event.kind == USER:
            effects = [e.effect for e in self._ledger.store.effects([event.seq]) if e.role is Role.FROM]
            answers = [e for e in self._ledger.get(effects) if e.kind == COMPANION]
        complete = any(a.body.ending is Ending.COMPLETE and not a.body.tool_calls for a in answers)
        return replace(_bare(event), answers=len(answers), answered=complete)

    def _in_fiction(self, found: Place) -> bool:
        """Whether the conversation was fiction where this request goes on: then it stays so."""
        seq = found.known[-1].seq if found.known else found.after
        before = self._ledger.get([seq]) if seq else []
        if not before and found.stream:
            before = self._ledger.by_stream(found.stream, 1, {USER})
        return any(event.body.fiction for event in before)

    # --- appending --------------------------------------------------------------------------------------------

    def _append_new(
        self, arriving: Arriving, talk: Sequence[Said], found: Place, attachments: tuple[Attachment, ...]
    ) -> Opened:
        stream = found.stream or "c" + new_id(self._clock.now()).lower()[1:]
        last = found.known[-1] if found.known else None
        if last is not None and last.handle == self._handle_of(talk[-1]):
            return Opened(stream, last.seq, last.id, last.answered)
        relation = Relation.EDIT if found.siblings else Relation.NEW
        # Only the newest message is new: one before it that is not recorded was never ours, or was forgotten.
        after = last.seq if last else found.after
        event = self._append_user(arriving, talk[-1], stream, after, relation, attachments)
        return Opened(stream, event.seq, event.id)

    def _append_user(
        self,
        arriving: Arriving,
        said: Said,
        stream: str,
        after: int,
        relation: Relation,
        attachments: tuple[Attachment, ...],
    ) -> Event:
        words, handle = self._own_words(said.text), self._handle_of(said)
        # The same words at the same place are the same message, whichever process they came to; a client's own id of
        # a message that was changed in place is not.
        at = arriving.user_message or after
        body = UserMessage(
            words,
            said.text if said.text != words else "",
            attachments,
            relation,
            arriving.surface,
            arriving.chat,
            arriving.fiction,
            quoted_spans(words),
        )
        return self._ledger.append(
            Draft(
                body,
                Actor.USER,
                Trust.USER,
                causes=(Cause(after, Role.TRIGGER),) if after else (),
                # A keyed hash: the message before it may be forgotten, and then nothing may name it.
                key=f"message:{self._handle(f'{stream}:{at}:{handle}')}" if at else None,
                stream=stream,
                handle=handle,
                blobs=tuple(a.blob for a in attachments),
            )
        )

    def _kept(self, said: Said) -> tuple[Attachment, ...]:
        """The images of a message, stored."""
        return tuple(
            Attachment(self._blobs.put(image.data), image.media_type, len(image.data))
            for image in said.images
        )

    def _append_tool_results(self, said: Sequence[Said], opened: Opened) -> None:
        results: list[Said] = []
        for message in reversed(said):
            if message.speaker is not Speaker.TOOL:
                break
            results.append(message)
        for index, message in enumerate(reversed(results)):
            self._ledger.append(
                Draft(
                    ToolResult(message.text, opened.fiction),
                    Actor.OTHER,
                    Trust.THIRD_PARTY,
                    causes=(Cause(opened.user_seq, Role.FROM),),
                    key=f"tool:{opened.user_id}:{len(said) - len(results) + index}:{self._handle(message.text)}",
                    stream=opened.conversation,
                )
            )


def _bare(event: Event) -> Known:
    """A recorded message, its answers not looked at."""
    by_user = event.kind == USER
    return Known(event.seq, event.id, event.stream, event.handle or "", by_user, parent_of(event))


def _shown(opened: Opened) -> tuple[Cause, ...]:
    return tuple(Cause(seq, Role.SHOWN) for seq in opened.shown if seq != opened.user_seq)


def _without_prefix(messages: Sequence[Said]) -> tuple[Sequence[Said], str]:
    """A request that ends with an assistant message asks for its continuation: (the rest, that beginning)."""
    if messages and messages[-1].speaker is Speaker.ASSISTANT and not messages[-1].tool_calls:
        return messages[:-1], messages[-1].text
    return messages, ""


def _talk(said: Sequence[Said]) -> list[Said]:
    """Who spoke, without tools, up to the user's newest message.

    An assistant message without text stays in: it too shows that what stands before it was sent earlier.
    """
    talk = [
        m
        for m in said
        if m.speaker is Speaker.ASSISTANT or (m.speaker is Speaker.USER and (m.text.strip() or m.images))
    ]
    while talk and talk[-1].speaker is Speaker.ASSISTANT and talk[-1].tool_calls:
        talk.pop()
    return talk
