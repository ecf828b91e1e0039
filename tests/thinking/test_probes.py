"""Role probes: who is trusted with what, and that the smallest model is found out."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.thinker import EMBEDDED, EmbeddedThinker
from innerlife.errors import EngineUnavailable
from innerlife.thinking import events, probes
from innerlife.thinking.calls import Assigned, Meter, ModelRole, Question, Reply
from innerlife.thinking.policy import ThinkingPolicy
from tests.proxy.fakes import eventually
from tests.support.models import (
    EchoModel,
    FixedRoles,
    FlatteringModel,
    GarbageModel,
    Model,
    OverClaimingModel,
    filled,
)
from tests.thinking.conftest import DeskMaker
from tests.thinking.stages import Analysing

pytestmark = pytest.mark.anyio
POLICY = ThinkingPolicy()


class WiseModel(Model):
    """Answers every probe as it should, but for those that `wrong` answers in its place."""

    def __init__(self, wrong: Callable[[str], dict[str, object] | None] = lambda _: None) -> None:
        super().__init__()
        self.wrong = wrong

    def answer(self, question: Question) -> Reply:
        names = set(question.schema["properties"]) if question.schema else set()
        material = question.messages[-1].text
        if (value := self.wrong(" ".join(sorted(names)))) is None:
            match sorted(names):
                case ["count", "items"]:
                    value = {"items": ["apples", "pears", "figs"], "count": 3}
                case ["quote"]:
                    value = {"quote": "My sister had packed bread and a green thermos."}
                case ["summary"]:
                    value = {
                        "summary": "El autor y su hermano fueron al río con los perros y luego a la casa."
                    }
                case ["speaker"]:
                    value = {"speaker": material.partition(":")[0]}
                case _:
                    value = filled(question.schema or {}, "wise")
        return Reply(json.dumps(value))


async def tried(model: Model) -> dict[str, str]:
    return await probes.probed(Assigned("http://engine", "wise", model), POLICY, Meter())


async def test_a_good_model_passes_for_every_role() -> None:
    """[P11] All probes right: trusted with everything."""
    details = await tried(WiseModel())
    assert details == {"schema": "", "quote": "", "language": "", "speaker": ""}
    assert all(probes.passes(role, details) for role in ModelRole)


@pytest.mark.parametrize(
    ("field", "answer", "probe", "why", "lost"),
    [
        ("quote", {"quote": "The sister packed some bread"}, "quote", "not in the text", "aar"),
        ("quote", {"quote": "We left the harbour at six."}, "quote", "another sentence", "aar"),
        ("summary", {"summary": "The author and his brother went to the river with the dogs"}, "language",
         "changed the language", "ars"),
        ("summary", {"summary": "Perros"}, "language", "too little", "ars"),
        ("speaker", {"speaker": "Anna"}, "speaker", "mixed the speakers up", "aar"),
        ("speaker", {"speaker": "Zoe"}, "speaker", "no usable answer (not_the_form)", "aar"),
        ("count items", {"items": ["apples"], "count": 1}, "schema", "counted wrong", "aars"),
    ],
)  # fmt: skip
async def test_one_weakness_costs_the_roles_that_need_it(
    field: str, answer: dict[str, object], probe: str, why: str, lost: str
) -> None:
    """[P11] Each probe finds its weakness, a constant answer included, and decides on its roles only."""
    details = await tried(WiseModel(lambda name: answer if name == field else None))
    assert why in details[probe]
    assert [name for name, wrong in details.items() if wrong] == [probe]
    roles = {role for role in ModelRole if not probes.passes(role, details)}
    assert sorted(role.value[0] for role in roles) == sorted(lost)


@pytest.mark.parametrize("model", [EchoModel(), GarbageModel(), OverClaimingModel(), FlatteringModel()])
async def test_useless_models_are_trusted_with_nothing_that_judges(model: Model) -> None:
    """[P11] They may still chat."""
    details = await tried(model)
    assert {role for role in ModelRole if probes.passes(role, details)} == {
        ModelRole.CHAT,
        ModelRole.DELEGATE,
    }


async def test_without_an_engine_there_is_no_verdict(desk: DeskMaker) -> None:
    """[P11] A model that could not be asked did not fail; it is tried when it is there."""
    at = desk(Analysing())
    at.note("one Graz")
    model = WiseModel()
    model.down = True
    with pytest.raises(EngineUnavailable):
        await tried(model)
    runner = at.runner(model)
    await at.think(runner)
    assert at.read(events.PROBE) == []
    model.down = False
    at.pass_time(POLICY.rest_s + 1)
    await at.think(runner)
    assert [probe.passed for probe in at.read(events.PROBE)] == [True] * 4


async def test_the_newest_verdict_for_this_engine_model_and_version_counts(desk: DeskMaker) -> None:
    """[P11] Another engine, another model, or other probes: tried anew."""
    at = desk(Analysing())

    def verdict(engine: str = "e", model: str = "m") -> bool | None:
        found: bool | None = at.asked(probes.verdict, engine, model, ModelRole.ANALYSIS)
        return found

    wise, echo = Assigned("e", "m", WiseModel()), Assigned("e", "m", EchoModel())
    assert verdict() is None
    at.ledger.append_all(probes.verdicts(echo, await tried(EchoModel()), POLICY))
    assert verdict() is False
    at.ledger.append_all(probes.verdicts(wise, await tried(WiseModel()), POLICY))
    assert verdict() is True
    assert at.asked(probes.trusted, "e", "m", ModelRole.ANALYSIS)
    assert (verdict("other"), verdict("e", "other")) == (None, None)
    assert at.asked(probes.verdict, "x", "x", ModelRole.CHAT) is True
    newest = at.asked(probes.newest_verdicts)
    assert [(v.role, v.passed) for v in newest] == [
        (r, True) for r in ("analysis", "audit", "reflection", "synthesis")
    ]
    assert at.dump() == at.rebuilt()


async def test_probing_makes_way_for_a_chat(desk: DeskMaker) -> None:
    """[P11] [P8] It is a background call like any other: cut, and begun again."""
    at = desk(Analysing())
    at.note("one Graz")
    model = WiseModel()
    model.delay_s = 0.05
    runner = at.runner(FixedRoles(model, engine="http://engine"))
    at.projector.catch_up()
    working = asyncio.create_task(runner.step())
    await eventually(lambda: model.asked)
    at.gate.chat_ended(at.gate.chat_began("http://engine"))
    await working
    assert at.read(events.PROBE) == []
    model.delay_s = 0.0
    at.pass_time(POLICY.quiet_s)
    await at.think(runner)
    assert len(at.read(events.PROBE)) == 4


@pytest.mark.engine
@pytest.mark.slow
async def test_the_bundled_model_is_tried_for_real(desk: DeskMaker, tmp_path: Path) -> None:
    """[P11] 135 million parameters get a verdict as every model does; its words are nobody's business."""
    at = desk(Analysing())
    at.note("one Graz")
    weights = bundled_weights()
    assert weights is not None
    thinker = EmbeddedThinker(EmbeddedServer(weights, BUNDLED_ALIAS, tmp_path / "engine.log"))
    # Whoever has not answered by then has not passed either; a busy machine must not make the test long.
    hasty = ThinkingPolicy(answer_s=3.0)
    try:
        details = await probes.probed(Assigned(EMBEDDED, BUNDLED_ALIAS, thinker), hasty, Meter())
    finally:
        await thinker.aclose()
    at.ledger.append_all(probes.verdicts(Assigned(EMBEDDED, BUNDLED_ALIAS, thinker), details, POLICY))
    assert set(details) == {"schema", "quote", "language", "speaker"}
    for verdict in at.asked(probes.newest_verdicts):
        assert verdict.passed == probes.passes(ModelRole(verdict.role), details)
