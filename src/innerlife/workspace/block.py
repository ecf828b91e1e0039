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
    `block` goes beside the newest user message and is empty when nothing was recalled. `overfull`: the stable
    text takes more than its share of the window (it is sent whole all the same). Token counts are estimates.
    """

    stable: str
    block: str
    sections: tuple[Section, ...]
    stable_tokens: int
    block_tokens: int
    overfull: bool


def assemble(
    inputs: TurnInputs, policy: WorkspacePolicy, layers: tuple[Layer, ...] | None = None
) -> Workspace:
    """Render the layers (all there are, unless given) in their order. Equal inputs give equal bytes.

    Raises ValueError for a nonce that is not 6 to 32 of a–z and 0–9.
    """
    layers = all_layers() if layers is None else layers
    written = tuple(_section(layer, inputs, _stable_space(policy)) for layer in layers if _is_stable(layer))
    stable = "\n\n".join(_text(section) for section in written if section.lines)
    competing = _competing(tuple(layer for layer in layers if not _is_stable(layer)), inputs, policy)
    lines = [line.text for section in competing for line in section.lines]
    block = fenced(lines, inputs.nonce, inputs.origin.name)
    stable_tokens = estimate_tokens(stable)
    return Workspace(
        stable=stable,
        block=block,
        sections=written + competing,
        stable_tokens=stable_tokens,
        block_tokens=sum(estimate_tokens(line) + 1 for line in block.splitlines()),
        overfull=policy.overfull(stable_tokens, inputs.window),
    )


def in_front(stable: str, system: str) -> str:
    """The client's system text, untouched, behind the stable text."""
    return f"{stable}\n\n{system}" if stable and system else stable or system


def beside(block: str, message: str) -> str:
    """The user's message, untouched, behind its block: the question stays the last thing the model reads."""
    return f"{block}\n\n{message}" if block else message


def _competing(layers: tuple[Layer, ...], inputs: TurnInputs, policy: WorkspacePolicy) -> tuple[Section, ...]:
    """Each layer fills its share of the block and what those before it left over."""
    delimiters = (opening(inputs.nonce, inputs.origin.name), closing(inputs.nonce))
    frame = sum(estimate_tokens(line) + 1 for line in delimiters)
    budget = max(0, policy.block_budget(inputs.window) - frame)
    carried = 0
    sections: list[Section] = []
    for layer in layers:
        tokens = carried + int(budget * layer.share)
        section = _section(layer, inputs, Space(tokens, min(policy.item_tokens, tokens)))
        carried = max(0, tokens - section.tokens)
        sections.append(section)
    return tuple(sections)


def _section(layer: Layer, inputs: TurnInputs, space: Space) -> Section:
    rendered = layer.render(inputs, space)
    tokens = rendered.tokens
    if tokens is None:
        tokens = sum(estimate_tokens(line.text) + 1 for line in rendered.lines)
    return Section(layer.name, layer.version, layer.position, rendered.lines, rendered.more, tokens)


def _stable_space(policy: WorkspacePolicy) -> Space:
    tokens = policy.shipped_tokens + policy.written_tokens
    return Space(tokens, tokens)


def _is_stable(layer: Layer) -> bool:
    return layer.position is Position.STABLE


def _text(section: Section) -> str:
    return "\n".join(line.text for line in section.lines)
