"""How a language says what somebody feels, and the reading of statements by it (promise A1, explicit cues). Pure.

A language is a `Tongue`: patterns over folded text and a lexicon. A statement is the speaker's own, present and meant:
what is quoted, supposed, past, asked or told of others is none. Rather too few than too many.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from innerlife.affect.cues import Affect, Say, Span, Statement
from innerlife.affect.lexicon import Expressions, Feelings

_SENTENCE: Final = re.compile(r"[^.!?…\n;¿]+[.!?…]*")
_QUOTED: Final = re.compile(
    r"\"[^\"\n]*\"|“[^”\n]*”|«[^»\n]*»|„[^“”\n]*[“”]|`[^`\n]*`|(?<!\w)'[^'\n]+'(?!\w)|^\s*>.*", re.MULTILINE
)
_IRONY: Final = re.compile(r"(?<!\S)/s(?!\w)|🙃|🙄|😒|</?s(?:arcasm)?>")
_LAUGHING: Final = re.compile(r"[😂🤣]|(?<!\w)(?:lol|lmao|rofl|xd|(?:ha){2,}h?|(?:ja){2,}j?)(?!\w)")
_SAID_IRONY: Final = re.compile(r"(?<!\S)/s(?!\w)")
_CLAUSE: Final = re.compile(r"[,:;–—()-]\s")
_LONGEST_PHRASE: Final = 5
_LONGEST_CHAIN: Final = 4
_MOST_FRAMES: Final = 12
"""Of one sentence, so that no text, however made, takes long."""

_CONTEXT: Final = 200
"""Characters around a place that decide whether it is meant."""

_WORD: Final = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_UNPLEASANT_AT_MOST: Final = -0.2
"""Valence up to which a feeling is a complaint, so that denying it takes something back."""
_NOT_PLEASANT: Final = -0.6
"""Share of a feeling's pleasantness that its absence is unpleasant by ("I'm not happy")."""


@dataclass(frozen=True, slots=True)
class Tongue:
    """One language. Every pattern is matched against folded text (small letters, no accents).

    - `own`: words without one of which no frame and no whole expression is in a sentence; for speed.
    - `frame`: what leads up to the word for a feeling; group `feel` where it has a verb of feeling, any other group
      where it denies.
    - `joint`: what joins a further feeling to one; group `turn` where a denial before it ends ("not sad but tired"),
      `no` where it denies the further one.
    - `feelings`: the lexicon. `felt_only`: words of it that mean a feeling only after a verb of feeling.
    - `fine`: words for "all is well" after a frame; `all_well`: clauses that say so by themselves.
    - `whole`: expressions that say it without a frame, with what they say; `alone`: a sentence of a `word` for a
      feeling alone, `no` where it is denied.
    - `not_before`: by word, what makes another meaning of it when it follows ("happy" + "to help").
    - `supposed`: an opener of what is only supposed; `conditional`: one that makes a whole sentence so.
    - `reported`: what ends just before somebody else's view of the speaker; `denied`: what denies what follows.
    - `recurring`: what, right behind, makes it a habit; `past`: what makes a sentence past.
    - `handed`: a request to write, say or translate, up to the words for it (see `handed.py`).
    - `asked`: how a question begins; `ironic`: what makes a pleasant word mean its contrary.
    """

    language: str
    own: re.Pattern[str]
    frame: re.Pattern[str]
    joint: re.Pattern[str]
    feelings: Feelings
    felt_only: frozenset[str]
    fine: frozenset[str]
    all_well: re.Pattern[str]
    whole: Expressions
    alone: re.Pattern[str]
    not_before: Mapping[str, re.Pattern[str]]
    supposed: re.Pattern[str]
    conditional: re.Pattern[str]
    reported: re.Pattern[str]
    denied: re.Pattern[str]
    recurring: re.Pattern[str]
    past: re.Pattern[str]
    handed: re.Pattern[str]
    asked: re.Pattern[str]
    ironic: re.Pattern[str]

    def statements(self, folded: str) -> Iterator[Statement]:
        """What a folded text states in this language, in order."""
        shown = _QUOTED.sub(lambda found: " " * len(found.group()), folded)
        ironic = _IRONY.search(folded) is not None
        said_so = _SAID_IRONY.search(folded) is not None
        laughing = _LAUGHING.search(folded) is not None
        for sentence in _SENTENCE.finditer(shown):
            line = Line(self, sentence.group(), sentence.start())
            for one in line.statements():
                doubtful = ironic or line.ironic()
                if one.say is Say.FINE and said_so:
                    continue
                if one.say is Say.FEELS and doubtful and (one.affect.valence or 0.0) > 0:
                    continue
                grave = (one.affect.valence or 0.0) <= GRAVE
                yield replace(one, affect=_IN_JEST) if grave and laughing else one

    def ironical(self, folded: str) -> bool:
        """Whether a sign or a turn of speech marks a folded text as ironic."""
        return _IRONY.search(folded) is not None or any(
            self.ironic.search(sentence.group()) for sentence in _SENTENCE.finditer(folded)
        )


