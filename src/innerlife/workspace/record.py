"""What a turn received, without its words: enough to render it again and to see whether it is the same."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

from innerlife.kernel.canonical import digest
from innerlife.workspace.block import TEMPLATE_VERSION, Workspace, assemble
from innerlife.workspace.inputs import Origin, Remembered, TurnInputs, Written
from innerlife.workspace.layer import Layer, Section, Span
from innerlife.workspace.layers import all_layers
from innerlife.workspace.layers.recalled import LAYER as RECALLED_LAYER
from innerlife.workspace.policy import WorkspacePolicy, policy_hash
from innerlife.workspace.shipped import ShippedTexts

RECORD_VERSION = 1
RECALLED = RECALLED_LAYER.name
SHIPPED = frozenset({"origin", "guardrails", "constitution"})
"""Layers whose words are a release's."""

LookUpWritten = Callable[[str, tuple[str, ...], datetime], tuple[Written, ...]]
"""(layer, ids of the events that it showed, the `now` of then) → what it showed; for no ids the shipped sentence."""


@dataclass(frozen=True, slots=True)
class LineRecord:
    """The evidence of one line: event ids, seqs and spans in parallel; all empty for "… N more"."""

    event_ids: tuple[str, ...]
    sources: tuple[int, ...]
    spans: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class SectionRecord:
    """One layer of one turn. The lines of shipped texts carry no evidence and are not listed."""

    layer: str
    version: int
    lines: tuple[LineRecord, ...]
    more: int


