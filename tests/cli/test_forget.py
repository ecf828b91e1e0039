"""`forget` as a person meets it."""

from __future__ import annotations

import io
import json
import re
from typing import Any

import pytest

from innerlife.bootstrap import open_companion
from innerlife.cli.errors import Exit
from innerlife.cli.proof import Proof, forms, needles_of
from innerlife.errors import DiskFull
from innerlife.kernel import canonical
from innerlife.ledger.forget import Forgetting
from innerlife.ledger.store import Intent
from innerlife.settings import load
from tests.cli.conftest import Home, Invoke, data_of
from tests.cli.fakes import FakeEngine


@pytest.fixture
def first(lived: Home, invoke: Invoke) -> dict[str, Any]:
    """The message that told of Anna."""
    (found,) = [
        one
        for one in data_of(invoke("recall", "beekeeping", "--json"))["items"]
        if one["text"].startswith("My sister")
    ]
    assert isinstance(found, dict)
    return found


def test_the_preview_shows_everything_it_reaches_and_why(invoke: Invoke, first: dict[str, Any]) -> None:
    """[G3] The message, its answer, the answer that drew on it, the records of prompts; nothing changes."""
    seen = data_of(invoke("forget", first["message"], "--preview", "--json"))
    reached = [(one["kind"], one["why"], (one["text"] or "")[:12]) for one in seen["events"]]
    assert ("message.user", "asked", "My sister An") in reached
    assert ("message.companion", "from", "Beekeeping s") in reached
    assert ("message.companion", "used", "Anna lives i") in reached
    assert [kind for kind, _, _ in reached].count("context.shown") == 2
    shown = invoke("forget", first["message"], "--preview").stdout
    assert "draws on" in shown
    assert "Nothing was changed." in shown
    assert data_of(invoke("forget", first["message"], "--preview", "--json")) == seen


def test_a_person_sees_messages_and_the_rest_is_counted(invoke: Invoke, first: dict[str, Any]) -> None:
    """[G3] Rows are what was said; drafts and records of prompts are one line, and the question counts the same."""
    seen = data_of(invoke("forget", first["message"], "--preview", "--json"))["events"]
    working = [one for one in seen if not one["kind"].startswith("message.")]
    shown = invoke("forget", first["message"], "--preview").stdout
    rows = shown.split("\n")[2:5]
    assert [row.split("  ")[2] for row in rows] == ["you", "Anima", "Anima"]
    assert f"And {len(working)} working records of these" in shown
    assert "context" not in shown
    asked = invoke("forget", first["message"], said="n\n").stderr
    assert f"Forget 1 message and 2 answers, with {len(working)} working records for good? [y/N]" in asked


def test_a_row_names_only_rows(invoke: Invoke, lived: Home, first: dict[str, Any]) -> None:
    """[G3] What an answer draws on is named by a message that is shown too."""
    shown = invoke("forget", first["message"], "--preview").stdout
    ids = {row.split("  ")[0] for row in shown.split("\n")[2:5]}
    assert len(ids) == 3
    assert set(re.findall(r"(?:draws on|made from) (\S+)", shown)) <= ids


class Pressed(io.RawIOBase):
    """A keyboard at which somebody presses Ctrl-C."""

    def readable(self) -> bool:
        return True

    def readinto(self, room: Any) -> int:
        if len(room) == 0:
            return 0
        raise KeyboardInterrupt


def test_ctrl_c_at_the_question_is_an_interruption(
    lived: Home, invoke: Invoke, first: dict[str, Any]
) -> None:
    """[G3] Nothing is forgotten, and the exit code is that of Ctrl-C."""
    done = invoke("forget", first["message"], said=Pressed())
    assert done.exit_code == Exit.INTERRUPTED
    assert "nothing was forgotten" in done.stderr
    assert data_of(invoke("recall", "beekeeping", "--json"))["items"]


