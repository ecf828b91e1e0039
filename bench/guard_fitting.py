"""Fits the weights of `innerlife.affect.guard.weights` on the guard's corpus, and counts each writer unseen.

`make bench-guard_fitting`: every writer's lines are counted with weights fitted without them. With `ARGS=--fit` the
weights that are shipped are fitted on all lines, to the same digits while the project's pages are the same: logistic
regression with a ridge (L-BFGS), nothing drawn at random. The sentences are those that the guard itself hears.
"""

from __future__ import annotations

import hashlib
import re
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import innerlife.affect.guard.meaning
from bench.harness import report, table
from innerlife.affect.guard.features import FEELINGS, KEYS, features
from innerlife.affect.guard.gate import START, steps, weighing
from innerlife.affect.guard.lifting import passing
from innerlife.affect.guard.opinion import end_mark
from innerlife.affect.guard.rules import Rules, rules
from innerlife.affect.guard.text import GuardedText
from innerlife.affect.guard.weights import CARD, FILE, MOST, Weights, pack
from innerlife.affect.guard.words import words
from tests.affect.guard_cases import FOLDER, Case, cases

Array = NDArray[np.float64]
Whole = NDArray[np.int64]

RIDGE = 1.0
SELDOM = 3
"""Lines in which a feature stands at least; what is seldomer is of its line alone."""
HOUSE = "rules"
"""The writer of the lines that the forms were written with; they are so many, and so alike, that each counts half."""
HOUSE_COUNTS = 0.5
OWN = (HOUSE, "wide", "voices")
"""Writers who knew the forms or the lists of words: to count them unseen would say little."""
FALSE = 0.004
"""Share of the harmless sentences that are above the threshold when they are weighed without themselves."""
FOLDS = 4
STEPS = 120
LONGEST_BEGINNING = 14
"""Words of a beginning that are looked at for whether a sentence waits."""
GATE, CLAUSE = -2.0, -0.5
"""The logarithm of the odds to which the beginning of a sentence, or of a clause in it, may sink before it leaves.

At -3.5 the reader of an answer waits for five words of it, where at -2 they wait for three or four; that costs two
announcements of a hundred.
"""
OPENING = frozenset({
    "YOU", "YOUR", "SOMEONE", "I", "MY", "SEE", "SEEM", "THINK", "KNOW", "EVID", "CLEARLY", "GIVEN", "SORRY", "MUST",
    "TONE",
})  # fmt: skip
"""Signs of words with which an announcement may begin though none was seen to."""
GREETING = "hello"
"""Nothing that begins like it waits for what a feeling's name may open: answers begin with it."""
PROSE_COUNTS = 4.0
CHATS = Path("tests/learning/corpus/tuned.txt")
PAGES = (
    "README.md",
    "CONTRIBUTING.md",
    "docs/benchmarks.md",
    "docs/cli.md",
    "docs/clients.md",
    "docs/settings.md",
)
"""Plain prose, and the answers in conversations that were written for another part, for what need not wait.

It is what most of an answer is like, and so counts more than sentences that were written to look like announcements.
"""
OPEN = Weights({}, 1 << 30, {}, -(1 << 30), -(1 << 30), frozenset({""}))
"""With these every sentence waits to its end, and none goes."""


class Hearing(GuardedText):
    """Notes down each sentence as it would be weighed."""

    said: list[list[str]]

    def _second_opinion(self, ending: str) -> bool:
        sentence = self._sentence
        if sentence is not None and sentence.heard:
            self.said.append([*sentence.heard, *end_mark(ending)])
        return False


def heard(text: str, with_rules: Rules) -> list[list[str]]:
    """The sentences of a text, each as its words and marks."""
    guard = Hearing(lambda _: True, _rules=with_rules)
    guard.said = []
    guard.feed(text)
    guard.end()
    return guard.said


@dataclass(frozen=True)
class Line:
    """A line of the corpus as it is heard."""

    case: Case
    said: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Fitted:
    """Weights of named features, what they begin with, and what the whole is made of in steps of this size."""

    names: dict[str, int]
    weights: Array

    def total(self, found: Iterable[str]) -> float:
        """The logarithm of the odds of one that has these features."""
        known = [self.names[one] for one in found if one in self.names]
        return float(self.weights[[*known, len(self.names)]].sum())


@cache
def found_in(said: tuple[str, ...]) -> tuple[str, ...]:
    """The features of a sentence, in order."""
    return tuple(sorted(features(said)))