@dataclass(frozen=True, slots=True)
class WorkspaceRecord:
    """One turn's context by reference. `now` is ISO 8601; `shipped` holds (file name, SHA-256)."""

    template: int
    sections: tuple[SectionRecord, ...]
    shipped: tuple[tuple[str, str], ...]
    policy: tuple[tuple[str, float], ...]
    policy_hash: str
    now: str
    zone: str | None
    window: int | None
    taken: int
    nonce: str
    stable_digest: str
    block_digest: str

    def event_ids(self) -> tuple[str, ...]:
        """The events shown, each once, in the order of their lines."""
        shown = (one for section in self.sections for line in section.lines for one in line.event_ids)
        return tuple(dict.fromkeys(shown))

    def lines_of(self, layer: str) -> tuple[tuple[str, ...], ...]:
        """The ids behind each line of a layer; a line that only tells of more is none."""
        lines = (line for section in self.sections if section.layer == layer for line in section.lines)
        return tuple(line.event_ids for line in lines if line.event_ids)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON values; `from_json` reads them back, also after a trip through text."""
        plain = asdict(self)
        # Most layers show nothing in most turns: that is said by leaving it out.
        sections = [{name: one for name, one in section.items() if one} for section in plain["sections"]]
        return {"version": RECORD_VERSION, **plain, "sections": sections}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> WorkspaceRecord:
        """The record that `to_json` gave. Raises KeyError or TypeError where it is not one."""
        nested = {"sections", "shipped", "policy"}
        plain = {name: value[name] for name in cls.__slots__ if name not in nested}
        return cls(
            sections=tuple(_section_from_json(section) for section in value["sections"]),
            shipped=tuple((name, sha) for name, sha in value["shipped"]),
            policy=tuple((name, number) for name, number in value["policy"]),
            **plain,
        )


@dataclass(frozen=True, slots=True)
class Replay:
    """A past turn's context rendered again.

    `matches` says whether it is byte for byte what the model received; if not, `reasons` has a sentence for
    each thing that changed since, and `missing` the ids of events that are gone.
    """

    workspace: Workspace
    matches: bool
    missing: tuple[str, ...]
    reasons: tuple[str, ...]


def record_of(workspace: Workspace, inputs: TurnInputs, policy: WorkspacePolicy) -> WorkspaceRecord:
    """The record of what `assemble(inputs, policy)` gave."""
    return WorkspaceRecord(
        template=TEMPLATE_VERSION,
        sections=tuple(_section_record(section) for section in workspace.sections),
        shipped=inputs.shipped.digests,
        policy=tuple(sorted(asdict(policy).items())),
        policy_hash=policy_hash(policy),
        now=inputs.now.isoformat(),
        zone=inputs.zone,
        window=inputs.window,
        taken=inputs.taken,
        nonce=inputs.nonce,
        stable_digest=digest(workspace.stable),
        block_digest=digest(workspace.block),
    )


def render_again(
    record: WorkspaceRecord,
    lookup: Callable[[str], Remembered | None],
    shipped: ShippedTexts,
    origin: Origin,
    layers: tuple[Layer, ...] | None = None,
    written: LookUpWritten | None = None,
) -> Replay:
    """Render a recorded turn from its events, with the numbers that were in force then.

    `lookup(event_id)` gives the event as recall gave it, None when it is gone; `written` does so for what is written
    about the companion and the person. The same code runs as for a
    new turn, over the items that were shown: whatever fitted then fits now.
    """
    layers = all_layers() if layers is None else layers
    now = datetime.fromisoformat(record.now)
    shown = {section.layer: _ids(section) for section in record.sections if section.lines}
    selves = [layer for layer in shown if layer not in SHIPPED | {RECALLED}] if written else []
    items = tuple(item for layer in selves if written for item in written(layer, shown[layer], now))
    there = {one for item in items for one in item.event_ids}
    found = {one: lookup(one) for one in shown.get(RECALLED, ())}
    inputs = TurnInputs(
        shipped=shipped,
        origin=origin,
        remembered=tuple(item for item in found.values() if item is not None),
        now=now,
        nonce=record.nonce,
        zone=record.zone,
        window=record.window,
        taken=record.taken,
        withheld=sum(section.more for section in record.sections if section.layer == RECALLED),
        written=items,
        withheld_of=tuple((section.layer, section.more) for section in record.sections),
    )
    policy = _policy_of(record)
    workspace = assemble(inputs, policy, layers)
    digests = (digest(workspace.stable), digest(workspace.block))
    matches = digests == (record.stable_digest, record.block_digest)
    missing = tuple(one for one in record.event_ids() if found.get(one) is None and one not in there)
    return Replay(workspace, matches, missing, () if matches else _reasons(record, missing, shipped, layers))


def _policy_of(record: WorkspaceRecord) -> WorkspacePolicy:
    """The numbers in force then; one that has come since has its default, one that is gone plays no part."""
    known = {field.name for field in fields(WorkspacePolicy)}
    numbers: dict[str, Any] = {name: number for name, number in record.policy if name in known}
    return WorkspacePolicy(**numbers)


def _reasons(
    record: WorkspaceRecord, missing: tuple[str, ...], shipped: ShippedTexts, layers: tuple[Layer, ...]
) -> tuple[str, ...]:
    then = dict(record.shipped)
    reasons = [f"{name} has changed since." for name, sha in shipped.digests if then.get(name) != sha]
    versions = {section.layer: section.version for section in record.sections}
    changed = [layer.name for layer in layers if versions.get(layer.name) != layer.version]
    reasons += [f"The layer {name} is worded differently now." for name in changed]
    if record.template != TEMPLATE_VERSION:
        reasons.append("The parts are put together differently now.")
    if policy_hash(_policy_of(record)) != record.policy_hash:
        reasons.append("The workspace is measured by other numbers now.")
    if missing:
        reasons.append(f"{len(missing)} of the events shown then are gone.")
    return tuple(reasons) or ("An event shown then, or the companion's name, reads differently now.",)


def _section_record(section: Section) -> SectionRecord:
    lines = () if section.layer in SHIPPED else section.lines
    return SectionRecord(
        section.layer,
        section.version,
        tuple(LineRecord(line.event_ids, line.sources, line.spans) for line in lines),
        section.more,
    )


def _ids(section: SectionRecord) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one for line in section.lines for one in line.event_ids))


def _section_from_json(value: dict[str, Any]) -> SectionRecord:
    lines = tuple(
        LineRecord(
            tuple(line["event_ids"]),
            tuple(line["sources"]),
            tuple((start, end) for start, end in line["spans"]),
        )
        for line in value.get("lines", ())
    )
    return SectionRecord(value["layer"], value["version"], lines, value.get("more", 0))