@pytest.mark.parametrize("answer", ["n\n", "\n", ""])
def test_nothing_happens_without_a_yes(
    answer: str, lived: Home, invoke: Invoke, first: dict[str, Any]
) -> None:
    """[G3] No, nothing, or nobody there: all the same."""
    done = invoke("forget", first["message"], said=answer)
    assert "Nothing was forgotten" in done.output
    assert done.exit_code == (Exit.OK if answer else Exit.FAILURE)
    if not answer:
        assert done.stderr.endswith(
            "\nNothing was forgotten, for nobody said yes. Answer the question, or add --yes.\n"
        )
    assert data_of(invoke("recall", "beekeeping", "--json"))["items"][0]["message"] == first["message"]


def test_a_yes_makes_it_gone_and_says_that_it_was_checked(
    lived: Home, invoke: Invoke, first: dict[str, Any]
) -> None:
    """[G3] Gone from every reading, checked in every file, and the words are not printed again."""
    done = invoke("forget", first["message"], said="y\n")
    assert done.exit_code == 0
    assert "Checked" in done.stdout
    after = done.output.split("Forget ", 1)[1]
    assert "Anna" not in after
    assert "Lisbon" not in after
    assert data_of(invoke("recall", "beekeeping", "--json"))["items"] == []
    everything = json.dumps([data_of(invoke("conversations", "--json"))])
    assert "Lisbon" not in everything
    assert invoke("why", first["message"]).exit_code == 3


def test_the_check_is_a_real_one(
    lived: Home, invoke: Invoke, first: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G3] Where a store still holds the words, the command fails and names it, without the words."""
    real = Forgetting.prove

    def prove(self: Forgetting, needles: list[bytes]) -> dict[str, set[bytes]]:
        assert b"loves beekeeping." in b" ".join(needles)
        assert real(self, needles) == {}
        return {"the attic": {needles[0]}}

    monkeypatch.setattr(Forgetting, "prove", prove)
    done = invoke("forget", first["message"], "--yes")
    assert done.exit_code == 5
    assert "the attic" in done.stderr
    assert "beekeeping" not in done.stderr


def test_words_that_were_also_said_elsewhere_are_no_failure(invoke: Invoke, home: Home, engine: Any) -> None:
    engine.answers[:] = ["Yes."]
    for _ in range(2):
        assert invoke("say", "Good morning to the whole house").exit_code == 0
    one, _ = data_of(invoke("conversations", "--json"))
    done = invoke("forget", one["id"], "--yes", "--json")
    assert data_of(done)["also_said_elsewhere"] > 0
    assert data_of(done)["left_in"] == []


@pytest.mark.parametrize("unit", ["--message", "--exchange", "--conversation"])
def test_an_answer_is_forgotten_alone_or_with_its_exchange(
    unit: str, lived: Home, invoke: Invoke, first: dict[str, Any]
) -> None:
    """[G3] The unit is the message; an exchange or a conversation by request."""
    said, answer = data_of(invoke("conversations", first["conversation"], "--json"))["messages"]
    seen = data_of(invoke("forget", answer["id"], unit, "--preview", "--json"))["events"]
    ids = {one["id"] for one in seen}
    assert answer["id"] in ids
    assert (said["id"] in ids) == (unit != "--message")


def test_of_a_message_of_ones_own_the_answers_rest_on_it_or_are_meant(
    lived: Home, invoke: Invoke, first: dict[str, Any]
) -> None:
    """[G3] With --message its answers go because they were made from it; with --exchange they are named too."""
    answer = data_of(invoke("conversations", first["conversation"], "--json"))["messages"][1]["id"]
    why = {}
    for unit in ("--message", "--exchange"):
        seen = data_of(invoke("forget", first["message"], unit, "--preview", "--json"))["events"]
        why[unit] = {one["id"]: one["why"] for one in seen}
    assert why["--message"].keys() == why["--exchange"].keys()
    assert (why["--message"][answer], why["--exchange"][answer]) == ("from", "asked")
    assert why["--exchange"][first["message"]] == "asked"


def test_a_conversation_is_named_by_its_own_id(lived: Home, invoke: Invoke, first: dict[str, Any]) -> None:
    done = invoke("forget", first["conversation"], "--yes", "--json")
    assert data_of(done)["events"] >= 3
    assert first["conversation"] not in {one["id"] for one in data_of(invoke("conversations", "--json"))}


def test_json_never_asks(lived: Home, invoke: Invoke, first: dict[str, Any]) -> None:
    assert invoke("forget", first["message"], "--json", said="y\n").exit_code == 2
    assert data_of(invoke("recall", "beekeeping", "--json"))["items"]


def test_an_interrupted_forgetting_is_shown_and_finished(
    lived: Home, invoke: Invoke, first: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G3] Acknowledged, then broken off: `status` says unfinished, nothing is served, one command goes on."""

    def break_off(self: Forgetting, intent: Intent) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Forgetting, "finish", break_off)
        done = invoke("forget", first["message"], "--yes")
    assert done.exit_code == 130
    assert "innerlife forget --unfinished" in done.stderr
    assert data_of(invoke("recall", "beekeeping", "--json"))["items"] == []
    assert data_of(invoke("status", "--json"))["memory"]["forgetting_unfinished"] == 1
    assert "unfinished" in invoke("status").stdout
    assert "unfinished" in invoke("doctor").stdout
    assert "1 forgetting finished" in invoke("forget", "--unfinished").stdout
    assert data_of(invoke("status", "--json"))["memory"]["forgetting_unfinished"] == 0


