"""Cues of a re-ask: most words of an earlier question, said again. A question that goes on is none."""

from __future__ import annotations

from typing import Final

from innerlife.learning.cue import all_cues
from innerlife.learning.likeness import content, in_common, plain, shared, told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.turns import Nearness, Turn, Window, unmeasured

_BY_WORDS: Final = 0.8
_BY_MEANING: Final = 0.7
_FEWEST: Final = 2
"""Content words of a question: of one word nothing is said again."""

_TOGETHER: Final = 0.4
"""Share of all content words of both: a long message that takes up an old one's words is about more than that."""

_CLEARLY: Final = 0.6
"""Share of the words from which even a question that begins as if it went on ("ok, but how…") asks the same."""

_FRAME: Final = 2
"""Content words that frame a question ("how long does … take"); what shares more of them shares its subject."""

_THE_SAME: Final = 1.0
"""Calibrated nearness that outweighs a word that is another one."""

_LOOKED_BACK: Final = 3


def asked_before(
    window: Window, text: str, policy: LearningPolicy, near: Nearness = unmeasured
) -> tuple[Turn, float] | None:
    """The newest of the last turns that asked the same, and how sure it is, in (0, 1]; None where none did."""
    own = told(text)
    if len(content(text)) < _FEWEST:
        return None
    if any(cues.praises.search(own) for cues in all_cues()):
        return None
    if any(cues.asks_on.match(own) for cues in all_cues()) and shared(window.judged.said, text) < _CLEARLY:
        return None
    insists = any(cues.insists.search(own) or cues.yes_but.match(own) for cues in all_cues())
    for turn in reversed(window.turns[-_LOOKED_BACK:]):
        sure = _same(turn, text, near, policy, insists=insists)
        if sure:
            return turn, sure
    return None


def goes_on(window: Window, text: str) -> bool:
    """Whether it begins as what goes on from an answer ("and…") and takes up no word of the question."""
    own = told(text)
    return not shared(window.judged.said, text) and any(cues.asks_on.match(own) for cues in all_cues())


def another_thing(before: str, after: str) -> bool:
    """Whether little more than the frame is the same, and each has a word of its own: another thing is asked about.

    Likewise where one word was put in another's place and no other moved: who asks again says it anew.
    """
    one, other = content(before), content(after)
    if one_replaced(before, after):
        return True
    return (
        bool(one - other)
        and bool(other - one)
        and len(one & other) <= _FRAME <= min(len(one), len(other)) - 1
    )


def one_replaced(before: str, after: str) -> bool:
    """Whether one word was put in another's place and no other moved."""
    words, others = plain(before).split(), plain(after).split()
    different = [pair for pair in zip(words, others, strict=False) if content(pair[0]) != content(pair[1])]
    return len(words) == len(others) and len(different) == 1 and all(map(content, different[0]))


def _same(turn: Turn, text: str, near: Nearness, policy: LearningPolicy, *, insists: bool) -> float:
    """How sure it is that `text` asks what the turn asked; 0 where it does not."""
    if not turn.answer_seq or len(content(turn.said)) < _FEWEST:
        return 0.0
    words = shared(turn.said, text)
    other = not insists and another_thing(turn.said, text)
    # Where the person says that they ask again, half of the words are enough.
    needed = policy.asked_again_shared * (0.5 if insists else 1.0)
    if not other and words >= needed and (insists or in_common(turn.said, text) >= _TOGETHER):
        return _BY_WORDS
    nearness = near(turn.said, text)
    if nearness is None:
        return 0.0
    meant = nearness >= (_THE_SAME if other else policy.means_same) and words >= policy.asked_again_near
    return _BY_MEANING if meant or (insists and nearness >= 0.0 and words) else 0.0
