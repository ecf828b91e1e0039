"""Who may rewrite a portrait, and when: identity is earned, not declared (promises S2, S4).

    (current, history, proposed, evidence, policy, now) → Applied | Noted | Flagged

Noted: too early, or nothing the user said carries it. Flagged: too far from who the companion was. Pure.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations

from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.words import NOT, alike, content_words, kept_share, sentences

SAME_DIRECTION = 0.5
"""Share of content words from which two directions are one; they are a few words each."""

_ABOUT_THE_SAME = 0.5
"""Share of content words from which a sentence speaks of what another speaks of."""

_CLAUSE = re.compile(r"[.,;:!?…—–\n]+\s*")

_LOOKED_AT = 60
"""Earlier attempts that are looked through for insistence; more are never needed for three."""


@dataclass(frozen=True, slots=True)
class Version:
    """A text that stood; `at` is when it was written, None for the shipped one."""

    text: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Attempt:
    """An earlier proposal that was not applied. `evidence` are the seqs of the user's messages it rested on."""

    day: date
    direction: str
    text: str
    evidence: frozenset[int]


@dataclass(frozen=True, slots=True)
class History:
    """All versions, oldest first, the shipped one included, and the attempts since the last rewrite."""

    versions: tuple[Version, ...]
    attempts: tuple[Attempt, ...] = ()

    @property
    def current(self) -> Version:
        """What stands."""
        return self.versions[-1]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a proposal rests on.

    `quotes` are (seq, the user's own words); `days` the local days of the meaningful interactions since the last
    rewrite, one for each interaction.
    """

    quotes: tuple[tuple[int, str], ...]
    days: tuple[date, ...]


@dataclass(frozen=True, slots=True)
class Proposal:
    """A new text, where it leads in a few words, and the local day of the reflection that made it."""

    text: str
    direction: str
    day: date


@dataclass(frozen=True, slots=True)
class Applied:
    """It stands from now on; `overwhelming` where insistence lifted the half-kept rule."""

    overwhelming: bool = False


@dataclass(frozen=True, slots=True)
class Noted:
    """Kept in the growth log; nothing changes."""

    reason: str


@dataclass(frozen=True, slots=True)
class Flagged:
    """Too different from what stands: kept with both texts for the person to see."""

    reason: str


Verdict = Applied | Noted | Flagged


def judge(
    history: History, proposal: Proposal, evidence: Evidence, policy: SelfModelPolicy, now: datetime
) -> Verdict:
    """What becomes of a proposal. Its size was checked before."""
    early = _too_early(history, evidence, policy, now)
    if early:
        return Noted(early)
    current = history.current.text
    if " ".join(proposal.text.split()) == " ".join(current.split()):
        return Noted("It says what stands already")
    known = f"{current}\n{history.versions[0].text}"
    if loose := unsupported(known, proposal.text, [words for _, words in evidence.quotes], policy):
        return Noted(f"Nothing that was said carries “{loose[0]}”")
    far = _too_far(history, proposal.text, policy)
    if not far:
        return Applied()
    seqs = frozenset(seq for seq, _ in evidence.quotes)
    if _overwhelming(history.attempts, proposal, seqs, policy):
        return Applied(overwhelming=True)
    return Flagged(far)


def unsupported(current: str, proposed: str, quotes: Sequence[str], policy: SelfModelPolicy) -> list[str]:
    """The sentences of a proposal that bring in what no single quoted message carries, or turn round what stands."""
    known = content_words(current, proposed)
    stood = [content_words(one, proposed) for one in sentences(current)]
    said = [content_words(quote, proposed) for quote in quotes]
    clauses = [content_words(one, proposed) for quote in quotes for one in _CLAUSE.split(quote)]
    loose: list[str] = []
    for sentence in sentences(proposed):
        words = content_words(sentence, proposed)
        new = words - known - {NOT}
        needed = max(1, round(policy.support_share * len(new)))
        carried = not new or any(len(new & one) >= needed for one in said)
        if (
            not carried
            or (_turns(words, stood) and not _turned(words, new, clauses))
            or _says_without_words(sentence, words, current, quotes)
        ):
            loose.append(sentence)
    return loose


def _turns(words: frozenset[str], stood: Sequence[frozenset[str]]) -> bool:
    """Whether a sentence denies what stands, or says what stood denied: the two share all their other words."""
    about = words - {NOT}
    like = max((len(about & one) for one in stood if (NOT in one) == (NOT in words)), default=0)
    unlike = max(
        (
            len(about & one)
            for one in stood
            if (NOT in one) != (NOT in words)
            and len(about & one) >= max(1.0, _ABOUT_THE_SAME * min(len(about), len(one - {NOT})))
        ),
        default=0,
    )
    return unlike > like


def _turned(words: frozenset[str], new: frozenset[str], clauses: Sequence[frozenset[str]]) -> bool:
    """Whether a clause of the person's turns it so: it says half of it the same way, or denies what is new in it."""
    about = words - {NOT}
    return any(
        (NOT in one) == (NOT in words)
        and (len(about & one) >= max(1.0, _ABOUT_THE_SAME * len(about)) or (NOT in one and new & one))
        for one in clauses
    )


def _says_without_words(sentence: str, words: frozenset[str], current: str, quotes: Sequence[str]) -> bool:
    """Whether a sentence says by small words or signs alone what neither stands nor was said: "I am you", a heart."""
    there = "\n".join((current, *quotes))
    if {char for char in sentence if unicodedata.category(char) == "So"} - set(there):
        return True
    return not words and any(map(str.isalnum, sentence)) and sentence not in there


def _too_early(history: History, evidence: Evidence, policy: SelfModelPolicy, now: datetime) -> str:
    last = history.current.at
    if last is not None and now - last < timedelta(days=policy.apart_days):
        return f"The last change is less than {policy.apart_days:g} days ago"
    if len(evidence.days) < policy.interactions:
        return f"{len(evidence.days)} meaningful conversations since the last change are too few"
    if len(set(evidence.days)) < policy.days:
        return "The conversations since the last change lie on too few days"
    if not evidence.quotes:
        return "It rests on no words of the person's own"
    return ""


def _too_far(history: History, text: str, policy: SelfModelPolicy) -> str:
    versions = history.versions
    kept = kept_share(versions[-1].text, text)
    if kept < policy.kept_share:
        return f"It keeps {kept:.0%} of what stands, and {policy.kept_share:.0%} is the least"
    if len(versions) >= policy.three_back:
        kept = kept_share(versions[-policy.three_back].text, text)
        if kept < policy.kept_share:
            return (
                f"It keeps {kept:.0%} of who I was {policy.three_back} changes ago, "
                f"and {policy.kept_share:.0%} is the least"
            )
    return ""


def _overwhelming(
    attempts: Sequence[Attempt], proposal: Proposal, evidence: frozenset[int], policy: SelfModelPolicy
) -> bool:
    """Whether enough reflections on different days, each on evidence of its own, led the same way."""
    if not proposal.direction.strip():
        return False
    same = [
        one
        for one in attempts[-_LOOKED_AT:]
        if one.evidence
        and one.day != proposal.day
        and not one.evidence & evidence
        and alike(one.direction, proposal.direction) >= SAME_DIRECTION
        # A label is quickly the same; what is insisted on has to be said again as well.
        and kept_share(one.text, proposal.text) >= policy.kept_share
    ]
    return any(_apart(chosen) for chosen in combinations(same, policy.insistent - 1))


def _apart(attempts: Sequence[Attempt]) -> bool:
    days = {one.day for one in attempts}
    seqs = [seq for one in attempts for seq in one.evidence]
    return len(days) == len(attempts) and len(set(seqs)) == len(seqs)
