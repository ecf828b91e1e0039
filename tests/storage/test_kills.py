"""A process is killed (SIGKILL) around every operation that changes what is on disk; then the home is opened again."""

from __future__ import annotations

import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from innerlife.conversations.events import COMPANION, USER
from innerlife.conversations.model import Image
from tests.support.bytes import planted_in
from tests.support.client import ChatClient
from tests.support.stack import open_stack, opened_stack
from tests.support.victim import Victims, instants

pytestmark = pytest.mark.slow

MOST = 14
"""Instants at which one deed is killed."""

EXCHANGE: dict[str, Any] = {"said": "My stone is quartzine", "answer": "A velociform one"}


def killed(status: int) -> bool:
    return os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL


def test_an_exchange_killed_at_any_instant_keeps_what_was_acknowledged(
    tmp_path: Path, victims: Victims
) -> None:
    """[C9] The message is durable once `open` returned, the answer once `close` did; nothing is there twice or half."""
    base = tmp_path / "base"
    open_stack(base).close()
    status, told, total = victims.run("exchange", _copy(base, tmp_path / "whole"), **EXCHANGE)
    assert (status, told) == (0, ["recorded", "kept", "answered"])
    assert total > 20
    outcomes = set()
    for at in instants(total, MOST):
        folder = _copy(base, tmp_path / f"at{at}")
        status, told, _ = victims.run("exchange", folder, at, **EXCHANGE)
        assert killed(status), at
        with opened_stack(folder) as stack:
            said = [e.body.text for e in stack.ledger.read(0, 100, {USER})]
            answers = [e.body.text for e in stack.ledger.read(0, 100, {COMPANION})]
            assert said in ([EXCHANGE["said"]], [] if "recorded" not in told else said), at
            assert len(said) == 1 or "recorded" not in told, at
            assert answers == [EXCHANGE["answer"]] or "answered" not in told, at
            assert len(answers) <= len(said) <= 1, at
            for event in stack.ledger.read(0, 100, {USER}):
                blob = event.body.attachments[0].blob
                assert stack.opened.blobs.get(blob) == b"picture of " + EXCHANGE["said"].encode(), at
            # The person presses "retry": one message, one more answer.
            client = ChatClient(stack.recording)
            picture = Image(b"picture of " + EXCHANGE["said"].encode(), "image/png")
            client.answer(client.ask(EXCHANGE["said"], picture), "Again")
            stack.upkeep.catch_up()
            assert stack.texts().count(EXCHANGE["said"]) == (2 if answers else 1), at
            assert stack.opened.core.check() == [], at
            outcomes.add((len(said), len(answers)))
        shutil.rmtree(folder)
    assert outcomes == {(0, 0), (1, 0), (1, 1)}


@pytest.mark.parametrize("deed", ["project", "rebuild"])
def test_a_projection_killed_at_any_instant_goes_on_exactly_once(
    tmp_path: Path, victims: Victims, deed: str
) -> None:
    """[C2] [C9] After a kill in the middle of a slice or of a rebuild the views come out as if nothing had happened."""
    base = tmp_path / "base"
    with opened_stack(base) as stack:
        client = ChatClient(stack.recording)
        for number in range(4):
            client.say(f"Number {number}", f"Answer {number}")
        if deed == "rebuild":
            stack.upkeep.catch_up()
    with opened_stack(_copy(base, tmp_path / "right")) as stack:
        stack.upkeep.catch_up()
        right = list(stack.projector.dump())
    status, told, total = victims.run(deed, _copy(base, tmp_path / "whole"))
    assert (status, len(told)) == (0, 1)
    behind = set()
    for at in instants(total, MOST):
        folder = _copy(base, tmp_path / f"at{at}")
        status, _, _ = victims.run(deed, folder, at)
        assert killed(status), at
        with opened_stack(folder) as stack:
            behind.add(stack.upkeep.behind())
            stack.upkeep.catch_up()
            assert list(stack.projector.dump()) == right, at
            assert stack.opened.core.check() == [], at
        shutil.rmtree(folder)
    # Which slices the instants fall between is chance; before, after and in between must be among them.
    assert behind >= ({8, 0} if deed == "project" else {0})
    assert behind & {2, 4, 6} or deed != "project"


def test_a_first_opening_killed_at_any_instant_leaves_a_home_that_opens(
    tmp_path: Path, victims: Victims
) -> None:
    """[C9] Half a Core is begun again; a whole one stays."""
    whole = tmp_path / "whole" / "core"
    whole.parent.mkdir()
    status, told, total = victims.run("first_opening", whole)
    assert (status, told) == (0, ["opened"])
    for at in instants(total, MOST):
        folder = tmp_path / f"at{at}" / "core"
        folder.parent.mkdir()
        assert killed(victims.run("first_opening", folder, at)[0]), at
        with opened_stack(folder) as stack:
            ChatClient(stack.recording).say("My stone is quartzine", "Good.")
            stack.upkeep.catch_up()
            assert stack.texts() == ["My stone is quartzine", "Good."]
            assert planted_in(folder, stack.opened.keys, ["quartzine"])
        shutil.rmtree(folder.parent)


def _copy(base: Path, to: Path) -> Path:
    shutil.copytree(base, to)
    shutil.copytree(base.parent / f"{base.name}.config", to.parent / f"{to.name}.config")
    return to
