"""Tokens that a real llama engine reads again for each turn, by where memory is put. `make bench-cache`.

Four ways, each in a conversation of its own with the same words: no memory at all; memory in the system text, newly
chosen for every turn; memory moved along beside the newest message; and ours, left where it was sent. The counts are
the engine's own (`timings.prompt_n`: tokens evaluated, the cached ones not counted); answers are one token long.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import httpx2

from bench.harness import report, table
from bench.seed import configured
from innerlife.adapters.models.bundled import BUNDLED_ALIAS, bundled_weights
from innerlife.adapters.models.embedded import EmbeddedServer
from innerlife.adapters.models.embedded_rules import Endpoint
from innerlife.bootstrap import open_companion
from innerlife.companion import Companion
from innerlife.membrane.turn import Answer, Ending, Plan, Said, Speaker, TurnRequest

Way = Literal["no memory", "in the system text", "moved along", "left in place (ours)"]
WAYS: tuple[Way, ...] = get_args(Way)
WINDOW = 8192
TURNS = 40

PLACES = "harbour garden bakery workshop library station orchard chapel market attic".split()  # noqa: SIM905 - reads better
PEOPLE = ("Ines", "Joao", "Marta", "Oskar", "Lena", "Tomas", "Vera", "Anton")


def fact(number: int) -> str:
    """Something that was told in an older conversation."""
    place, person = PLACES[number % len(PLACES)], PEOPLE[number % len(PEOPLE)]
    return (
        f"{person} told me on a walk that the {place} will be painted in {number % 9 + 2} colours, "
        f"and that the keys lie under stone number {number}."
    )


def question(number: int) -> str:
    """What is asked in turn `number`."""
    place, person = PLACES[number % len(PLACES)], PEOPLE[(number * 3) % len(PEOPLE)]
    return f"Turn {number}: what was it that {person} said about the {place} and the keys?"


def answer(number: int) -> str:
    """What is taken as the answer of turn `number`."""
    return (
        f"In turn {number} I would say it was about the {PLACES[number % len(PLACES)]}, as far as I remember."
    )


@dataclass(frozen=True, slots=True)
class Turn:
    """What the engine counted in one turn (tool rounds summed): read anew, and what was new in it with its block."""

    read: int
    new: int
    dropped: bool


@contextmanager
def engine() -> Iterator[Endpoint]:
    """A llama engine with the bundled weights."""
    weights = bundled_weights()
    if weights is None:
        raise SystemExit("The bundled weights are missing: run `make setup`.")
    with tempfile.TemporaryDirectory() as folder:
        server = EmbeddedServer(weights, BUNDLED_ALIAS, Path(folder) / "engine.log")
        try:
            yield server.wait_started(60)
        finally:
            server.stop()


@contextmanager
def companion(facts: int = 60) -> Iterator[Companion]:
    """A companion that was told some facts in older conversations."""
    with tempfile.TemporaryDirectory() as folder:
        made = open_companion(configured(Path(folder)))
        for number in range(facts):
            plan = made.turns.begin(_request([Said(Speaker.USER, fact(number))]))
            if plan.opened is not None:
                made.turns.finish(plan.opened, Answer("Noted.", Ending.COMPLETE))
        made.upkeep.catch_up()
        try:
            yield made
        finally:
            made.close()


def converse(made: Companion, endpoint: Endpoint, way: Way, turns: int, tool_rounds: int) -> list[Turn]:
    """One conversation of `turns` turns, and what the engine counted."""
    said: list[Said] = []
    measured: list[Turn] = []
    before = 0
    with httpx2.Client(
        base_url=endpoint.address, headers=endpoint.headers, timeout=600, trust_env=False
    ) as http:
        # What another way left in the cache is not to be found again.
        _ask(http, [{"role": "user", "content": f"{way} {tool_rounds} {turns}"}])
        for number in range(turns):
            said.append(Said(Speaker.USER, question(number)))
            plan = made.turns.begin(_request(said))
            read = total = 0
            for _ in range(tool_rounds + 1):
                evaluated, total = _ask(http, _prompt(way, plan, said))
                read += evaluated
                if len(said) < 2 or _ < tool_rounds:
                    said.append(Said(Speaker.ASSISTANT, f"I look up entry {number}-{_}."))
                    said.append(Said(Speaker.TOOL, f"Entry {number}-{_}: nothing more than what is known."))
            dropped = way == "left in place (ours)" and bool(number) and not plan.kept
            measured.append(Turn(read, total - before, dropped))
            before = total
            if plan.opened is not None:
                made.turns.finish(plan.opened, Answer(answer(number), Ending.COMPLETE))
            said.append(Said(Speaker.ASSISTANT, answer(number)))
    return measured


def _request(said: list[Said]) -> TurnRequest:
    return TurnRequest(tuple(said), "m", "bench", window=WINDOW)


def _prompt(way: Way, plan: Plan, said: list[Said]) -> list[dict[str, Any]]:
    texts = [one.text for one in said]
    newest = max(i for i, one in enumerate(said) if one.speaker is Speaker.USER)
    system = plan.stable
    match way:
        case "no memory":
            pass
        case "in the system text":
            system = f"{plan.stable}\n\n{plan.block}"
        case "moved along":
            texts[newest] = f"{plan.block}\n\n{texts[newest]}"
        case "left in place (ours)":
            for index, block in (*plan.kept, (newest, plan.block)):
                texts[index] = f"{block}\n\n{texts[index]}" if block else texts[index]
    roles = {Speaker.USER: "user", Speaker.ASSISTANT: "assistant", Speaker.TOOL: "user"}
    messages = [{"role": roles[one.speaker], "content": text} for one, text in zip(said, texts, strict=True)]
    return [{"role": "system", "content": system}, *messages]


def _ask(http: httpx2.Client, messages: list[dict[str, Any]]) -> tuple[int, int]:
    """(Tokens evaluated, tokens of the whole prompt), as the engine counts them."""
    body = {"messages": messages, "max_tokens": 1, "temperature": 0, "cache_prompt": True}
    found = http.post("/v1/chat/completions", json=body)
    found.raise_for_status()
    timings = found.json()["timings"]
    return int(timings["prompt_n"]), int(timings["prompt_n"]) + int(timings["cache_n"])


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=TURNS)
    turns = parser.parse_args().turns
    rows: list[list[object]] = []
    values: dict[str, Any] = {"turns": turns, "window": WINDOW}
    with engine() as endpoint:
        for rounds in (0, 2):
            for way in WAYS:
                with companion() as made:
                    measured = converse(made, endpoint, way, turns, rounds)[1:]
                read = statistics.mean(turn.read for turn in measured)
                new = statistics.mean(max(turn.new, 0) for turn in measured if not turn.dropped)
                drops = sum(turn.dropped for turn in measured)
                rows.append([way, rounds, f"{read:.0f}", f"{new:.0f}", f"{read / new:.2f}", drops])
                values[f"{way}, {rounds} tool rounds"] = {"read": read, "new": new, "drops": drops}
    header = ["memory", "tool rounds", "tokens read per turn", "new in a turn", "ratio", "drops"]
    text = table(f"Prompt cache, {turns} turns, window {WINDOW}", header, rows)
    report("cache", text, values)


if __name__ == "__main__":
    main()
