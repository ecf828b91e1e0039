"""Bad luck: damaged, foreign and newer files, a full disk, a home that cannot be written to."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
import sqlalchemy as sa

from innerlife.adapters.sqlite import connection as db
from innerlife.adapters.sqlite.blobs import BlobFolder
from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.conversations.model import Image
from innerlife.errors import CoreCorrupted, CoreTooNew, DiskFull, NotFound, ReadOnlyHome, StorageFailed
from tests.support.bytes import snapshot
from tests.support.client import ChatClient
from tests.support.stack import Stack, open_stack, opened_stack
from tests.support.victim import ROOT


def _flip(data: bytearray) -> bytearray:
    random = Random(7)
    for _ in range(200):
        data[random.randrange(8192, len(data))] ^= 0xFF
    return data


HARMS: dict[str, Callable[[bytearray], bytearray]] = {
    "bytes flipped": _flip,
    "header destroyed": lambda data: bytearray(b"\0" * 4096) + data[4096:],
    "cut in half": lambda data: data[: len(data) // 8192 * 4096],
    "cut within a page": lambda data: data[: len(data) // 2 + 77],
    "another kind of file": lambda data: bytearray(b"PK\3\4 not a database at all" * 400),
    "emptied": lambda data: bytearray(),
}


@pytest.mark.parametrize("harm", HARMS)
def test_a_damaged_core_is_said_and_left_as_it_is(
    lived: Path, harm: str, capfd: pytest.CaptureFixture[str]
) -> None:
    """Never repaired, never taken for a new one; nothing but our one sentence on the screen."""
    core = lived / "core.db"
    core.write_bytes(HARMS[harm](bytearray(core.read_bytes())))
    before = core.read_bytes()

    def use() -> None:
        with closing(open_stack(lived)) as stack:
            stack.ledger.read(0, 10_000)
            stack.upkeep.rebuild()

    with pytest.raises(CoreCorrupted) as caught:
        use()
    assert "core.db" in caught.value.message
    assert caught.value.hint == "Restore it from a backup."
    assert core.read_bytes() == before
    assert capfd.readouterr().err == ""


def test_an_absent_core_beside_its_views_is_not_made_anew(lived: Path) -> None:
    (lived / "core.db").unlink()
    with pytest.raises(CoreCorrupted, match="missing"):
        open_stack(lived)
    assert not (lived / "core.db").exists()


@pytest.mark.parametrize("harm", HARMS)
def test_damaged_views_are_made_anew_and_it_is_said(lived: Path, harm: str) -> None:
    """[C2] The runtime holds only what can be derived."""
    with opened_stack(lived) as stack:
        whole = list(stack.projector.dump())
    runtime = lived / "runtime.db"
    runtime.write_bytes(HARMS[harm](bytearray(runtime.read_bytes())))
    with opened_stack(lived) as stack:
        try:
            views = list(stack.projector.dump())
        except StorageFailed:
            views = []
        stack.upkeep.rebuild() if views == [] else stack.upkeep.catch_up()
        assert list(stack.projector.dump()) == whole


def test_a_core_of_a_newer_format_is_not_touched(lived: Path) -> None:
    with opened_stack(lived) as stack, db.writing(stack.opened.core.engine, stack.opened.core.path) as rows:
        rows.exec_driver_sql("PRAGMA user_version = 99")
    before = snapshot(lived)
    with pytest.raises(CoreTooNew, match="99"):
        open_stack(lived)
    assert snapshot(lived) == before


def test_damaged_and_absent_attachments_are_said(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path / "blobs", bytes(32), b"naming")
    name = blobs.put(b"picture")
    assert blobs.put(b"picture") == name
    assert blobs.names() == [name]
    path = tmp_path / "blobs" / name[:2] / name
    for harm in (b"", b"short", path.read_bytes()[:-1] + b"\0"):
        path.write_bytes(harm)
        with pytest.raises(CoreCorrupted, match=name):
            blobs.get(name)
    blobs.remove([name])
    with pytest.raises(NotFound):
        blobs.get(name)


def test_attachments_that_nothing_cites_are_swept_after_a_while(tmp_path: Path) -> None:
    blobs = BlobFolder(tmp_path / "blobs", bytes(32), b"naming")
    old, cited, young = (blobs.put(data) for data in (b"old", b"cited", b"young"))
    left = tmp_path / "blobs" / old[:2] / f".{old}.12345678"
    left.write_bytes(b"half written")
    for name in (old, cited):
        os.utime(tmp_path / "blobs" / name[:2] / name, (0, 0))
    os.utime(left, (0, 0))
    assert blobs.sweep({cited}) == 2
    assert blobs.names() == sorted([cited, young])
    assert not left.exists()


def test_an_orphan_that_is_stored_again_is_young_again(tmp_path: Path) -> None:
    """Its new event is about to be appended: a sweep in between leaves it."""
    blobs = BlobFolder(tmp_path / "blobs", bytes(32), b"naming")
    name = blobs.put(b"orphan")
    os.utime(tmp_path / "blobs" / name[:2] / name, (0, 0))
    assert blobs.put(b"orphan") == name
    assert blobs.sweep(set()) == 0
    assert blobs.get(name) == b"orphan"


def test_a_full_database_is_a_full_disk(lived: Path) -> None:
    """What was acknowledged stays; what did not fit is told and not half there."""
    with opened_stack(lived) as stack:
        engine, path = stack.opened.core.engine, stack.opened.core.path
        count = stack.ledger.count()
        _limit_pages(stack)
        with pytest.raises(DiskFull, match="full"):
            ChatClient(stack.recording).ask("x" * 10_000_000)
        with db.raw(engine, path) as raw:
            assert raw.execute("PRAGMA quick_check").fetchall() == [("ok",)]
        assert stack.ledger.count() == count


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of two megabytes."""
    place = tmp_path / "tiny"
    place.mkdir()
    mount = shutil.which("mount")
    command = [mount or "mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(place)]
    if mount is None or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("a small file system cannot be mounted here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_said_and_loses_nothing(tiny_disk: Path) -> None:
    """[C9] Messages until nothing fits any more; after space is made, all that was acknowledged is there."""
    ballast = tiny_disk / "ballast"
    ballast.write_bytes(b"x" * 400_000)
    folder = tiny_disk / "core"
    kept: list[str] = []
    with opened_stack(folder) as stack:
        client = ChatClient(stack.recording)

        def fill() -> None:
            for number in range(1000):
                text = f"{number} " + "z" * 20_000
                client.history.clear()
                client.ask(text)
                kept.append(text)

        with pytest.raises(DiskFull):
            fill()
        with pytest.raises(DiskFull):
            stack.opened.blobs.put(b"p" * 3_000_000)
        assert [e.body.text for e in stack.ledger.read(0, 5000)] == kept
        ballast.unlink()
        client.history.clear()
        client.ask("It fits again")
    with opened_stack(folder) as stack:
        assert [e.body.text for e in stack.ledger.read(0, 5000)] == [*kept, "It fits again"]


READ_ONLY = """
import os, sys
from pathlib import Path
from innerlife.errors import InnerlifeError
from tests.support.client import ChatClient
from tests.support.stack import open_stack
open_stack(Path(sys.argv[2]) / "warm").close()  # everything is imported
if os.geteuid() == 0:  # whom no mode stops
    os.setgid(65534)
    os.setuid(65534)
try:
    stack = open_stack(Path(sys.argv[1]))
    ChatClient(stack.recording).ask("hello")
except InnerlifeError as error:
    print(type(error).__name__, error.message)
"""


@pytest.mark.parametrize("fresh", [True, False])
def test_a_home_that_cannot_be_written_to_is_said(tmp_path: Path, fresh: bool) -> None:
    home = tmp_path / "home"
    folder = home / "core"
    home.mkdir()
    if not fresh:
        with opened_stack(folder) as stack:
            ChatClient(stack.recording).ask("hello")
    for path in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        # pytest's own folders, up to the one that all share: another user must find the way in.
        if path != Path(tempfile.gettempdir()):
            path.chmod(0o755)
    if not fresh:
        for key in (home / "core.config" / "keys").iterdir():
            key.chmod(0o444)
    for path in (*home.rglob("*"), home):
        path.chmod(0o555 if path.is_dir() else 0o444)
    before = snapshot(home)
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)]),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    done = subprocess.run(
        [sys.executable, "-c", READ_ONLY, str(folder), str(tmp_path)],
        capture_output=True,
        text=True,
        env=env,
        cwd=ROOT,
        check=False,
    )
    for path in (home, *home.rglob("*")):
        path.chmod(0o755 if path.is_dir() else 0o644)
    assert done.stdout.startswith(ReadOnlyHome.__name__), done.stdout + done.stderr
    assert snapshot(home) == before


