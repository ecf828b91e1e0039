"""`innerlife conversations`: what was said."""

from __future__ import annotations

from dataclasses import asdict

import click

from innerlife.cli.options import AT_MOST, examples, json_option
from innerlife.cli.output import count, heading, note, one_line, say, short, show_json, table, when, wrapped
from innerlife.cli.surroundings import Surroundings, context
from innerlife.cli.targets import conversation_named
from innerlife.companion import Companion
from innerlife.conversations.reading import Message

ENDINGS = {
    "truncated": "cut short by the model",
    "interrupted": "stopped",
    "failed": "failed",
    "writing": "unfinished",
}


@click.command(
    "conversations",
    short_help="What was said, by conversation.",
    epilog=examples(
        "innerlife conversations", "innerlife conversations c01k9", "innerlife conversations --json -n 100"
    ),
)
@click.argument("conversation", metavar="[ID]", required=False)
@click.option("-n", "limit", type=AT_MOST, help="How many at most (20 conversations, 1000 messages).")
@json_option
@context
def command(here: Surroundings, conversation: str | None, limit: int | None, *, as_json: bool) -> None:
    """List conversations, newest first; with the beginning of an ID, show one."""
    with here.reading() as companion:
        if conversation is None:
            _list(companion, limit or 20, as_json=as_json)
        else:
            _show(companion, conversation_named(companion, conversation), limit or 1000, as_json=as_json)


def _list(companion: Companion, limit: int, *, as_json: bool) -> None:
    found = companion.conversations.newest(limit)
    if as_json:
        show_json([asdict(one) for one in found])
    elif not found:
        note("Nothing was said yet.")
    else:
        rows = [
            (
                short(one.id),
                when(one.last),
                str(one.messages),
                ("(fiction) " if one.fiction else "") + one_line(one.opening, 54),
            )
            for one in found
        ]
        table(("conversation", "last", "messages", "begins"), rows, cut_last=True)


def _show(companion: Companion, conversation: str, limit: int, *, as_json: bool) -> None:
    messages = companion.conversations.messages(conversation, limit)
    if as_json:
        show_json({"id": conversation, "messages": [asdict(one) for one in messages]})
        return
    name = companion.origins.read().name
    for message in messages:
        say(_head(message, name))
        say(wrapped(message.text, "  ") if message.text.strip() else "  (no text)")
        say()
    heading(f"{count(len(messages), 'message')}; `innerlife why ID` shows what an answer rested on.")


def _head(message: Message, name: str) -> str:
    speaker = {"user": "You", "companion": name}.get(message.speaker, "A tool")
    extra = [ENDINGS[message.ending]] if message.ending in ENDINGS else []
    extra += ["said again"] if message.again else []
    extra += [count(message.attachments, "attachment")] if message.attachments else []
    tail = f" ({', '.join(extra)})" if extra else ""
    return f"{short(message.id)}  {when(message.at)}  {speaker}{tail}"
