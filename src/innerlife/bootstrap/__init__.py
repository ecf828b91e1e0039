"""Everything is constructed here, once.

What the rooms register is in `rooms`, how a companion is put together in `opening`, those of a home in `household`.
"""

from innerlife.bootstrap.household import Household
from innerlife.bootstrap.opening import open_companion, shelf_for
from innerlife.bootstrap.policies import policy_of
from innerlife.bootstrap.rooms import EXTRACTORS, declared_stages, registry, views

__all__ = [
    "EXTRACTORS",
    "Household",
    "declared_stages",
    "open_companion",
    "policy_of",
    "registry",
    "shelf_for",
    "views",
]
