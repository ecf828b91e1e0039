"""Rows at hand and rows of a day: what is read again, and what is not."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from innerlife.errors import BadInput
from innerlife.learning import bodies as e
from innerlife.learning import journal
from innerlife.learning.aspects import wording
from innerlife.learning.bodies import Pattern
from innerlife.learning.journal import TRIALS
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.rows import Row, What, row_of
from innerlife.learning.terms import Aspect, Criterion, Sort, State, Trigger
from innerlife.ledger.envelope import Actor, Cause, Draft, Role, Trust
from tests.learning.conftest import Life

PATTERN = Pattern(Aspect.SHORTER, Trigger.CODE)
OTHER = Pattern(Aspect.TABLE, Trigger.PLAN)
LONG = "Well, let us begin with the history of it, which is long and winding."
SHORT = wording(PATTERN.aspect, PATTERN.trigger)


def draft(body: e.LearningEvent, seq: int, stream: str = "") -> Draft:
    return Draft(body, Actor.COMPANION, Trust.COMPANION, causes=(Cause(seq, Role.FROM),), stream=stream)


def teach(life: Life, pattern: Pattern = PATTERN, pieces: int = 3) -> int:
    """A rule and what it rests on, of one message; the seq of the message."""
    (message,) = life.talk(("Hello there", "Hello."))
    feedback = [
        draft(
            e.FeedbackNoticed(Sort.CORRECTION, 0.9, (pattern.aspect,), pattern.trigger),
            message,
            f"{pattern.name}-{number}",
        )
        for number in range(pieces)
    ]
    rule = draft(e.RuleDerived(pattern, wording(pattern.aspect, pattern.trigger)), message)
    life.companion.ledger.append_all([*feedback, rule])
    return message


def try_out(life: Life, message: int, pattern: Pattern, times: int) -> None:
    body = e.RulesTried(held=(pattern.name,), met=(Criterion.NOT_ASKED_AGAIN, Criterion.NOT_LEFT))
    life.companion.ledger.append_all([draft(body, message, f"t{number % 7}") for number in range(times)])


@pytest.mark.parametrize("folded", [True, False])
def test_a_day_is_judged_by_the_trials_of_that_day(life: Life, folded: bool) -> None:
    """[C10] More newer trials than are looked at take nothing from what stood then; in the view as beyond it."""
    message = teach(life)
    try_out(life, message, PATTERN, 12)
    then = life.clock.now()
    life.clock.move(timedelta(days=1))
    try_out(life, message, OTHER, TRIALS + 100)
    if folded:
        life.companion.upkeep.catch_up()
    helping = life.companion.helping
    (stood,) = helping.rules(then)
    assert (stood.uses.held, stood.uses.failed) == (12, 0)
    (stands,) = helping.rules()
    assert stands.uses.held == 0, "of trials the newest alone are looked at"


def test_a_day_is_judged_by_the_preferences_of_that_day(life: Life) -> None:
    """[C10] [L4] A rule that gave way to what the person wanted then is shown so, whatever they want now."""
    teach(life)
    before = life.clock.now()
    life.clock.move(timedelta(days=1))
    said = life.companion.self_model.preferences.say("I want detailed answers", user=True)
    during = life.clock.now()
    life.clock.move(timedelta(days=1))
    life.companion.self_model.preferences.retire(said.handle)
    stood = [life.companion.helping.rules(day)[0] for day in (before, during)]
    assert [one.state for one in stood] == [State.IN_FORCE, State.YIELDS]
    assert stood[1].yields_to == said.text
    assert life.companion.helping.rules()[0].state is State.IN_FORCE


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[What]:
    """What was decoded of rows since the test looked last, from the view or from the ledger."""
    found: list[What] = []

    def counted(read: Callable[..., Row]) -> Callable[..., Row]:
        def reading(*arguments: Any) -> Row:
            row = read(*arguments)
            found.append(row.what)
            return row

        return reading

    for name, read in (("_row", journal._row), ("row_of", row_of)):  # noqa: SLF001 - work is counted where it is done
        monkeypatch.setattr(journal, name, counted(read))
    return found


def test_a_message_without_feedback_reads_no_trial(life: Life, decoded: list[What]) -> None:
    """[L1] What is found is found first; what is known is read when there is something to judge by it."""
    try_out(life, teach(life, OTHER), OTHER, 300)
    life.companion.upkeep.catch_up()
    decoded.clear()
    life.talk(("Recommend a novel about the sea", "Moby-Dick."), ("Who wrote it?", "Melville."))
    life.think()
    assert What.TRIAL not in decoded


def test_what_was_read_is_not_read_again(life: Life, decoded: list[What]) -> None:
    """[L2] A message after many: of all that is known, only what came since is decoded, in the turn and after it."""
    message = teach(life, pieces=400)
    try_out(life, message, PATTERN, 300)
    life.talk(
        ("How do I rebase in git?", LONG), ("too long, just the command", "git rebase"), ("ok", "Good.")
    )
    life.think()
    assert len(decoded) >= 700
    for number in range(3):
        decoded.clear()
        before = life.companion.ledger.count({e.FEEDBACK, e.TRIAL})
        life.talk((f"How do I undo {number} in git?", LONG), ("too long, just the command", "git reset"))
        life.think()
        fresh = life.companion.ledger.count({e.FEEDBACK, e.TRIAL}) - before
        assert fresh
        assert len(decoded) < 40, "beside the new rows, each seen from the ledger and from the view"
    (rule,) = life.companion.helping.rules()
    assert len(rule.evidence) == 403 + 1
    assert rule.uses.count > 300


def test_a_forgetting_that_is_under_way_shows_nothing(life: Life, monkeypatch: pytest.MonkeyPatch) -> None:
    """[G4] Between the ledger's deletion and the view's, what was forgotten is neither served nor kept."""
    message = teach(life)
    life.companion.upkeep.catch_up()
    assert SHORT in life.companion.turns.preview("How do I rebase in git?").block
    forgetting = life.companion.forgetting
    reach = forgetting.preview([message])
    with monkeypatch.context() as patched:
        patched.setattr(forgetting, "_stop_serving", lambda _intent: None)
        intent = forgetting.carry_out(reach)
        assert life.companion.helping.rules() == []
        assert SHORT not in life.companion.turns.preview("How do I rebase in git?").block
    forgetting.finish(intent)
    assert SHORT not in life.companion.turns.preview("How do I rebase in git?").block
    assert life.companion.helping.rules() == []


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_correction_counts_against_as_many_turns_as_are_set(
    living: Callable[[str], Life], turns: int
) -> None:
    """[L2] [L5] `learning.follow_turns`: the complaint after the third exchange is held against the last so many."""
    life = living(f"[learning]\nfollow_turns = {turns}\n")
    teach(life)
    life.talk(
        ("How do I list branches in git?", "git branch"), ("How do I list tags in git?", "git tag"),
        ("How do I list remotes in git?", LONG), ("too long, just the command", "git remote -v"),
        ("How do I list stashes in git?", "git stash list"), ("How do I list worktrees in git?", "git worktree list"),
        ("How do I list notes in git?", "git notes list"),
    )  # fmt: skip
    life.talk(("Something else entirely", "Yes."))
    life.think()
    (rule,) = life.companion.helping.rules()
    assert (rule.uses.failed, rule.uses.held) == (turns, 7 - turns)


@pytest.mark.parametrize("turns", [0, 11])
def test_turns_that_could_not_count_are_refused(turns: int) -> None:
    """[L2] A setting that would judge nothing, or what is about something else, is said to be wrong."""
    with pytest.raises(BadInput, match="from 1 to 10"):
        LearningPolicy(follow_turns=turns)


def test_why_shows_a_skill_as_it_was(life: Life) -> None:
    """[W6] From the event that formed it alone: how its uses went since, and the numbers of now, change nothing."""
    message = teach(life)
    steps = ("Write the command.", "Stop.")
    skill = e.SkillFormed(PATTERN, "Brevity", steps, (Criterion.NOT_CORRECTED,))
    life.companion.ledger.append(draft(skill, message))
    life.begin()
    plan, _ = life.say("How do I undo a commit in git?", "git reset")
    assert "Brevity (when it is about code): Write the command. Stop." in plan.block
    try_out(life, message, PATTERN, 20)
    explanation = life.companion.why.last()
    assert explanation.replay.matches, explanation.replay.reasons
