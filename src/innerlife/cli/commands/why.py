"""`innerlife why`: what an answer rested on."""

from __future__ import annotations

import click

from innerlife.cli.commands.preview import parts
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import heading, one_line, say, short, show_json, table, visible, when
from innerlife.cli.surroundings import Surroundings, context
from innerlife.cli.targets import message_named
from innerlife.conversations.events import COMPANION, USER
from innerlife.membrane.why import Explanation
from innerlife.workspace.block import beside


@click.command(
    "why",
    short_help="What an answer rested on.",
    epilog=examples("innerlife why", "innerlife why 01K9ZC3M8Q", "innerlife why --json"),
)
@click.argument("turn", metavar="[TURN]", required=False)
@json_option
@context
def command(here: Surroundings, turn: str | None, *, as_json: bool) -> None:
    """Show the exact context of a past turn, with the evidence of each line.

    TURN is the beginning of a message's id; without it, the newest turn is shown.
    """
    here.must_exist()
    with here.opened() as companion:
        if turn is None:
            explanation = companion.why.last()
        else:
            explanation = companion.why.of(message_named(companion, turn, (USER, COMPANION)))
        name = companion.origins.read().name
        registry = companion.ledger.registry
        # Not every event is somebody's words: of the others, what they mean is told.
        told = [
            getattr(one.body, "text", registry.named(one.kind).tells(one.body))
            for one in explanation.evidence
        ]
    if as_json:
        show_json(_data(explanation, told))
    else:
        _show(explanation, told, name)


def _data(explanation: Explanation, told: list[str]) -> dict[str, object]:
    said, replay = explanation.said, explanation.replay
    return {
        "message": said.id,
        "conversation": said.stream,
        "at": said.happened.at,
        "text": said.body.text,
        "exact": replay.matches,
        "changed": replay.reasons,
        "missing": replay.missing,
        "context": parts(replay.workspace),
        "evidence": [
            {
                "message": one.id,
                "conversation": one.stream,
                "at": one.happened.at,
                "kind": one.kind,
                "text": text,
            }
            for one, text in zip(explanation.evidence, told, strict=True)
        ],
    }


def _show(explanation: Explanation, told: list[str], name: str) -> None:
    said, replay = explanation.said, explanation.replay
    heading(f"{short(said.id)}  {when(said.happened.at)}  You said: {one_line(said.body.text, 60)}")
    say(
        "What follows is byte for byte what the model received."
        if replay.matches
        else _changed(replay.reasons)
    )
    say()
    heading("System, in front")
    say(visible(replay.workspace.stable))
    say()
    heading("User, with what was remembered")
    say(visible(beside(replay.workspace.block, said.body.sent or said.body.text)))
    say()
    if not explanation.evidence:
        say("Nothing was remembered for it.")
        return
    heading("Evidence")
    who = {USER: "you", COMPANION: name}
    table(
        ("message", "when", "who", "said"),
        [
            (short(one.id), when(one.happened.at), who.get(one.kind, _OWN), one_line(text, 56))
            for one, text in zip(explanation.evidence, told, strict=True)
        ],
        cut_last=True,
    )


_OWN = "its own"
"""Whose words the parts of the self-model are."""


def _changed(reasons: tuple[str, ...]) -> str:
    return f"This is not exactly what the model received then: {' '.join(reasons)}"
