"""Whether a sentence that a model wrote may stand for a rule. Pure."""

from __future__ import annotations

import re
from typing import Final

from innerlife.learning.aspects import opposed, wording
from innerlife.learning.bodies import Pattern
from innerlife.learning.likeness import content, plain
from innerlife.learning.requests import wanted

MOST_WORDS: Final = 25

_FEELINGS: Final = re.compile(
    r"\b(?:ang(?:er|ry)\w*|annoy\w*|anxi\w+|bored\w*|delight\w*|depress\w*|disappoint\w*|emotion\w*|exasperat\w*|excit\w+|"
    r"feel\w*|frustrat\w*|grie[fv]\w*|happ(?:y|iness)|hat(?:e|es|red)|impatien\w*|irritat\w*|joy\w*|lonel\w+|lov(?:e|es|ing)|"
    r"mood\w*|nervous\w*|overwhelm\w*|panic\w*|proud|sad\w*|scared|stress\w*|tense|unhappy|upset\w*|worr(?:y|ied|ies)\w*|"
    r"alegr\w+|ansi\w+|enfad\w+|enoj\w+|estres\w*|feliz|furios\w+|impacient\w*|molest\w+|nervios\w+|trist\w+)\b"
)


def accepted(sentence: str, pattern: Pattern) -> str:
    """The sentence as it may stand, or empty: too long, about a feeling, or about something else (promise A2)."""
    text = " ".join(sentence.split()).strip("\"'“”‘’ ")
    folded = plain(text)
    if not text or len(text.split()) > MOST_WORDS or len(re.findall(r"[.!?](?:\s|\Z)", text)) > 1:
        return ""
    if _FEELINGS.search(folded):
        return ""
    if any(opposed(aspect, pattern.aspect) for aspect in wanted(folded)):
        return ""
    # It says the same in other words, so that some word of the plain wording stands in it.
    if not content(text) & content(wording(pattern.aspect, pattern.trigger)):
        return ""
    return text if text[-1] in ".!?" else f"{text}."