def test_a_full_disk_while_the_files_are_cleared_is_told(
    lived: Home, invoke: Invoke, first: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G3] What was acknowledged stays forgotten, and the way on is named."""

    def full(self: Forgetting, intent: Intent) -> None:
        raise DiskFull("The disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(Forgetting, "finish", full)
        done = invoke("forget", first["message"], "--yes")
    assert done.exit_code == 5
    assert "The disk is full; it is not served any more" in done.stderr
    assert "innerlife forget --unfinished" in done.stderr
    assert data_of(invoke("recall", "beekeeping", "--json"))["items"] == []


def test_needles_are_found_in_text_and_in_its_json(lived: Home) -> None:
    companion = open_companion(load())
    try:
        (event,) = companion.ledger.newest(1, {"message.user"})
    finally:
        companion.close()
    needles = needles_of([event])
    assert "Where does my sister Anna live?" in needles
    for needle in needles:
        assert forms(needle)[0] in event.body.text.encode()
        assert forms(needle)[1] in canonical.dumps(event.body.text).encode()


SCRIPTS = {
    "Russian": "Моя сестра Анна живёт в Лиссабоне",
    "Chinese": "我姐姐安娜住在里斯本",
    "Hindi": "मेरी बहन अन्ना लिस्बन में रहती है",
    "Arabic": "أختي آنا تعيش في لشبونة",
    "French with quotes": 'Ma sœur dit : "été à Lisbonne"',
    "faces": "😀😃😄😁😆😅🤣😂",
}


@pytest.mark.parametrize("text", SCRIPTS.values(), ids=SCRIPTS)
@pytest.mark.parametrize("where", ["the ledger", "the views"])
def test_the_check_searches_in_any_script(
    text: str, where: str, home: Home, invoke: Invoke, engine: FakeEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G3] Words of any script are searched for and found, as the ledger or as the views keep them."""
    engine.answers[:] = ["Yes."]
    assert invoke("say", text).exit_code == 0
    companion = open_companion(load())
    try:
        companion.upkeep.catch_up()
        needles = needles_of(companion.ledger.newest(1, {"message.user"}))
        found = companion.forgetting.prove([form for needle in needles for form in forms(needle)])
        assert any(form in found[where] for form in forms(needles[0]))
        assert forms(needles[0])[1] in found["the ledger"]
    finally:
        companion.close()
    (one,) = data_of(invoke("conversations", "--json"))
    with monkeypatch.context() as patch:
        kept = {name: held for name, held in found.items() if name == where}
        patch.setattr(Forgetting, "prove", lambda self, needles: kept)
        done = invoke("forget", one["id"], "--yes")
    assert done.exit_code == 5
    assert where in done.stderr
    assert text not in done.stderr


def test_a_proof_that_found_nothing_says_so() -> None:
    assert "nothing of it is left" in Proof(3, 0, ()).sentence()
    assert "too few" in Proof(0, 0, ()).sentence()
    assert "1 also" in Proof(3, 1, ()).sentence()
