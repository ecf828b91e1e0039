"""The proxy's numbers (design §7)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ProxyPolicy:
    """Limits and delays of the proxy; each is chosen for a machine of one person.

    connect_s: seconds to reach the engine; one on this machine takes milliseconds.
    stall_s: seconds without a byte after which an answer counts as broken. A large model on a slow machine
        reads a long prompt for minutes before its first word.
    begin_s: seconds that remembering may take before the chat goes on without; recall has a deadline of its own,
        so this is met only when storage hangs.
    finish_s: seconds that recording an answer may take before its last frame is let go all the same.
    checkpoint_s: seconds between checkpoints of an answer that is being streamed (design §8).
    body_bytes: largest request that is read as a chat; larger ones are refused. Images are sent as base64.
    connections: connections to the engine at once.
    workers: turns that are begun or recorded at once.
    grace_s: seconds that open answers have when the server is stopped.
    """

    connect_s: float = 5.0
    stall_s: float = 600.0
    begin_s: float = 5.0
    finish_s: float = 15.0
    checkpoint_s: float = 3.0
    body_bytes: int = 64 * 1024 * 1024
    connections: int = 512
    workers: int = 32
    grace_s: float = 120.0


DEFAULT_POLICY = ProxyPolicy()
