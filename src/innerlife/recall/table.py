"""Rows of the view of passages, read and written. All SQL of this room but the search itself stands here."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from innerlife.kernel.moments import from_micros, to_micros
from innerlife.ports import Rows
from innerlife.recall.imprint import imprint
from innerlife.recall.passages import BORDER, Row

T = TypeVar("T")

CHUNK = 500
"""Bound parameters in one statement: below SQLite's limit in every build."""

# The text for embedding is long and needed by the backlog alone.
_COLUMNS = (
    "id, speaker, stream, at, own, about, before, after, before_ids, after_ids, importance, timely, length"
)

TABLES = (
    """CREATE TABLE passages_row (
        id INTEGER PRIMARY KEY, speaker TEXT NOT NULL, stream TEXT NOT NULL, at INTEGER NOT NULL, own TEXT NOT NULL,
        about TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, before_ids TEXT NOT NULL,
        after_ids TEXT NOT NULL, importance REAL NOT NULL, timely INTEGER NOT NULL, length INTEGER NOT NULL,
        text TEXT NOT NULL)""",
    "CREATE INDEX passages_row_stream ON passages_row (stream, id)",
    # What the search weighs, apart from the texts: of some hundred rows for each question a dozen lie in one page.
    """CREATE TABLE passages_brief (
        id INTEGER PRIMARY KEY, speaker TEXT NOT NULL, stream TEXT NOT NULL, at INTEGER NOT NULL,
        importance REAL NOT NULL, timely INTEGER NOT NULL, length INTEGER NOT NULL, imprint BLOB NOT NULL)""",
    """CREATE VIRTUAL TABLE passages_text USING fts5 (
        own, before, after, about, content='passages_row', content_rowid='id', detail=full,
        tokenize='unicode61 remove_diacritics 0')""",
    "INSERT INTO passages_text (passages_text, rank) VALUES ('secure-delete', 1)",
    "CREATE TABLE passages_term (term TEXT PRIMARY KEY, df INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE passages_speaker (name TEXT PRIMARY KEY, count INTEGER NOT NULL) WITHOUT ROWID",
    "CREATE TABLE passages_total (count INTEGER NOT NULL, position INTEGER NOT NULL)",
    "INSERT INTO passages_total VALUES (0, 0)",
)


class Brief(NamedTuple):
    """What weighing a row needs. Some hundred are read for each question, so they are made cheaply."""

    source: int
    speaker: str
    stream: str
    micros: int
    importance: float
    timely: int
    length: int
    imprint: bytes


def briefs(rows: Rows, ids: Collection[int]) -> list[Brief]:
    """Those that exist of these rows, ascending."""
    query = "SELECT * FROM passages_brief WHERE id IN (SELECT value FROM json_each(?)) ORDER BY id"
    return [Brief._make(raw) for raw in rows.execute(query, (_listed(ids),)).fetchall()]


def by_id(rows: Rows, ids: Collection[int]) -> dict[int, Row]:
    """The rows that exist among these."""
    found: dict[int, Row] = {}
    for part in chunks(ids):
        marks = ",".join("?" * len(part))
        query = f"SELECT {_COLUMNS} FROM passages_row WHERE id IN ({marks})"  # noqa: S608 - question marks only
        found.update((raw[0], _row(raw)) for raw in rows.execute(query, part))
    return found


def around(rows: Rows, stream: str, seq: int, reach: int) -> tuple[list[Row], list[Row]]:
    """The rows of a stream before and after a seq, nearest first, at most `reach` on each side."""
    query = f"SELECT {_COLUMNS} FROM passages_row WHERE stream = ? AND id "  # noqa: S608 - constant
    earlier = rows.execute(f"{query} < ? ORDER BY id DESC LIMIT ?", (stream, seq, reach))
    before = [_row(raw) for raw in earlier]
    later = rows.execute(f"{query} > ? ORDER BY id LIMIT ?", (stream, seq, reach))
    return before, [_row(raw) for raw in later]


def insert(rows: Rows, fresh: Sequence[Row]) -> None:
    """Add new rows with their words, frequencies and speakers."""
    rows.executemany(
        f"INSERT INTO passages_row ({_COLUMNS}, text) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",  # noqa: S608 - constant
        [_values(row) for row in fresh],
    )
    rows.executemany("INSERT INTO passages_brief VALUES (?,?,?,?,?,?,?,?)", [_brief(row) for row in fresh])
    _index(rows, fresh)
    _count(rows, fresh, 1)


