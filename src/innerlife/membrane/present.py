"""What is always there in a turn: the self-model as the workspace's layers take it, and again from a record.

Another room adds its own: `others` for a turn, a line in `_ELSEWHERE` for a record.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from innerlife.ledger.envelope import Event
from innerlife.ledger.views import position_of
from innerlife.membrane import taught
from innerlife.selfmodel import goals, growth, human, minding, observations, preferences
from innerlife.selfmodel.desk import Desk
from innerlife.selfmodel.events import Portrait
from innerlife.selfmodel.goals import Goal
from innerlife.selfmodel.journal import newest_of_each, standing
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.portraits import versions_of
from innerlife.selfmodel.rows import KINDS_HERE, Noun, Row, row_of
from innerlife.workspace.inputs import Written

Relevance = Mapping[int, float]
"""How near observations (by seq) are to what is being said."""

Other = Callable[[Sequence[str]], Sequence[Written]]
"""What another room's layers show, by the user's last messages in their own words. Raises StorageFailed."""


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a layer's items are made for: the moment, the numbers, what is near; or everything that was shown."""

    now: datetime
    policy: SelfModelPolicy
    relevance: Relevance | None


def _portrait(portrait: Portrait) -> Callable[[Sequence[Row], _Reading], list[Written]]:
    def written(rows: Sequence[Row], reading: _Reading) -> list[Written]:
        del reading
        one = versions_of(rows, portrait)[-1]
        seqs, ids = ((one.seq,), (one.id,)) if one.seq else ((), ())
        return [Written(portrait.value, one.text, seqs, ids, one.at, one.zone)]

    return written


