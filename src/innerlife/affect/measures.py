"""How far the person keeps the say over how they are (promise A7), by month.

Source: Kim 2026, "Affective Sovereignty", as anima §4.3 describes it: an interpretive override score (how often the
system overrides a self-reported state) and an after-correction misalignment rate (how quickly it corrects itself after
the person corrected it). The formulas below are our own operational definitions; the paper's may differ.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from innerlife.affect.course import Chosen, Report, course_of, denied
from innerlife.affect.cues import CueKind, Say
from innerlife.affect.events import SignalCorrected, SignalRead
from innerlife.affect.journal import Row
from innerlife.affect.manner import DayOf
from innerlife.affect.policy import AffectPolicy
from innerlife.affect.signals import strain


@dataclass(frozen=True, slots=True)
class Month:
    """One month ("2026-03").

    - `reports`: how often the person said how they are, corrections included; `overridden`: those of them that were
      overridden: while they held, a manner was chosen that rested on a reading they speak against.
    - `corrections`: reports that all is well, that something is not so, or that a reading was wrong; `misaligned`:
      those of them after which such a manner was still chosen; `late`: how many such manners there were in all.
    """

    month: str
    reports: int = 0
    overridden: int = 0
    corrections: int = 0
    misaligned: int = 0
    late: int = 0

    @property
    def ios(self) -> float | None:
        """Interpretive override score: overridden / reports, in [0, 1]; None where nothing was said."""
        return self.overridden / self.reports if self.reports else None

    @property
    def amr(self) -> float | None:
        """After-correction misalignment rate: misaligned / corrections, in [0, 1]; None without a correction."""
        return self.misaligned / self.corrections if self.corrections else None


def measures_of(rows: Sequence[Row], policy: AffectPolicy, day_of: DayOf) -> list[Month]:
    """The measures of every month in which something was said, oldest first. From what happened, not from the rule."""
    course = course_of(rows, policy)
    read = {row.seq: row for row in rows if isinstance(row.body, SignalRead | SignalCorrected)}
    months: dict[str, list[tuple[Report, int]]] = {}
    for place, report in enumerate(course.reports):
        against = sum(
            _against(report, one, read) for one in course.chosen if _holds(course.reports, place, one)
        )
        month = day_of(report.at, report.zone).strftime("%Y-%m")
        months.setdefault(month, []).append((report, against))
    return [_month(month, found) for month, found in sorted(months.items())]


def _month(month: str, found: Sequence[tuple[Report, int]]) -> Month:
    corrections = [(one, against) for one, against in found if one.say is not Say.FEELS or one.words]
    return Month(
        month,
        reports=len(found),
        overridden=sum(against > 0 for _, against in found),
        corrections=len(corrections),
        misaligned=sum(against > 0 for _, against in corrections),
        late=sum(against for _, against in corrections),
    )


def _holds(reports: Sequence[Report], place: int, chosen: Chosen) -> bool:
    """Whether a report holds where this was chosen: after it, in its sitting, and nothing else was said meanwhile.

    A correction of one reading holds for good, or until it is corrected again.
    """
    report = reports[place]
    if chosen.at < report.at:
        return False
    later = [one for one in reports[place + 1 :] if one.at <= chosen.at]
    if report.words:
        return not any(one.words and one.message == report.message for one in later)
    return chosen.sitting == report.sitting and all(one.words for one in later)


def _against(report: Report, chosen: Chosen, read: dict[int, Row]) -> bool:
    """Whether a manner rested on a reading that the report speaks against."""
    rows = [read[seq] for seq in chosen.signals if seq in read]
    if report.words:
        return report.seq not in chosen.signals and any(row.thing == report.message for row in rows)
    # What rests on a reading as they corrected it rests on their word.
    corrected = {row.thing for row in rows if isinstance(row.body, SignalCorrected)}
    return any(_speaks_against(report, row) for row in rows if row.seq not in corrected)


def _speaks_against(report: Report, row: Row) -> bool:
    signal = row.body
    if not isinstance(signal, SignalRead):
        return False
    own = signal.kind is CueKind.EXPLICIT and (row.at >= report.at or report.say is Say.FEELS)
    return not own and denied(strain(signal.affect), report)
