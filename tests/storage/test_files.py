"""Small files and locks beside the databases."""

from __future__ import annotations

import errno
import os
import stat
import threading
from datetime import UTC, datetime
from pathlib import Path

import pytest

from innerlife.adapters.access import AccessFile
from innerlife.adapters.files import held, os_error, write_private
from innerlife.cli.toml_edit import write_setting
from innerlife.errors import DiskFull, HomeBusy, ReadOnlyHome, StorageFailed

NOW = datetime(2026, 3, 1, tzinfo=UTC)


def test_a_file_is_its_owners_and_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "folder" / "file"
    write_private(path, b"first")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFull):
        write_private(path, b"second")
    assert path.read_bytes() == b"first"
    assert [one.name for one in path.parent.iterdir()] == ["file"]


@pytest.mark.parametrize(
    ("number", "kind"),
    [
        (errno.ENOSPC, DiskFull), (errno.EDQUOT, DiskFull), (errno.EACCES, ReadOnlyHome), (errno.EPERM, ReadOnlyHome),
        (errno.EROFS, ReadOnlyHome), (errno.EIO, StorageFailed),
    ],
)  # fmt: skip
def test_what_the_system_says_is_told_by_its_name(number: int, kind: type[StorageFailed]) -> None:
    """The numbers differ between systems, the names do not."""
    assert type(os_error(OSError(number, os.strerror(number)), Path("/home/x"))) is kind


def test_a_lock_is_held_by_one_and_given_back(tmp_path: Path) -> None:
    busy = HomeBusy("Somebody else is at it")
    lock = tmp_path / "new" / "lock"
    with held(lock, 0, busy), pytest.raises(HomeBusy, match="at it"), held(lock, 0, busy):
        pass
    with held(lock, 0, busy):
        pass


def test_two_command_lines_at_once_lose_no_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """[C8] Each change reads what the one before it wrote."""
    read = AccessFile._read  # noqa: SLF001 - made slow, so that the two would meet
    met = threading.Barrier(2)

    def slow(self: AccessFile) -> object:
        found = read(self)
        try:
            met.wait(0.3)
        except threading.BrokenBarrierError:
            met.reset()
        return found

    monkeypatch.setattr(AccessFile, "_read", slow)
    names = ["phone", "laptop"]
    _at_once([lambda name=name: AccessFile(tmp_path).add(name, ("default",), NOW) for name in names])
    assert {key.name for key in AccessFile(tmp_path).list()} == set(names)


def test_two_command_lines_at_once_lose_no_setting(tmp_path: Path) -> None:
    path = tmp_path / "innerlife.toml"
    names = [f"name{number}" for number in range(8)]
    _at_once([lambda name=name: write_setting(path, f"models.{name}", name) for name in names])
    assert all(f'{name} = "{name}"' in path.read_text() for name in names)


def _at_once(works: list[object]) -> None:
    threads = [threading.Thread(target=work) for work in works]  # type: ignore[arg-type]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
