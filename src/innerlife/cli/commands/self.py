"""`innerlife self`: who the companion is, what it knows of you, minds and pursues."""

from __future__ import annotations

import click

from innerlife.adapters.clock import SystemClock
from innerlife.cli.editor import edited
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, say, show_json, wrapped
from innerlife.cli.selves import (
    human_data,
    section_data,
    selves_data,
    show_held,
    show_human,
    show_section,
    show_selves,
)
from innerlife.cli.surroundings import Surroundings, context
from innerlife.companion import Companion
from innerlife.errors import BadInput
from innerlife.selfmodel.events import HumanField, Portrait
from innerlife.selfmodel.selfmodel import SelfModel

PORTRAITS = tuple(one.value for one in Portrait)
FIELDS = tuple(one.value for one in HumanField)
SECTIONS = (*PORTRAITS, "inner_state", *FIELDS)
SHOWN = (*PORTRAITS, "inner_state", "working_memory", "human")


class _Sections(click.Group):
    """`innerlife self identity` is `innerlife self show identity`."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] in SHOWN:
            return "show", self.commands["show"], args
        return super().resolve_command(ctx, args)


@click.group(
    "self",
    cls=_Sections,
    short_help="Who the companion is: read it, change it.",
    invoke_without_command=True,
    epilog=examples(
        "innerlife self", "innerlife self identity", "innerlife self edit persona", "innerlife self drop 3fa"
    ),
)
@json_option
@click.pass_context
def command(click_context: click.Context, *, as_json: bool) -> None:
    """Show everything that is written about the companion and about you; `innerlife self SECTION` shows one section.

    `innerlife self edit` changes it; `innerlife self drop` takes something out of what it holds in mind.
    """
    if click_context.invoked_subcommand is None:
        with click_context.find_object(Surroundings).reading() as companion:  # type: ignore[union-attr]
            selves = companion.self_model.as_of()
        if as_json:
            show_json(selves_data(selves))
        else:
            show_selves(selves, SystemClock().now())


@command.command("show", epilog=examples("innerlife self show identity", "innerlife self show human"))
@click.argument("section", type=click.Choice(SHOWN))
@json_option
@context
def show_command(here: Surroundings, section: str, *, as_json: bool) -> None:
    """Show one section."""
    with here.reading() as companion:
        selves = companion.self_model.as_of()
    if section == "human":
        if as_json:
            show_json(human_data(selves.human))
        else:
            show_human(selves.human)
    elif section == "working_memory":
        if as_json:
            show_json(selves_data(selves)["working_memory"])
        else:
            show_held(selves.working_memory)
    else:
        found = {"identity": selves.identity, "persona": selves.persona, "inner_state": selves.inner_state}[
            section
        ]
        if as_json:
            show_json(section_data(found))
        elif found is None:
            note("Nothing is on its mind yet.")
        else:
            show_section(found)


@command.command(
    "edit", epilog=examples("innerlife self edit persona", 'innerlife self edit name --text "Call me Jo"')
)
@click.argument("section", type=click.Choice(SECTIONS), metavar="SECTION")
@click.option("--text", metavar="TEXT", help="The new text; without it, your editor is opened.")
@json_option
@context
def edit_command(here: Surroundings, section: str, text: str | None, *, as_json: bool) -> None:
    """Change a section by hand, in your editor ($EDITOR) or with --text. What you write stands at once.

    SECTION is identity, persona or inner_state, or a part of what is known of you: name, family, work, style, matters,
    relationship. An empty text takes back what you had set of yourself.
    """
    with here.reading() as companion:
        before = standing(companion, section)
        new = edited(before) if text is None else text
        if new is None or new == before:
            note("Nothing was changed.")
            new = before
        else:
            write(companion.self_model, section, new)
        stands = standing(companion, section)
    if as_json:
        show_json({"section": section, "text": stands, "changed": stands != before})
    elif stands != before:
        say(stands or "(empty)")


@command.command("drop", epilog=examples("innerlife self drop 3fa", 'innerlife self drop 3fa --note "Done."'))
@click.argument("handle", metavar="HANDLE")
@click.option("--note", "reason", metavar="TEXT", default="", help="Why it is done with.")
@json_option
@context
def drop_command(here: Surroundings, handle: str, reason: str, *, as_json: bool) -> None:
    """Take something out of what it holds in mind.

    HANDLE is the beginning of its handle (#3fa9c1); `innerlife self working_memory` shows them.
    """
    with here.reading() as companion:
        dropped = companion.self_model.minding.drop(handle, reason, user=True)
    if as_json:
        show_json({"dropped": dropped.handle, "text": dropped.text})
    else:
        say(wrapped(f"No longer held in mind: {dropped.text}"))


def standing(companion: Companion, section: str) -> str:
    """What a section says now, empty where it says nothing."""
    selves = companion.self_model.as_of()
    if section in FIELDS:
        field = next(one for one in selves.human.fields if one.field.value == section)
        return field.shown.text if field.shown else ""
    found = {"identity": selves.identity, "persona": selves.persona, "inner_state": selves.inner_state}[
        section
    ]
    return found.text if found else ""


def write(self_model: SelfModel, section: str, text: str) -> None:
    """The user's hand. Raises BadInput for what is too long or cannot be empty."""
    if section in PORTRAITS:
        self_model.portraits.edit(Portrait(section), text)
    elif section in FIELDS:
        self_model.human.set(HumanField(section), text)
    elif section == "inner_state":
        self_model.minding.set_inner_state(text, [], user=True)
    else:
        raise BadInput(f"There is no section {section!r}", f"There are {', '.join(SECTIONS)}")
