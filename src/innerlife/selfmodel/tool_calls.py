"""What a tool call does, and what the model is told: only the change, and the size used (promises S9, S11)."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from typing import Any, Final, assert_never

from innerlife.errors import BadInput, CauseGone, NotFound
from innerlife.selfmodel.events import GoalState, Portrait, TraitSort
from innerlife.selfmodel.governance import Applied, Flagged, Noted, Verdict
from innerlife.selfmodel.observations import SaidBefore
from innerlife.selfmodel.selfmodel import SelfModel
from innerlife.selfmodel.tools import (
    AddInsight,
    Call,
    GetSelfModel,
    GoalStep,
    Reflect,
    Removal,
    UpdateHumanMemory,
    UpdateSelfModel,
    UpdateUserModel,
    read_call,
)

_STATES: Final[dict[str, GoalState | None]] = {
    "complete": GoalState.COMPLETED,
    "abandon": GoalState.ABANDONED,
    "rephrase": None,
}


def reply(
    self_model: SelfModel,
    name: str,
    arguments: str | dict[str, Any],
    evidence_seqs: Collection[int],
    reflect: Callable[[], str] = lambda: "It will be thought about when the conversation is quiet.",
) -> str:
    """Carry out one call and say what changed. Raises StorageFailed; anything else wrong is said in the reply.

    `evidence_seqs` are the user's messages of the conversation that the call was made in.
    """
    try:
        return _done(self_model, read_call(name, arguments), evidence_seqs, reflect)
    except (BadInput, NotFound) as error:
        return str(error)
    except CauseGone:
        return "What this rested on was forgotten a moment ago. Nothing was changed."


def _done(
    self_model: SelfModel, call: Call, evidence_seqs: Collection[int], reflect: Callable[[], str]
) -> str:
    match call:
        case GetSelfModel():
            return told(self_model)
        case UpdateSelfModel():
            return _update_self(self_model, call, evidence_seqs)
        case UpdateUserModel():
            return _update_user(self_model, call, evidence_seqs)
        case UpdateHumanMemory():
            found = self_model.human.learn(
                call.field, call.text, evidence_seqs, without=call.without, note=call.note
            )
            if not found.changed:
                return "That is known already. Nothing was changed."
            lines = [f"Added: {one}" for one in found.added] + [f"Taken out: {one}" for one in found.dropped]
            return "\n".join((*lines, f"Size: {self_model.human.size()}."))
        case AddInsight():
            return _insight(self_model, call, evidence_seqs)
        case Reflect():
            return reflect()
        case _:
            assert_never(call)


def _update_self(self_model: SelfModel, call: UpdateSelfModel, evidence_seqs: Collection[int]) -> str:
    lines: list[str] = []
    if call.summary:
        portraits = self_model.portraits
        verdict = portraits.propose(Portrait.IDENTITY, call.summary, evidence_seqs, call.direction)
        lines.append(f"{_said(verdict)} Size: {portraits.size(Portrait.IDENTITY, call.summary)}.")
    # Where one step cannot be taken, the others are no worse for it, and each is told.
    lines += [_tried(partial(_goal, self_model, step, evidence_seqs)) for step in call.goals]
    return "\n".join(lines) or "Nothing was given, so nothing was changed."


def _said(verdict: Verdict) -> str:
    match verdict:
        case Applied():
            return "Applied: this is who you are from now on."
        case Noted():
            return f"Noted, not applied. {verdict.reason}."
        case Flagged():
            return f"Flagged, not applied. {verdict.reason}."
        case _:
            assert_never(verdict)


def _goal(self_model: SelfModel, step: GoalStep, evidence_seqs: Collection[int]) -> str:
    goals = self_model.goals
    if step.action == "open":
        goal = goals.open_goal(step.text, evidence_seqs)
        return f"Open: {goal.handle} {goal.text}"
    if step.action == "rephrase" and not step.text.strip():
        raise BadInput("A goal needs words to be rephrased", "Give `text`.")
    text = step.text if step.action == "rephrase" else ""
    goal = goals.change(step.handle, _STATES[step.action], step.reason, text)
    return f"{goal.state.value.capitalize()}: {goal.handle} {goal.text}"


def _update_user(self_model: SelfModel, call: UpdateUserModel, evidence_seqs: Collection[int]) -> str:
    human = self_model.human
    wanted = [(TraitSort.TRAIT, one) for one in call.add_traits]
    wanted += [(TraitSort.INTEREST, one) for one in call.add_interests]
    lines = [_tried(partial(_removed, self_model, one)) for one in call.remove]
    lines += [_tried(partial(_added, self_model, sort, text, evidence_seqs)) for sort, text in wanted]
    if not lines:
        return "Nothing was given, so nothing was changed."
    return "\n".join((*lines, f"Size: {human.size()}."))


def _tried(act: Callable[[], str]) -> str:
    try:
        return act()
    except (BadInput, NotFound) as error:
        return str(error)


def _removed(self_model: SelfModel, removal: Removal) -> str:
    return f"Taken out: {self_model.human.remove(removal.what, removal.note).text}"


def _added(self_model: SelfModel, sort: TraitSort, text: str, evidence_seqs: Collection[int]) -> str:
    added = self_model.human.add(sort, text, evidence_seqs)
    trait = added.trait
    if added.confirmed:
        return f"Confirmed: {trait.text}"
    if added.near is None:
        return f"Added: {trait.text}"
    return (
        f"Added: {trait.text}. It is close to “{added.near.known.text}”: is it the same twice, or a contradiction? "
        "Remove one with a note, or record the contradiction as an insight."
    )


def _insight(self_model: SelfModel, call: AddInsight, evidence_seqs: Collection[int]) -> str:
    observations = self_model.observations
    if call.revises:
        revised = observations.revise(call.revises, call.text, call.note, evidence_seqs)
        return f"Revised: {revised.handle} {revised.text}"
    outcome = observations.record(call.kind, call.text, evidence_seqs, different=call.different)
    if isinstance(outcome, SaidBefore):
        older = outcome.older
        return (
            f"There is {older.handle} already: “{older.text}”. Nothing was recorded. Revise it (`revises`, `note`), "
            "or say that it is `different`."
        )
    return f"Recorded: {outcome.observation.handle} {outcome.observation.text}"


def told(self_model: SelfModel) -> str:
    """The self-model for the model that keeps it: with handles, sizes, and what may be dropped."""
    selves, desk = self_model.as_of(), self_model.desk
    size = self_model.portraits.size(Portrait.IDENTITY, selves.identity.text)
    lines = [f"Who I am ({size}): {selves.identity.text}", f"How I speak: {selves.persona.text}"]
    lines += [f"Goal {one.handle} ({one.state.value}): {one.text}" for one in selves.goals]
    lines += [f"Of their {one.field.value}: {one.shown.text}" for one in selves.human.fields if one.shown]
    stale = {one.seq for one in selves.human.stale(desk.clock.now(), desk.policy.stale_days)}
    for trait in selves.human.everything:
        late = ", unconfirmed for long" if trait.seq in stale else ""
        name = f"{trait.sort.value.capitalize()} {trait.handle}"
        lines.append(f"{name}, confirmed {trait.confirmed:%d %B %Y}{late}: {trait.text}")
    lines += [f"Observed {one.handle}, {one.at:%d %B %Y}: {one.text}" for one in selves.observations]
    return "\n".join(lines)
