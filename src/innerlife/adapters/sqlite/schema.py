"""The tables of the Core and their numbered migrations (design §4). A migration is never edited, only followed."""

from __future__ import annotations

from collections.abc import Callable

import sqlalchemy as sa

from innerlife.errors import CoreTooNew

metadata = sa.MetaData()

event = sa.Table(
    "event",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True),
    sa.Column("id", sa.Text, nullable=False, unique=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("version", sa.Integer, nullable=False),
    sa.Column("recorded_at", sa.Integer, nullable=False),
    sa.Column("happened_at", sa.Integer, nullable=False),
    sa.Column("zone", sa.Text, nullable=False),
    sa.Column("precision", sa.Text, nullable=False),
    sa.Column("actor", sa.Text, nullable=False),
    sa.Column("trust", sa.Text, nullable=False),
    sa.Column("stream", sa.Text, nullable=False),
    sa.Column("key", sa.Text, unique=True),
    sa.Column("handle", sa.Text),
    sa.Column("derivation", sa.Text),
    sa.Column("payload", sa.Text, nullable=False),
    sqlite_autoincrement=True,
)
cause = sa.Table(
    "cause",
    metadata,
    sa.Column("event", sa.Integer, sa.ForeignKey("event.seq"), primary_key=True),
    sa.Column("cause", sa.Integer, sa.ForeignKey("event.seq"), primary_key=True),
    sa.Column("role", sa.Text, primary_key=True),
)
blob_citation = sa.Table(
    "blob_citation",
    metadata,
    sa.Column("event", sa.Integer, sa.ForeignKey("event.seq"), primary_key=True),
    sa.Column("blob", sa.Text, primary_key=True),
)
vector = sa.Table(
    "vector",
    metadata,
    sa.Column("subject", sa.Integer, sa.ForeignKey("event.seq"), primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
    sa.Column("dimension", sa.Integer, nullable=False),
    sa.Column("scale", sa.Float, nullable=False),
    sa.Column("data", sa.LargeBinary, nullable=False),
)
vector_source = sa.Table(
    "vector_source",
    metadata,
    sa.Column("source", sa.Integer, sa.ForeignKey("event.seq"), primary_key=True),
    sa.Column("subject", sa.Integer, primary_key=True),
    sa.Column("model", sa.Text, primary_key=True),
)
meta = sa.Table(
    "meta",
    metadata,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
intent = sa.Table(
    "intent",
    metadata,
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("seqs", sa.Text, nullable=False),
    sa.Column("blobs", sa.Text, nullable=False),
)


def _first(connection: sa.Connection) -> None:
    for statement in (
        """CREATE TABLE event (
            seq INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
            version INTEGER NOT NULL, recorded_at INTEGER NOT NULL, happened_at INTEGER NOT NULL,
            zone TEXT NOT NULL, precision TEXT NOT NULL, actor TEXT NOT NULL, trust TEXT NOT NULL,
            stream TEXT NOT NULL, key TEXT UNIQUE, handle TEXT, derivation TEXT, payload TEXT NOT NULL)""",
        "CREATE INDEX event_stream ON event (stream, seq)",
        "CREATE INDEX event_handle ON event (handle, seq) WHERE handle IS NOT NULL",
        "CREATE INDEX event_kind ON event (kind, seq)",
        """CREATE TABLE cause (
            event INTEGER NOT NULL REFERENCES event (seq), cause INTEGER NOT NULL REFERENCES event (seq),
            role TEXT NOT NULL, PRIMARY KEY (event, cause, role)) WITHOUT ROWID""",
        "CREATE INDEX cause_effect ON cause (cause, event)",
        """CREATE TABLE blob_citation (
            event INTEGER NOT NULL REFERENCES event (seq), blob TEXT NOT NULL,
            PRIMARY KEY (event, blob)) WITHOUT ROWID""",
        "CREATE INDEX blob_cited ON blob_citation (blob)",
        """CREATE TABLE vector (
            subject INTEGER NOT NULL REFERENCES event (seq), model TEXT NOT NULL, dimension INTEGER NOT NULL,
            scale REAL NOT NULL, data BLOB NOT NULL, PRIMARY KEY (model, subject)) WITHOUT ROWID""",
        "CREATE INDEX vector_subject ON vector (subject)",
        """CREATE TABLE vector_source (
            source INTEGER NOT NULL REFERENCES event (seq), subject INTEGER NOT NULL, model TEXT NOT NULL,
            PRIMARY KEY (source, subject, model)) WITHOUT ROWID""",
        "CREATE INDEX vector_sourced ON vector_source (subject, model)",
        "CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
        """CREATE TABLE intent (
            id TEXT PRIMARY KEY, seqs TEXT NOT NULL, blobs TEXT NOT NULL)""",
        "INSERT INTO meta VALUES ('epoch', CAST(abs(random() % 1000000007) AS TEXT))",
    ):
        connection.exec_driver_sql(statement)


MIGRATIONS: tuple[Callable[[sa.Connection], None], ...] = (_first,)
"""Migration n (from 1) brings a Core of version n - 1 to version n."""


def is_current(connection: sa.Connection) -> bool:
    """Whether the Core needs no migration. Raises CoreTooNew."""
    return _format(connection, len(MIGRATIONS)) == len(MIGRATIONS)


def _format(connection: sa.Connection, known: int) -> int:
    found = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    if found > known:
        raise CoreTooNew(
            f"This Core has format {found}, and this Innerlife knows formats up to {known}",
            "Update Innerlife to open it.",
        )
    return found


def migrate(
    connection: sa.Connection, migrations: tuple[Callable[[sa.Connection], None], ...] = MIGRATIONS
) -> int:
    """Bring the Core up to date inside the given transaction. Returns how many steps ran. Raises CoreTooNew."""
    at = _format(connection, len(migrations))
    for step in migrations[at:]:
        step(connection)
    connection.exec_driver_sql(f"PRAGMA user_version = {len(migrations)}")
    return len(migrations) - at
