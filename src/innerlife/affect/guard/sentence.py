"""The reading of one sentence, word by word."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Final

from innerlife.affect.guard.gate import Gate
from innerlife.affect.guard.language import plain
from innerlife.affect.guard.opinion import Place
from innerlife.affect.guard.pattern import State
from innerlife.affect.guard.rules import Label, Passes, Rules, Verdict
from innerlife.affect.guard.words import OTHER

LONGEST_LEAD: Final = 16
"""Words that a sentence is held for what may follow in a later clause; lead-ins of models have three to ten."""

LONGEST_HELD: Final = 600
"""Characters of an undecided sentence after which it leaves: no announcement takes so long to begin."""

_YOU: Final = frozenset({"you", "you're", "you've"})

_APART: Final = '"'
"""Stands for code, a quotation or a sign among the words that were heard."""

_MARKS: Final = {"(": "-", ")": "-", "—": "-", "–": "-", "--": "-"}
_UNHEARD: Final = frozenset("¿¡")

Piece = tuple[str, str, int, str, bool]
"""Kind, text, place and following character of a piece, and whether a space stands before it."""


@dataclass(slots=True)
class _Thread:
    """One way of reading on. `since` is where what it claims begins; `clean` that a mark stands before it."""

    state: State[Label]
    since: int
    clean: bool
    words: tuple[str, ...]


@dataclass(slots=True)
class Sentence:
    """One sentence while it comes. `start` is where it begins, its marks included; `opens_line` that nothing precedes.

    `verdict` is set once it is not to reach the user; `since` is then where it is to be cut: a claim in a clause
    whose sentence has left costs the clause, any other the sentence. `clean` says that a mark stands before the cut.
    `idle` says that nothing waits and no clause begins, as for most words; `paused` that a mark has come.

    `open_from` is where a clause begins that may announce by what its words mean, -1 where none waits; `heard` are the
    words and marks that were read while one did, `heard_from` is the number of its first, `places` are the clauses in
    it, and `pieces` what it was read from, to be read again behind an announcement. `weighed` says that the verdict is
    by what the words mean, and by no form; `looked` that what stands in front of the claim was judged;
    `only_heard` that no form is begun, while it waits for what its words mean.
    """

    rules: Rules
    passes: Passes
    start: int
    opens_line: bool
    text_start: int = -1
    verdict: Verdict | None = None
    since: int = -1
    clean: bool = False
    weighed: bool = False
    looked: bool = False
    last: str = ""
    paused: bool = False
    idle: bool = False
    open_from: int = -1
    open_clean: bool = False
    heard: list[str] = field(default_factory=list)
    heard_from: int = 0
    places: list[Place] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    only_heard: bool = False
    _gate: Gate | None = None
    _joint: int = -1
    _threads: list[_Thread] = field(default_factory=list)
    _lead: int = -1
    _lead_words: int = 0
    _lead_paused: bool = False
    _conditional: bool = False
    _dictates: bool = False
    _dictated: bool = False
    _clause: bool = True
    _after_mark: bool = True
    _clean: bool = True

    @property
    def fresh(self) -> bool:
        """Whether no word has come yet."""
        return self.text_start < 0

    @property
    def shortened(self) -> bool:
        """Whether a dot behind the last word ends nothing."""
        return self.last in self.rules.shortened or (len(self.last) == 1 and self.last.isalpha())

    @property
    def may_announce(self) -> bool:
        """Whether it waits for what its words mean, and has one without which nothing is announced."""
        return self.verdict is None and self.open_from >= 0 and self._gate is not None and self._gate.key

    @property
    def waits_whole(self) -> bool:
        """Whether all of it waits for what its words mean."""
        return self.open_from == self.start and self.verdict is None

    @property
    def held_from(self) -> int:
        """From where on it must wait; -1 where nothing does."""
        if self.verdict is not None:
            return self.since
        if self.open_from == self.start:
            return self.start
        form = self._held_by_form()
        return min(form, self.open_from) if form >= 0 <= self.open_from else max(form, self.open_from)

    def _held_by_form(self) -> int:
        if self.fresh:
            return self.start
        if self._lead >= 0:
            return self._lead
        # Threads stand in the order in which they began, and a joint behind which one began is where that one does.
        return self._threads[0].since if self._threads else self._joint

    def may_open(self, part: str) -> bool:
        """Whether a word that begins so, as `plain` makes it, could open a claim at this point."""
        if self.fresh:
            return part in self.rules.beginnings
        return part in (self.rules.after_mark if self._clause else self.rules.later)

    def ruled_out(self, part: str) -> bool:
        """Whether nothing that waits can come true any more, now that a word begins with `part` (of `plain`)."""
        if self.verdict is not None or self._lead >= 0 or self.open_from >= 0:
            return False
        if (self._clause or self.fresh) and part in self.rules.beginnings:
            return False
        return not any(thread.state.may_begin(part) for thread in self._threads)

    def word(self, text: str, at: int) -> None:
        """One more word, which stands at `at`."""
        if self.verdict is not None or self._dictated:
            return
        word, rules = plain(text), self.rules
        if word not in rules.telling and (self.idle or self.only_heard):
            self.last = word
            if not self.idle:
                # Most words of a sentence that waits for what it means: no form is begun, and none begins.
                self.heard.append("0" if word.isdigit() else word)
                self._still(self.heard[-1])
                self.idle = self.open_from < 0
                self.only_heard = 0 <= self.open_from > at - LONGEST_HELD
            return
        first = self.text_start < 0
        if first:
            self.text_start = at
            self._conditional = self._conditional or word in rules.conditions
            self._dictates = word in rules.dictates
            self._lead = self.start if word in rules.leads else -1
        if self._threads:
            self._advance(word)
        if not self.idle and 0 <= self.held_from < at - LONGEST_HELD and self.verdict is None:
            self.shut()
            self.interrupt()
        if self.open_from >= 0 or self._clause:
            self._hear(word, self.start if first else at)
        if self._clause or word in rules.openers or (self._lead >= 0 and self._leads_to(word)):
            self._begin(word, self.start if first else at)
        if self._lead >= 0:
            self._follow_lead(word)
        self._clause = word in rules.joints
        if not self._clause or first:
            self._joint, self._clean = -1, False
        elif self._joint < 0:
            # It goes with the clause that may have to.
            self._joint, self._clean = at, self._after_mark
        self._after_mark = False
        self.last = word
        formless = not (self._clause or self._threads or self.verdict) and self._lead < 0 and self._joint < 0
        self.idle = formless and self.open_from < 0
        self.only_heard = formless and self.open_from >= 0

    def mark(self, mark: str) -> None:
        """A mark inside the sentence: after it a clause begins; or, behind "translate:", what is only to be written."""
        if mark == ":" and self._dictates:
            self._dictated = True
            self.shut()
            self.interrupt()
        elif self.verdict is None:
            if self.open_from >= 0 and mark not in _UNHEARD:
                self.heard.append(_MARKS.get(mark, mark[0]))
                self._still(self.heard[-1])
            self._advance(",")
            self._clause = self._after_mark = self._clean = self._lead_paused = True
            self.paused = not self.fresh
            self._joint = -1
            self.idle = self.only_heard = False

    def suppose(self) -> None:
        """It is a question: what it says of a feeling is asked, not told."""
        self._conditional = True

    def interrupt(self) -> None:
        """Something that no claim goes on across: code, a quotation, a sign."""
        self.last = ""
        if self.verdict is None:
            self._advance("/")
        self._threads.clear()
        self._clause = False
        self._lead = self._joint = -1
        if self.open_from >= 0:
            self.heard.append(_APART)
        self.only_heard = False
        self.idle = self.verdict is None and not self.fresh and self.open_from < 0

    def keep(self, piece: Piece) -> None:
        """Keep a piece of what waits, from its first mark on: what is in front of that is never read again.

        Behind a mark a clause may begin that can be cut from the rest.
        """
        kind, _, at, _, _ = piece
        if self.open_from < 0 or self.verdict is not None:
            return
        if kind == "pause" and not (self.places and self.places[-1].word < 0):
            self.places.append(Place(-1, at, len(self.pieces)))
        if self.places:
            self.pieces.append(piece)

    def weigh(self, found: Verdict) -> None:
        """What waits announces by what its words mean."""
        self.verdict, self.since, self.clean, self.weighed = found, self.open_from, self.open_clean, True

    def retract(self) -> None:
        """What was found is none: it defines something, and tells nobody how they feel."""
        self.verdict, self.since, self.looked = None, -1, False
        self.interrupt()

    def shut(self) -> None:
        """What waits for what its words mean waits no longer."""
        self.open_from = -1
        self.pieces.clear()
        self.places.clear()

    def end(self) -> None:
        """The sentence is over."""
        if self.verdict is None:
            self._advance(".")
        self._threads.clear()

    def _hear(self, word: str, at: int) -> None:
        """Read a word for what it means; where a clause begins with it, it waits from there, or goes on waiting."""
        if self.open_from < 0:
            openings = self.rules.weights.openings
            if not self._clause or not (word in openings or "" in openings):
                return
            self.open_from, self.open_clean = self._joint if self._joint >= 0 else at, self._clean
            weights = self.rules.weights
            self._gate = Gate(weights.gate if at == self.start else weights.clause, self.rules.weigh)
            if self.heard:
                self.heard.append(OTHER)
            self.heard_from = len(self.heard)
        elif self._clause and self.places and self.places[-1].word < 0:
            self.places[-1] = replace(self.places[-1], word=len(self.heard))
        self.heard.append("0" if word.isdigit() else word)
        self._still(self.heard[-1])

    def _still(self, heard: str) -> None:
        if self._gate is not None and not self._gate.word(heard):
            self.shut()

    def _leads_to(self, word: str) -> bool:
        """Whether a claim may begin with this word though no mark stands before it."""
        subject = word in self.rules.subjects
        return subject or (not self._conditional and (self._lead_words <= 1 or word in _YOU))

    def _begin(self, word: str, at: int) -> None:
        whole = not self._conditional and (self._clause or self._lead_words == 1)
        state = self.rules.automaton.after(self.rules.start if whole else self.rules.supposed, word)
        if state is not None:
            since = self._lead if self._lead >= 0 else self._joint if self._joint >= 0 else at
            self._judge(_Thread(state, since, self._clean, (word,)))

    def _follow_lead(self, word: str) -> None:
        self._lead_words += 1
        goes_on = bool(self._threads) or word in self.rules.joints or word in self.rules.leads
        if self._lead_words > LONGEST_LEAD or (self._lead_paused and not goes_on):
            self._lead = -1
        self._lead_paused = False

    def _advance(self, word: str) -> None:
        threads, self._threads = self._threads, []
        for thread in threads:
            state = self.rules.automaton.after(thread.state, word)
            if state is not None:
                thread.state = state
                thread.words = (*thread.words, word)
                self._judge(thread)

    def _judge(self, thread: _Thread) -> None:
        """Keep a thread that may still come true; where one has, the sentence is judged."""
        state = thread.state
        for claim, language in sorted(state.labels) if state.labels else ():
            verdict = Verdict(claim, language, thread.words)
            if self.verdict is None and not self.passes(verdict):
                self.verdict, self.since, self.clean = verdict, thread.since, thread.clean
        if state.words or state.any_word:
            self._threads.append(thread)
