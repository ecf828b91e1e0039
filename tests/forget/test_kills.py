"""A forgetting is killed (SIGKILL) around every operation that changes what is on disk."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.forget.life import RARE, Life, lived_in
from tests.support.stack import opened_stack
from tests.support.victim import Victims, instants

MOST = 16


@pytest.mark.slow
def test_a_forgetting_killed_at_any_instant_has_not_begun_or_is_completed(
    tmp_path: Path, victims: Victims
) -> None:
    """[C9] [G3] [G4] Acknowledged is acknowledged; what is half gone is never served; resumed, every byte goes."""
    base = tmp_path / "base"
    with opened_stack(base) as stack:
        life = lived_in(stack)
        seqs = [life.seqs["said"]]
    status, told, total = victims.run("forget", _copy(base, tmp_path / "whole"), seqs=seqs)
    assert (status, told) == (0, ["acknowledged", "finished"])
    states = set()
    for at in instants(total, MOST):
        folder = _copy(base, tmp_path / f"at{at}")
        status, told, _ = victims.run("forget", folder, at, seqs=seqs)
        assert os.WIFSIGNALED(status), at
        assert os.WTERMSIG(status) == signal.SIGKILL, at
        with opened_stack(folder) as stack:
            begun = stack.ledger.get(seqs) == []
            pending = stack.forgetting.unfinished()
            assert begun or "acknowledged" not in told, at
            assert begun or not pending, at
            assert not (pending and "finished" in told), at
            served = any(word in text.lower() for text in stack.texts() for word in RARE)
            assert served is not begun, at
            states.add((begun, bool(pending)))
            if begun:
                stack.forgetting.resume()
                assert Life(stack, life.seqs, life.first, life.second).planted() == {}, at
            stack.upkeep.catch_up()
            assert stack.forgetting.unfinished() == [], at
            assert stack.opened.core.check() == [], at
        shutil.rmtree(folder)
    assert states == {(False, False), (True, True), (True, False)}


def _copy(base: Path, to: Path) -> Path:
    shutil.copytree(base, to)
    shutil.copytree(base.parent / f"{base.name}.config", to.parent / f"{to.name}.config")
    return to
