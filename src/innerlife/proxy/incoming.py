"""The client's side of a request: its body, and whether it is still there."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable

import anyio
from starlette.types import Receive

from innerlife.proxy.headers import Headers, value_of


class TooLarge(Exception):
    """The body is larger than what is read at once."""


class HungUp(Exception):
    """The client went away before its request was complete."""


def announced_length(headers: Headers) -> int | None:
    """The length that a request announces, None where it comes in chunks or says nothing usable."""
    text = value_of(headers, b"content-length")
    return int(text) if text.isascii() and text.isdigit() else None


async def whole_body(receive: Receive, headers: Headers, limit: int) -> bytes:
    """The body, up to `limit` bytes. Raises TooLarge, HungUp."""
    if (announced_length(headers) or 0) > limit:
        raise TooLarge
    first = await anext(chunks := body_chunks(receive), b"")
    pieces = [first]
    size = len(first)
    async for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise TooLarge
        pieces.append(chunk)
    return first if len(pieces) == 1 else b"".join(pieces)


async def body_chunks(receive: Receive) -> AsyncIterator[bytes]:
    """The body as it arrives. Raises HungUp when it ends before it is complete."""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise HungUp
        yield message.get("body", b"")
        if not message.get("more_body", False):
            return


async def while_listening(
    receive: Receive, work: Callable[[], Awaitable[None]], body_read: anyio.Event | None = None
) -> None:
    """Do the work, and cancel it the moment the client hangs up.

    Listening begins when the body has been read: at once, or when `body_read` is set.
    """
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            if body_read is not None:
                await body_read.wait()
            while (await receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        group.start_soon(watch)
        await work()
        group.cancel_scope.cancel()
