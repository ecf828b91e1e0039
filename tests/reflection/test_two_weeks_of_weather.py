"""Two dated weeks in which somebody's days go up and down: what changes is the manner, and a rule comes of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from innerlife.learning.terms import State
from innerlife.workspace.block import Workspace
from innerlife.workspace.record import SHIPPED
from tests.affect.feelings import FEELINGS
from tests.proxy.fakes import Engine, House, Place, proxy
from tests.reflection.conftest import Mind, opened_mind
from tests.reflection.two_weeks import answering
from tests.support.models import ScriptedModel

pytestmark = pytest.mark.anyio

CALM = (
    "Could you compare the two heating offers that I pasted yesterday and tell me which one is cheaper?",
    "What is a good way to store garlic and onions over the winter in a small flat?",
    "I have to write a short note to the landlord about the window, could you draft it for me?",
    "Which of the three train connections to Graz has the longest stop in Salzburg?",
)
LONG = "That was too long, I only needed the number."
HARD = (
    "The client cancelled the contract this morning and I don't know how to pay the rent now.",
    "I'm exhausted. The landlord called again and nobody at the bank picks up the phone.",
    "I am so stressed, everything falls apart and I can't sleep any more.",
)
GLAD = (
    "They signed! The new contract is here and it is twice as good, I'm so happy!!",
    "What a wonderful day, the bank agreed and the sun is out, I could hug everybody!",
)


async def say(place: Place, mind: Mind, *texts: str) -> None:
    """One conversation, two minutes between messages; half an hour later it is thought about."""
    history: list[dict[str, str]] = []
    for text in texts:
        history.append({"role": "user", "content": text})
        answer = await place.http.post("/v1/chat/completions", json={"model": "m", "messages": history})
        history.append(answer.json()["choices"][0]["message"])
        mind.pass_time(minutes=2)
    mind.pass_time(minutes=30)
    await mind.think()


def manner_in(workspace: Workspace) -> str:
    """What a prompt says of the manner."""
    return " ".join(line.text for one in workspace.sections if one.layer == "manner" for line in one.lines)


@pytest.mark.slow
async def test_two_weeks_of_weather(tmp_path: Path) -> None:
    """[A1] [A2] [A3] [A5] [L2] [W1] The manner follows the days and names no feeling; three complaints make a rule."""
    model = ScriptedModel("{}")
    with opened_mind(tmp_path, "minilm") as mind:
        mind.distrust(model)
        seen: dict[str, Workspace] = {}
        async with proxy(Engine(answering), House(default=mind.companion.turns)) as place:  # type: ignore[arg-type]
            for day in range(6):
                await say(place, mind, CALM[day % 4], "Thank you, and what about the costs of it?",
                          *([LONG] if day % 2 else []))  # fmt: skip
                mind.pass_time(hours=23)
            seen["calm"] = mind.companion.turns.preview("What should I cook today?")
            for text in HARD:
                await say(place, mind, text, "What can I do about it today?")
                mind.pass_time(hours=23)
            seen["hard"] = mind.companion.turns.preview("What should I cook today?")
            await say(place, mind, "I'm fine now, really. What should I cook today?")
            seen["fine"] = mind.companion.turns.preview("And for dessert?")
            mind.pass_time(days=3)
            for text in GLAD:
                await say(place, mind, text)
            seen["glad"] = mind.companion.turns.preview("What should I cook today?")
            sent = [request.json()["messages"] for request in place.engine.requests]
        assert manner_in(seen["calm"]) == ""
        assert manner_in(seen["hard"])
        assert manner_in(seen["fine"]) == "", "their word holds at once"
        assert manner_in(seen["glad"]) not in ("", manner_in(seen["hard"]))
        # Nothing that was added names a feeling: only what they said themselves, recalled as their words, does.
        for workspace in seen.values():
            written = " ".join(
                line.text
                for section in workspace.sections
                if section.layer not in SHIPPED | {"recalled", "persona", "identity"}
                for line in section.lines
            )
            assert not set(re.findall(r"\w+", written.casefold())) & FEELINGS
        hard, glad = (r.affect.valence for r in mind.companion.mood.course().readings[-4::3])
        assert hard is not None
        assert glad is not None
        assert hard < 0 < glad
        (rule,) = [one for one in mind.companion.helping.rules() if one.state is State.IN_FORCE]
        assert len({piece.stream for piece in rule.evidence}) >= 3
        assert any(rule.text in part["content"] for part in sent[-1] if isinstance(part["content"], str))
        assert not mind.companion.self_model.human.read().everything, "no mood among the traits"
