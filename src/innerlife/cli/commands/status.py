"""`innerlife status`: one screen."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

import click

from innerlife.adapters.access import AccessFile
from innerlife.adapters.profiles import KEYS
from innerlife.adapters.sqlite.connection import CORE
from innerlife.adapters.sqlite.keys import read_record
from innerlife.adapters.sqlite.opening import BLOBS
from innerlife.cli.options import examples, json_option
from innerlife.cli.output import count, facts, heading, say, show_json, size, when
from innerlife.cli.playing import engine_now
from innerlife.cli.presence import Serving, serving
from innerlife.cli.surroundings import Surroundings, context
from innerlife.companion import Companion
from innerlife.conversations.events import COMPANION, USER
from innerlife.errors import InnerlifeError

_PATHS_SHOWN = 4
"""More of them make the line longer than a person reads; `--json` has all."""

QUICK = 5_000
"""Events that the views catch up with in well under a second; beyond that, `status` says how far behind they are."""


@dataclass(frozen=True, slots=True)
class Memory:
    """What a Core holds, and what waits. Sizes in bytes; `since` is the first event's instant."""

    name: str
    born: str
    core_bytes: int
    attachments_bytes: int
    events: int
    messages: int
    conversations: int
    since: datetime | None
    views_behind: int
    views_current: bool
    vectors_missing: int | None
    forgetting_unfinished: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Status:
    """All that `status` shows. `key` is how the Core's key is kept, `access_keys` how many chat programs have one."""

    profile: str
    home: str
    engine: str
    serving: tuple[Serving, ...]
    key: str
    access_keys: int
    memory: Memory


@click.command(
    "status",
    short_help="What is remembered, what waits, what failed.",
    epilog=examples("innerlife status", "innerlife status --json"),
)
@json_option
@context
def command(here: Surroundings, *, as_json: bool) -> None:
    """Show on one screen what is remembered, what waits, and what could not be recorded."""
    here.must_exist()
    configured = here.configured
    engine = _engine(here)
    running = tuple(serving(configured.places.home))
    key = read_record(here.folder / KEYS).method
    with here.opened() as companion:
        memory = _memory(here, companion)
    status = Status(
        here.profile,
        str(configured.places.home),
        engine,
        running,
        key,
        len(AccessFile(configured.places.home).list()),
        memory,
    )
    if as_json:
        show_json(asdict(status))
    else:
        _show(status)


def _engine(here: Surroundings) -> str:
    try:
        return str(engine_now(here))
    except InnerlifeError as error:
        return error.message


def _memory(here: Surroundings, companion: Companion) -> Memory:
    origin = companion.origins.read()
    behind = companion.upkeep.behind()
    if companion.upkeep.current and behind <= QUICK:
        companion.upkeep.catch_up()
        behind = 0
    first = companion.ledger.read(0, 1, {USER})
    return Memory(
        name=origin.name,
        born=origin.born,
        # The newest events may lie in the journal beside it.
        core_bytes=sum(one.stat().st_size for one in here.folder.glob(f"{CORE}*")),
        attachments_bytes=sum(
            one.stat().st_size for one in (here.folder / BLOBS).rglob("*") if one.is_file()
        ),
        events=companion.ledger.count(),
        messages=companion.ledger.count({USER, COMPANION}),
        conversations=companion.conversations.count() if companion.upkeep.current else 0,
        since=first[0].happened.at if first else None,
        views_behind=behind,
        views_current=companion.upkeep.current,
        vectors_missing=companion.embeddings.backlog() if companion.embeddings else None,
        forgetting_unfinished=len(companion.forgetting.unfinished()),
        notices=(*companion.notices, *companion.upkeep.notices),
    )


def _show(status: Status) -> None:
    memory = status.memory
    heading(f"{memory.name}, born on {memory.born}, profile {status.profile}")
    facts([
        ("Core", _core(memory)),
        ("Views", _views(memory)),
        ("Meaning", _vectors(memory)),
        ("Forgetting", _forgetting(memory)),
    ])  # fmt: skip
    facts([("Running", one) for one in _running(status.serving)])
    facts([("Engine", status.engine), ("Key", _keys(status)), ("Home", status.home)])
    for one in status.serving:
        for profile, trouble in one.troubles.items():
            say(f"Attention: in {profile}, {trouble}.")


def _core(memory: Memory) -> str:
    since = f", since {when(memory.since)}" if memory.since else ""
    files = f", and {size(memory.attachments_bytes)} of attachments" if memory.attachments_bytes else ""
    said = f"{count(memory.messages, 'message')} in {count(memory.conversations, 'conversation')}"
    return f"{said}{since}; {count(memory.events, 'event')}, {size(memory.core_bytes)}{files}"


def _views(memory: Memory) -> str:
    if not memory.views_current:
        return "of another version; they are rebuilt by the next command that reads, or while Innerlife runs"
    return f"{count(memory.views_behind, 'event')} behind" if memory.views_behind else "up to date"


def _vectors(memory: Memory) -> str:
    match memory.vectors_missing:
        case None:
            return "searched by words only; `innerlife doctor` says why"
        case 0:
            return "every message can be found by meaning"
        case missing:
            return f"{count(missing, 'message')} cannot be found by meaning yet; that goes on while Innerlife runs"


def _forgetting(memory: Memory) -> str:
    if memory.forgetting_unfinished:
        return "unfinished: nothing of it is served; `innerlife forget --unfinished` clears the files"
    return "nothing unfinished"


def _running(found: tuple[Serving, ...]) -> list[str]:
    if not found:
        return ["no; `innerlife serve` starts it"]
    return [
        f"at {one.address} since {one.since[:16].replace('T', ' ')}; {_counts(one.counts)}" for one in found
    ]


def _counts(counts: dict[str, Any]) -> str:
    parts = [f"{count(counts.get('recorded', 0), 'exchange')} recorded since it started"]
    if lost := counts.get("unrecorded", 0):
        parts.append(f"{lost} not recorded (last: {str(counts.get('last_unrecorded', '')).rstrip('.')})")
    if counts.get("degraded"):
        parts.append(f"{counts['degraded']} answered with less than all that is remembered")
    if counts.get("passthrough"):
        what = f"{count(counts['passthrough'], 'request')} answered by the engine and not remembered"
        parts.append(f"{what}, such as titles and tags{_unknown(counts.get('unknown', {}))}")
    if counts.get("upstream_errors"):
        last = str(counts.get("last_upstream_error", "")).rstrip(".")
        parts.append(f"{count(counts['upstream_errors'], 'error')} of the engine (last: {last})")
    return ", ".join(parts)


def _unknown(paths: dict[str, int]) -> str:
    """The paths that were passed through unread, most used first."""
    found = sorted(paths.items(), key=lambda pair: (-pair[1], pair[0]))
    shown = [f"{path} {number}" for path, number in found[:_PATHS_SHOWN]]
    more = [f"{len(found) - _PATHS_SHOWN} more paths"] if len(found) > _PATHS_SHOWN else []
    return f" (unread: {'; '.join([*shown, *more])})" if found else ""


def _keys(status: Status) -> str:
    kept = {
        "file": "in a file apart from the home",
        "keyring": "in this system's keyring",
        "passphrase": "a passphrase",
    }
    programs = f"; {count(status.access_keys, 'key')} for chat programs" if status.access_keys else ""
    return f"{kept.get(status.key, status.key)}{programs}"
