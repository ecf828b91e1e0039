"""Text made harmless: nothing in it is read as structure by a chat template, a tool parser or the fence."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_LINE_ENDS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
_DOUBLE_QUOTES = frozenset('"“”„‟＂″‶〝〞〟❝❞ˮʺ˝🙶🙷🙸')
_DELIMITERS = {"⟦": "[", "⟧": "]", "〚": "[", "〛": "]"}
# Persian spelling and joined emoji need them; beside ASCII they join nothing and only hide a word.
_JOINERS = re.compile(
    r"(?<=[^\x00-\x7f])(?P<kept>[\u200c\u200d])[\u200c\u200d]*(?=[^\x00-\x7f\u200c\u200d])|[\u200c\u200d]+"
)
_BLANK_LETTERS = frozenset("\u115f\u1160\u3164\uffa0\u2800")  # letters and a symbol that look like nothing
_DIRECTION_CHANGES = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
REPLACEMENT = "\ufffd"

# Letters and brackets that look like the ones markup is made of.
_LOOKALIKES = str.maketrans(
    {
        char: plain
        for plain, chars in {
            "a": "аαɑ", "b": "Ьƅ", "c": "сϲ", "d": "ԁ", "e": "еҽ", "g": "ɡ", "h": "һн", "i": "іιı", "j": "ј",
            "k": "кκ", "m": "м", "n": "ո", "o": "оοօ", "p": "рρ", "r": "г", "s": "ѕ", "t": "тτ", "u": "υս",
            "v": "ν", "x": "хχ", "y": "уγ",
            "<": "‹⟨〈《❮˂≺", ">": "›⟩〉》❯˃≻", "|": "¦│∣ǀ❘丨",
            "[": "【〔", "]": "】〕", ":": "∶։ː", "/": "⁄∕",
        }.items()
        for char in chars
    }
)  # fmt: skip
_TAGS = (
    r"s|bos|eos|pad|unk|mask|sop|eop|cls|sep|image|audio|video|think|thinking|tools?|tool_\w+|function\w*|invoke|parameter"
    r"|system\w*|sys|user|assistant|human|developer|instructions?|im_\w+|(?:start|end)_of_\w+|begin_of_\w+|unused\d+"
    r"|extra_id_\d+|reserved\w*|0x[0-9a-f]{2}|\w*memory\w*|remembered|context|inst|__media__|__image__"
)
_ROLES = r"system|assistant|user|human|developer|tool|ai"


@dataclass(frozen=True, slots=True)
class _Mark:
    """What reads as structure; never without `hint`. The group `inner` stays between `before` and `after`."""

    hint: str
    pattern: re.Pattern[str]
    before: str = ""
    after: str = ""


_MARKS = (
    # <|im_start|>, <｜User｜>, whatever stands between the bars
    _Mark("<", re.compile(r"<\s?\|(?P<inner>[^<>|]{1,60})\|\s?>"), "‹", "›"),
    # <|im_start without its end, and the end alone; between spaces they are operators of some languages
    _Mark("<|", re.compile(r"<\|(?P<inner>)(?=\S)"), "‹"),
    _Mark("|>", re.compile(r"(?<=\S)\|(?P<inner>)>"), "›"),
    # <system>, </tool_call>, <function=pay>, <<SYS>>, <s>
    _Mark(
        "<",
        re.compile(rf"<{{1,2}}(?P<inner>\s?/?\s?\|?\s?(?:{_TAGS})(?:[\s=:/|][^<>]{{0,200}})?)>{{1,2}}"),
        "‹",
        "›",
    ),
    # [INST], [/INST], [TOOL_CALLS], [end of remembered …]
    _Mark(
        "[",
        re.compile(
            r"\[{1,2}(?P<inner>\s?/?\s?(?:inst|sys|system\w*|tool_\w+|available_tools|img\w*|audio|gmask|cls|sep|mask"
            r"|pad|bos|eos|(?:end|start|begin)\s(?:of\s)?[^\[\]]{1,60}))\s?\]{1,2}"
        ),
        "(",
        ")",
    ),
    _Mark("__", re.compile(r"__(?P<inner>media|image|audio)__"), "‹", "›"),
    # ### System:, **Assistant:**, Human: at the start of a line; with ## also inside one
    _Mark(
        ":",
        re.compile(
            rf"(?:^|(?<=/ ))[\s#*>_\-]{{0,40}}(?P<inner>(?:{_ROLES})(?:\s(?:prompt|message|note|override))?)"
            r"[\s*_]{0,4}:[*_]{0,3}",
            re.MULTILINE,
        ),
        after=" –",
    ),
    _Mark(
        "##",
        re.compile(
            rf"#{{2,6}}\s{{0,3}}(?P<inner>(?:{_ROLES}|instructions?|input|output|response)\b)[ \t]?:?"
        ),
        after=" –",
    ),
)
_CODE_FENCE = re.compile(r"`{3,}|~{3,}")
_SPACES = re.compile(r"[^\S\n]+")
_BREAKS = re.compile(r" ?\n[ \n]*")


def defused(text: str) -> str:
    """`text` as one physical line without structure. Idempotent and deterministic.

    Line breaks become ` / `, double quotation marks single ones, the fence's delimiters square brackets. NUL,
    other control characters, lone surrogates, private-use characters and changes of direction become U+FFFD;
    characters that cannot be seen go. `<|system|>` becomes `‹system›`, `[INST]` `(INST)`, `### System:`
    `System –`. Accents, emoji, right-to-left and all other text stay.
    """
    plain = "".join(map(_visible, text)) if not text.isascii() else _visible_ascii(text)
    plain = _tidied(_JOINERS.sub(r"\g<kept>", plain))
    while (calmer := _without_markup(plain)) != plain:
        plain = _tidied(calmer)
    return plain.replace("\n", " / ")


def _tidied(text: str) -> str:
    return _BREAKS.sub("\n", _SPACES.sub(" ", text)).strip(" \n")


def _visible_ascii(text: str) -> str:
    if text.isprintable() and '"' not in text:
        return text
    return "".join(map(_visible, text))


@lru_cache(maxsize=8192)
def _visible(char: str) -> str:
    if char in _LINE_ENDS:
        return "\n"
    if char == "\t":
        return " "
    if char in _DOUBLE_QUOTES:
        return "'"
    if char in _DELIMITERS:
        return _DELIMITERS[char]
    if char in "\u200c\u200d":
        return char
    if char in _BLANK_LETTERS or _is_selector(char):
        return ""
    match unicodedata.category(char):
        case "Cc" | "Cs" | "Co":
            return REPLACEMENT
        case "Cf":
            return REPLACEMENT if char in _DIRECTION_CHANGES else ""
        case "Cn":
            return REPLACEMENT if ord(char) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(char) <= 0xFDEF else char
        case _:
            return char


def _is_selector(char: str) -> bool:
    """Variation selectors, but the two that turn a sign into text or emoji: they can smuggle bytes."""
    return "\ufe00" <= char <= "\ufe0d" or "\U000e0100" <= char <= "\U000e01ef"


def _without_markup(text: str) -> str:
    skeleton = _skeleton(text)
    for mark in _MARKS:
        if mark.hint in skeleton and (calmer := _rewritten(text, skeleton, mark)) != text:
            text, skeleton = calmer, _skeleton(calmer)
    return _CODE_FENCE.sub("'''", text)


def _rewritten(text: str, skeleton: str, mark: _Mark) -> str:
    """What the mark's pattern finds in the skeleton is replaced; the letters that stay are the text's own."""
    pieces: list[str] = []
    end = 0
    for match in mark.pattern.finditer(skeleton):
        inner = text[slice(*match.span("inner"))].strip(" \n|｜¦│∣ǀ❘丨")
        pieces += (text[end : match.start()], mark.before, inner, mark.after)
        end = match.end()
    return "".join((*pieces, text[end:])) if pieces else text


def _skeleton(text: str) -> str:
    """`text` as a reader may see it, at the same length: lower case, look-alikes replaced."""
    if text.isascii():
        return text.lower()
    return "".join(map(_plain_shape, text))


@lru_cache(maxsize=8192)
def _plain_shape(char: str) -> str:
    shape = unicodedata.normalize("NFKC", char).casefold().translate(_LOOKALIKES)
    return shape if len(shape) == 1 else char
