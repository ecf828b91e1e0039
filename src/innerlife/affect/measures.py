"""How far the person keeps the say over how they are (promise A7), by month.

Source: Kim 2026, "Affective Sovereignty", as anima §4.3 describes it: an interpretive override score (how often the
system overrides a self-reported state) and an after-correction misalignment rate (how quickly it corrects itself after
the person corrected it). The formulas below are our own operational definitions; the paper's may differ.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from innerlife.affect.course import Chosen, Course, Report, course_of, denied
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
    against = _chosen_against(course, read)
    months: dict[str, list[tuple[Report, int]]] = {}
    for report in course.reports:
        month = day_of(report.at, report.zone).strftime("%Y-%m")
        months.setdefault(month, []).append((report, against[report.seq]))
    return [_month(month, found) for month, found in sorted(months.items())]


def _chosen_against(course: Course, read: Mapping[int, Row]) -> Counter[int]:
    """By report (its seq) how many manners were chosen against it while it held. One sweep by time.

    What was said holds to the end of its sitting, or until something else is said; a correction of one reading holds
    for good, or until that one is corrected again. So at every moment one thing said can hold, and one correction for
    each message.
    """
    against: Counter[int] = Counter()
    said: Report | None = None
    corrected: dict[int, Report] = {}
    coming = deque(course.reports)
    for chosen in sorted(course.chosen, key=lambda one: (one.at, one.seq)):
        while coming and coming[0].at <= chosen.at:
            report = coming.popleft()
            if report.words:
                corrected[report.message] = report
            else:
                said = report
        rows = [read[seq] for seq in chosen.signals if seq in read]
        holding = [corrected[message] for message in {row.thing for row in rows} if message in corrected]
        if said is not None and said.sitting == chosen.sitting:
            holding.append(said)
        against.update(one.seq for one in holding if _against(one, chosen, rows))
    return against


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


def _against(report: Report, chosen: Chosen, rows: Sequence[Row]) -> bool:
    """Whether a manner that rested on these rows is against the report."""
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
