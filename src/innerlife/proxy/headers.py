"""Headers on their way through: what is kept, what is ours, what they say of a request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from innerlife.membrane.access import PREFIX
from innerlife.membrane.turn import Hints, Standing

Headers = list[tuple[bytes, bytes]]
"""As ASGI has them: names in lower case, in their order, doubled ones kept."""

HOP_BY_HOP: Final = frozenset({
    b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization", b"proxy-connection", b"te",
    b"trailer", b"transfer-encoding", b"upgrade",
})  # fmt: skip
"""What belongs to one connection and not to the message (RFC 9110, 7.6.1)."""

KEY_HEADERS: Final = (b"authorization", b"x-api-key", b"api-key")
STANDING: Final = b"x-innerlife"
PROFILE: Final = b"x-innerlife-profile"
_OURS: Final = (STANDING, PROFILE)

_UNFILLED: Final = ("{{", "None", "null", "undefined")
"""How a header's value begins where a client did not fill its template in."""


def value_of(headers: Headers, name: bytes) -> str:
    """A header's value, "" where there is none."""
    return next((value.decode("latin-1") for key, value in headers if key.lower() == name), "")


def bearer(headers: Headers) -> Iterator[str]:
    """Every secret that a request shows, ours or not."""
    for name, value in headers:
        if name.lower() in KEY_HEADERS:
            text = value.decode("latin-1").strip()
            yield text[7:].strip() if text[:7].lower() == "bearer " else text


def own_key(headers: Headers) -> str:
    """The first key of ours that a request shows, or ""."""
    return next((key for key in bearer(headers) if key.startswith(PREFIX)), "")


def to_upstream(
    headers: Headers, token: str | None, extra: Mapping[str, str], *, length: int | None
) -> Headers:
    """The client's headers as the engine gets them.

    Left out: what belongs to the connection, Host, and keys that are ours (or the server's `token`). `extra`
    replaces headers of the same name. With a `length` the body is one that we hold, and is asked back
    uncompressed; with None it streams through and its length and compression stay the client's matter.
    """
    dropped = set(HOP_BY_HOP) | {b"host", *_OURS} | _named_by_connection(headers)
    dropped |= {name.lower().encode("latin-1") for name in extra}
    if length is not None:
        dropped |= {b"content-length", b"accept-encoding", b"expect"}
    kept = [
        (name, value)
        for name, value in headers
        if name.lower() not in dropped and not _is_ours(name, value, token)
    ]
    kept += [(name.encode("latin-1"), value.encode("latin-1")) for name, value in extra.items()]
    if length is not None:
        kept += [(b"content-length", str(length).encode()), (b"accept-encoding", b"identity")]
    return kept


def to_client(headers: Iterable[tuple[bytes, bytes]], *dropped: bytes) -> Headers:
    """The engine's headers as the client gets them, without those of its connection and those in `dropped`."""
    pairs = [(name.lower(), value) for name, value in headers]
    gone = HOP_BY_HOP | {*dropped, *_OURS} | _named_by_connection(pairs)
    return [pair for pair in pairs if pair[0] not in gone]


def standing_headers(standing: Standing, why: str, profile: str = "") -> Headers:
    """`X-Innerlife` and, where a profile was opened, `X-Innerlife-Profile`."""
    text = f"{standing.value}; {why}" if why and standing is not Standing.OK else standing.value
    found = [(STANDING, _plain(text))]
    if profile:
        found.append((PROFILE, _plain(profile)))
    return found


def hints_of(headers: Headers, *, keyed: bool) -> Hints:
    """What Open WebUI's headers say of a chat (field-notes §1).

    They are believed where a key of ours vouches for the connection. Without a key there is a single profile on
    loopback: then chat and message ids help to tell conversations apart and isolate nobody from anybody; who the
    user is, is not believed.
    """
    found = {
        name.lower(): value.decode("latin-1") for name, value in headers if name.lower().startswith(b"x-o")
    }

    def first(*names: bytes) -> str:
        return next((text for name in names if (text := _filled(found.get(name, "")))), "")

    task = found.get(b"x-owui-task")
    return Hints(
        task=None if task is None or task.startswith("{{") else _filled(task),
        chat=first(b"x-owui-chat-id", b"x-openwebui-chat-id"),
        message=first(b"x-owui-message-id", b"x-openwebui-message-id"),
        user_message=first(b"x-owui-user-message-id"),
        user_message_parent=first(b"x-owui-user-message-parent-id"),
        user=first(b"x-owui-user-id", b"x-openwebui-user-id") if keyed else "",
    )


def _filled(text: str) -> str:
    text = text.strip()
    return "" if text.startswith("{{") or text in _UNFILLED else text


def _named_by_connection(headers: Headers) -> set[bytes]:
    """Headers that a Connection header declares to be the connection's own."""
    return {
        name.strip().lower()
        for key, value in headers
        if key.lower() == b"connection"
        for name in value.split(b",")
        if name.strip().lower() not in {b"close", b"keep-alive"}
    }


def _is_ours(name: bytes, value: bytes, token: str | None) -> bool:
    if name.lower() not in KEY_HEADERS:
        return False
    shown = next(bearer([(name, value)]), "")
    return shown.startswith(PREFIX) or (token is not None and shown == token)


def _plain(text: str) -> bytes:
    """A header's value: one line of ASCII."""
    return " ".join(text.split()).encode("ascii", "replace")
