"""The structured call: whatever a model sends, a checked value comes out, or a failure (promise X5)."""

from __future__ import annotations

import json
from typing import Annotated, Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from innerlife.errors import ModelFailed
from innerlife.thinking.calls import Assigned, Finish, Meter, Reply
from innerlife.thinking.events import Flaw
from innerlife.thinking.form import NotTheForm, form_of
from innerlife.thinking.lenient import BrokenOff, NoJson, objects, without_reasoning
from innerlife.thinking.policy import ThinkingPolicy
from innerlife.thinking.structured import Flawed, Prompt, Structured, read_reply, structured
from tests.support.models import (
    EchoModel,
    FlatteringModel,
    GarbageModel,
    Model,
    OverClaimingModel,
    ScriptedModel,
)

POLICY = ThinkingPolicy()


class Thing(BaseModel):
    name: Annotated[str, Field(max_length=400)]
    weight: Annotated[int, Field(ge=0, le=1000)] = 0


class Things(BaseModel):
    things: Annotated[list[Thing], Field(max_length=5)]
    note: Annotated[str, Field(max_length=400)] = ""


FORM = form_of(Things, 200)
PROMPT = Prompt("Name the things.", "A chair and a table.")
GOOD = '{"things": [{"name": "chair", "weight": 7}], "note": "ok"}'


def first(text: str) -> dict[str, Any]:
    return next(objects(text))


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Sure! Here is the JSON you asked for:\n\n{GOOD}\n\nLet me know if you need more.",
        f"```json\n{GOOD}\n```",
        f"~~~\n{GOOD}\n~~~",
        f'<think>First {{a}} draft: {{"things": []}}</think>\n{GOOD}',
        f"<think>\nnever mind the brackets {{ {{\n</think>\n\n{GOOD}",
        f"the template opened this </think>{GOOD}",
        f"[THINK]hm[/THINK]{GOOD}",
        f"<reasoning>hm</reasoning>{GOOD}<|im_end|>",
        f'<|channel|>analysis<|message|>hm {{"things":[]}}<|end|><|start|>assistant<|channel|>final<|message|>{GOOD}',
        f"[{GOOD}]",
        f"\ufeff \n{GOOD}\n",
        f'For example {{"things": [{{"name": "x"}}]}} would do. My answer: {GOOD}',
        GOOD.replace('"', "'"),
        GOOD.replace('"things"', "things").replace('"name"', "name"),
        GOOD.replace("7}", "7,}").replace('"ok"}', '"ok",}'),
        GOOD.replace('"', "“").replace("“", '"'),
        GOOD.replace(", ", ",\n\n  "),
        "The set {chair, table} has two members. " + GOOD,
    ],
)
def test_slips_of_small_models_are_read(text: str) -> None:
    """[X5] Prose, fences, reasoning, single quotes, bare keys, trailing commas: the same value each time."""
    assert first(text) == json.loads(GOOD)


@pytest.mark.parametrize(
    "text",
    [GOOD[:cut] for cut in range(2, len(GOOD))] + [f"Sure! {GOOD[:cut]}" for cut in range(15, len(GOOD), 7)],
)
def test_what_breaks_off_is_never_completed(text: str) -> None:
    """[X5] A list cut short reads like a short list, so no bracket is closed for the model."""
    with pytest.raises((BrokenOff, NoJson)):
        first(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "no",
        "I cannot do that.",
        "[1, 2]",
        "null",
        "true",
        "42",
        '"text"',
        "<think>I wonder",
        '{"a": NaN}',
        "{'a': 'it''s'}",
        "{" * 5000,
        '{"a":' * 5000,
        "[" * 5000,
        '{"a":' * 60 + "1" + "}" * 60,
    ],
)
def test_what_is_no_object_is_none(text: str) -> None:
    """[X5] And no nesting, however deep, is followed without end."""
    with pytest.raises((NoJson, BrokenOff)):
        first(text)


def test_a_mended_text_loses_no_letter() -> None:
    """[X5] Where the repair library would drop words, the answer counts as unreadable."""
    assert first('{"note": "she said "never" and left"}') == {"note": 'she said "never" and left'}
    with pytest.raises(NoJson):
        first("{'note': 'the owner''s dog', 'things': [],}")


json_texts = st.text(max_size=30)
things = st.fixed_dictionaries(
    {
        "things": st.lists(
            st.fixed_dictionaries({"name": json_texts, "weight": st.integers(0, 1000)}), max_size=5
        ),
        "note": json_texts,
    }
)
prose = st.text(st.characters(codec="utf-8", exclude_characters="{}[]<>|"), max_size=40)


@given(things, prose, prose, st.booleans(), st.booleans())
def test_any_value_survives_what_stands_around_it(
    value: dict[str, Any], before: str, after: str, escaped: bool, fenced: bool
) -> None:
    """[X5] Whatever prose, with or without a fence, escaped or not."""
    text = json.dumps(value, ensure_ascii=escaped)
    assume("<|" not in text and "</" not in text and "THINK]" not in text.upper())
    wrapped = f"{before}\n```json\n{text}\n```\n{after}" if fenced else f"{before} {text} {after}"
    assert first(wrapped) == value


@given(things, st.data())
def test_no_beginning_of_an_answer_is_taken_for_another_answer(
    value: dict[str, Any], data: st.DataObject
) -> None:
    """[X5] Cut anywhere, an answer is unreadable; it never reads as something else."""
    text = json.dumps(value)
    cut = data.draw(st.integers(0, len(text) - 1))
    with pytest.raises((BrokenOff, NoJson)):
        first(text[:cut])


