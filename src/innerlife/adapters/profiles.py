"""Which profiles a home has: one definition for all who ask."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from innerlife.errors import StorageFailed

KEYS: Final = "core.keys"
"""The key record in a profile's folder. A folder without one is no profile."""


def profiles_of(home: Path) -> frozenset[str]:
    """Names of the folders in `home/profiles` that hold a key record. Raises StorageFailed."""
    folder = home / "profiles"
    try:
        found = [one.name for one in folder.iterdir() if (one / KEYS).exists()]
    except FileNotFoundError:
        return frozenset()
    except OSError as error:
        raise StorageFailed(f"{folder} cannot be read ({error.strerror})") from error
    # A hidden one is being made, or was left by a start that was killed meanwhile.
    return frozenset(name for name in found if not name.startswith("."))
