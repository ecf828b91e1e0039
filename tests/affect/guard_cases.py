r"""The guard's corpus: sentences that announce and sentences that only look so.

A line is what a model says; before ` => ` stands what the user had said; `\n` is a line break. The forms and the
weights were fitted on the files without `held_out` in their name, and meet the others only to be counted. A file's
third name is that of its writer; where it has none, its lines were written along with the forms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "guard_corpus"


@dataclass(frozen=True)
class Case:
    """One line. `held_out` says that nothing was fitted on it."""

    asked: str
    said: str
    announces: bool
    held_out: bool
    language: str
    writer: str


def cases() -> Iterator[Case]:
    """Every line of the corpus."""
    for file in sorted(FOLDER.glob("*.txt")):
        kind, language, *more, _ = file.name.split(".")
        held_out = "held_out" in more
        writer = next((one for one in more if one != "held_out"), "rules")
        for line in file.read_text("utf-8").splitlines():
            asked, _, said = line.rpartition(" => ")
            said = said.replace("\\n", "\n")
            yield Case(asked, said, kind == "announcements", held_out, language, writer)
