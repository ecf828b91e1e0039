"""The system's clock."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError


class SystemClock:
    """Now, and the zone this machine is set to."""

    def __init__(self, zone: str | None = None) -> None:
        self._zone = zone or _system_zone()

    def now(self) -> datetime:
        """The present instant in UTC."""
        return datetime.now(UTC)

    def zone(self) -> str:
        """IANA name where the system tells it, else the present offset."""
        return self._zone


def _system_zone() -> str:
    if name := os.environ.get("TZ", "").lstrip(":"):
        name = name.rpartition("zoneinfo/")[2]
        # A rule such as CET-1CEST names no zone; what the system makes of it is its offset.
        return name if _is_known(name) else _offset()
    try:
        link = os.readlink("/etc/localtime")  # noqa: PTH115 - the target may not exist as a path of ours
    except OSError:
        link = ""
    if "zoneinfo/" in link:
        return link.split("zoneinfo/", 1)[1]
    zone_file = Path("/etc/timezone")
    if zone_file.is_file() and (name := zone_file.read_text("utf-8", "replace").strip()):
        return name
    return _offset()


def _offset() -> str:
    return datetime.now(UTC).astimezone().strftime("%z") or "UTC"


def _is_known(name: str) -> bool:
    try:
        ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return False
    return True
