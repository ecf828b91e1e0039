"""`innerlife human`: what the companion knows of you."""

from __future__ import annotations

import click

from innerlife.cli.options import examples, json_option
from innerlife.cli.output import say, show_json
from innerlife.cli.selves import human_data, show_human
from innerlife.cli.surroundings import Surroundings, context
from innerlife.errors import BadInput
from innerlife.selfmodel.events import TraitSort


@click.command(
    "human",
    short_help="What the companion knows of you: add to it, take out.",
    epilog=examples(
        "innerlife human",
        'innerlife human --interest "old film cameras"',
        'innerlife human --remove "impatient"',
        'innerlife self edit family --text "A sister, Anna, in Lisbon."',
    ),
)
@click.option("--trait", metavar="TEXT", help="Add something that lasts in you.")
@click.option("--interest", metavar="TEXT", help="Add an interest of yours.")
@click.option("--remove", metavar="HANDLE", help="Take out a trait or interest, by its handle or its words.")
@click.option("--note", metavar="TEXT", default="", help="Why it is taken out; it stays in the growth log.")
@json_option
@context
def command(
    here: Surroundings,
    trait: str | None,
    interest: str | None,
    remove: str | None,
    note: str,
    *,
    as_json: bool,
) -> None:
    """Show what is known of you: what you set, what was learned, and where the two differ."""
    if note and remove is None:
        raise BadInput("A note is given for what is taken out", "Name it with --remove")
    with here.reading() as companion:
        layer = companion.self_model.human
        if trait is not None:
            layer.add(TraitSort.TRAIT, trait, [], user=True)
        if interest is not None:
            layer.add(TraitSort.INTEREST, interest, [], user=True)
        if remove is not None:
            layer.remove(remove, note, user=True)
        human, size = layer.read(), layer.size()
    if as_json:
        show_json({**human_data(human), "tokens": size.used, "most": size.most})
        return
    show_human(human)
    say(f"In every prompt: {size}.")
