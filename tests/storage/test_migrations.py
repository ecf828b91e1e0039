"""Cores of every format that was ever released open, and come out the same as a new one."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite import schema
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.keys import key_file, read_record
from innerlife.conversations.events import COMPANION, USER
from innerlife.errors import CoreTooNew
from tests.storage.make_version_1 import ANSWERS, FOLDER, PICTURE, SAID
from tests.support.bytes import planted_in
from tests.support.client import ChatClient
from tests.support.stack import opened_stack


@pytest.fixture
def first_version(tmp_path: Path) -> Path:
    """A copy of the checked-in Core of format 1; its key, in the clear beside it, where keys belong."""
    folder = tmp_path / "core"
    shutil.copytree(FOLDER, folder)
    key = key_file(tmp_path / "core.config", read_record(folder / "core.keys").core_id)
    key.parent.mkdir(parents=True)
    (folder / "plain.key").rename(key)
    return folder


def _schema(core: SqliteCore) -> set[tuple[str, str, str]]:
    with db.reading(core.engine, core.path) as connection:
        return {tuple(row) for row in connection.exec_driver_sql("SELECT type, name, sql FROM sqlite_master")}


def test_a_core_of_the_first_format_opens_with_all_it_holds(first_version: Path) -> None:
    """[C1] [C2] Every byte said is there, its views are made, and life goes on in it."""
    with opened_stack(first_version) as stack:
        assert [e.body.text for e in stack.ledger.read(0, 100, {USER})] == SAID
        assert [e.body.text for e in stack.ledger.read(0, 100, {COMPANION})] == ANSWERS
        attachment = stack.ledger.read(0, 1)[0].body.attachments[0]
        assert stack.opened.blobs.get(attachment.blob) == PICTURE
        assert planted_in(first_version, stack.opened.keys, ["fine name"]) != {}
        stack.upkeep.catch_up()
        assert len(stack.texts()) == 4
        client = ChatClient(stack.recording)
        client.say("Hello again", "Hello.")
        assert stack.ledger.count() == 6
        assert stack.opened.core.check() == []


def test_a_migrated_core_has_the_tables_of_a_new_one(first_version: Path, tmp_path: Path) -> None:
    with opened_stack(first_version) as stack, closing(SqliteCore(tmp_path / "new.db", bytes(32))) as new:
        assert _schema(stack.opened.core) == _schema(new)


def test_the_tables_that_queries_speak_of_are_those_that_migrations_make(tmp_path: Path) -> None:
    with closing(SqliteCore(tmp_path / "new.db", bytes(32))) as core:
        inspector = sa.inspect(core.engine)
        for table in schema.metadata.sorted_tables:
            columns = {column["name"]: column["nullable"] for column in inspector.get_columns(table.name)}
            assert columns.keys() == set(table.c.keys()), table.name


def test_steps_run_once_in_order_and_all_or_none(tmp_path: Path) -> None:
    """A migration that fails leaves the Core as it was."""
    core = SqliteCore(tmp_path / "core.db", bytes(32))

    def second(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE second (x)")

    def failing(connection: sa.Connection) -> None:
        connection.exec_driver_sql("CREATE TABLE third (x)")
        raise RuntimeError("the power went out")

    with closing(core):
        before = _schema(core)
        steps = (*schema.MIGRATIONS, second)
        with pytest.raises(RuntimeError), db.writing(core.engine, core.path) as connection:
            schema.migrate(connection, (*steps, failing))
        assert _schema(core) == before
        for ran in (1, 0):
            with db.writing(core.engine, core.path) as connection:
                assert schema.migrate(connection, steps) == ran
        assert {name for _, name, _ in _schema(core) - before} == {"second"}
    with pytest.raises(CoreTooNew):
        SqliteCore(tmp_path / "core.db", bytes(32))