def change(rows: Rows, changes: Sequence[tuple[Row, Row]]) -> None:
    """Give rows other neighbours: (old, new) each."""
    _unindex(rows, [old for old, _ in changes])
    rows.executemany(
        "UPDATE passages_row SET before = ?, after = ?, before_ids = ?, after_ids = ? WHERE id = ?",
        [
            (new.before_text, new.after_text, _ids(new.before), _ids(new.after), new.source)
            for _, new in changes
        ],
    )
    rows.executemany(
        "UPDATE passages_brief SET imprint = ? WHERE id = ?",
        [(_imprint(new), new.source) for _, new in changes],
    )
    _index(rows, [new for _, new in changes])


def delete(rows: Rows, gone: Sequence[Row]) -> None:
    """Remove rows from everywhere."""
    _unindex(rows, gone)
    for name in ("passages_row", "passages_brief"):
        rows.executemany(f"DELETE FROM {name} WHERE id = ?", [(row.source,) for row in gone])  # noqa: S608 - constant
    _count(rows, gone, -1)


def texts(rows: Rows, ids: Collection[int]) -> dict[int, str]:
    """What is to be embedded of these rows."""
    found: dict[int, str] = {}
    for part in chunks(ids):
        marks = ",".join("?" * len(part))
        query = f"SELECT id, text FROM passages_row WHERE id IN ({marks})"  # noqa: S608 - question marks only
        found.update(rows.execute(query, part))
    return found


