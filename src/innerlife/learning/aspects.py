"""The closed table of aspects: what each asks for, in plain words that name a manner and no feeling (promise A2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from innerlife.learning.terms import Aspect, Trigger


@dataclass(frozen=True, slots=True)
class Manner:
    """What to do in one respect. `do` continues "When …,"; `name` is a skill's; `steps` are how it is carried out."""

    do: str
    name: str
    steps: tuple[str, ...]
    opposite: tuple[Aspect, ...] = ()


MANNERS: Final[dict[Aspect, Manner]] = {
    Aspect.SHORTER: Manner(
        "keep the answer short",
        "Brevity",
        ("Say what was asked for, and stop.", "Leave out background that nobody asked for."),
        (Aspect.DEEPER,),
    ),
    Aspect.DEEPER: Manner(
        "go into depth and give the reasons",
        "Depth",
        ("Answer first.", "Then say how and why, with what it rests on."),
        (Aspect.SHORTER, Aspect.CODE_ONLY),
    ),
    Aspect.ANSWER_FIRST: Manner(
        "lead with the answer, then explain",
        "The answer first",
        ("Put the answer into the first sentence.", "Explain after it, as far as it helps."),
    ),
    Aspect.EXAMPLE: Manner(
        "give a concrete example",
        "Examples",
        ("Say it once in general.", "Show it on one concrete example."),
    ),
    Aspect.CODE_ONLY: Manner(
        "give the code alone, without explanations",
        "Code alone",
        ("Write the code.", "Leave explanations out until they are asked for."),
        (Aspect.DEEPER,),
    ),
    Aspect.SIMPLER: Manner(
        "use plain words instead of technical ones",
        "Plain words",
        ("Use everyday words.", "Where a technical term is needed, say what it means."),
    ),
    Aspect.STEPS: Manner(
        "go one step at a time",
        "Step by step",
        ("Give the next step alone.", "Wait until it is done, then give the one after it."),
    ),
    Aspect.LANGUAGE: Manner(
        "answer in the language of the question",
        "The same language",
        ("Answer in the language in which the question is written.",),
    ),
    Aspect.LIST: Manner(
        "answer with a list", "Lists", ("Put each point on a line of its own.",), (Aspect.PLAIN,)
    ),
    Aspect.TABLE: Manner(
        "set comparisons out in a table",
        "Tables",
        ("Put what is compared into a table.", "One thing a row, one property a column."),
        (Aspect.PLAIN,),
    ),
    Aspect.PLAIN: Manner(
        "write running text without lists and markup",
        "Running text",
        ("Write whole sentences.", "Leave out bullets, headings and bold."),
        (Aspect.LIST, Aspect.TABLE),
    ),
    Aspect.INFORMAL: Manner(
        "write in a relaxed, informal tone", "An informal tone", ("Write as one speaks among friends.",)
    ),
    Aspect.FEWER_QUESTIONS: Manner(
        "answer at once instead of asking back",
        "Answering at once",
        ("Take the likeliest meaning and answer.", "Say in a clause what was assumed."),
        (Aspect.ASK_FIRST,),
    ),
    Aspect.ASK_FIRST: Manner(
        "assume nothing that was not said; ask where it matters",
        "Asking first",
        ("Use only what was said.", "Where the answer turns on something unsaid, ask for it."),
        (Aspect.FEWER_QUESTIONS,),
    ),
    Aspect.LISTEN: Manner(
        "listen and give room before offering any solution",
        "Listening",
        ("Take up what was said.", "Offer no solution until one is asked for."),
    ),
    Aspect.NO_WARNINGS: Manner(
        "leave out disclaimers and warnings",
        "No disclaimers",
        ("Answer without general warnings.", "Name a danger only where it is real and new."),
    ),
}

_WHEN: Final[dict[Trigger, str]] = {
    Trigger.ANY: "",
    Trigger.CODE: "When it is about code",
    Trigger.EXPLANATION: "When something is to be explained",
    Trigger.WRITING: "When a text is to be written",
    Trigger.TRANSLATION: "When something is to be translated",
    Trigger.PLAN: "When something is to be planned",
    Trigger.ADVICE: "When advice is asked for",
    Trigger.TALK: "When they tell how things are going",
}


def wording(aspect: Aspect, trigger: Trigger) -> str:
    """A rule in plain words: "When it is about code, keep the answer short."."""
    do = MANNERS[aspect].do
    when = _WHEN[trigger]
    return f"{when}, {do}." if when else f"{do[0].upper()}{do[1:]}."


def when(trigger: Trigger) -> str:
    """A trigger in plain words, for a person: "when it is about code"; "always" for any."""
    words = _WHEN[trigger]
    return f"{words[0].lower()}{words[1:]}" if words else "always"


def opposed(one: Aspect, other: Aspect) -> bool:
    """Whether doing the one undoes the other."""
    return other in MANNERS[one].opposite or one in MANNERS[other].opposite