def test_a_plain_database_is_no_core(lived: Path) -> None:
    (lived / "core.db").unlink()
    with closing(sqlite3.connect(lived / "core.db")) as plain:
        plain.execute("CREATE TABLE event (x)")
    with pytest.raises(CoreCorrupted):
        open_stack(lived)


def test_a_first_start_that_was_cut_off_begins_again(tmp_path: Path) -> None:
    """The key record was written and nothing else: that is a new Core, not a lost one."""
    with opened_stack(tmp_path / "core"):
        pass
    for path in (tmp_path / "core").iterdir():
        if path.name != "core.keys":
            path.unlink()
    with opened_stack(tmp_path / "core") as stack:
        assert ChatClient(stack.recording).say("Hello", "Hi.").user_seq


def test_the_integrity_check_finds_damage(lived: Path) -> None:
    with opened_stack(lived) as stack:
        assert stack.opened.core.check() == []
        key = stack.key
    core = lived / "core.db"
    core.write_bytes(HARMS["bytes flipped"](bytearray(core.read_bytes())))
    with closing(SqliteCore(core, key)) as damaged:
        assert damaged.check() != []


def test_pictures_survive_damage_elsewhere(lived: Path) -> None:
    with opened_stack(lived) as stack:
        attachment = stack.ledger.read(0, 1)[0].body.attachments[0]
        assert stack.opened.blobs.get(attachment.blob) == b"quartzine" * 500
        ChatClient(stack.recording).ask("", Image(b"quartzine" * 500, "image/png"))
        assert len(stack.opened.blobs.names()) == 1


def _limit_pages(stack: Stack) -> None:
    """Let no connection of this Core's pool grow the file much further."""
    engine = stack.opened.core.engine
    with db.raw(engine, stack.opened.core.path) as raw:
        pages = raw.execute("PRAGMA page_count").fetchone()[0]

    def limit(connection: object, *_: object) -> None:
        connection.execute(f"PRAGMA max_page_count = {pages + 20}")  # type: ignore[attr-defined]

    sa.event.listen(engine, "checkout", limit)