def fit(found: Sequence[Sequence[str]], announces: Array, counts: Array, seldom: int = SELDOM) -> Fitted:
    """Ridge logistic regression of sentences (n) by their features; the last weight, that of all, is free."""
    often = Counter(one for row in found for one in set(row))
    names = {name: at for at, name in enumerate(sorted(name for name, n in often.items() if n >= seldom))}
    rows = [[names[one] for one in row if one in names] + [len(names)] for row in found]
    places = np.concatenate([np.array(row) for row in rows])
    sizes = np.array([len(row) for row in rows])
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    of_row = np.repeat(np.arange(len(rows)), sizes)
    ridge = np.full(len(names) + 1, RIDGE)
    ridge[-1] = 1e-4

    def slope(weights: Array) -> tuple[float, Array]:
        logits = np.add.reduceat(weights[places], starts)
        lost = float((counts * np.logaddexp(0.0, -(2 * announces - 1) * logits)).sum())
        wrong = counts * (1 / (1 + np.exp(-logits)) - announces)
        down = np.bincount(places, weights=wrong[of_row], minlength=len(ridge)) + ridge * weights
        return lost + 0.5 * float((ridge * weights * weights).sum()), down

    return Fitted(names, _least(slope, np.zeros(len(ridge))))


def _least(slope: Callable[[Array], tuple[float, Array]], at: Array) -> Array:
    """Where a function is least, by L-BFGS with a memory of ten steps."""
    value, down = slope(at)
    kept: deque[tuple[Array, Array]] = deque(maxlen=10)
    for _ in range(STEPS):
        way = _way(down, kept)
        size, fall = 1.0, float(down @ way)
        while True:
            there, (low, flat) = at + size * way, slope(at + size * way)
            if low <= value + 1e-4 * size * fall or size < 1e-8:
                break
            size /= 2
        if float((there - at) @ (flat - down)) > 1e-10:
            kept.append((there - at, flat - down))
        at, value, down = there, low, flat
        if float(np.abs(down).max()) < 1e-2:
            break
    return at


def _way(down: Array, kept: Iterable[tuple[Array, Array]]) -> Array:
    way, used = -down, []
    for step, turn in reversed(list(kept)):
        share = float(step @ way) / float(turn @ step)
        used.append((share, step, turn))
        way = way - share * turn
    if not used:
        return way / max(1.0, float(np.linalg.norm(down)))
    _, step, turn = used[0]
    way = way * (float(step @ turn) / float(turn @ turn))
    for share, step, turn in reversed(used):
        way = way + (share - float(turn @ way) / float(turn @ step)) * step
    return way


def announcing(lines: Sequence[Line], rounds: int = 2) -> Fitted:
    """Weights by which sentences announce. Of a line of several, the one that does is found in a second round."""
    fitted: Fitted | None = None
    for _ in range(rounds):
        found, labels, counts = [], [], []
        for line in lines:
            rows = [found_in(said) for said in line.said]
            if line.case.announces and len(rows) > 1:
                if fitted is None:
                    continue
                rows = [max(rows, key=fitted.total)]
            found += rows
            labels += [float(line.case.announces)] * len(rows)
            counts += [HOUSE_COUNTS if line.case.writer == HOUSE else 1.0] * len(rows)
        fitted = fit(found, np.array(labels), np.array(counts))
    assert fitted is not None
    return fitted


def threshold(lines: Sequence[Line]) -> float:
    """Where the share `FALSE` of harmless lines is above, each weighed by what was fitted without it."""
    totals = []
    for fold in range(FOLDS):
        fitted = announcing([line for at, line in enumerate(lines) if at % FOLDS != fold], 1)
        totals += [
            highest(fitted, line)
            for line in lines[fold::FOLDS]
            if not line.case.announces and line.case.writer != HOUSE
        ]
    return float(np.quantile(np.array(totals), 1 - FALSE))


def highest(fitted: Fitted, line: Line) -> float:
    """The total of the sentence of a line that announces most."""
    told = [fitted.total(found_in(said)) for said in line.said if not KEYS.isdisjoint(words().read(said))]
    return max(told, default=-99.0)


def beginnings(lines: Sequence[Line], pages: Sequence[Sequence[str]]) -> Fitted:
    """Weights by which the beginning of a sentence may come to announce."""
    found: list[list[str]] = []
    labels, counts = [], []
    said = [(one, line.case.announces, 1.0) for line in lines for one in line.said[:1]]
    for one, announces, count in [*said, *((page, False, PROSE_COUNTS) for page in pages)]:
        behind, so_far = START, list[str]()
        spoken = [word for word in one if word not in ".?!…"][:LONGEST_BEGINNING]
        for word in spoken:
            more, behind = steps(word, words().signs(word), behind)
            so_far = so_far + more
            found.append(so_far)
            labels.append(float(announces))
            counts.append(3 * count / len(spoken))
    return fit(found, np.array(labels), np.array(counts), SELDOM + 1)


def openings(lines: Sequence[Line], pages: Sequence[Sequence[str]]) -> frozenset[str]:
    """Words that announcements begin with, and all that address, notice or suppose.

    Words of feelings too, but for those that begin like what plain prose begins with: for them much would wait.
    """
    seen = {one[0] for line in lines if line.case.announces for one in line.said}
    listed = {word for word, signs in words().single.items() if not OPENING.isdisjoint(signs)}
    often = {word[:3] for word in (*(page[0] for page in pages), GREETING)}
    felt = {word for word, signs in words().single.items() if not FEELINGS.isdisjoint(signs)}
    listed |= {word for word in felt if word[:3] not in often}
    return frozenset(word for word in seen | listed if word[0].isalpha())


