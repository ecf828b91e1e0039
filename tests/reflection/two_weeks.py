"""Two weeks with a person: what they say each day through the proxy, and what an attentive model makes of it."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from innerlife.thinking.calls import Question, Reply
from tests.proxy.fakes import Place, Received, Wire
from tests.reflection.answers import looked, reconsidered
from tests.reflection.conftest import Mind
from tests.support.models import ScriptedModel


class Attentive(ScriptedModel):
    """Finds what the script says of the day; of the self it says `of_self`, or that all is accurate."""

    of_self = ""

    def answer(self, question: Question) -> Reply:
        asked = question.messages[1].text
        if "What the person said:" in asked:
            return Reply(self.of_self or reconsidered())
        return super().answer(question) if "The lines:" in asked else Reply('{"goals": []}')


@dataclass(frozen=True)
class Day:
    """One conversation: what was said, and what quick reflection finds in it."""

    said: tuple[str, ...]
    found: dict[str, Any] = field(default_factory=dict)


def quoted(text: str, quote: str, **more: str) -> dict[str, str]:
    return {"text": text, "quote": quote, **more}


DAYS = (
    Day(
        ("Hello! I'm Mara, I restore old violins in a workshop in Cremona.",
         "Today I opened a violin from 1890 and the bass bar is cracked. What glue was used back then?"),
        {"on_mind": "A violin from 1890 with a cracked bass bar lies open in the workshop.",
         "person": [quoted("Mara", "I'm Mara", of="name"),
                    quoted("Restores old violins in a workshop in Cremona", "I restore old violins", of="work")]},
    ),
    Day(
        ("Please keep the answers short, I read them with glue on my hands.",
         "I'll test hide glue on a piece of spruce on Thursday. How hot may it get?"),
        {"noticed": [quoted("Reads the answers with glue on the hands", "I read them with glue on my hands",
                            kind="insight")]},
    ),
    Day(
        ("My daughter Livia plays the cello and her audition is on March 12.",
         "I want to finish the 1890 violin before her audition so that she can play it there."),
        {"hold": [quoted("Livia's cello audition", "her audition is on March 12", due="March 12")],
         "aims": [quoted("Finish the 1890 violin before the audition", "I want to finish the 1890 violin")],
         "person": [quoted("A daughter, Livia, who plays the cello", "My daughter Livia plays the cello",
                           of="family")]},
    ),
    Day(("The test with the hide glue worked, 60 degrees was right.",
         "Give me the result first next time, the reasons can come after it."), {}),
    Day(("The supplier sent maple instead of spruce, so I lost a whole day.",
         "Can you write me two polite sentences to the supplier about the wrong wood?"), {}),
    Day(
        ("Livia rehearsed in my workshop today and the room sounded wonderful with all the open violins.",
         "I collect varnish recipes from the nineteenth century, do you know any with sandarac?"),
        {"person": [quoted("Collects varnish recipes from the nineteenth century", "I collect varnish recipes",
                           of="interest")]},
    ),
    Day(("The bass bar is in, I glued it this morning and it holds.",
         "What tension should the strings have in the first week after such a repair?"), {}),
    Day(("The violin is strung and it speaks again, a bit dark but warm.",
         "Please keep the answers short and give the result first, as I said."), {}),
    Day(("Livia tried the violin and said the low strings answer slowly.",
         "Should I move the sound post or wait until the wood has settled?"), {}),
    Day(("I moved the sound post by half a millimetre and the low strings answer faster now.",
         "Thank you for asking me what I heard before you proposed anything."), {}),
    Day(
        ("I finished the 1890 violin two days before the audition, it is ready.",
         "Tomorrow is the audition and I will drive Livia to Milan at seven."),
        {"ended": [{"handle": "{goal}", "how": "completed", "quote": "I finished the 1890 violin"}]},
    ),
    Day(("Livia played, and they took her!",
         "She played the 1890 violin in the second round and the jury asked who had restored it."), {}),
    Day(("A collector from Vienna wants me to look at a cello from 1840.",
         "What should I ask her about its history before I agree to restore it?"), {}),
    Day(("Quiet Sunday, I only cleaned the workshop and sorted the varnish jars.",
         "Ask me next week how the cello from Vienna looks."), {}),
)  # fmt: skip

IDENTITY = (
    "I listen, remember what matters to this person, and am learning how to help. "
    "I keep the answers short and give the result first, and ask what Mara heard before I propose anything."
)


async def answering(request: Received, wire: Wire) -> None:
    """An engine that answers, always politely."""
    said = request.json()["messages"][-1]["content"]
    text = "I will ask you next week." if "next week" in said else "Here is what I would do first."
    value = {"model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": text},
                                        "finish_reason": "stop"}]}  # fmt: skip
    await wire.document(json.dumps(value).encode())


async def live(place: Place, mind: Mind, model: Attentive, self_answers: dict[int, str]) -> None:
    """All days: two messages each in a new chat, an hour apart from the next thought, a night in between."""
    for number, day in enumerate(DAYS):
        history: list[dict[str, str]] = []
        for text in day.said:
            history.append({"role": "user", "content": text})
            answer = await place.http.post("/v1/chat/completions", json={"model": "m", "messages": history})
            history.append(answer.json()["choices"][0]["message"])
            mind.pass_time(minutes=2)
        mind.companion.upkeep.catch_up()
        goal = next(
            (one.handle for one in mind.companion.self_model.goals.read() if not one.promise), "#none"
        )
        found = {
            name: [{key: one.format(goal=goal) for key, one in item.items()} for item in items]
            if isinstance(items, list)
            else items
            for name, items in day.found.items()
        }
        model.lines = [looked(**found)]
        model.of_self = self_answers.get(number, "")
        mind.pass_time(minutes=30)
        await mind.think(model)
        mind.pass_time(hours=23, minutes=26)
