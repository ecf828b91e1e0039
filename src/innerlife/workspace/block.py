"""One prompt's context, assembled: the stable text and the block.

The preview and the real turn both come through here.
"""

from __future__ import annotations

from dataclasses import dataclass

from innerlife.workspace.fence import closing, fenced, opening
from innerlife.workspace.inputs import TurnInputs
from innerlife.workspace.layer import Layer, Position, Section, Space
from innerlife.workspace.layers import all_layers
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.tokens import estimate_tokens

TEMPLATE_VERSION = 1
"""Rises with every change of how sections are joined or fenced."""


@dataclass(frozen=True, slots=True)
class Workspace:
    """What the model receives beside the client's own request.

    `stable` goes in front of the client's system text and depends on nothing that changes from turn to turn;
    `block` goes beside the newest user message and is empty when nothing was recalled. `brief`: the shipped
    texts are in their short form, because the window is small. `overfull`: the stable text does not fit its share even
    so (it is sent whole all the same). Token counts are estimates.
    """

    stable: str
    block: str
    sections: tuple[Section, ...]
    stable_tokens: int
    block_tokens: int
    brief: bool
    overfull: bool


def assemble(
    inputs: TurnInputs, policy: WorkspacePolicy, layers: tuple[Layer, ...] | None = None
) -> Workspace:
    """Render the layers (all there are, unless given) in their order. Equal inputs give equal bytes.

    Raises ValueError for a nonce that is not 6 to 32 of a–z and 0–9.
    """
    layers = all_layers() if layers is None else layers
    lasting = tuple(layer for layer in layers if layer.position is Position.STABLE)
    written = _written(lasting, inputs, policy, brief=False)
    stable = _joined(written)
    stable_tokens = estimate_tokens(stable)
    brief = policy.overfull(stable_tokens, inputs.window, inputs.taken)
    if brief:
        written = _written(lasting, inputs, policy, brief=True)
        stable = _joined(written)
        stable_tokens = estimate_tokens(stable)
    passing = tuple(layer for layer in layers if layer.position is not Position.STABLE)
    competing = _competing(passing, inputs, policy, inputs.taken + stable_tokens)
    lines = [line.text for section in competing for line in section.lines]
    block = fenced(lines, inputs.nonce, inputs.origin.name)
    return Workspace(
        stable=stable,
        block=block,
        sections=written + competing,
        stable_tokens=stable_tokens,
        block_tokens=estimate_tokens(block),
        brief=brief,
        overfull=policy.overfull(stable_tokens, inputs.window, inputs.taken),
    )


def in_front(stable: str, system: str) -> str:
    """The client's system text, untouched, behind the stable text."""
    return f"{stable}\n\n{system}" if stable and system else stable or system


def beside(block: str, message: str) -> str:
    """The user's message, untouched, behind its block: the question stays the last thing the model reads."""
    return f"{block}\n\n{message}" if block else message


def _written(
    layers: tuple[Layer, ...], inputs: TurnInputs, policy: WorkspacePolicy, *, brief: bool
) -> tuple[Section, ...]:
    tokens = policy.shipped_tokens + policy.written_tokens
    return tuple(_section(layer, inputs, Space(tokens, tokens, brief)) for layer in layers)


def _joined(sections: tuple[Section, ...]) -> str:
    return "\n\n".join(_text(section) for section in sections if section.lines)


def _competing(
    layers: tuple[Layer, ...], inputs: TurnInputs, policy: WorkspacePolicy, taken: int
) -> tuple[Section, ...]:
    """Each layer fills its share of the block and what those before it left over."""
    delimiters = (opening(inputs.nonce, inputs.origin.name), closing(inputs.nonce))
    frame = sum(estimate_tokens(line) + 1 for line in delimiters)
    budget = max(0, policy.block_budget(inputs.window, taken) - frame)
    granted, used = 0.0, 0
    sections: list[Section] = []
    for layer in layers:
        granted += layer.share
        tokens = max(0, int(budget * min(1.0, round(granted, 6))) - used)
        section = _section(layer, inputs, Space(tokens, min(policy.item_tokens, tokens)))
        used += min(section.tokens, tokens)
        sections.append(section)
    return tuple(sections)


def _section(layer: Layer, inputs: TurnInputs, space: Space) -> Section:
    rendered = layer.render(inputs, space)
    tokens = rendered.tokens
    if tokens is None:
        tokens = sum(estimate_tokens(line.text) + 1 for line in rendered.lines)
    return Section(layer.name, layer.version, layer.position, rendered.lines, rendered.more, tokens)


def _text(section: Section) -> str:
    return "\n".join(line.text for line in section.lines)
