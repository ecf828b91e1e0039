"""`innerlife preview`: what the model would receive."""

from __future__ import annotations

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, heading, say, show_json, visible
from innerlife.cli.surroundings import Surroundings, context, wake_memory
from innerlife.workspace.block import Workspace, beside


@click.command(
    "preview",
    short_help="What the model would receive with a message.",
    epilog=examples('innerlife preview "How is my sister?"', 'innerlife preview --window 4096 "Hello"'),
)
@click.argument("message", metavar="MESSAGE")
@click.option(
    "--window", type=click.IntRange(512), help="Size of the model's context in tokens, where it matters."
)
@json_option
@context
def command(here: Surroundings, message: str, window: int | None, *, as_json: bool) -> None:
    """Show exactly what the model would receive if MESSAGE began a new chat. Nothing is sent or recorded."""
    with here.reading() as companion:
        wake_memory(companion)
        workspace = companion.turns.preview(message, window)
    if as_json:
        show_json({**parts(workspace), "user": beside(workspace.block, message), "system": workspace.stable})
        return
    heading(f"System (about {count(workspace.stable_tokens, 'token')}, in front of the chat program's own)")
    say(visible(workspace.stable))
    say()
    heading(f"User (about {count(workspace.block_tokens, 'token')} remembered, beside the message)")
    say(visible(beside(workspace.block, message)))


def parts(workspace: Workspace) -> dict[str, object]:
    """A workspace for JSON, with the evidence of every line."""
    return {
        "stable": workspace.stable,
        "block": workspace.block,
        "stable_tokens": workspace.stable_tokens,
        "block_tokens": workspace.block_tokens,
        "overfull": workspace.overfull,
        "sections": [
            {
                "layer": section.layer,
                "position": section.position.value,
                "tokens": section.tokens,
                "more": section.more,
                "lines": [{"text": line.text, "messages": line.event_ids} for line in section.lines],
            }
            for section in workspace.sections
        ],
    }
