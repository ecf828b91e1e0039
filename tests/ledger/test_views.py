"""Views are kept up, rebuilt and swapped: each event is folded exactly once, whatever happens."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path

import pytest
from sqlcipher3 import dbapi2 as sqlcipher

from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.adapters.sqlite.runtime import SqliteRuntime
from innerlife.errors import CoreTooNew, DiskFull, StorageFailed, ViewsCorrupted
from innerlife.ledger.envelope import Event
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.projector import Projector
from innerlife.ledger.registry import Registry
from innerlife.ledger.store import Intent
from innerlife.ledger.upkeep import Upkeep
from innerlife.ledger.views import View
from innerlife.ports import Rows, Runtime
from tests.ledger.conftest import KEY
from tests.ledger.notes import KIND, NOTE, Note, draft
from tests.support.clock import FixedClock
from tests.support.counting import CountingView
from tests.support.memory import MemoryStore


class Ground:
    """A ledger in memory and real views."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "runtime.db"
        self.ledger = Ledger(MemoryStore(), Registry([KIND]), FixedClock())
        self.runtime = SqliteRuntime(self.path, KEY)

    def upkeep(self, version: int = 1, slice_size: int = 3) -> tuple[Upkeep, Projector]:
        views: list[View] = [CountingView({NOTE}, version)]
        projector = Projector(self.ledger, self.runtime, views, slice_size)
        return Upkeep(self.ledger, self.runtime, projector, nullcontext), projector

    def fill(self, count: int) -> list[int]:
        return [e.seq for e in self.ledger.append_all([draft(f"n{i}") for i in range(count)])]


@pytest.fixture
def ground(tmp_path: Path) -> Iterator[Ground]:
    ground = Ground(tmp_path)
    yield ground
    ground.runtime.close()


def once(seqs: list[int]) -> list[tuple[str, int, int, str]]:
    return [("counting", seq, 1, f"n{number}") for number, seq in enumerate(seqs)]


def test_slices_are_folded_once_and_in_order(ground: Ground) -> None:
    seqs = ground.fill(10)
    upkeep, projector = ground.upkeep()
    assert upkeep.behind() == 10
    assert projector.step() == 3
    assert upkeep.behind() == 7
    assert upkeep.catch_up() == 7
    assert upkeep.catch_up() == 0
    assert list(projector.dump()) == once(seqs)


def test_a_rebuild_gives_the_same_views(ground: Ground) -> None:
    """[C2] Canonical dumps compare equal after a rebuild, and after deleting the file and starting again."""
    seqs = ground.fill(10)
    upkeep, projector = ground.upkeep()
    upkeep.catch_up()
    before, generation = list(projector.dump()), ground.runtime.generation()
    assert upkeep.rebuild() == 10
    assert ground.runtime.generation() != generation
    assert list(projector.dump()) == before == once(seqs)
    ground.runtime.close()
    for path in ground.path.parent.glob("runtime.db*"):
        path.unlink()
    upkeep, projector = ground.upkeep()
    upkeep.catch_up()
    assert list(projector.dump()) == before


def test_deleting_the_views_while_they_are_in_use_is_safe(ground: Ground) -> None:
    """[C2] The next slice begins anew, in the process that had them open."""
    seqs = ground.fill(10)
    upkeep, projector = ground.upkeep()
    upkeep.catch_up()
    for path in ground.path.parent.glob("runtime.db*"):
        path.unlink()
    upkeep.catch_up()
    assert list(projector.dump()) == once(seqs)


def test_views_of_another_version_are_rebuilt(ground: Ground) -> None:
    seqs = ground.fill(4)
    old, _ = ground.upkeep()
    old.catch_up()
    new, projector = ground.upkeep(version=2)
    current = [new.current]
    assert new.behind() == 4
    new.catch_up()
    current.append(new.current)
    assert current == [False, True]
    assert list(projector.dump()) == once(seqs)
    # The older version that still runs says so, and does not write into tables that are not its own.
    ground.fill(1)
    with pytest.raises(StorageFailed, match="version"):
        old.catch_up()


