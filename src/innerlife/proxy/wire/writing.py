"""What is written into a request on its way to the engine, all else as it came (promise P3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from innerlife.membrane.turn import Speaker
from innerlife.proxy.wire.call import Chat, Layout, Untouched, speaker
from innerlife.proxy.wire.jsontext import Document, Edit, Placed, edited, encode, inner, literal, members_at

GAP: Final = "\n\n"
"""What stands between an added text and the client's own."""


@dataclass(frozen=True, slots=True)
class Additions:
    """What is written into a request; empty strings and None leave everything as it is.

    `kept` are blocks of earlier turns, each with the index in `Chat.said` of the message that it stays in. `after`
    stands behind the user's newest words: all before it reads as it did, so that an engine reads on from there.
    """

    stable: str = ""
    block: str = ""
    model: str | None = None
    kept: tuple[tuple[int, str], ...] = ()
    after: str = ""


def written(reading: Chat | Untouched, additions: Additions) -> bytes:
    """The request's bytes with the additions made."""
    document = reading.document
    edits: list[Edit] = []
    if additions.model is not None and (placed := document.members.get("model")):
        edits.append(Edit(placed.start, placed.end, literal(additions.model)))
    if isinstance(reading, Chat):
        if isinstance(document.value(reading.layout.words), list):
            edits += _into_list(reading, additions)
        else:
            edits += _into_text(document, reading.layout, additions)
    return encode(edited(document.text, edits) if edits else document.text)


def _into_text(document: Document, layout: Layout, additions: Additions) -> list[Edit]:
    """The words are one text: the block goes in front of it."""
    words = document.members[layout.words]
    behind = _behind(words, additions.after)
    if layout.system:
        return _into_system(document, layout, additions.stable) + _before(words, additions.block) + behind
    return _before(words, GAP.join(text for text in (additions.stable, additions.block) if text)) + behind


def _into_list(chat: Chat, additions: Additions) -> list[Edit]:
    """The words are messages: each block goes into its own."""
    document, layout = chat.document, chat.layout
    messages: list[Placed] = document.value(layout.words)
    edits: list[Edit] = []
    if layout.system:
        edits += _into_system(document, layout, additions.stable)
    elif additions.stable and messages:
        if speaker(messages[0].value.get("role")) is Speaker.SYSTEM:
            edits += _into_message(document.text, messages[0], additions.stable, layout.text_part)
        else:
            first = messages[0].start
            edits.append(Edit(first, first, f'{{"role":"system","content":{literal(additions.stable)}}},'))
    blocks = [(_place(chat, index), block) for index, block in additions.kept]
    users = [index for index, said in enumerate(chat.said) if said.speaker is Speaker.USER]
    if additions.block and users:
        blocks.append((_place(chat, users[-1]), additions.block))
    for place, block in blocks:
        # What only the engine still has went there with its block.
        if place >= 0:
            edits += _into_message(document.text, messages[place], block, layout.text_part)
    if additions.after and users and (place := _place(chat, users[-1])) >= 0:
        edits += _behind_message(document.text, messages[place], additions.after, layout.text_part)
    return edits


def _place(chat: Chat, index: int) -> int:
    return chat.places[index] if chat.places else index


def _into_system(document: Document, layout: Layout, stable: str) -> list[Edit]:
    """In front of the client's system text; its blocks, where it has several, stay as they are."""
    if not stable:
        return []
    placed = document.members.get(layout.system)
    if placed is None:
        first = document.text.index("{") + 1
        return [Edit(first, first, f'"{layout.system}":{literal(stable)},')]
    if isinstance(placed.value, str):
        return _before(placed, stable)
    if isinstance(placed.value, list):
        return [_first_part(placed, stable, layout.text_part)]
    return [Edit(placed.start, placed.end, literal(stable))]


def _into_message(text: str, message: Placed, added: str, text_part: str) -> list[Edit]:
    """Write into a message's content, be it a string, a list of parts, null or absent."""
    members, _ = members_at(text, message.start, ("content",))
    content = members.get("content")
    if content is None:
        return [Edit(message.start + 1, message.start + 1, f'"content":{literal(added)},')]
    if isinstance(content.value, str):
        return _before(content, added)
    if not isinstance(content.value, list):
        return [Edit(content.start, content.end, literal(added))]
    for part in content.value:
        if isinstance(part.value, dict) and part.value.get("type") == text_part:
            own = members_at(text, part.start)[0].get("text")
            if own is not None and isinstance(own.value, str):
                # Inside the first text part, because servers make a message of its own from each part.
                return _before(own, added)
    return [_first_part(content, added, text_part)]


def _behind_message(text: str, message: Placed, added: str, text_part: str) -> list[Edit]:
    """Write behind a message's last words; one without words stays as it is."""
    content = members_at(text, message.start, ("content",))[0].get("content")
    if content is None or not isinstance(content.value, list):
        return [] if content is None else _behind(content, added)
    for part in reversed(content.value):
        if isinstance(part.value, dict) and part.value.get("type") == text_part:
            own = members_at(text, part.start)[0].get("text")
            return [] if own is None else _behind(own, added)
    return []


def _first_part(parts: Placed, added: str, text_part: str) -> Edit:
    comma = "," if parts.value else ""
    first = parts.start + 1
    return Edit(first, first, f'{{"type":"{text_part}","text":{literal(added)}}}{comma}')


def _before(placed: Placed, text: str) -> list[Edit]:
    """Write `text` in front of a string's own words, inside its quotes."""
    if not text:
        return []
    return [Edit(placed.start + 1, placed.start + 1, inner(text + GAP if placed.value else text))]


def _behind(placed: Placed, text: str) -> list[Edit]:
    """Write `text` behind a string's own words, inside its quotes."""
    if not text or not isinstance(placed.value, str):
        return []
    return [Edit(placed.end - 1, placed.end - 1, inner(GAP + text))]
