"""`innerlife forget`: gone, with everything that rests on it."""

from __future__ import annotations

from collections import Counter

import click

from innerlife.cli.errors import Interrupted, NotDone
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, heading, note, one_line, say, short, show_json, table, when, wrapped
from innerlife.cli.proof import needles_of, prove
from innerlife.cli.surroundings import Surroundings, context, wait_for_views
from innerlife.cli.targets import MESSAGES, message_named
from innerlife.companion import Companion
from innerlife.conversations.events import COMPANION, TOOL, USER
from innerlife.conversations.view import parent_of
from innerlife.errors import BadInput, NotFound, StorageFailed
from innerlife.ledger.envelope import Event, Role
from innerlife.ledger.forget import Reach

EVERYTHING = 1_000_000_000
"""More events than a conversation can have: all of them are meant."""

SHOWN = 20
"""Things that came of it that are listed; `--json` lists all."""

_CONCLUDED = ("self.", "affect.", "learning.", "reflection.done")
"""How the kinds begin of what was concluded: a person reads it elsewhere, so its going is told here."""

NOT_CLEARED = "it is not served any more, but the files are not cleared yet"
GO_ON = "`innerlife forget --unfinished` goes on"


@click.command(
    "forget",
    short_help="Forget a message, an exchange or a conversation.",
    epilog=examples(
        "innerlife forget 01K9ZC3M8Q --preview",
        "innerlife forget 01K9ZC3M8Q --exchange",
        "innerlife forget c01k9 --yes",
    ),
)
@click.argument("what", metavar="ID", required=False)
@click.option(
    "--message",
    "unit",
    flag_value="message",
    help="This message, and what rests on it; an answer goes alone.",
)
@click.option(
    "--exchange",
    "unit",
    flag_value="exchange",
    help="Your message with all its answers, whichever is named.",
)
@click.option("--conversation", "unit", flag_value="conversation", help="The whole conversation.")
@click.option("--preview", is_flag=True, help="Show what would go; change nothing.")
@click.option("--yes", is_flag=True, help="Do not ask.")
@click.option("--unfinished", is_flag=True, help="Finish forgettings that were interrupted.")
@json_option
@context
def command(
    here: Surroundings,
    what: str | None,
    unit: str | None,
    *,
    preview: bool,
    yes: bool,
    unfinished: bool,
    as_json: bool,
) -> None:
    """Forget something for good, with everything that rests on it.

    ID is the beginning of a message's or a conversation's id. Everything it reaches is shown first, and nothing
    happens without a yes. Afterwards every file is searched for what was said, to see that it is gone.
    """
    here.must_exist()
    if bool(what) == unfinished:
        raise BadInput(
            "Name what to forget, or --unfinished alone",
            "`innerlife conversations` and `innerlife recall` show ids",
        )
    if as_json and not (preview or yes or unfinished):
        raise BadInput("With --json nothing is asked", "Add --preview to look, or --yes to forget")
    with here.opened() as companion:
        if not what:
            _finish_interrupted(companion, as_json=as_json)
            return
        wait_for_views(companion)
        reach = companion.forgetting.preview(_seeds(companion, what, unit))
        if not as_json:
            _show(reach, companion)
        elif preview:
            show_json(_data(reach))
        if not preview and (yes or _asked(reach)):
            _carry_out(companion, reach, as_json=as_json)
        elif not as_json:
            say("Nothing was changed." if preview else "Nothing was forgotten.")


def _finish_interrupted(companion: Companion, *, as_json: bool) -> None:
    finished = companion.forgetting.resume()
    if as_json:
        show_json({"finished": finished})
    else:
        say(f"{count(finished, 'forgetting')} finished." if finished else "No forgetting is unfinished.")


def _seeds(companion: Companion, what: str, unit: str | None) -> list[int]:
    """The seqs that a person names. Raises NotFound, BadInput."""
    conversations = companion.conversations.matching(what.lower()) if what else []
    if conversations:
        if unit in ("message", "exchange"):
            raise BadInput(
                f"{what!r} is a conversation, no {unit}", "Name a message, or leave the option out"
            )
        if len(conversations) > 1:
            raise BadInput(
                f"{what!r} begins several conversations", f"Type more of it, such as {conversations[0]}"
            )
        return _of_conversation(companion, conversations[0])
    try:
        event = message_named(companion, what)
    except NotFound:
        raise NotFound(
            f"There is no message and no conversation {what!r}",
            "`innerlife conversations` lists them with their ids, `innerlife recall` finds messages",
        ) from None
    match unit:
        case "conversation":
            return _of_conversation(companion, event.stream)
        case "exchange":
            return _of_exchange(companion, event)
        case _:
            return [event.seq]


def _of_exchange(companion: Companion, event: Event) -> list[int]:
    """A message with all its answers, whichever of them is named."""
    said = event.seq if event.kind == USER else parent_of(event) or event.seq
    effects = companion.ledger.store.effects([said])
    made = companion.ledger.get([one.effect for one in effects if one.role is Role.FROM])
    return [said, *(one.seq for one in made if one.kind == COMPANION)]


def _of_conversation(companion: Companion, conversation: str) -> list[int]:
    return [event.seq for event in companion.ledger.by_stream(conversation, EVERYTHING)]


