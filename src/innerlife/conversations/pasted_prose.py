"""Prose that somebody else wrote, known by how it is introduced, by its shape, or by nobody speaking in it."""

from __future__ import annotations

import re
from typing import Final

from innerlife.conversations import asking
from innerlife.conversations.quoted_mail import asked_from, sign_off
from innerlife.conversations.text_lines import Paragraph, PartKind, Sheet

_PROSE = 200
"""Characters from which on a text below a question is taken for what the question is about."""

_ARTICLE = 800
"""Characters of paragraphs without a first person that nobody types about their own life."""

_QUOTATION = 120
"""Characters from which on a paragraph between quotation marks is more than something that was said."""

_LONGEST_QUOTATION = 8
"""Paragraphs after which a quotation that was opened is not looked for an end."""

_LEADS = 6
"""Paragraphs at the beginning of which one may ask about a text below."""

_BELOW = 4_000
"""Characters below a question that tell what it is about."""

_NOBODY = 0.03
"""The share of words below which nobody speaks of themselves in a text that is asked about."""

_RULE: Final = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|={3,}|~{3,})\Z")
_SALUTATION: Final = re.compile(
    r"(?:dear|hi|hello|hey|good (?:morning|afternoon|evening)|to whom|sehr geehrte[rn]?|liebe[rs]?|hallo"
    r"|querid[oa]s?|estimad[oa]s?|hola"
    r"|cher|chère|bonjour|madame|monsieur|prezad[oa]s?|car[oa]s?|olá)\b[^.?!\n]{0,60}[,:!]?\Z",
    re.IGNORECASE,
)
_FIRST_PERSON: Final = re.compile(
    r"\b(?:i(?!/)|i['’](?:m|ve|d|ll)|im|ive|me|my|mine|myself|ich|mir|mich|mein\w{0,2}|je|moi|mon|ma|mes"
    r"|yo|mí"
    r"|mi|mis|conmigo|estoy|soy|tengo|fui|voy"
    r"|quiero|creo|pienso|siento|eu|meu|minha|meus|minhas|mim|comigo|estou|sou|tenho|vou|quero|acho|sinto"
    r"|io|mio|mia)\b|\bj['’]|\bm['’]",
    re.IGNORECASE,
)
_SPOKEN: Final = re.compile('["“„«][^"”“»\n]{1,400}["”“»]')
_KNOWN_WORDS: Final = re.compile(r"\b(?:the|of|and|der|die|und|les?|des|et)\b", re.IGNORECASE)
_OPENING, _CLOSING = '"“„«', '"”“»'
_MARKED: Final = re.compile(
    "\\b(?:translate|proofread|rephrase|paraphrase|summari[sz]e|rewrite|übersetze?|traduce|traduis"
    "|traduza)\\b"
    '[^"“„«\n]{0,40}(["“„«][^"”“»\n]{1,600}["”“»])',
    re.IGNORECASE,
)


def after_a_lead(sheet: Sheet) -> None:
    """What follows "Summarise this:" or "She wrote:", or a question about "this letter", to the end or to a rule."""
    _within_lines(sheet)
    paragraphs = sheet.paragraphs()
    for place, paragraph in enumerate(paragraphs):
        lead = _lead(sheet, paragraph)
        if lead >= 0:
            _claim_shown(sheet, lead, PartKind.PASTED)
            return
        if place < min(_LEADS, len(paragraphs) - 1) and asking.asks_before(paragraph.text):
            below = sheet_text(paragraphs[place + 1 : place + 1 + _LEADS])[:_BELOW]
            if len(below) >= _PROSE and (first_person(below) < _NOBODY or _asks_of_a_message(paragraph.text)):
                _claim_shown(sheet, paragraph.after, PartKind.PASTED)
                return
        if place == 0 and len(paragraphs) > 1 and asking.asks_about_this(paragraph.text):
            # Only what comes next is sure to be what is meant.
            if first_person(paragraphs[1].text) < _NOBODY:
                sheet.claim(paragraphs[1].first, paragraphs[1].after, PartKind.PASTED)
            return


def letters(sheet: Sheet) -> None:
    """A letter with its salutation and its end, below or above words of the user."""
    paragraphs = sheet.paragraphs()
    if any(asking.of_ones_own(p.text) for p in paragraphs if len(p.text) <= asking.LONGEST_REQUEST):
        return
    greeted = next(
        (i for i, p in enumerate(paragraphs) if _SALUTATION.match(sheet.lines[p.first].text.strip()[:90])), -1
    )
    if greeted < 0:
        return
    ends = [i for i in range(greeted, len(paragraphs)) if _ends_letter(sheet, paragraphs[i])]
    alone = greeted == 0 and ends and ends[-1] >= len(paragraphs) - 2
    if not ends or (alone and not asking.asks_about_it(paragraphs[-1].text, signed=True)):
        return
    last = ends[-1]
    bare = sign_off(sheet.lines[paragraphs[last].after - 1].text) and last + 1 < len(paragraphs)
    if bare and len(paragraphs[last + 1].text) <= 40 and "?" not in paragraphs[last + 1].text:
        last += 1
    sheet.claim(paragraphs[greeted].first, paragraphs[last].after, PartKind.PASTED)