def stored(fitted: Fitted, size: float) -> dict[str, int]:
    """Weights in whole steps of `size`; those of none are left out."""
    steps_of = np.clip(np.rint(fitted.weights[:-1] / size), -MOST, MOST).astype(int)
    return {name: int(steps_of[at]) for name, at in fitted.names.items() if steps_of[at]}


def weights_of(lines: Sequence[Line], pages: Sequence[Sequence[str]]) -> Weights:
    """Everything that is shipped, fitted on these lines."""
    sentence, beginning = announcing(lines), beginnings(lines, pages)
    size, begun = (float(np.abs(one.weights[:-1]).max()) / MOST for one in (sentence, beginning))
    gate, clause = (round((limit - float(beginning.weights[-1])) / begun) for limit in (GATE, CLAUSE))
    return Weights(
        stored(sentence, size),
        round((threshold(lines) - float(sentence.weights[-1])) / size),
        stored(beginning, begun),
        gate,
        clause,
        openings(lines, pages),
    )


def lines_and_pages() -> tuple[list[Line], list[list[str]]]:
    """The corpus and the pages, as they are heard."""
    listening = with_weights(OPEN)
    lines = [
        Line(c, tuple(map(tuple, heard(c.said, listening)))) for c in cases() if not (c.asked or c.held_out)
    ]
    texts = [re.sub(r"[|`*#]", "\n", Path(page).read_text("utf-8")) for page in PAGES]
    texts += re.findall(r"^A\+?: (.*)$", CHATS.read_text("utf-8"), re.MULTILINE)
    return [line for line in lines if line.said], [
        one for one in heard("\n\n".join(texts), listening) if len(one) > 3
    ]


def _fitted_on() -> list[Path]:
    return [file for file in sorted(FOLDER.glob("*.txt")) if "held_out" not in file.name]


def with_weights(weights: Weights) -> Rules:
    """The rules of the program with other weights."""
    return replace(rules(), weights=weights, weigh=weighing(weights))


def counted(weights: Weights, lines: Sequence[Line]) -> list[str]:
    """Recall and share of harmless lines touched, as they are told."""
    with_them = with_weights(weights)
    hits = [(line.case.announces, touched(line.case, with_them)) for line in lines]
    recall = [hit for announces, hit in hits if announces]
    false = [hit for announces, hit in hits if not announces]
    return [
        f"{len(recall)} / {len(false)}",
        f"{sum(recall) / max(1, len(recall)):.3f}",
        f"{sum(false) / max(1, len(false)):.2%}",
    ]


def touched(case: Case, with_rules: Rules) -> bool:
    """Whether the guard takes something away."""
    guard = GuardedText(passing(lambda: case.asked), _rules=with_rules)
    guard.feed(case.said)
    guard.end()
    return bool(guard.dropped)


def main() -> None:
    """Count each writer by weights fitted without them; with --fit, write the weights that are shipped."""
    lines, pages = lines_and_pages()
    folder = Path(innerlife.affect.guard.meaning.__path__[0])
    if "--fit" in sys.argv:
        data = pack(weights_of(lines, pages))
        (folder / FILE).write_bytes(data)
        corpus = hashlib.sha256(b"".join(file.read_bytes() for file in _fitted_on())).hexdigest()
        (folder / CARD).write_text(
            "# Written by `make bench-guard_fitting ARGS=--fit`.\n"
            'fitted_on = "tests/affect/guard_corpus, written and labelled for this project"\n'
            f'corpus_sha256 = "{corpus}"\n'
            'method = "ridge logistic regression by L-BFGS"\n'
            'seed = "none: nothing is drawn at random"\n'
            f'sha256 = "{hashlib.sha256(data).hexdigest()}"\n',
            "utf-8",
        )
        return
    rows = []
    for writer in sorted({line.case.writer for line in lines}):
        if writer in OWN:
            continue
        weights = weights_of([line for line in lines if line.case.writer != writer], pages)
        for language in sorted({line.case.language for line in lines}):
            theirs = [one for one in lines if (one.case.writer, one.case.language) == (writer, language)]
            if theirs:
                rows.append(
                    [
                        writer,
                        language,
                        *counted(replace(OPEN, gate=1 << 30, clause=1 << 30), theirs)[1:],
                        *counted(weights, theirs),
                    ]
                )
    header = [
        "writer",
        "language",
        "recall of the forms",
        "touched",
        "announcing / harmless",
        "recall",
        "touched",
    ]
    report("guard_fitting", table("Each writer unseen", header, rows), {"rows": rows})


if __name__ == "__main__":
    main()