def _asked(reach: Reach) -> bool:
    try:
        return click.confirm(f"Forget {_amount(reach)} for good?", err=True)
    except click.Abort as left:
        # The question has no end of its line yet. Click leaves the same way for Ctrl-C and where nobody answers.
        if isinstance(left.__context__, KeyboardInterrupt):
            raise Interrupted("\nInterrupted: nothing was forgotten.") from None
        raise NotDone(
            "\nNothing was forgotten, for nobody said yes. Answer the question, or add --yes."
        ) from None


def _amount(reach: Reach) -> str:
    """What goes, counted as a person knows it."""
    names = {USER: "message", COMPANION: "answer", TOOL: "tool result"}
    numbers = Counter(event.kind for event in reach.events)
    known = [count(numbers[kind], name) for kind, name in names.items() if numbers[kind]]
    if concluded := _concluded(reach):
        known.append(count(len(concluded), "thing that came of it", "things that came of it"))
    said = " and ".join([", ".join(known[:-1]), known[-1]] if len(known) > 1 else known)
    working = _working(reach)
    records = count(working, "working record")
    return (f"{said}, with {records}" if working else said) if said else records


def _working(reach: Reach) -> int:
    """How many of the events no person has seen: drafts, records of prompts and of work on them."""
    return sum(event.kind not in MESSAGES for event in reach.events) - len(_concluded(reach))


def _concluded(reach: Reach) -> list[Event]:
    """What the companion made of it: goals, facts, readings, rules, reflections."""
    return [event for event in reach.events if event.kind.startswith(_CONCLUDED)]


def _carry_out(companion: Companion, reach: Reach, *, as_json: bool) -> None:
    needles = needles_of(reach.events)
    intent = companion.forgetting.carry_out(reach)
    note("Forgotten: none of it is served any more. Clearing the files …")
    try:
        done = companion.forgetting.finish(intent)
    except KeyboardInterrupt:
        raise Interrupted(f"Interrupted: {NOT_CLEARED}. {GO_ON}.") from None
    except StorageFailed as trouble:
        raise StorageFailed(f"{trouble.message}; {NOT_CLEARED}", GO_ON) from trouble
    proof = prove(companion, needles)
    if as_json:
        show_json({"events": done.events, "attachments": done.blobs, **proof.data()})
    else:
        attachments = f" and {count(done.blobs, 'attachment')}" if done.blobs else ""
        later = done.events - len(reach.events)
        more = f", and {count(later, 'record')} more that came meanwhile" if later > 0 else ""
        say(wrapped(f"Gone: {_amount(reach)}{attachments}{more}. {proof.sentence()}".rstrip()))
    if proof.left:
        raise StorageFailed(
            f"Something of it still stands in {', '.join(proof.left)}",
            "Run `innerlife rebuild`, then `innerlife doctor`",
        )


def _data(reach: Reach) -> dict[str, object]:
    return {
        "events": [
            {
                "id": event.id, "kind": event.kind, "conversation": event.stream, "at": event.happened.at,
                "why": reach.why[event.seq].why, "through": _id_of(reach, reach.why[event.seq].through),
                "text": getattr(event.body, "text", None),
            }
            for event in reach.events
        ],
        "attachments": len(reach.blobs),
    }  # fmt: skip


def _id_of(reach: Reach, seq: int) -> str | None:
    return next((event.id for event in reach.events if event.seq == seq), None)


def _show(reach: Reach, companion: Companion) -> None:
    name, registry = companion.origins.read().name, companion.ledger.registry
    heading("This would go:")
    rows = [
        (short(event.id), when(event.happened.at), _who(event, name), _why(reach, event), _said(event))
        for event in reach.events
        if event.kind in MESSAGES
    ]
    table(("id", "when", "who", "because", "said"), rows, cut_last=True)
    if concluded := _concluded(reach):
        say()
        heading("And what came of it:")
        for event in concluded[-SHOWN:]:
            told = registry.named(event.kind).tells(event.body)
            say(f"  {when(event.recorded_at)}  {one_line(told, 78)}")
        if len(concluded) > SHOWN:
            say(f"  … {len(concluded) - SHOWN} more.")
        say()
    if working := _working(reach):
        say(
            wrapped(f"And {count(working, 'working record')} of these: drafts, and what the model was given.")
        )
    if reach.blobs:
        say(f"With it {count(len(reach.blobs), 'attachment')}.")
    say(wrapped("The search index and the views are worked out anew without it."))


def _who(event: Event, name: str) -> str:
    return {USER: "you", COMPANION: name}.get(event.kind, "a tool")


def _why(reach: Reach, event: Event) -> str:
    reached = reach.why[event.seq]
    through = short(_id_of(reach, _shown(reach, reached.through)) or "")
    match reached.why:
        case "asked":
            return "you named it"
        case "from":
            return f"made from {through}"
        case "used":
            return f"draws on {through}"
        case _:
            return f"lists {through}"


def _shown(reach: Reach, seq: int) -> int:
    """The nearest message on the way back from here to what was named: working records are in no row."""
    kinds = {event.seq: event.kind for event in reach.events}
    while kinds.get(seq) not in MESSAGES and seq in reach.why and reach.why[seq].why != "asked":
        seq = reach.why[seq].through
    return seq


def _said(event: Event) -> str:
    return one_line(getattr(event.body, "text", ""), 34)