def between_marks(sheet: Sheet) -> None:
    """Whole paragraphs between quotation marks."""
    paragraphs = sheet.paragraphs()
    place = 0
    while place < len(paragraphs):
        end = _quotation_end(paragraphs, place)
        if end > place:
            sheet.claim(paragraphs[place].first, paragraphs[end - 1].after, PartKind.QUOTED)
        place = max(end, place + 1)


def before_a_request(sheet: Sheet) -> None:
    """A text under which the user asks to have it summarised, explained or answered."""
    paragraphs = sheet.paragraphs()
    if len(paragraphs) < 2 or not asking.asks_about_it(paragraphs[-1].text, signed=False):
        return
    above = sheet_text(paragraphs[:-1])
    if len(above) >= _PROSE and first_person(above) < 0.01 and not asking.of_ones_own(paragraphs[-1].text):
        sheet.claim(paragraphs[0].first, paragraphs[-1].first, PartKind.PASTED)


def articles(sheet: Sheet) -> None:
    """Long prose in which nobody says "I", in languages where a person would."""
    run: list[Paragraph] = []
    for paragraph in [*sheet.paragraphs(), None]:
        if paragraph is not None and first_person(paragraph.text) < 0.004:
            run.append(paragraph)
            continue
        text = sheet_text(run)
        if len(text) >= _ARTICLE and len(_KNOWN_WORDS.findall(text)) * 20 >= len(text.split()):
            sheet.claim(run[0].first, run[-1].after, PartKind.PASTED)
        run = []


def first_person(text: str) -> float:
    """The share of words in which the writer speaks of themselves, speech between quotation marks left out."""
    bare = _SPOKEN.sub(" ", text)
    return len(_FIRST_PERSON.findall(bare)) / max(1, len(bare.split()))


def sheet_text(paragraphs: list[Paragraph]) -> str:
    """The text of some paragraphs."""
    return "\n\n".join(p.text for p in paragraphs)


def _within_lines(sheet: Sheet) -> None:
    """What stands in one line with its request: "Translate to French: …", "translate “…”"."""
    for index, line in enumerate(sheet.lines):
        if not sheet.free(index):
            continue
        begin = asking.asks_inline(line.text)
        if begin >= 0:
            sheet.within[index] = [(line.start + begin, line.start + len(line.text), PartKind.PASTED)]
        elif marked := list(_MARKED.finditer(line.text[:2_000])):
            sheet.within[index] = [
                (line.start + m.start(1), line.start + m.end(1), PartKind.QUOTED) for m in marked
            ]


def _lead(sheet: Sheet, paragraph: Paragraph) -> int:
    """The line from which on a text is shown that this paragraph introduces, or -1."""
    for index in range(paragraph.first, paragraph.after):
        text = sheet.lines[index].text
        if len(text) > asking.LONGEST_REQUEST:
            return -1
        shows, least = asking.introduces(text)
        if shows and index + 1 < len(sheet.lines) and _length_below(sheet, index + 1) >= least:
            return index + 1
    return -1


def _length_below(sheet: Sheet, first: int) -> int:
    """Characters of what is free in the next lines."""
    last = min(first + 40, len(sheet.lines))
    return sum(len(sheet.lines[i].text) for i in range(first, last) if sheet.free(i))


def _asks_of_a_message(text: str) -> bool:
    """Whether a question is about what somebody wrote to somebody, where "I" is that writer."""
    return (
        re.search(
            r"\b(?:e-?mail|mail|message|letter|text|nachricht|brief|mensaje|carta|lettre|mensagem)\b",
            text,
            re.IGNORECASE,
        )
        is not None
    )


def _claim_shown(sheet: Sheet, first: int, kind: PartKind) -> None:
    """From `first` on, to a rule below which the user goes on, or to a last paragraph that asks about it."""
    after = len(sheet.lines)
    for index in range(first + 1, after):
        if _RULE.match(sheet.lines[index].text) and any(sheet.lines[i].text for i in range(first, index)):
            after = index
            break
    last = [p for p in sheet.paragraphs() if first < p.first < after]
    if last:
        after = min(after, asked_from(sheet, last[-1], signed=True))
    sheet.claim(first, after, kind)


def _ends_letter(sheet: Sheet, paragraph: Paragraph) -> bool:
    """Whether one of a paragraph's last three lines is the end of a letter."""
    return any(
        sign_off(sheet.lines[i].text)
        for i in range(max(paragraph.first, paragraph.after - 3), paragraph.after)
    )


def _quotation_end(paragraphs: list[Paragraph], place: int) -> int:
    """Behind the paragraph that closes the quotation which `place` opens, or `place`."""
    if not paragraphs[place].text.lstrip().startswith(tuple(_OPENING)):
        return place
    length = 0
    for end in range(place, min(place + _LONGEST_QUOTATION, len(paragraphs))):
        text = paragraphs[end].text.strip()
        length += len(text)
        inside = text[1:-1] if end == place else text[:-1]
        if any(mark in inside.lstrip(_OPENING) for mark in '"“”„«»'):
            return place
        if text.endswith(tuple(_CLOSING)) and len(text) > 1:
            return end + 1 if length >= _QUOTATION else place
    return place
