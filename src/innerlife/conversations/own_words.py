"""What the user said themselves in a message: quoted, forwarded and pasted words taken out (promise P13)."""

from __future__ import annotations

from innerlife.conversations.events import UserMessage
from innerlife.conversations.quoting import mostly_quoted


def own_words_of(message: UserMessage) -> str:
    """The user's own words; empty where nearly all of it is somebody else's."""
    if mostly_quoted(message.text, message.quoted):
        return ""
    kept, at = [], 0
    for start, end in message.quoted:
        kept.append(message.text[at:start])
        at = end
    return " ".join((*kept, message.text[at:])).strip()