def test_views_that_know_more_than_a_restored_core_are_rebuilt(ground: Ground) -> None:
    ground.fill(20)
    upkeep, _ = ground.upkeep()
    upkeep.catch_up()
    ground.ledger = Ledger(MemoryStore(), Registry([KIND]), FixedClock())
    seqs = ground.fill(3)
    restored, projector = ground.upkeep()
    restored.catch_up()
    assert list(projector.dump()) == once(seqs)


@pytest.mark.parametrize("harm", ["middle", "half"])
def test_damaged_views_are_rebuilt_and_it_is_said(ground: Ground, harm: str) -> None:
    seqs = ground.fill(2000)
    upkeep, projector = ground.upkeep(slice_size=500)
    upkeep.catch_up()
    ground.runtime.close()
    whole = bytearray(ground.path.read_bytes())
    if harm == "half":
        whole = whole[: len(whole) // 2]
    else:
        for place in range(4096, len(whole), 512):
            whole[place] ^= 0xFF
    ground.path.write_bytes(whole)
    more = [e.seq for e in ground.ledger.append_all([draft(f"n{i}") for i in range(2000, 2100)])]
    upkeep.catch_up()
    assert list(projector.dump()) == once(seqs + more)
    assert ["damaged" in notice for notice in upkeep.notices] == [True]
    assert upkeep.rebuild() == 2100


def test_two_projectors_at_once_fold_each_event_once(ground: Ground) -> None:
    """[C9] The cursor is read in the transaction that moves it."""
    seqs = ground.fill(60)
    both = [ground.upkeep(slice_size=2)[1] for _ in range(2)]
    threads = [threading.Thread(target=projector.catch_up) for projector in both]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert list(both[0].dump()) == once(seqs)


def test_a_failing_fold_moves_nothing(ground: Ground) -> None:
    """[C9] Rows and cursor commit together."""
    seqs = ground.fill(5)
    upkeep, projector = ground.upkeep()
    projector.step()

    class Failing(CountingView):
        def fold(self, rows: Rows, events: Iterable[Event]) -> None:
            super().fold(rows, events)
            raise StorageFailed("The power went out")

    failing = Projector(ground.ledger, ground.runtime, [Failing({NOTE})], 3)
    with pytest.raises(StorageFailed):
        failing.step()
    assert list(projector.dump()) == once(seqs[:3])
    upkeep.catch_up()
    assert list(projector.dump()) == once(seqs)


def test_open_connections_see_the_new_views_after_a_swap(ground: Ground) -> None:
    """A second process keeps its connections, and the transaction it is in keeps its snapshot."""
    seqs = ground.fill(5)
    upkeep, _ = ground.upkeep()
    upkeep.catch_up()
    with closing(SqliteRuntime(ground.path, KEY)) as other:
        query = "SELECT COUNT(*) FROM counting_event"
        with other.reading() as rows:
            assert rows.execute(query).fetchone() == (5,)
            generation = other.generation()
        with other.writing() as rows:
            rows.execute("DELETE FROM counting_event")
        upkeep.rebuild()
        assert other.generation() != generation
        with other.reading() as rows:
            assert rows.execute(query).fetchone() == (5,)
        with other.writing() as rows:
            rows.execute("DELETE FROM counting_event WHERE seq = ?", (seqs[0],))
        with ground.runtime.reading() as rows:
            assert rows.execute(query).fetchone() == (4,)
        assert sorted(p.name for p in ground.path.parent.iterdir()) == [
            "runtime.db", "runtime.db-shm", "runtime.db-wal",
        ]  # fmt: skip


def test_a_rebuild_honours_what_was_forgotten_while_it_read(ground: Ground) -> None:
    """[G3] What was read before it was forgotten is not served again by the swap, not for an instant."""
    seqs = ground.fill(6)
    upkeep, projector = ground.upkeep()
    upkeep.catch_up()
    gone = Intent("i", (seqs[1], seqs[4]), ())
    acknowledged, over = threading.Event(), threading.Event()
    served: list[int] = []

    class Late(CountingView):
        """Another process forgets while the new views are being folded."""

        def fold(self, rows: Rows, events: Iterable[Event]) -> None:
            super().fold(rows, events)
            ground.ledger.store.forget(lambda: gone)
            projector.purge(gone.seqs)
            acknowledged.set()

    def watch() -> None:
        acknowledged.wait(10)
        last = False
        while not last:
            last = over.is_set()
            served.append(sum(row[1] in gone.seqs for row in projector.dump()))

    thread = threading.Thread(target=watch)
    thread.start()
    late = Projector(ground.ledger, ground.runtime, [Late({NOTE})], 10)
    Upkeep(ground.ledger, ground.runtime, late, nullcontext).rebuild()
    over.set()
    thread.join()
    assert [row[1] for row in projector.dump()] == [s for s in seqs if s not in gone.seqs]
    assert sum(served) == 0
    assert served


def test_a_swap_has_its_last_word_while_nobody_can_write(ground: Ground) -> None:
    """[G3] What is forgotten in the last instant before the swap is honoured: `settle` runs under the lock."""
    ground.fill(6)
    upkeep, projector = ground.upkeep()
    upkeep.catch_up()
    refused: list[str] = []

    def settle(rows: Rows) -> None:
        with closing(sqlcipher.connect(str(ground.path), timeout=0.05, isolation_level=None)) as other:
            other.execute(f"PRAGMA key = \"x'{KEY.hex()}'\"")
            try:
                other.execute("BEGIN IMMEDIATE")
            except sqlcipher.OperationalError as error:
                refused.append(str(error))
        rows.execute("DELETE FROM counting_event")

    with ground.runtime.replacement(settle) as fresh:
        projector.prepare(fresh)
        projector.catch_up(fresh)
    assert refused == ["database is locked"]
    assert list(projector.dump()) == []


def test_upkeep_in_the_background_follows_appends_and_says_what_is_wrong(ground: Ground) -> None:
    upkeep, projector = ground.upkeep()
    upkeep.start()
    seqs = ground.fill(7)
    wait = threading.Event()
    for _ in range(200):
        if len(list(projector.dump())) == 7:
            break
        wait.wait(0.02)
    upkeep.stop()
    assert list(projector.dump()) == once(seqs)
    assert upkeep.trouble == ""


def test_a_defect_in_a_view_is_said_and_ends_with_its_cause(ground: Ground) -> None:
    """The background work survives what it did not expect, and does not hide it."""

    class Stumbling(CountingView):
        stumbles = True

        def fold(self, rows: Rows, events: Iterable[Event]) -> None:
            if self.stumbles:
                raise ValueError("a defect")
            super().fold(rows, events)

    view = Stumbling({NOTE})
    projector = Projector(ground.ledger, ground.runtime, [view], 3)
    upkeep = Upkeep(ground.ledger, ground.runtime, projector, nullcontext)
    upkeep.start()
    ground.fill(1)
    wait = threading.Event()
    for _ in range(200):
        if upkeep.trouble:
            break
        wait.wait(0.02)
    assert "a defect" in upkeep.trouble
    view.stumbles = False
    ground.ledger.append(draft("n1"))
    for _ in range(200):
        if len(list(projector.dump())) == 2 and not upkeep.trouble:
            break
        wait.wait(0.02)
    upkeep.stop()
    assert (len(list(projector.dump())), upkeep.trouble) == (2, "")


class BrokenRuntime(SqliteRuntime):
    """Damaged, and nothing new can be made beside it, until it is mended."""

    broken = True

    @contextmanager
    def writing(self) -> Iterator[Rows]:
        if self.broken:
            raise ViewsCorrupted(f"{self.path} is damaged")
        with super().writing() as rows:
            yield rows

    @contextmanager
    def replacement(self, settle: Callable[[Rows], None] | None = None) -> Iterator[SqliteRuntime]:
        if self.broken:
            raise DiskFull("The disk is full")
        with super().replacement(settle) as fresh:
            yield fresh


def test_a_rebuild_that_fails_again_and_again_says_so_once(ground: Ground) -> None:
    """Nothing is said to be rebuilt that was not, and what is said does not grow while it fails."""
    ground.runtime.close()
    ground.runtime = broken = BrokenRuntime(ground.path, KEY)
    broken.broken = False
    upkeep, _ = ground.upkeep()
    broken.broken = True
    for _ in range(5):
        upkeep._once()  # noqa: SLF001 - what the background does every two seconds
    assert (upkeep.trouble, upkeep.notices) == ("The disk is full", [])
    broken.broken = False
    upkeep._once()  # noqa: SLF001
    assert (upkeep.trouble, upkeep.notices) == ("", [])


def test_stopping_does_not_wait_out_a_rebuild(ground: Ground) -> None:
    """The slice it is at is finished, the old views stay, and nothing half-made takes their place."""
    seqs = ground.fill(30)
    old, _ = ground.upkeep()
    old.catch_up()
    new, projector = ground.upkeep(version=2)
    step, slices, begun = projector.step, [], threading.Event()

    def slow(runtime: Runtime | None = None, at_most: int | None = None) -> int:
        slices.append(1)
        begun.set()
        new._stop.wait(10)  # noqa: SLF001 - the stop comes during the first slice
        return step(runtime, at_most)

    projector.step = slow  # type: ignore[method-assign]
    new.start()
    assert begun.wait(10)
    new.stop()
    assert (len(slices), new.current, new.trouble) == (1, False, "")
    assert list(old.dump()) == once(seqs)
    assert not ground.path.with_name("runtime.db.new").exists()
    projector.step = step  # type: ignore[method-assign]
    new.rebuild()
    assert list(new.dump()) == once(seqs)


def test_how_far_the_views_are_behind_is_only_read(ground: Ground) -> None:
    """Neither a writer nor views that are not there yet stand in its way."""
    ground.fill(4)
    upkeep, projector = ground.upkeep()
    upkeep.catch_up()
    ground.fill(2)
    with ground.runtime.writing():
        assert (projector.behind(), projector.is_current()) == (2, True)
    empty = Projector(ground.ledger, SqliteRuntime(ground.path.with_name("other.db"), KEY), [], 3)
    assert (empty.behind(), empty.is_current()) == (6, True)
    with empty._runtime.reading() as rows:  # noqa: SLF001
        assert rows.execute("SELECT COUNT(*) FROM sqlite_master").fetchone() == (0,)


def test_an_event_of_a_newer_version_stops_the_views_and_is_said(tmp_path: Path) -> None:
    core = SqliteCore(tmp_path / "core.db", KEY)
    runtime = SqliteRuntime(tmp_path / "runtime.db", KEY)
    with closing(core), closing(runtime):
        newer = Registry([KIND.__class__(NOTE, Note, KIND.retention, 2, {1: dict})])
        Ledger(core, newer, FixedClock()).append(draft("from the future"))
        ledger = Ledger(core, Registry([KIND]), FixedClock())
        projector = Projector(ledger, runtime, [CountingView({NOTE})])
        upkeep = Upkeep(ledger, runtime, projector, nullcontext)
        with pytest.raises(CoreTooNew):
            upkeep.catch_up()
        upkeep.start()
        for _ in range(200):
            if upkeep.trouble:
                break
            threading.Event().wait(0.02)
        upkeep.stop()
        assert "version 2" in upkeep.trouble
        assert list(projector.dump()) == []


def test_views_let_a_turn_that_begins_go_first_but_not_for_ever(ground: Ground) -> None:
    """A slice waits while a turn begins; where turns never end beginning, it is folded all the same."""
    upkeep, projector = ground.upkeep()
    with ground.ledger.courtesy.beginning():
        ground.fill(3)
        upkeep.start()
        time.sleep(0.1)
        assert projector.behind() == 3
        end = time.monotonic() + 10.0
        while projector.behind() and time.monotonic() < end:
            time.sleep(0.01)
        assert projector.behind() == 0
    upkeep.stop()
