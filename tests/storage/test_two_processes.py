"""Two processes on one home at once."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections import Counter
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from innerlife.adapters.sqlite.core import SqliteCore
from innerlife.conversations.events import COMPANION, USER
from innerlife.ledger.ledger import Ledger
from innerlife.ledger.registry import Registry
from tests.ledger.notes import KIND, draft
from tests.support.clock import FixedClock
from tests.support.stack import open_stack, opened_stack
from tests.support.victim import ROOT, Victims

COUNT = 60


def test_two_processes_append_and_project_at_once(tmp_path: Path) -> None:
    """[C9] Nothing lost, nothing twice, each one's order kept, no "database is locked"."""
    folder = tmp_path / "core"
    open_stack(folder).close()
    both = [Victims(), Victims()]
    results: list[tuple[int, list[str], int]] = []
    threads = [
        threading.Thread(
            target=lambda v, n: results.append(v.run(f"speak_{n}", folder, count=COUNT)), args=(victims, name)
        )
        for victims, name in zip(both, ("ann", "ben"), strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for victims in both:
        victims.close()
    assert sorted((status, told) for status, told, _ in results) == [(0, [f"spoke {COUNT}"])] * 2
    with opened_stack(folder) as stack:
        events = stack.ledger.read(0, 10_000, {USER, COMPANION})
        for name in ("ann", "ben"):
            mine = [e.body.text for e in events if e.body.text.startswith(name)]
            expected = [f"{name} {verb} number {n}" for n in range(COUNT) for verb in ("says", "hears")]
            assert mine == expected
        stack.upkeep.catch_up()
        assert Counter(stack.texts()) == Counter(e.body.text for e in events)
        dump = list(stack.projector.dump())
        stack.upkeep.rebuild()
        assert list(stack.projector.dump()) == dump


def test_the_same_key_from_two_connections_is_one_event(tmp_path: Path) -> None:
    """[C9] Idempotent also when both ask at the same moment."""
    path, key = tmp_path / "core.db", bytes(32)
    cores = [SqliteCore(path, key) for _ in range(4)]
    barrier = threading.Barrier(len(cores))
    seqs: list[int] = []

    def append(core: SqliteCore) -> None:
        ledger = Ledger(core, Registry([KIND]), FixedClock())
        for number in range(20):
            barrier.wait()
            seqs.append(ledger.append(draft(f"n{number}", key=f"k{number}")).seq)

    threads = [threading.Thread(target=append, args=(core,)) for core in cores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(seqs) == Counter(dict.fromkeys(set(seqs), 4))
    assert cores[0].count() == 20
    for core in cores:
        core.close()


def test_several_first_openings_at_once_make_one_core(tmp_path: Path) -> None:
    """Two starts of a new home do not lock one another out of it."""
    script = (
        "import sys; from pathlib import Path; from tests.support.stack import open_stack; "
        "from tests.support.client import ChatClient; print('ready', flush=True); sys.stdin.readline(); "
        "stack = open_stack(Path(sys.argv[1])); ChatClient(stack.recording).say(sys.argv[2], 'OK.'); stack.close()"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path / "core"), f"hello from {n}"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=_environment(),
        )
        for n in range(4)
    ]  # fmt: skip
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in started:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    assert [process.communicate()[1] for process in started] == [""] * 4
    with opened_stack(tmp_path / "core") as stack:
        said = {e.body.text for e in stack.ledger.read(0, 100, {USER})}
        assert said == {f"hello from {n}" for n in range(4)}
    assert len(list((tmp_path / "core.config" / "keys").iterdir())) == 1


def test_seqs_leave_holes_of_any_size(tmp_path: Path) -> None:
    """[G4] Strides are random and sometimes long, so that a hole says nothing about what was forgotten."""
    with closing(SqliteCore(tmp_path / "core.db", bytes(32))) as core:
        ledger = Ledger(core, Registry([KIND]), FixedClock())
        seqs = [0, *(e.seq for e in ledger.append_all([draft(str(n)) for n in range(3000)]))]
        strides = [after - before for before, after in pairwise(seqs)]
        assert min(strides) == 1
        assert sum(s >= 100 for s in strides) >= 8
        assert max(strides) >= 300
        assert core.epoch() != 0


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
