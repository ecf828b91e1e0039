"""What a person names by the beginning of an id."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from innerlife.cli.output import count
from innerlife.companion import Companion
from innerlife.conversations.events import COMPANION, TOOL, USER
from innerlife.errors import BadInput, NotFound
from innerlife.ledger.envelope import Event
from innerlife.selfmodel.handles import H

MESSAGES = frozenset({USER, COMPANION, TOOL})


def conversation_named(companion: Companion, prefix: str) -> str:
    """The id of the one conversation that begins so. Raises NotFound, BadInput, StorageFailed."""
    found = companion.conversations.matching(prefix.lower()) if prefix else []
    if not found:
        raise NotFound(f"There is no conversation {prefix!r}", "`innerlife conversations` lists them")
    return _only(found, prefix)


def message_named(companion: Companion, prefix: str, kinds: Collection[str] = MESSAGES) -> Event:
    """The one message that begins so. Raises NotFound, BadInput, StorageFailed."""
    found = (
        {event.id: event for event in companion.ledger.by_id(prefix.upper()) if event.kind in kinds}
        if prefix
        else {}
    )
    if not found:
        raise NotFound(
            f"There is no message {prefix!r}",
            "`innerlife conversations ID` shows messages with their ids, `innerlife recall` finds them",
        )
    return found[_only(list(found), prefix)]


def handled(things: Sequence[H], handle: str, what: str, listing: str) -> list[H]:
    """Those whose handle begins so. Raises NotFound for none; `listing` is the command that shows the handles."""
    wanted = handle.strip().casefold().removeprefix("#")
    found = [one for one in things if wanted and one.handle[1:].startswith(wanted)]
    if not found:
        raise NotFound(f"There is no {what} {handle!r}", f"`{listing}` shows their handles")
    return found


def _only(found: list[str], prefix: str) -> str:
    if len(found) > 1:
        raise BadInput(
            f"{prefix!r} begins {count(len(found), 'id')} or more", f"Type more of it, such as {found[0]}"
        )
    return found[0]
