"""What a head may weigh of a window without any model: marks of the answer, of the message, and of how they stand.

Each is a number near [-1, 1], by name; the same names in the same order for every window. Pure.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from difflib import SequenceMatcher
from typing import Final

from innerlife.learning.cue import Cues, all_cues
from innerlife.learning.cued.abandonment import dropped, ends_well, excused
from innerlife.learning.cued.correction import HEAD, complained, named, politely_no
from innerlife.learning.cued.praise import approved
from innerlife.learning.cued.reask import another_thing, asked_before, one_replaced
from innerlife.learning.likeness import content, in_common, plain, shared, told
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import liked
from innerlife.learning.turns import Window

Marks = dict[str, float]

_WORD: Final = re.compile(r"\w+(?:'\w+)?|[^\w\s]")
_EMOJI: Final = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]")
_LOUD: Final = re.compile(r"[^\W\d_]{2,}")
_DIGIT: Final = re.compile(r"\d")
_LISTED: Final = re.compile(r"(?:\A|\s)(?:\d\.|-|\*|•)\s")
_CODE: Final = re.compile(r"[{}()=<>_\\|`$]")
_SET_AGAINST: Final = re.compile(
    r"(?:\A|[.,;!?] )(?:no+|not|nope|nah|never|ni|sin|without|but|pero|yeah but|yes but|si,? pero)\b"
)
_NEGATED: Final = re.compile(r"\b(?:no|not|never|\w+n't|sin|without|ni)\b")
_FIGURE: Final = re.compile(
    r"\b(?:how (?:many|much|long|old|far|tall|big|deep|often|late)|when|price|percent\w*|"
    r"what (?:time|year|age|price|size|date)|cuant\w+|cuando|que (?:ano|dia|fecha|hora|precio|talla))\b"
)
"""How a question begins that a figure answers."""

_ASKING: Final = re.compile(
    r"\b(?:who|where|which|what|how|why|when|quien|donde|cual|que|como|por que|cuando|cuant\w+)\b"
)


def answer_marks(window: Window) -> Marks:
    """Of the answer and the question before it: what tells whether it delivers what was asked for."""
    said, answer = window.judged.said, window.judged.answer
    asked, brought, question = content(said), content(answer), told(said)
    figure, digits = bool(_FIGURE.search(question)), bool(_DIGIT.search(answer))
    return {
        "answer_length": math.log1p(len(answer)) / 5 - 0.9,
        "answer_brief": float(len(answer) < 60),
        "answer_long": float(len(answer) > 150),
        "answer_asks": min(answer.count("?"), 3) / 3,
        "answer_ends_asking": float(answer.rstrip().endswith("?")),
        "answer_excused": float(excused(answer)),
        "answer_helpless": _cue(lambda cues: cues.helpless, plain(answer)),
        "answer_digits": float(digits),
        "answer_listed": float(bool(_LISTED.search(answer))),
        "answer_code": float(bool(_CODE.search(answer))),
        "answer_cries": float("!" in answer),
        "answer_cut": float(answer.rstrip().endswith(("...", "…"))),
        "answer_of_question": len(brought & asked) / max(1, len(brought)),
        "question_in_answer": len(brought & asked) / max(1, len(asked)),
        "answer_begins_with_question": float(bool(content(" ".join(answer.split()[:3])) & asked)),
        "figure_missing": float(figure and not digits),
        "figure_there": float(figure and digits),
        "question_marked": float("?" in said),
        "question_length": math.log1p(len(said)) / 5 - 0.7,
        "question_word": float(bool(_ASKING.search(question))),
        "question_asks": _cue(lambda cues: cues.asks, question),
        "question_ends_well": float(ends_well(said)),
        "question_content": min(len(asked), 10) / 10,
        "question_thin": float(len(asked) <= 2),
        "question_praises": _cue(lambda cues: cues.praises, question),
        "question_drops": _cue(lambda cues: cues.gives_up, question),
        "turns": min(len(window.turns), 4) / 4,
        "first": float(len(window.turns) == 1),
        "left": float(window.next is None),
    }


def message_marks(window: Window, policy: LearningPolicy) -> Marks:
    """Of the message that followed: its cues, its form, and how it stands to the question and the answer."""
    coming = window.next.said if window.next else ""
    text = told(coming)
    return (
        _cue_marks(window, coming, text, policy)
        | _form_marks(coming, text)
        | _standing_marks(window, coming, text)
    )


def _cue_marks(window: Window, coming: str, text: str, policy: LearningPolicy) -> Marks:
    head = text[:HEAD]
    groups = (
        "missed", "denies", "somebody", "aside", "turns_round", "praises", "spoils", "asks", "thanks", "asks_on",
        "yes_but", "insists", "gives_up",
    )  # fmt: skip
    found = {f"cue_{name}": _cue(lambda cues, name=name: getattr(cues, name), head) for name in groups}  # type: ignore[misc]
    return found | {
        "cue_declines": float(politely_no(text)),
        "cue_wants": float(bool(named(window, text))),
        "cue_liked": float(bool(liked(head))),
        "cued_correction": float(complained(window, text)),
        "cued_reask": float(asked_before(window, coming, policy) is not None),
        "cued_praise": float(approved(text)),
        "cued_abandonment": float(dropped(window, text, policy)),
    }


def _form_marks(said: str, text: str) -> Marks:
    words = _WORD.findall(text)
    own = content(said)
    return {
        "length": math.log1p(len(said)) / 5 - 0.7,
        "words_3": float(len(words) <= 3),
        "words_7": float(len(words) <= 7),
        "words_20": float(len(words) > 20),
        "asks": float("?" in said),
        "ends_asking": float(said.rstrip().endswith("?")),
        "cries": min(2, said.count("!")) / 2,
        "emoji": float(bool(_EMOJI.search(said))),
        "loud": float(any(word.isupper() for word in _LOUD.findall(said))),
        "set_against": float(bool(_SET_AGAINST.match(text))),
        "negated": float(bool(_NEGATED.search(text))),
        "digits": float(bool(_DIGIT.search(said))),
        "asking_word": float(bool(_ASKING.search(text))),
        "begins_asking": float(bool(_ASKING.match(text))),
        "no_content": float(not own),
        "content": min(len(own), 12) / 12,
    }


def _standing_marks(window: Window, coming: str, text: str) -> Marks:
    said, answer = window.judged.said, window.judged.answer
    own, asked, brought, question = content(coming), content(said), content(answer), told(said)
    size = max(1, len(own))
    before = [turn.said for turn in window.turns[-3:-1]]
    words = SequenceMatcher(None, question.split(), text.split(), autojunk=False)
    return {
        "shared": shared(said, coming),
        "in_common": in_common(said, coming),
        "of_question": len(own & asked) / size,
        "question_again": len(own & asked) / max(1, len(asked)),
        "of_answer": len(own & brought) / size,
        "shared_answer": shared(answer, coming),
        "of_answer_alone": len((own & brought) - asked) / size,
        "fresh": len(own - brought - asked) / size,
        "fresh_words": min(len(own - brought - asked), 8) / 8,
        "same_order": words.ratio(),
        "same_letters": SequenceMatcher(None, question[:400], text[:400], autojunk=False).ratio(),
        "same_asking": float(bool(set(_ASKING.findall(question)) & set(_ASKING.findall(text)))),
        "another_thing": float(another_thing(said, coming)),
        "one_replaced": float(one_replaced(said, coming)),
        "earlier_in_common": max((in_common(one, coming) for one in before), default=0.0),
    }


def _cue(group: Callable[[Cues], re.Pattern[str]], text: str) -> float:
    return float(any(group(cues).search(text) for cues in all_cues()))
