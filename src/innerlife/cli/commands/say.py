"""`innerlife say`: one exchange."""

from __future__ import annotations

import sys

import click

from innerlife.adapters.clock import SystemClock
from innerlife.adapters.models.bundled import BUNDLED_ALIAS
from innerlife.cli.engines import TOY_TOKENS, Engines
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import note, say, show_json, visible, wrapped
from innerlife.cli.surroundings import Surroundings, context, readable_here, wait_for_views, wake_memory
from innerlife.cli.talk import Spoken, Talk, carry_on, conversing, new_chat
from innerlife.cli.targets import conversation_named
from innerlife.companion import Companion
from innerlife.errors import BadInput
from innerlife.membrane.turn import Ending, Standing


@click.command(
    "say",
    short_help="Say one thing and hear the answer.",
    epilog=examples(
        'innerlife say "What did I tell you about Anna?"',
        'innerlife say --conversation c01k9 "And then?"',
        'echo "Read this." | innerlife say -',
    ),
)
@click.argument("text", metavar="TEXT")
@click.option("--conversation", metavar="ID", help="Carry on this conversation (the beginning of its id).")
@click.option("--new", is_flag=True, help="Begin a new conversation; it is what happens anyway.")
@click.option("--model", default="", metavar="NAME", help="Which of the engine's models answers.")
@click.option("--upstream", metavar="URL", help="The engine that answers.")
@json_option
@context
def command(
    here: Surroundings,
    text: str,
    conversation: str | None,
    *,
    new: bool,
    model: str,
    upstream: str | None,
    as_json: bool,
) -> None:
    """Say one thing; the answer is shown as it comes, and both are remembered.

    TEXT is what you say; `-` reads it from standard input.
    """
    if new and conversation:
        raise BadInput(
            "A conversation is either new or carried on", "Leave one of --new and --conversation out"
        )
    text = sys.stdin.read() if text == "-" else text
    if not text.strip():
        raise BadInput("There is nothing to say", 'Put it behind the command: `innerlife say "Hello"`')
    here.may_begin()
    first = not here.exists
    configured = here.with_flags({("proxy", "upstream"): upstream})
    with here.opened(configured=configured) as companion:
        if first:
            note(wrapped(readable_here(configured, here.profile)))
        engines = Engines(configured)
        talk = _talk(companion, engines, conversation, model)
        with conversing(engines) as runner:
            spoken = runner.run(talk.exchange(text, _quiet if as_json else _show))
        _end(spoken, as_json=as_json)


def _talk(companion: Companion, engines: Engines, conversation: str | None, model: str) -> Talk:
    # What was said a moment ago, from another command line perhaps, is to be remembered too.
    wait_for_views(companion)
    wake_memory(companion)
    if conversation is None:
        return Talk(companion, engines, "say", model, new_chat("say", SystemClock().now()))
    return carry_on(companion, engines, conversation_named(companion, conversation), "say", model)


def _show(piece: str) -> None:
    click.echo(visible(piece), nl=False)


def _quiet(piece: str) -> None:
    """With --json nothing is shown before the end."""


def _end(spoken: Spoken, *, as_json: bool) -> None:
    plan, answer = spoken.plan, spoken.answer
    if as_json:
        show_json(
            {
                "answer": answer.text,
                "ending": answer.ending.value,
                "model": answer.model,
                "conversation": plan.opened.conversation if plan.opened else None,
                "message": plan.opened.user_id if plan.opened else None,
                "standing": plan.standing.value,
                "why": spoken.unrecorded or plan.why,
            }
        )
        return
    say()
    tell_standing(spoken)
    tell_unfinished(spoken)


def tell_standing(spoken: Spoken) -> None:
    """Say on standard error what was not as it should be."""
    plan = spoken.plan
    if spoken.unrecorded:
        note(f"(The answer was not recorded: {spoken.unrecorded}.)")
    match plan.standing:
        case Standing.UNRECORDED:
            note(f"(This was not recorded: {plan.why}.)")
        case Standing.DEGRADED:
            note(f"(Answered with less than all that is remembered: {plan.why}.)")
        case Standing.PASSTHROUGH:
            note("(This reads like a task of a chat program, so it was answered and not remembered.)")
        case Standing.OK:
            pass


def tell_unfinished(spoken: Spoken, more: str = "") -> bool:
    """Say on standard error that an answer is not whole, and why where that is known. Returns whether it was said."""
    if spoken.answer.ending is not Ending.TRUNCATED:
        return False
    if spoken.answer.model == BUNDLED_ALIAS:
        why = f"The model that came with Innerlife is cut off after {TOY_TOKENS} tokens, for it would not end by itself"
    else:
        why = "The model stopped before its answer was finished"
    note(wrapped(f"({why}.{more})"))
    return True
