"""Two dated weeks through the proxy: what is told afterwards hangs together."""

from __future__ import annotations

import re

import pytest

from innerlife.reflection.events import Sort
from innerlife.selfmodel.events import GoalState, HumanField, Portrait
from innerlife.workspace.layers import all_layers
from tests.proxy.fakes import Engine, House, proxy
from tests.reflection.answers import reconsidered
from tests.reflection.conftest import Mind
from tests.reflection.two_weeks import DAYS, IDENTITY, Attentive, answering, live

pytestmark = pytest.mark.anyio


@pytest.mark.slow
async def test_two_weeks_tell_a_coherent_story(mind: Mind) -> None:
    """[S1] [S2] [F2] [F9] [W1] [W5] [C10] Sections, growth and reflections agree with what was said, day by day."""
    model = Attentive("{}")
    mind.trust(model)
    numbers = range(1, 9)
    answers = {3: reconsidered(IDENTITY, "", "shorter, and asking", *numbers),
               13: reconsidered(IDENTITY, "", "shorter, and asking", 3, 14, 17)}  # fmt: skip
    async with proxy(Engine(answering), House(default=mind.companion.turns)) as place:  # type: ignore[arg-type]
        await live(place, mind, model, answers)
        sent = place.engine.requests[-1].json()["messages"]
    selves = mind.companion.self_model.as_of()
    shown = {one.field: one.shown.text for one in selves.human.fields if one.shown}
    assert shown[HumanField.NAME] == "Mara."
    assert shown[HumanField.WORK] == "Restores old violins in a workshop in Cremona."
    assert [one.text for one in selves.human.interests] == [
        "Collects varnish recipes from the nineteenth century"
    ]
    goals = {one.text: one for one in selves.goals}
    assert goals["Finish the 1890 violin before the audition"].state is GoalState.COMPLETED
    assert [one.text for one in selves.preferences] == [
        "Please keep the answers short, I read them with glue on my hands.",
        "Please keep the answers short and give the result first, as I said.",
    ]
    # On the fourth day it was too early for another identity; after two weeks it was not.
    growth = [(one.sort, one.at.date().isoformat()) for one in selves.growth]
    assert growth[0] == ("noted", "2026-03-05")
    assert selves.identity.text == IDENTITY
    assert growth[-1][0] == "rewritten"
    reflections = mind.companion.reflections.newest(100)
    quick = [one for one in reflections if one.sort is Sort.QUICK]
    assert sum(len(one.read) for one in quick) == 4 * len(DAYS), "each message and answer once"
    back = mind.companion.self_model.as_of(mind.clock.now().replace(day=9))
    assert back.identity.seq == 0
    assert GoalState.ACTIVE in {one.state for one in back.goals if "1890 violin" in one.text}
    assert mind.companion.self_model.portraits.read(Portrait.PERSONA).seq == 0
    # What the model received stands in the order of the layers, as sentences.
    preview = mind.companion.turns.preview("How should I begin with the cello from Vienna?")
    order = [layer.name for layer in all_layers()]
    names = [section.layer for section in preview.sections if section.lines]
    assert names == sorted(names, key=order.index)
    assert {"identity", "human", "growth_digest", "inner_state", "goals", "preferences"} <= set(names)
    whole = f"{preview.stable}\n{preview.block}"
    assert not re.search(r"^\s*[\w_]+\s*[=:]\s*(\d|\[|\{|true|false|null)", whole, re.MULTILINE)
    assert "Mara" in sent[0]["content"]
