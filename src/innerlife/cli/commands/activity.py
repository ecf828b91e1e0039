"""`innerlife activity`: everything that happened."""

from __future__ import annotations

import click

from innerlife.cli.options import AT_MOST, examples, json_option
from innerlife.cli.output import note, one_line, show_json, table, when
from innerlife.cli.surroundings import Surroundings, context
from innerlife.conversations.events import CHECKPOINT
from innerlife.thinking.events import DUE

CLOCKWORK = frozenset({CHECKPOINT, DUE})
"""Kinds that tell of the machine: pieces of an answer that is recorded whole later, timers that went off."""


@click.command(
    "activity",
    short_help="Everything that happened, newest first.",
    epilog=examples(
        "innerlife activity",
        "innerlife activity --all",
        "innerlife activity -n 100 --kind message.user --json",
    ),
)
@click.option("-n", "limit", type=AT_MOST, default=20, show_default=True, help="How many at most.")
@click.option("--kind", metavar="KIND", help="Only events of this kind, or of kinds that begin so.")
@click.option("--all", "everything", is_flag=True, help="Show kept pieces of answers and timers too.")
@json_option
@context
def command(here: Surroundings, limit: int, kind: str | None, *, everything: bool, as_json: bool) -> None:
    """Show what was recorded, each event as a sentence.

    Pieces of an answer that is being written, and timers, are left out unless they are asked for.
    """
    with here.reading() as companion:
        registry = companion.ledger.registry
        kinds = {one.name for one in registry if kind is None or one.name.startswith(kind)}
        if kind is None and not everything:
            kinds -= CLOCKWORK
        events = companion.ledger.newest(limit, kinds)
        told = [registry.named(event.kind).tells(event.body) or event.kind for event in events]
    if as_json:
        show_json([
            {"id": e.id, "kind": e.kind, "at": e.recorded_at, "by": e.actor.value, "what": sentence}
            for e, sentence in zip(events, told, strict=True)
        ])  # fmt: skip
        return
    if not events:
        note("Nothing of that kind has happened yet." if kind else "Nothing has happened yet.")
        return
    rows = [(when(e.recorded_at), e.kind, one_line(text, 90)) for e, text in zip(events, told, strict=True)]
    table(("when", "kind", "what"), rows, cut_last=True)