@dataclass(frozen=True, slots=True)
class Line:
    """One sentence, folded, and where it begins in the message."""

    tongue: Tongue
    text: str
    at: int

    def statements(self) -> Iterator[Statement]:
        """What it states, by each way of saying it, the same words once."""
        taken: list[Span] = []
        own = self.tongue.own.search(self.text) is not None
        framed = (*self._framed(), *self._whole()) if own else ()
        found = sorted((*framed, *self._alone(), *self._well()), key=lambda one: (one.span, one.say))
        for one in found:
            if all(one.span[0] >= end or one.span[1] <= start for start, end in taken):
                taken.append(one.span)
                yield one

    def ironic(self) -> bool:
        """Whether its words mean the contrary of what is pleasant in them."""
        return self.tongue.ironic.search(self.text) is not None

    def _framed(self) -> Iterator[Statement]:
        for frame in islice(self.tongue.frame.finditer(self.text), _MOST_FRAMES):
            if self._stands(frame.start()):
                felt = bool(frame.group("feel"))
                yield from self._chain(frame.start(), frame.end(), denied=self._denied(frame), felt=felt)

    def _alone(self) -> Iterator[Statement]:
        alone = self.tongue.alone.fullmatch(self.text.strip())
        if alone:
            start = self.text.index(alone.group("word"))
            yield from self._chain(start, start, denied=bool(alone.group("no")), felt=True)

    def _denied(self, frame: re.Match[str]) -> bool:
        refusing = any(words for name, words in frame.groupdict().items() if name != "feel")
        before = self.text[max(frame.start() - _CONTEXT, 0) : frame.start()]
        return refusing or self.tongue.denied.search(before) is not None

    def _chain(self, begin: int, at: int, *, denied: bool, felt: bool) -> Iterator[Statement]:
        """Feelings from `at` on, those joined to them included; `begin` is where the first one's frame begins."""
        for _ in range(_LONGEST_CHAIN):
            named = self._named(at, felt=felt)
            if named is None:
                return
            word, end = named
            statement = self._statement(word, (begin, end), denied=denied)
            if statement is not None:
                yield statement
            joint = self.tongue.joint.match(self.text, end)
            if joint is None:
                return
            denied = bool(joint.group("no")) or (denied and not joint.group("turn"))
            begin = at = joint.end()

    def _named(self, at: int, *, felt: bool) -> tuple[str, int] | None:
        """The longest name of a feeling, or of being fine, at `at`, and where it ends."""
        words: list[re.Match[str]] = []
        place = at
        while len(words) < _LONGEST_PHRASE and (word := _WORD.match(self.text, place)):
            words.append(word)
            place = word.end() + 1 if self.text[word.end() : word.end() + 1] == " " else len(self.text)
        for count in range(len(words), 0, -1):
            end = words[count - 1].end()
            name = self._meant(self.text[at:end])
            if name is None or (name in self.tongue.felt_only and not felt):
                continue
            other = self.tongue.not_before.get(name)
            if self.tongue.recurring.match(self.text, end) or (other and other.match(self.text, end)):
                return None
            return name, end
        return None

    def _meant(self, words: str) -> str | None:
        return words if words in self.tongue.fine else self.tongue.feelings.meant(words)

    def _statement(self, word: str, span: Span, *, denied: bool) -> Statement | None:
        affect = self.tongue.feelings.get(word)
        if word in self.tongue.fine:
            if not denied:
                return self._said(Say.FINE, "", _WELL, span)
            return self._said(Say.FEELS, f"not {word}", _UNWELL, span)
        if affect is None:
            return None
        if not denied:
            return self._said(Say.FEELS, word, affect, span)
        valence = affect.valence or 0.0
        if valence > _UNPLEASANT_AT_MOST:
            # That a pleasant feeling is not there says how it is instead; it takes nothing back.
            lacking = Affect(
                valence=round(_NOT_PLEASANT * max(valence, 0.0), 2), arousal=None, dominance=None
            )
            return self._said(Say.FEELS, f"not {word}", lacking, span) if valence > 0 else None
        return self._said(Say.DENIES, word, affect, span)

    def _whole(self) -> Iterator[Statement]:
        for found, name, affect in self.tongue.whole.found_in(self.text):
            if not self._stands(found.start()) or self.tongue.recurring.match(self.text, found.end()):
                continue
            if not self.tongue.denied.search(self.text[max(found.start() - _CONTEXT, 0) : found.start()]):
                yield self._said(Say.FEELS, name, affect, found.span())

    def _well(self) -> Iterator[Statement]:
        for found in self.tongue.all_well.finditer(self.text):
            if self._stands(found.start()):
                yield self._said(Say.FINE, "", _WELL, found.span())

    def _said(self, say: Say, feeling: str, affect: Affect, span: Span) -> Statement:
        return Statement(say, feeling, affect, (self.at + span[0], self.at + span[1]))

    def _stands(self, place: int) -> bool:
        """Whether what begins at `place` is the speaker's own, present and meant."""
        before = self.text[max(place - _CONTEXT, 0) : place]
        behind = self.text[place : place + _CONTEXT]
        clause = _CLAUSE.split(before)[-1]
        tongue = self.tongue
        if tongue.supposed.search(clause) or tongue.conditional.match(before.lstrip()):
            return False
        if tongue.reported.search(before) and not tongue.denied.search(before):
            return False
        return not tongue.past.search(before + behind) and not self._questioned(clause, before, behind)

    def _questioned(self, clause: str, before: str, behind: str) -> bool:
        """Whether it is part of what is asked; a question may come after it in the same sentence."""
        if not self.text.rstrip().endswith("?"):
            return False
        if self.tongue.asked.match(clause.lstrip()) or self.tongue.asked.match(before.lstrip()):
            return True
        return self.tongue.asked.search(behind) is None


GRAVE: Final = -0.9
"""Valence up to which a statement is of the gravest there are, such as that somebody does not want to live."""

_IN_JEST: Final = Affect(valence=-0.3)
"""What such words say where their author laughs."""

_UNWELL: Final = Affect(valence=-0.5, arousal=None, dominance=-0.3)
_WELL: Final = Affect(valence=0.2, arousal=None, dominance=0.2)
"""What "I'm fine" says, and no more than that."""
