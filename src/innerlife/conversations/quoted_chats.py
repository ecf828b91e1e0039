"""Logs of chats inside a message: WhatsApp, Telegram, Slack, Discord, IRC, transcripts."""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

from innerlife.conversations.asking import asks_about_it
from innerlife.conversations.text_lines import PartKind, Sheet

_LOOKED_AT = 200
"""Characters of a line by which its shape is known."""

_TIME = r"\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?:[\s\u202f\u00a0]?[apAP]\.?[\s\u202f\u00a0]?[mM]\.?)?"
_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{2,4}"
_NAME = r"[^\W\d_][^:<>\[\]\n]{0,39}"
_SURE_CHAT: Final = re.compile(
    rf"""[\u200e\u200f]? (?:
        \[ (?:{_DATE},?[\s\u202f]+)? {_TIME} \] \s? (?:{_NAME}: | <{_NAME}>:?) \s
      | {_DATE},? [\s\u202f\u00a0]+ (?:a\ las\ |um\ |à\ |às\ )? {_TIME} \s [-–] \s {_NAME} : \s
      | \[? {_TIME} \]? \s <[@+]?[^>\n]{{1,30}}> \s
    )""",
    re.VERBOSE,
)
_CHAT_HEAD: Final = re.compile(
    rf"""(?:
        {_NAME} ,\ \[ [^\]\n]{{0,20}} {_TIME} \] :?
      | {_NAME} \s?[—]\s? (?:(?:Today|Yesterday|Heute|Gestern|Hoy|Ayer|Hier|Aujourd['’]hui|Hoje
      |Ontem)\b[^\n]{{0,8}} \s)?
        (?:{_DATE},?\s)? {_TIME}
      | [A-ZÀ-Þ][^:<>\[\]\n\d]{{0,39}} \s{{1,3}} \[? {_TIME} \]?
    ) \Z""",
    re.VERBOSE,
)
_TIMED_SPEECH: Final = re.compile(rf"{_TIME}\s+(?:[-–]\s)?([^\W\d_][^:\n]{{0,24}}):\s\S")
_SPEECH: Final = re.compile(
    r"\*{0,2}([^\W\d_][\w.'’-]{0,20}(?: [^\W\d_][\w.'’-]{0,20}){0,2})\*{0,2}:\*{0,2}\s+\S"
)
_TOLD: Final = re.compile(
    r"(?:my .*|(?:.* )?(?:i|me|you|he|she|they|we|him|her|them|mom|mum|dad|mama|papa|boss|doctor|teacher|husband"
    r"|wife|friend|ich|er|sie|du|wir|yo|él|ella|tú|je|il|elle|tu|eu|ele|ela|você|head|heart|question|answer|q|a|note))\Z"
)
"""Speakers by whom a dialogue is known to be told by the user from their own life."""

_MACHINE: Final = re.compile(
    r"(?:user|assistant|human|ai|bot|chatgpt|claude|gemini|gpt|system|copilot|llama)\Z"
)


def chats(sheet: Sheet) -> None:
    """Logs of chats: WhatsApp, Telegram, Slack, Discord, IRC, and bare dialogues that are not told from life."""
    texts = [line.text[:_LOOKED_AT] for line in sheet.lines]
    sure = [i for i, text in enumerate(texts) if text and sheet.free(i) and _SURE_CHAT.match(text)]
    heads = [
        i
        for i, text in enumerate(texts)
        if text and sheet.free(i) and len(text) <= 80 and _CHAT_HEAD.match(text) and sheet.free(i + 1)
    ]
    if len(heads) == 1 and "[" not in texts[heads[0]] and "—" not in texts[heads[0]]:
        heads = []
    if sure or heads:
        _claim_log(sheet, sorted(sure + heads))
    elif timed := _speakers(sheet, texts, _TIMED_SPEECH, lines=3, often=1):
        _claim_log(sheet, timed)
    elif spoken := _speakers(sheet, texts, _SPEECH, lines=4, often=2):
        _claim_log(sheet, spoken)


def _speakers(sheet: Sheet, texts: list[str], shape: re.Pattern[str], lines: int, often: int) -> list[int]:
    """The lines in which speakers with names take turns, `often` of whom do so twice.

    None where they may be told by the user, or be the headings of a list.
    """
    found = [
        (i, m.group(1)) for i, text in enumerate(texts) if text and sheet.free(i) and (m := shape.match(text))
    ]
    names = Counter(name.lower() for _, name in found)
    if len(names) >= 2 and all(_MACHINE.match(name) for name in names):
        return [i for i, _ in found]
    again = [name for name, times in names.items() if times >= 2]
    told = any(_TOLD.match(name) for name in names)
    if told or len(names) < 2 or len(found) < lines or len(again) < often:
        return []
    return [] if any(name[0].islower() for _, name in found) else [i for i, _ in found]


def _claim_log(sheet: Sheet, heads: list[int]) -> None:
    """From the first head to the end of the last message."""
    last = heads[-1]
    # Under a head of its own line stands the message; beside one, only what goes on in the middle of a sentence.
    below = _CHAT_HEAD.match(sheet.lines[last].text[:_LOOKED_AT]) is not None
    after = last + 1 + below
    while sheet.free(after):
        text = sheet.lines[after].text
        if asks_about_it(text, signed=True) or not (below or text[:1].islower()):
            break
        after += 1
    sheet.claim(heads[0], after, PartKind.PASTED)
