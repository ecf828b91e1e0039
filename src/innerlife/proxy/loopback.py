"""Which names stand for this machine."""

from __future__ import annotations

import ipaddress
from functools import lru_cache
from typing import Final

_NAMES: Final = frozenset({"localhost", "host.docker.internal"})


@lru_cache(maxsize=1024)
def loopback_host(host: str) -> bool:
    """Whether the value of a Host header, or a bare host, names this machine from within."""
    name = _bare(host)
    if name in _NAMES or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback


def _bare(host: str) -> str:
    """A host without port, brackets and final dot, in lower case."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    if host.count(":") == 1:
        host = host.partition(":")[0]
    return host.rstrip(".")
