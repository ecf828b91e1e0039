"""The guard: what it finds, what it touches by mistake, what it costs, beside one keyword expression over whole texts.

`make bench-guard`: the corpus of tests/affect/guard_corpus. Lines of its own makers; a tenth of those was written after
the forms were made and is held out. Lines of others, most of whom knew neither forms nor words; the weights are fitted
on them too, so what is found of theirs says little: `make bench-guard_fitting` counts each writer unseen. Costs are
those of the processor, warm, in one piece and a word at a time, over the project's own pages and over sentences that
all begin like an announcement.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.harness import report, table
from innerlife.affect.guard.lifting import nothing_passes, passing
from innerlife.affect.guard.rules import rules
from innerlife.affect.guard.text import GuardedText
from innerlife.affect.guard.whole import guarded
from tests.affect.guard_cases import Case, cases

ROUNDS = 20
LONG = 5_000_000
PAGES = ("docs/architecture.md", "docs/glossary.md")

KEYWORDS = re.compile(
    r"[^.?!\n]*(?:\b(?:I (?:notice|sense|can tell|can see|hear|detect)|you (?:seem|sound|look|feel)|it sounds like you|"
    r"you'?re (?:feeling|so|really)|my (?:memory|notes|records)|your profile|noto que|te noto|pareces|suenas|percibo|"
    r"est[aá]s|mi memoria|mis (?:notas|registros)|tu perfil)\b)[^.?!\n]*[.?!]?\s*",
    re.IGNORECASE,
)
"""The plain alternative: a sentence with one of these words in it goes."""

Touches = Callable[[Case], bool]


@dataclass(frozen=True, slots=True)
class Found:
    """How many announcements of how many were found, how many harmless lines of how many were touched."""

    found: int
    announcing: int
    touched: int
    harmless: int

    @property
    def recall(self) -> float:
        """Share of announcements that were found."""
        return self.found / self.announcing

    @property
    def false(self) -> float:
        """Share of harmless lines that were touched."""
        return self.touched / self.harmless


def by_rule(case: Case) -> bool:
    """Whether the guard takes something away."""
    return bool(guarded(case.said, passing(lambda: case.asked))[1])


def by_keywords(case: Case) -> bool:
    """Whether the expression does."""
    return KEYWORDS.search(case.said) is not None


def measured(touches: Touches, chosen: Sequence[Case]) -> Found:
    """What one way finds among these lines."""
    announcing = [case for case in chosen if case.announces]
    harmless = [case for case in chosen if not case.announces]
    return Found(sum(map(touches, announcing)), len(announcing), sum(map(touches, harmless)), len(harmless))


def cost_ms(work: Callable[[], Any], characters: int) -> float:
    """Milliseconds of processor time per 1,000 characters; the best of some rounds, the first of which warms up."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        best = min(best, time.process_time() - start)
    return best * 1e6 / characters


def word_by_word(pieces: Sequence[str]) -> float:
    """Feed a text a word at a time; returns the share of pieces behind which something waited."""
    guard, out, given, waited = GuardedText(nothing_passes), 0, 0, 0
    for piece in pieces:
        out += sum(length for length, _ in guard.feed(piece))
        given += len(piece)
        waited += out < given
    guard.end()
    return waited / len(pieces)


def long_s(sample: str) -> float:
    """Seconds of processor time for an answer of `LONG` characters, once."""
    text = (sample * (LONG // len(sample) + 1))[:LONG]
    start = time.process_time()
    guarded(text, nothing_passes)
    return time.process_time() - start


def main() -> None:
    """Print the tables and write build/bench/guard.json."""
    start = time.perf_counter()
    rules()
    built_ms = (time.perf_counter() - start) * 1000
    everything = list(cases())
    parts = {
        "its makers', fitted": [case for case in everything if case.writer == "rules" and not case.held_out],
        "its makers', held out": [case for case in everything if case.writer == "rules" and case.held_out],
        "all others, fitted": [case for case in everything if case.writer != "rules" and not case.held_out],
        "another writer's, held out": [
            case for case in everything if case.writer != "rules" and case.held_out
        ],
    }
    ways: dict[str, Touches] = {"Innerlife": by_rule, "keywords": by_keywords}
    rows, values = [], {}
    for part, chosen in parts.items():
        for way, touches in ways.items():
            found = measured(touches, chosen)
            values[f"{part}, {way}"] = {
                "recall": found.recall,
                "false": found.false,
                "announcing": found.announcing,
                "harmless": found.harmless,
            }
            lines = f"{found.announcing} / {found.harmless}"
            rows.append([part, way, lines, f"{found.recall:.3f}", f"{found.false:.2%}"])
    text = table("Found", ["lines", "way", "announcing / harmless", "recall", "touched"], rows)
    prose = "".join(Path(page).read_text("utf-8") for page in PAGES).replace("`", "")
    harmless = " ".join(
        c.said
        for c in everything
        if c.writer == "rules" and not (c.announces or c.asked) and c.said.isprintable()
    )
    rows = []
    for name, sample in (("pages", prose), ("look-alikes", harmless.replace('"', "").replace("`", ""))):
        pieces = re.findall(r"\s?\w+|\s?[^\w\s]+|\s+", sample)
        whole = cost_ms(lambda sample=sample: guarded(sample, nothing_passes), len(sample))  # type: ignore[misc]
        words = cost_ms(lambda pieces=pieces: word_by_word(pieces), len(sample))  # type: ignore[misc]
        plain = cost_ms(lambda sample=sample: KEYWORDS.sub("", sample), len(sample))  # type: ignore[misc]
        waiting = word_by_word(pieces)
        values[name] = {"whole_ms": whole, "word_by_word_ms": words, "keywords_ms": plain, "waiting": waiting}
        rows.append([name, f"{whole:.2f}", f"{words:.2f}", f"{plain:.2f}", f"{waiting:.1%}"])
    header = ["text", "in one piece", "word by word", "keywords, whole text", "pieces that waited"]
    text += "\n\n" + table("Milliseconds per 1,000 characters", header, rows)
    long = {"pages": prose, "letters without a space": "a"}
    seconds = {name: long_s(sample) for name, sample in long.items()}
    rows = [[name, f"{taken:.1f}"] for name, taken in seconds.items()]
    text += "\n\n" + table(f"Seconds for {LONG:,} characters", ["text", "in one piece"], rows)
    report("guard", text, {"built_ms": built_ms, **values, "long_s": seconds})


if __name__ == "__main__":
    main()
