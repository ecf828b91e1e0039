"""Ten weeks with a person who has habits, bad days and single wishes: what becomes a rule, and what never does."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta

import pytest

from innerlife.learning.aspects import MANNERS, wording
from innerlife.learning.known import conversations
from innerlife.learning.rephrasing import accepted
from innerlife.learning.terms import Aspect, Sort, State, Trigger
from tests.learning.conftest import Life

WEEKS = 10
LONG = "Before we come to that, let us look at how all of this began, many years ago."

PLANTED: dict[tuple[Aspect, Trigger], tuple[tuple[str, str], ...]] = {
    (Aspect.SHORTER, Trigger.CODE): (
        ("How do I squash commits in git?", "too long, just the command please"),
        ("Count the lines of a file in bash?", "much too wordy. Shorter please"),
        ("¿Cómo borro una rama en git?", "demasiado largo, solo la orden"),
        ("Which pip command lists outdated packages?", "make it short"),
    ),
    (Aspect.LISTEN, Trigger.TALK): (
        (
            "I had such a long day, nobody listened in that meeting",
            "I don't need solutions, I just want to vent",
        ),
        ("I'm so tired of the neighbours and their drums", "please just listen for a moment"),
        ("Hoy discutí con mi jefe otra vez", "no quiero consejos, solo necesito que me escuches"),
        ("I argued with my sister on the phone, we fought for an hour", "don't try to fix it, just listen"),
    ),
    (Aspect.EXAMPLE, Trigger.EXPLANATION): (
        ("Explain what a closure is", "could you give me a concrete example?"),
        ("What is the difference between rent and lease?", "an example please"),
        ("Explícame qué es un oxímoron", "¿me pones un ejemplo?"),
        ("Why are leap years needed?", "give me an example with numbers"),
    ),
}
"""Habits: a request of a kind, and what the person says where the answer is not as they like it."""

ONCE: tuple[tuple[str, str], ...] = (
    ("Compare trains and planes to Rome", "can you put that in a table"),
    ("What time is it in Lima?", "in English please, not Spanish"),
    ("Set up my printer", "one step at a time please"),
    ("Dear assistant, greet me", "that's far too formal"),
    ("May I eat raw eggs?", "less caution, please, just the fact"),
)
"""Five single wishes."""

MOODS: tuple[str, ...] = (
    "I'm furious today, everything went wrong", "I feel so sad and empty", "What a wonderful day, I'm so happy!",
    "ugh I'm annoyed and impatient", "estoy muy triste hoy", "I'm anxious about tomorrow",
)  # fmt: skip

SMALL: tuple[str, ...] = (
    "Which birds sing at night?", "Name a river in Peru", "What rhymes with orange?", "How far is the moon?",
)  # fmt: skip


def answers_as_liked(life: Life, aspect: Aspect, trigger: Trigger, said: str) -> bool:
    """Whether an engine that does as its prompt says would: the rule stands there, or the skill it became."""
    block = life.companion.turns.preview(said).block
    return wording(aspect, trigger) in block or MANNERS[aspect].steps[0] in block


def ten_weeks(life: Life) -> Counter[int]:
    """Live them. Returns how many complaints each week had."""
    draw = random.Random(7)
    once = dict(zip(draw.sample(range(WEEKS), len(ONCE)), ONCE, strict=True))
    complaints: Counter[int] = Counter()
    for week in range(WEEKS):
        for (aspect, trigger), habit in PLANTED.items():
            said, complaint = habit[week % len(habit)]
            if answers_as_liked(life, aspect, trigger, said):
                life.talk((said, "Yes."), ("and one more thing?", "This."), ("ok", "Good."))
            else:
                life.talk((said, LONG), (complaint, "Yes."))
                complaints[week] += 1
        if week in once:
            said, complaint = once[week]
            life.talk((said, LONG), (complaint, "There."))
        for mood in draw.sample(MOODS, 2):
            life.talk((mood, "I am here."), (draw.choice(SMALL), "Gladly."))
        life.think()
        life.clock.move(timedelta(days=7))
    return complaints


@pytest.mark.slow
def test_ten_weeks(life: Life) -> None:
    """[L2] [L5] [A2] Three habits become rules and then skills, no single wish and no mood; the complaints end."""
    complaints = ten_weeks(life)
    rules = life.companion.helping.rules()
    assert {(rule.pattern.aspect, rule.pattern.trigger) for rule in rules} == set(PLANTED)
    assert {rule.state for rule in rules} == {State.IN_FORCE}
    for rule in rules:
        assert conversations(rule.evidence) >= 3
        assert accepted(rule.text, rule.pattern), "a rule names a manner, and no feeling"
        assert rule.uses.held > rule.uses.failed
    selves = life.companion.self_model.as_of()
    assert selves.human.everything == (), "no mood became a trait"
    assert selves.preferences == (), "nothing inferred became a preference"
    assert sum(complaints[week] for week in range(3)) == 9
    assert sum(complaints[week] for week in range(4, WEEKS)) == 0
    skills = life.companion.helping.skills()
    assert {skill.pattern for skill in skills} == {rule.pattern for rule in rules}
    assert all(skill.steps and (skill.score or 1.0) > 0.9 for skill in skills)
    first, *_, last = life.companion.helping.months()
    assert (first.per_hundred(Sort.CORRECTION) or 0) > 2 * (last.per_hundred(Sort.CORRECTION) or 0)