def _human(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    del reading
    layer = human.human_of(rows)
    fields = [(field.field.value, field.shown) for field in layer.fields if field.shown]
    found = [
        Written("human", said.text, (said.seq,), (said.id,), said.at, kind=name) for name, said in fields
    ]
    return found + [
        Written("human", one.text, (one.seq,), (one.id,), one.at, kind=one.sort.value)
        for one in layer.everything
    ]


def _growth(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    entries = growth.digest_of(growth.entries_of(rows), reading.policy.digest_entries)
    return [Written("growth_digest", one.text, (one.seq,), (one.id,), one.at, one.zone) for one in entries]


def _inner_state(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    del reading
    one = minding.state_of(rows)
    return [Written("inner_state", one.text, (one.seq,), (one.id,), one.at, one.zone)] if one else []


def _working_memory(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    held = minding.held_of(rows, reading.now)
    due = minding.due_of(held, reading.now, reading.policy.memory_ahead_days)
    return [
        Written("working_memory", one.text, (one.seq,), (one.id,), one.at, one.zone, due=one.due)
        for one in due
    ]


def _goals(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    found = [one for one in goals.goals_of(rows) if one.open]
    return [
        Written(
            "goals", one.text, *_both((one.seq, one.id), one.words), one.at, one.zone,
            "promise" if one.promise else "goal", one.by.value, one.due,
            _pressing(one, reading.now, place / len(found)),
        )
        for place, one in enumerate(found)
    ]  # fmt: skip


def _pressing(goal: Goal, now: datetime, newness: float) -> float:
    """Which goals come first where not all fit: what is due about now, then the newest."""
    return newness if goal.due is None else 1.0 + 1.0 / (1.0 + abs((goal.due - now) / timedelta(days=1)))


def _preferences(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    del reading
    found = preferences.preferences_of(rows)
    return [
        Written("preferences", one.text, (one.seq,), (one.id,), one.at, one.zone, score=float(place))
        for place, one in enumerate(found)
    ]


def _observations(rows: Sequence[Row], reading: _Reading) -> list[Written]:
    found = observations.observations_of(rows)
    scores: dict[int, float] = {}
    if reading.relevance is not None:
        # The relevant ones first, the freshest after them for continuity; the rest does not come to mind.
        fresh = found[len(found) - min(len(found), reading.policy.fresh_observations) :]
        scores = {one.seq: 0.001 * place for place, one in enumerate(fresh, 1)}
        scores |= {one.seq: 1.0 + reading.relevance[one.seq] for one in found if one.seq in reading.relevance}
        found = [one for one in found if one.seq in scores]
    return [
        Written(
            "observations", one.text, *_both((one.seq, one.id), one.words), one.at, one.zone, one.sort.value,
            score=scores.get(one.seq, 0.0),
        )
        for one in found
    ]  # fmt: skip


def _both(first: tuple[int, str], words: tuple[int, str]) -> tuple[tuple[int, ...], tuple[str, ...]]:
    """The event that began a thing and the one that gave it its words, once where they are one."""
    return tuple(dict.fromkeys((first[0], words[0]))), tuple(dict.fromkeys((first[1], words[1])))


_LAYERS: Final[dict[str, tuple[tuple[Noun, ...], Callable[[Sequence[Row], _Reading], list[Written]]]]] = {
    "persona": ((Noun.PERSONA,), _portrait(Portrait.PERSONA)),
    "human": (human.NOUNS, _human),
    "identity": ((Noun.IDENTITY,), _portrait(Portrait.IDENTITY)),
    "growth_digest": (growth.NOUNS, _growth),
    "inner_state": ((Noun.INNER_STATE,), _inner_state),
    "working_memory": ((Noun.WORKING_MEMORY,), _working_memory),
    "goals": (goals.NOUNS, _goals),
    "preferences": (preferences.NOUNS, _preferences),
    "observations": (observations.NOUNS, _observations),
}
"""How each layer's items are folded from rows: all there are for a turn, those that it showed for a record."""


_OF_THE_MOMENT: Final = frozenset({"working_memory", "observations"})
"""Layers whose items depend on the time or on what is said; the others change only with their rows."""

_Key = tuple[int, ...]


class Present:
    """What is written about the companion and the person, for a turn. Safe to use from any thread."""

    def __init__(self, desk: Desk, others: Sequence[Other] = ()) -> None:
        self._desk = desk
        self._others = tuple(others)
        self._lock = threading.Lock()
        self._epoch = -1
        self._rows: dict[Noun, tuple[_Key, list[Row]]] = {}
        self._items: dict[str, tuple[_Key, list[Written]]] = {}

    def __call__(
        self, now: datetime, near: Callable[[], Relevance], said: Sequence[str] = ()
    ) -> tuple[Written, ...]:
        """Everything that the layers may show now, after the user said so; what is near is asked for last.

        Raises StorageFailed.
        """
        elsewhere = [item for other in self._others for item in other(said)]
        with self._lock:
            self._renew()
            rows, epoch = dict(self._rows), self._epoch
        # Waited for without the lock, since other turns want it.
        reading = _Reading(now, self._desk.policy, near())
        with self._lock:
            own = [
                item
                for layer in _LAYERS
                for item in self._written(layer, rows, reading, keep=epoch == self._epoch)
            ]
        return (*own, *elsewhere)

    def _renew(self) -> None:
        """Take in the rows of every noun that has new ones."""
        epoch = self._desk.ledger.epoch()
        if epoch != self._epoch:
            # A forgetting raises the epoch: what was kept before it may hold its words.
            self._rows, self._items, self._epoch = {}, {}, epoch
        # Between the two steps of a forgetting the view still holds what the ledger has lost.
        gone = self._desk.ledger.leaving()
        with self._desk.runtime.reading() as rows:
            position = position_of(rows, "selfmodel_row")
            tail = self._desk.tail(position)
            newest = newest_of_each(rows) if position is not None else {}
            for noun in Noun:
                unread = [row for row in tail if row.noun is noun]
                key = (newest.get(noun, 0), *(row.seq for row in unread))
                if self._rows.get(noun, ((),))[0] != key:
                    known = standing(rows, noun) if position is not None else []
                    self._rows[noun] = (key, [row for row in known + unread if row.seq not in gone])

    def _written(
        self,
        layer: str,
        standing_rows: Mapping[Noun, tuple[_Key, list[Row]]],
        reading: _Reading,
        *,
        keep: bool,
    ) -> list[Written]:
        nouns, written = _LAYERS[layer]
        key = tuple(number for noun in nouns for number in (*standing_rows[noun][0], -1))
        kept = self._items.get(layer)
        if kept is not None and kept[0] == key and layer not in _OF_THE_MOMENT:
            return kept[1]
        rows = sorted((row for noun in nouns for row in standing_rows[noun][1]), key=lambda row: row.seq)
        items = written(rows, reading)
        if keep:
            self._items[layer] = (key, items)
        return items


_ELSEWHERE: Final[dict[str, Callable[[str, Sequence[Event]], Sequence[Written]]]] = {
    **dict.fromkeys(taught.LAYERS, taught.taught_again),
}
"""Layers of other rooms, each with what makes its items again from the events that a record named."""


def shown_again(
    layer: str, events: Sequence[Event], now: datetime, policy: SelfModelPolicy | None = None
) -> tuple[Written, ...]:
    """What a layer showed at `now`, from the events that it named; from none, what a release ships."""
    if layer in _ELSEWHERE:
        return tuple(_ELSEWHERE[layer](layer, events))
    if layer not in _LAYERS:
        return ()
    _, written = _LAYERS[layer]
    rows = [row_of(event) for event in events if event.kind in KINDS_HERE]
    return tuple(written(rows, _Reading(now, policy or _EVERYTHING, None)))


_EVERYTHING: Final = SelfModelPolicy(digest_entries=1_000, memory_ahead_days=100_000.0)
"""What was shown then is shown again, whatever the numbers are now."""
