"""The layers, one file each. A new file here is a new layer; nothing else has to be told of it."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from innerlife.workspace.layer import Layer


@cache
def all_layers() -> tuple[Layer, ...]:
    """Every layer in this package, in the order in which they stand in the prompt."""
    layers = [_layer_of(module.name) for module in iter_modules(__path__)]
    return tuple(sorted(layers, key=lambda layer: layer.order))


def _layer_of(module: str) -> Layer:
    layer = import_module(f"{__name__}.{module}").LAYER
    if not isinstance(layer, Layer):
        raise TypeError(f"{module}.LAYER is no Layer")
    return layer
