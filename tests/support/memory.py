"""A ledger store in memory: the twin of the SQLite one, held to the same contract suite."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from innerlife.errors import CauseGone
from innerlife.ledger.store import Effect, Intent, Record


class MemoryStore:
    """Port `LedgerStore` over a dictionary."""

    def __init__(self, stride: Callable[[], int] = lambda: 3) -> None:
        self._records: dict[int, Record] = {}
        self._intents: dict[str, Intent] = {}
        self._stride = stride
        self._last = 0
        self._epoch = 0

    def append(self, records: Sequence[Record]) -> list[Record]:
        known = {r.key: r for r in self._records.values() if r.key is not None}
        fresh: dict[int, Record] = {}
        results: list[Record] = []
        last = self._last
        for record in records:
            if record.key is not None and record.key in known:
                results.append(known[record.key])
                continue
            last += self._stride()
            allotted = replace(record, seq=last)
            fresh[last] = allotted
            results.append(allotted)
            if record.key is not None:
                known[record.key] = allotted
        for record in fresh.values():
            if any(c.seq not in self._records and c.seq not in fresh for c in record.causes):
                raise CauseGone("What this rested on was forgotten meanwhile")
        self._records |= fresh
        self._last = last
        return results

    def head(self) -> int:
        return max(self._records, default=0)

    def allotted(self) -> int:
        return self._last

    def count(self, kinds: Collection[str] | None = None, after: int = 0) -> int:
        return sum(1 for r in self._of(kinds) if r.seq > after)

    def epoch(self) -> int:
        return self._epoch

    def read(self, after: int, limit: int, kinds: Collection[str] | None = None) -> list[Record]:
        return [r for r in self._of(kinds) if r.seq > after][:limit]

    def newest(
        self, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        return [r for r in self._of(kinds)[::-1] if before is None or r.seq < before][:limit]

    def get(self, seqs: Collection[int]) -> list[Record]:
        return [self._records[seq] for seq in sorted(set(seqs)) if seq in self._records]

    def by_id(self, prefix: str) -> list[Record]:
        return [r for r in self._of(None) if r.id.startswith(prefix)][:10]

    def by_key(self, key: str) -> Record | None:
        return next((r for r in self._of(None) if r.key == key), None)

    def by_handle(self, handle: str, limit: int) -> list[Record]:
        return [r for r in self._of(None)[::-1] if r.handle == handle][:limit]

    def by_stream(
        self, stream: str, limit: int, kinds: Collection[str] | None = None, before: int | None = None
    ) -> list[Record]:
        found = [r for r in self._of(kinds)[::-1] if r.stream == stream]
        return [r for r in found if before is None or r.seq < before][:limit]

    def effects(self, seqs: Collection[int]) -> list[Effect]:
        return [Effect(c.seq, r.seq, c.role) for r in self._of(None) for c in r.causes if c.seq in set(seqs)]

    def blobs_only_in(self, seqs: Collection[int]) -> list[str]:
        inside = {name for seq in seqs if seq in self._records for name in self._records[seq].blobs}
        outside = {name for r in self._of(None) if r.seq not in set(seqs) for name in r.blobs}
        return sorted(inside - outside)

    def forget(self, plan: Callable[[], Intent]) -> Intent:
        intent = plan()
        gone = set(intent.seqs)
        for seq in gone:
            self._records.pop(seq, None)
        for seq, record in self._records.items():
            kept = tuple(c for c in record.causes if c.seq not in gone)
            self._records[seq] = replace(record, causes=kept)
        self._epoch += 7
        self._intents[intent.id] = intent
        return intent

    def intents(self) -> list[Intent]:
        return [self._intents[name] for name in sorted(self._intents)]

    def scrub(self) -> None:
        """A dictionary keeps nothing of what was removed."""

    def drop_intent(self, intent: Intent) -> None:
        self._intents.pop(intent.id, None)

    def _of(self, kinds: Collection[str] | None) -> list[Record]:
        chosen: Iterable[Record] = (self._records[seq] for seq in sorted(self._records))
        return [r for r in chosen if kinds is None or r.kind in kinds]
