"""A message as a sheet of lines, on which rules mark whose words they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum


class PartKind(StrEnum):
    """Whose words a part holds: the user's own, or somebody's, in the shape by which that was seen."""

    OWN = "own"
    QUOTED = "quoted"
    FORWARDED = "forwarded"
    FENCED = "fenced"
    PASTED = "pasted"


@dataclass(frozen=True, slots=True)
class Line:
    """One line: `text` is without white space at its end, `end` is behind its line break."""

    start: int
    end: int
    text: str

    @property
    def indent(self) -> int:
        """Columns before the first letter; a tab counts four."""
        bare = self.text.lstrip()
        return sum(4 if c == "\t" else 1 for c in self.text[: len(self.text) - len(bare)])


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Lines `first` up to (not with) `after`: unclaimed, without an empty one among them."""

    first: int
    after: int
    text: str


@dataclass
class Sheet:
    """The lines of a message, the kind of each, and stretches inside a line that are not of its kind."""

    lines: Sequence[Line]
    kinds: list[PartKind] = field(default_factory=list)
    within: dict[int, list[tuple[int, int, PartKind]]] = field(default_factory=dict)
    _paragraphs: list[Paragraph] | None = None

    def __post_init__(self) -> None:
        self.kinds = [PartKind.OWN] * len(self.lines)

    def claim(self, first: int, after: int, kind: PartKind) -> None:
        """Give the lines `first` up to (not with) `after` to `kind`, where nothing has claimed them before."""
        self._paragraphs = None
        for index in range(first, after):
            if self.kinds[index] is PartKind.OWN:
                self.kinds[index] = kind

    def free(self, index: int) -> bool:
        """Whether there is such a line, with text, that nothing has claimed."""
        known = 0 <= index < len(self.lines)
        return known and self.kinds[index] is PartKind.OWN and self.lines[index].text != ""

    def runs(self, fits: Sequence[object]) -> Iterator[tuple[int, int]]:
        """The runs of unclaimed lines for which `fits` is true, as (first, after)."""
        first = -1
        for index, (kind, fit) in enumerate(zip(self.kinds, fits, strict=True)):
            if fit and kind is PartKind.OWN:
                if first < 0:
                    first = index
            elif first >= 0:
                yield first, index
                first = -1
        if first >= 0:
            yield first, len(self.lines)

    def paragraphs(self) -> list[Paragraph]:
        """What is free, in paragraphs."""
        if self._paragraphs is None:
            texts = [line.text for line in self.lines]
            self._paragraphs = [
                Paragraph(first, after, "\n".join(texts[first:after])) for first, after in self.runs(texts)
            ]
        return self._paragraphs

    def filled(self) -> list[PartKind]:
        """The kind of every line; an empty one between two of one kind, or at the end, is of that kind too."""
        found = list(self.kinds)
        index, before = 0, PartKind.OWN
        while index < len(found):
            if self.lines[index].text:
                before = found[index]
                index += 1
                continue
            after = index
            while after < len(found) and not self.lines[after].text:
                after += 1
            same = after == len(found) or self.kinds[after] is before
            found[index:after] = [before if same else PartKind.OWN] * (after - index)
            index = after
        return found


def lines_of(text: str) -> list[Line]:
    """`text` in lines; a line ends at a line feed alone, so that a form feed in a pasted page breaks nothing."""
    found: list[Line] = []
    start = 0
    for piece in text.split("\n"):
        end = min(start + len(piece) + 1, len(text))
        if end > start:
            found.append(Line(start, end, piece.rstrip()))
        start = end
    return found
