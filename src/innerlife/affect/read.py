"""Reading how the person seems from one message (promises A1, A6): at a glance in a turn, with the heads after it.

Each cue has the kind it rests on, evidence in plain words, and a confidence that the kind caps. Nothing here is a
judgement of a person: it is about one message, against this person's own habits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from innerlife.affect.behaviour import behaviour
from innerlife.affect.cues import Affect, Cue, CueKind, Say, Span, Statement
from innerlife.affect.emoji import emoji_in, meaning
from innerlife.affect.features import features_of, readable
from innerlife.affect.habits import Habits
from innerlife.affect.heads import Floats, Heads, shipped, tone_of
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Said
from innerlife.affect.signals import Glimpse
from innerlife.affect.statements import ironic, of_oneself, statements_in
from innerlife.affect.valence import compound, reads_english, speaks_of_oneself, without_courtesy


def prepare() -> None:
    """Load what is loaded once, languages, lexicon and weights (some fifty milliseconds), so that no turn waits for it.

    Raises ModelUnavailable where the weights are damaged.
    """
    statements_in("")
    compound("good")
    shipped()


def glance(said: Said, habits: Habits, policy: ReadingPolicy | None = None) -> tuple[Cue, ...]:
    """The cues of a message that need no model: statements, words, emoji, behaviour, hour.

    `habits` are those from before this message.
    """
    return glimpse(said, habits, policy).cues


def glimpse(said: Said, habits: Habits, policy: ReadingPolicy | None = None) -> Glimpse:
    """The cues of `glance` and the statements of `stated`, the message read once for both."""
    policy = policy or ReadingPolicy()
    text, statements = readable(said.text, policy), stated(said, policy)
    worded, around = _worded(of_oneself(text), policy), _around(said, text, habits, policy)
    return Glimpse((*_told(statements, policy), *worded, *around), statements)


def read(
    said: Said,
    habits: Habits,
    vector: Floats | None,
    policy: ReadingPolicy | None = None,
    heads: Heads | None = None,
) -> tuple[Cue, ...]:
    """The cues of a message with the heads' reading of its tone in place of the words' alone.

    `vector` is the unit vector of `toned_part(said.text)` by the heads' embedder, as a passage; None where the text is
    not English or the embedder is not here, and then this is `glance`. Raises ModelUnavailable where the weights are
    damaged.
    """
    policy = policy or ReadingPolicy()
    text = readable(said.text, policy)
    own = of_oneself(text)
    if vector is None or not reads_english(own):
        return glance(said, habits, policy)
    return (
        *_told(stated(said, policy), policy),
        *_toned(own, vector, heads or shipped(), policy),
        *_around(said, text, habits, policy),
    )


def toned_part(text: str) -> str:
    """The words of a message whose tone is read, and whose vector `read` is to be given; empty for courtesy alone.

    What is to be written or translated for somebody is not in it.
    """
    plain = without_courtesy(of_oneself(text)).strip(" ,.!?")
    return plain if any(char.isalpha() for char in plain) else ""


def stated(said: Said, policy: ReadingPolicy | None = None) -> tuple[Statement, ...]:
    """What the person says of how they are now, with spans in `said.text`."""
    policy = policy or ReadingPolicy()
    text = readable(said.text, policy)
    left_out = len(said.text) - len(text)
    seam = policy.read_characters // 2 if left_out else len(text)
    return tuple(_placed(one, seam, left_out) for one in statements_in(text))


def _placed(statement: Statement, seam: int, left_out: int) -> Statement:
    """A statement found behind what was left out of a long message, at its place in the whole."""
    start, end = statement.span
    if start < seam:
        return statement
    return Statement(statement.say, statement.feeling, statement.affect, (start + left_out, end + left_out))


def _told(statements: Sequence[Statement], policy: ReadingPolicy) -> Iterator[Cue]:
    named: set[str] = set()
    for one in statements:
        # Said again, it is no further evidence.
        if one.say is Say.FEELS and one.feeling not in named:
            named.add(one.feeling)
            yield Cue(CueKind.EXPLICIT, f"said so: {one.feeling}", one.affect, policy.explicit_cap, one.span)


def _worded(text: str, policy: ReadingPolicy) -> Iterator[Cue]:
    value = compound(text) if reads_english(text) else 0.0
    if abs(value) >= policy.least_valence:
        name = "pleasant words" if value > 0 else "unpleasant words"
        affect = Affect(valence=round(value, 3))
        yield Cue(CueKind.LINGUISTIC, name, affect, _sure(abs(value), text, policy))


def _toned(text: str, vector: Floats, heads: Heads, policy: ReadingPolicy) -> Iterator[Cue]:
    tone = tone_of(heads, vector, toned_part(text))
    if tone is None:
        return
    valence = policy.heads_valence * (tone.affect.valence or 0.0) + policy.words_valence * compound(text)
    affect = Affect(round(min(max(valence, -1.0), 1.0), 3), tone.affect.arousal, tone.affect.dominance)
    yield Cue(CueKind.LINGUISTIC, "the tone of the words", affect, _sure(tone.stirred, text, policy))


def _sure(share: float, text: str, policy: ReadingPolicy) -> float:
    """A share of the linguistic cap, less where the words are marked as ironic."""
    doubt = policy.ironic_share if ironic(text) else 1.0
    doubt *= 1.0 if speaks_of_oneself(text) else policy.impersonal_share
    return round(policy.linguistic_cap * min(max(share, 0.0), 1.0) * doubt, 3)


def _around(said: Said, text: str, habits: Habits, policy: ReadingPolicy) -> Iterator[Cue]:
    found = emoji_in(text)
    affect = meaning(found)
    if affect is not None:
        sure = policy.linguistic_cap * policy.emoji_share
        yield Cue(CueKind.LINGUISTIC, "emoji", affect, round(sure, 3), _first(said.text, found[0]))
    yield from behaviour(features_of(said, policy), habits, policy)


def _first(text: str, sign: str) -> Span:
    start = text.index(sign)
    return start, start + len(sign)