@given(st.text(st.sampled_from("{}[]\"':,\\abn1 <>/think|\n`"), max_size=200))
def test_no_text_upsets_the_reader(text: str) -> None:
    """[X5] Objects, or one of the two ways to say that there are none."""
    try:
        for value in objects(text):
            assert isinstance(value, dict)
    except (NoJson, BrokenOff):
        pass


@given(st.text(max_size=50), st.text(max_size=50))
def test_reasoning_is_cut_out(thought: str, said: str) -> None:
    """[X5] What a model says to itself never stands in its answer."""
    assume(all(mark not in text for text in (thought, said) for mark in "<>[]"))
    assert without_reasoning(f"<think>{thought}</think>{said}") == said
    assert without_reasoning(f"{said}<think>{thought}") == said


def read(reply: Reply, keeps: str = "") -> Things | Flawed:
    return read_reply(reply, FORM, keeps)


@pytest.mark.parametrize(
    ("reply", "flaw"),
    [
        (Reply(""), Flaw.EMPTY),
        (Reply(" \n"), Flaw.EMPTY),
        (Reply("", reasoning="hm"), Flaw.EMPTY),
        (Reply(GOOD, Finish.LENGTH), Flaw.TRUNCATED),
        (Reply(GOOD[:-10]), Flaw.TRUNCATED),
        (Reply(GOOD, Finish.CUT), Flaw.TOO_LONG),
        (Reply("", Finish.TOOL), Flaw.TOOL_CALL),
        (Reply(GOOD, Finish.TOOL), Flaw.TOOL_CALL),
        (Reply("Chairs."), Flaw.NOT_JSON),
        (Reply("{}"), Flaw.NOT_THE_FORM),
        (Reply('{"dinge": [{"name": "Stuhl"}]}'), Flaw.NOT_THE_FORM),
        (Reply('{"things": [{"name": "chair", "weight": "heavy"}]}'), Flaw.NOT_THE_FORM),
        (Reply(json.dumps({"things": [{"name": "x"}] * 6})), Flaw.NOT_THE_FORM),
        (Reply(json.dumps({"things": [], "note": "x" * 401})), Flaw.NOT_THE_FORM),
    ],
)
def test_what_is_wrong_is_named(reply: Reply, flaw: Flaw) -> None:
    """[X5] Each useless answer by its own name; a schema's limits hold where the engine ignored them."""
    wrong = read(reply)
    assert isinstance(wrong, Flawed)
    assert wrong.flaw is flaw


def test_an_answer_in_another_language_is_sent_back() -> None:
    """[X5] Where a stage asks for the language of its material."""
    spanish = "El perro estaba en la casa con mi hermana y ella tenía un resfriado"
    english = '{"things": [], "note": "The dog was in the house with my sister and she had a cold"}'
    wrong = read(Reply(english), spanish)
    assert isinstance(wrong, Flawed)
    assert wrong.flaw is Flaw.LANGUAGE
    assert isinstance(read(Reply(english)), Things)
    assert isinstance(read(Reply('{"things": [], "note": "El perro y la hermana"}'), spanish), Things)


async def ask(model: Model, meter: Meter | None = None) -> Structured[Things]:
    assigned = Assigned("http://engine", "wise", model)
    return await structured(assigned, PROMPT, FORM, POLICY, meter or Meter())


@pytest.mark.anyio
async def test_one_repair_and_no_more() -> None:
    """[X5] The second call shows the answer and says what was wrong with it; then it is a failure."""
    model, meter = ScriptedModel("Chairs.", GOOD), Meter()
    answer = await ask(model, meter)
    assert (answer.value.note, answer.repaired, meter.requests) == ("ok", True, 2)
    repair = model.asked[1].messages
    assert [m.speaker for m in repair] == ["system", "user", "assistant", "user"]
    assert repair[2].text == "Chairs."
    assert "not one JSON object" in repair[3].text

    model, meter = ScriptedModel("Chairs."), Meter()
    with pytest.raises(ModelFailed) as failed:
        await ask(model, meter)
    assert (failed.value.flaw, meter.requests, meter.tokens_in) == (Flaw.NOT_JSON, 2, 20)
    assert "Chairs" not in str(failed.value), "a sentence for a log quotes nobody"


@pytest.mark.anyio
async def test_the_question_carries_schema_and_bounds() -> None:
    """[X5] For engines with a grammar beside the words, for those without one in them."""
    model = ScriptedModel(GOOD)
    await ask(model)
    question = model.asked[0]
    assert question.schema == FORM.schema
    assert json.dumps(FORM.schema, separators=(",", ":")) in question.messages[0].text
    assert (question.limits.tokens, question.limits.seconds) == (200, POLICY.answer_s)


@pytest.mark.anyio
@pytest.mark.parametrize("model", [EchoModel(), *(GarbageModel() for _ in range(1))])
async def test_useless_models_only_ever_fail(model: Model) -> None:
    """[X5] [F8] Echo and garbage never give a value."""
    for _ in range(6):
        with pytest.raises(ModelFailed):
            await ask(model)


@pytest.mark.anyio
@pytest.mark.parametrize("model", [OverClaimingModel(), FlatteringModel()])
async def test_who_keeps_to_the_form_is_believed_in_form_only(model: OverClaimingModel) -> None:
    """[X5] An over-claiming model fills the form; that its claims stand nowhere is for the quotes to find."""
    answer = await ask(model)
    assert len(answer.value.things) == 5
    assert model.claim not in PROMPT.material


class Loose(BaseModel):
    words: list[str]


def test_a_form_without_bounds_is_a_mistake() -> None:
    """[X5] Every list and every text of a form has an upper bound."""
    with pytest.raises(ValueError, match=r"Loose has no bound on answer\.words, answer\.words"):
        form_of(Loose, 100)
    with pytest.raises(NotTheForm, match="things: Field required"):
        FORM.read({})
