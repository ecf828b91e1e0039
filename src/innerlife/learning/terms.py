"""The words of this room: closed lists."""

from __future__ import annotations

from enum import StrEnum


class Sort(StrEnum):
    """What was noticed after an answer (anima §6.1)."""

    CORRECTION = "correction"
    REASK = "reask"
    ABANDONMENT = "abandonment"
    REGENERATION = "regeneration"
    EDIT = "edit"
    PRAISE = "praise"


class Aspect(StrEnum):
    """In which respect an answer should have been otherwise, named by what is wanted."""

    SHORTER = "shorter"
    DEEPER = "deeper"
    ANSWER_FIRST = "answer_first"
    EXAMPLE = "example"
    CODE_ONLY = "code_only"
    SIMPLER = "simpler"
    STEPS = "steps"
    LANGUAGE = "language"
    LIST = "list"
    TABLE = "table"
    PLAIN = "plain"
    INFORMAL = "informal"
    FEWER_QUESTIONS = "fewer_questions"
    ASK_FIRST = "ask_first"
    LISTEN = "listen"
    NO_WARNINGS = "no_warnings"


class Trigger(StrEnum):
    """The kind of request in which a pattern shows; ANY where it shows in several."""

    ANY = "any"
    CODE = "code"
    EXPLANATION = "explanation"
    WRITING = "writing"
    TRANSLATION = "translation"
    PLAN = "plan"
    ADVICE = "advice"
    TALK = "talk"


class State(StrEnum):
    """How a rule stands."""

    IN_FORCE = "in_force"
    YIELDS = "yields"
    """It loses to another rule, or to something the person said; kept and shown."""
    TOO_THIN = "too_thin"
    """Not enough of its evidence is left, or the contrary weighs as much."""
    RETIRED = "retired"
    DISPUTED = "disputed"


class Maturity(StrEnum):
    """How far a rule has proved itself (anima §6.4)."""

    HYPOTHESIS = "hypothesis"
    PATTERN = "pattern"
    SKILL = "skill"


class Criterion(StrEnum):
    """By what a use of a skill is judged, within the turns that follow (`LearningPolicy.follow_turns`)."""

    NOT_CORRECTED = "not_corrected"
    NOT_ASKED_AGAIN = "not_asked_again"
    NOT_LEFT = "not_left"