def sample(rows: Rows, most: int) -> tuple[list[str], list[str]]:
    """The newest texts, and texts spread over all: at most so many of each."""
    newest = rows.execute("SELECT text FROM passages_row ORDER BY id DESC LIMIT ?", (most,)).fetchall()
    first, last = rows.execute("SELECT min(id), max(id) FROM passages_brief").fetchone()
    if first is None:
        return [], []
    # Seqs leave gaps, some of them wide: of more points than are wanted enough fall beside different rows.
    points = np.linspace(first, last, 4 * most).astype(np.int64).tolist()
    found = rows.execute(
        """SELECT DISTINCT (SELECT id FROM passages_brief WHERE id >= value ORDER BY id LIMIT 1)
        FROM json_each(?)""",
        (json.dumps(points),),
    )
    ids = [i for (i,) in found]
    spread = texts(rows, ids[:: max(len(ids) // most, 1)][:most])
    return [text for (text,) in newest], list(spread.values())


def newer(rows: Rows, seq: int) -> NDArray[np.int64]:
    """Ids of the rows after a seq, ascending. One text for all of them is ten times faster than a row each."""
    query = "SELECT group_concat(id) FROM (SELECT id FROM passages_brief WHERE id > ? ORDER BY id)"
    return numbers(rows.execute(query, (seq,)).fetchone()[0])


def numbers(text: str | None) -> NDArray[np.int64]:
    """The numbers of a text that separates them by commas."""
    return np.fromstring(text, dtype=np.int64, sep=",") if text else np.empty(0, np.int64)


def position(rows: Rows) -> int:
    """The last seq that was folded: a later event has no row yet, an earlier one without a row has nothing to find."""
    return int(rows.execute("SELECT position FROM passages_total").fetchone()[0])


def move_to(rows: Rows, seq: int) -> None:
    """Remember the last seq folded."""
    rows.execute("UPDATE passages_total SET position = max(position, ?)", (seq,))


def is_made(rows: Rows) -> bool:
    """Whether the tables are there."""
    return rows.execute("SELECT 1 FROM sqlite_master WHERE name = 'passages_total'").fetchone() is not None


def total(rows: Rows) -> int:
    """How many rows there are."""
    return int(rows.execute("SELECT count FROM passages_total").fetchone()[0])


def frequencies(rows: Rows, terms: Collection[str]) -> dict[str, int]:
    """In how many rows each term stands; terms that stand in none are left out."""
    query = "SELECT term, df FROM passages_term WHERE term IN (SELECT value FROM json_each(?))"
    return dict(rows.execute(query, (_listed(terms),)).fetchall())


class Known(NamedTuple):
    """What is known of a question's words.

    `speakers` are those that are names of speakers, `frequencies` in how many rows each term stands that stands in any,
    `total` how many rows there are.
    """

    speakers: set[str]
    frequencies: dict[str, int]
    total: int


def known(rows: Rows, names: Collection[str], terms: Collection[str]) -> Known:
    """All of that in one statement: between two of them another thread may go first."""
    query = """SELECT 0, name, count FROM passages_speaker WHERE name IN (SELECT value FROM json_each(?))
        UNION ALL SELECT 1, term, df FROM passages_term WHERE term IN (SELECT value FROM json_each(?))
        UNION ALL SELECT 2, '', count FROM passages_total"""
    found: tuple[dict[str, int], ...] = ({}, {}, {})
    for which, name, count in rows.execute(query, (_listed(names), _listed(terms))).fetchall():
        found[which][name] = count
    return Known(set(found[0]), found[1], found[2].get("", 0))


def chunks(items: Iterable[T]) -> Iterator[list[T]]:
    """Lists of at most CHUNK items."""
    left = iter(items)
    while part := list(islice(left, CHUNK)):
        yield part


def _index(rows: Rows, given: Sequence[Row]) -> None:
    rows.executemany(
        "INSERT INTO passages_text (rowid, own, before, after, about) VALUES (?,?,?,?,?)",
        [_words(row) for row in given],
    )


def _unindex(rows: Rows, given: Sequence[Row]) -> None:
    rows.executemany(
        "INSERT INTO passages_text (passages_text, rowid, own, before, after, about) VALUES ('delete',?,?,?,?,?)",
        [_words(row) for row in given],
    )


def _words(row: Row) -> tuple[int, str, str, str, str]:
    return (row.source, row.own, row.before_text, row.after_text, row.about)


def _count(rows: Rows, given: Sequence[Row], sign: int) -> None:
    found = Counter(term for row in given for term in {*row.own.split(), *row.about.split()})
    spoken = Counter(row.speaker for row in given)
    rows.executemany(
        "INSERT INTO passages_term VALUES (?, ?) ON CONFLICT (term) DO UPDATE SET df = df + excluded.df",
        [(term, sign * n) for term, n in sorted(found.items())],
    )
    rows.executemany(
        "INSERT INTO passages_speaker VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET count = count + excluded.count",
        [(name, sign * n) for name, n in spoken.items()],
    )
    if sign < 0:
        rows.executemany("DELETE FROM passages_term WHERE term = ? AND df <= 0", [(term,) for term in found])
        rows.executemany(
            "DELETE FROM passages_speaker WHERE name = ? AND count <= 0", [(name,) for name in spoken]
        )
    rows.execute("UPDATE passages_total SET count = count + ?", (sign * len(given),))


def _brief(row: Row) -> tuple[object, ...]:
    return (
        row.source, row.speaker, row.stream, to_micros(row.at), row.importance, int(row.timely), row.length,
        _imprint(row),
    )  # fmt: skip


def _imprint(row: Row) -> bytes:
    before = row.before_text.split(BORDER) if row.before_text else ()
    after = row.after_text.split(BORDER) if row.after_text else ()
    return imprint([*row.own.split(), *row.about.split()], before, after)


def _values(row: Row) -> tuple[object, ...]:
    return (
        row.source, row.speaker, row.stream, to_micros(row.at), row.own, row.about, row.before_text, row.after_text,
        _ids(row.before), _ids(row.after), row.importance, int(row.timely), row.length, row.text,
    )  # fmt: skip


def _row(raw: Sequence[Any]) -> Row:
    (
        seq, speaker, stream, at, own, about, before_text, after_text, before, after, importance, timely, length,
    ) = raw  # fmt: skip
    return Row(
        source=seq,
        speaker=speaker,
        stream=stream,
        at=from_micros(at),
        own=own,
        about=about,
        before=_seqs(before),
        after=_seqs(after),
        before_text=before_text,
        after_text=after_text,
        importance=importance,
        timely=bool(timely),
        length=length,
    )


def _listed(items: Collection[str] | Collection[int]) -> str:
    # One parameter however many there are: so the statement is always the same, and is prepared once.
    return json.dumps(sorted(items))


def _ids(seqs: Sequence[int]) -> str:
    return " ".join(map(str, seqs))


def _seqs(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split()))
