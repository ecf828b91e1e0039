"""What the supervision of the embedded engine is decided by: its numbers, its outcomes, its words."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from innerlife.errors import EngineUnavailable


@dataclass(frozen=True, slots=True)
class EmbeddedPolicy:
    """Numbers of the embedded engine. Times in seconds.

    `n_ctx` (tokens), `n_batch` (tokens) and `cache_ram_mib` (MiB): a hang-up during prefill frees the server
    after one batch, and llama.cpp's own default would take 8 GiB for cached prompts. `longest_answer` (tokens)
    holds where a request sets no limit: a small model may never stop by itself. `threads` 0 means one per core
    this process may use. A child that dies within `quick_life_s` of being ready died quickly; after
    `quick_deaths` of these in a row it is given up: what fails five times in a minute fails for a lasting
    reason.
    """

    n_ctx: int = 8192
    longest_answer: int = 2048
    n_batch: int = 128
    cache_ram_mib: int = 256
    threads: int = 0
    start_timeout_s: float = 120.0
    first_delay_s: float = 0.5
    delay_factor: float = 2.0
    longest_delay_s: float = 30.0
    quick_life_s: float = 10.0
    quick_deaths: int = 5
    stop_grace_s: float = 3.0
    log_max_bytes: int = 1_048_576


DEFAULT_POLICY: Final = EmbeddedPolicy()


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the server answers: `address` without a trailing slash, and the key of this start."""

    address: str
    alias: str
    api_key: str = field(repr=False)

    @property
    def headers(self) -> Mapping[str, str]:
        """The header every request needs; without it the server answers 401."""
        return {"Authorization": f"Bearer {self.api_key}"}


@dataclass(frozen=True, slots=True)
class Death:
    """How a child ended: exit code (negative: a signal), its last word, seconds lived since it was ready."""

    code: int
    error: str
    lived_s: float


def restart_delay(policy: EmbeddedPolicy, quick_deaths: int) -> float:
    """Seconds to wait before the next start, after so many quick deaths in a row."""
    if quick_deaths == 0:
        return 0.0
    return min(policy.longest_delay_s, policy.first_delay_s * policy.delay_factor ** (quick_deaths - 1))


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system can tell a process from its machine
        return os.cpu_count() or 1


def giving_up(death: Death, quick_deaths: int, alias: str, log: Path) -> EngineUnavailable:
    """The error for an embedded engine that does not come up: what happened, and the way out."""
    way_out = (
        "take another model with `innerlife model list` and `innerlife model use NAME`, or start Ollama; "
        f"the engine's log is {log}"
    )
    if death.error:
        return EngineUnavailable(
            f"the embedded engine could not load {alias} ({death.error})", f"To go on, {way_out}"
        )
    if death.code == -9:
        return EngineUnavailable(
            f"the system ended the embedded engine {quick_deaths} times in a row while it ran {alias}",
            f"Most often memory ran out; close other programs, or {way_out}",
        )
    ended = f"signal {-death.code}" if death.code < 0 else f"exit code {death.code}"
    return EngineUnavailable(
        f"the embedded engine stopped {quick_deaths} times in a row with {ended} while it ran {alias}",
        f"To go on, {way_out}",
    )
