"""Mail inside a message: what was forwarded, what is answered below, what stands behind `>`."""

from __future__ import annotations

import re
from typing import Final

from innerlife.conversations.asking import asks_about_it
from innerlife.conversations.text_lines import Paragraph, PartKind, Sheet

_LONGEST_MARK = 300
"""Characters of a line that may be a head or a mark of mail."""

_FORWARD: Final = re.compile(
    r"""[>\s]* (?:
        -{2,} \s* (?: Original\ Message | Forwarded\ (?:by|message)\b .{0,80} | Urspr[uü]e?ngliche\ Nachricht
          | Weitergeleitete\ Nachricht | Mensaje\ (?:original|reenviado)
          | Message\ (?:d['’]origine|original|transf[eé]r[eé])
          | Mensagem\ (?:original|encaminhada) | Messaggio\ (?:originale|inoltrato)
          | (?:Oorspronkelijk|Doorgestuurd)\ bericht ) \s* -*
      | Begin\ forwarded\ message: | Anfang\ der\ weitergeleiteten\ (?:Nachricht|E-Mail):
      | Inicio\ del\ mensaje\ reenviado:
      | D[eé]but\ du\ message\ (?:r[eé]exp[eé]di[eé]|transf[eé]r[eé])\ ?:
      | In[ií]cio\ da\ mensagem\ (?:re)?encaminhada:
      | Inizio\ messaggio\ inoltrato:
    ) \s* \Z""",
    re.VERBOSE | re.IGNORECASE,
)

_HEADER: Final = re.compile(
    r"""\s* \*{0,2} (?:
        (?P<sender> From | Von | De | Da | Van | Expéditeur | Remitente | Remetente | От | 发件人 | 差出人 )
      | (?P<sent> Sent | Date | Gesendet | Datum | Enviado(?:\ el|\ em)? | Enviada\ em | Fecha
      | Envoyé(?:\ le)? | Data | Inviato
          | Verzonden | Дата | 日期 | 发送时间 | 日時 )
      | (?P<to> To | Cc | Bcc | Reply-To | An | Kopie | Para | À | A | CC | Aan | Кому | 收件人 | 宛先 )
      | (?P<subject> Subject | Betreff | Asunto | Objet | Assunto | Oggetto | Onderwerp | Тема | 主题 | 件名 )
    ) \*{0,2} [ \u00a0]? [:：] \*{0,2} (?= \s | \Z)""",
    re.VERBOSE | re.IGNORECASE,
)

_REPLY: Final = re.compile(
    r"""[>\s]* (?:
        On\ .{5,200}\ wrote | Am\ .{5,200}\ schrieb\b.{0,120} | El\ .{5,200}\ escribi[oó]
          | Le\ .{5,200}\ a\ [eé]crit
      | Em\ .{5,200}\ escreveu | Il\ .{5,200}\ ha\ scritto | Op\ .{5,200}\ schreef\b.{0,120}
      | (?:Den|På)\ .{5,200}\ skrev\b.{0,120}
      | W\ dniu\ .{5,200}\ (?:napisał\(?a?\)?|pisze) | .{5,200}\ (?:пишет|написала?|написал\(а\))
      | .{5,200}(?:写道|のメール|寫道)
    ) \s? [:：] \Z""",
    re.VERBOSE,
)
_REPLY_BEGINS: Final = re.compile(r"[>\s]*(?:On|Am|El|Le|Em|Il|Op|Den|På|W dniu)\s")
_TIMED: Final = re.compile(r"\d{4}|\d{1,2}[:.h]\d{2}|@|年")
_ARROW: Final = re.compile(r" {0,3}>")
_GREATER: Final = re.compile(r" {0,3}>=?\s*[-+~]?[$€£]?\d|\s*>[:;.]|\s*>\s*(?:_<|\.<|:)|\s*>-")
_WRAPPED_AT = 55
"""From this many characters on a mail's line was broken by a program, not by the writer."""


def forwards(sheet: Sheet) -> None:
    """From a forward's mark or a block of headers to the end, or to where the user speaks again."""
    for index, line in enumerate(sheet.lines):
        if not sheet.free(index) or len(line.text) > _LONGEST_MARK:
            continue
        if _FORWARD.match(line.text) or _headers(sheet, index):
            _claim_mail(sheet, index, PartKind.FORWARDED)
            return


def replies(sheet: Sheet) -> None:
    """The head of an answered mail and what it heads: the lines behind `>`, else all to the end."""
    for index, line in enumerate(sheet.lines):
        if not sheet.free(index) or not line.text.endswith((":", "：")) or len(line.text) > _LONGEST_MARK:
            continue
        first = _reply_head(sheet, index)
        if first < 0:
            continue
        after = index + 1
        while after < len(sheet.lines) and not sheet.lines[after].text:
            after += 1
        if after < len(sheet.lines) and _ARROW.match(sheet.lines[after].text):
            sheet.claim(first, index + 1, PartKind.QUOTED)
        elif after < len(sheet.lines):
            _claim_mail(sheet, first, PartKind.QUOTED)
            return


def arrows(sheet: Sheet) -> None:
    """Lines behind `>`, with the rest of a line that a mail program broke."""
    arrow = [_ARROW.match(line.text) is not None for line in sheet.lines]
    for first, after in list(sheet.runs(arrow)):
        texts = [line.text for line in sheet.lines[first:after]]
        if all(_GREATER.match(text) for text in texts):
            continue
        last = after
        while sheet.free(last) and _continues(sheet.lines[last - 1].text, sheet.lines[last].text):
            last += 1
        sheet.claim(first, last, PartKind.QUOTED)


def _continues(before: str, text: str) -> bool:
    """Whether `text` is the rest of the quoted line before it, broken off by its length."""
    return len(before) >= _WRAPPED_AT and before[-1] not in ".!?:;…" and text[:1].islower() and len(text) < 80


def _headers(sheet: Sheet, index: int) -> bool:
    """Whether mail headers begin here: a sender, and a subject or a date, within a few lines."""
    found: set[str] = set()
    for line in sheet.lines[index : index + 8]:
        match = _HEADER.match(line.text[:_LONGEST_MARK])
        if match is None:
            # A long list of recipients goes on in the next line.
            if found and line.text[:1] in " \t":
                continue
            break
        found.add(str(match.lastgroup))
    return "sender" in found and len(found) >= 2 and bool(found & {"subject", "sent"})


def _reply_head(sheet: Sheet, index: int) -> int:
    """The first line of the reply head that ends with this line, or -1."""
    text = sheet.lines[index].text
    if _REPLY.match(text) and _TIMED.search(text):
        return index
    if sheet.free(index - 1) and _REPLY_BEGINS.match(sheet.lines[index - 1].text):
        joined = f"{sheet.lines[index - 1].text} {text.lstrip('> ')}"
        if len(joined) <= _LONGEST_MARK and _REPLY.match(joined) and _TIMED.search(joined):
            return index - 1
    return -1


def _claim_mail(sheet: Sheet, first: int, kind: PartKind) -> None:
    """Everything from `first` on, but for a last paragraph in which the user asks about it."""
    last = [p for p in sheet.paragraphs() if p.first > first]
    after = len(sheet.lines)
    if last:
        after = asked_from(sheet, last[-1], signed=_signed(sheet, last[-1].first))
    sheet.claim(first, after, kind)


def asked_from(sheet: Sheet, last: Paragraph, *, signed: bool) -> int:
    """The line of a last paragraph from which on the user asks about what stands before it, or behind the last line."""
    asks = (i for i in range(last.first, last.after) if asks_about_it(sheet.lines[i].text, signed=signed))
    return next(asks, len(sheet.lines))


_SIGN_OFF: Final = re.compile(
    r"(?:(?:kind|best|warm)(?:est)? )?(?:regards|wishes)|best|cheers|thanks|thank you|sincerely|yours|love"
    r"|mit freundlichen"
    r"|(?:viele|liebe|beste|herzliche) gr[uü](?:ß|ss)e|lg|vg|mfg|saludos|atentamente|un abrazo"
    r"|cordialement|bien à|"
    r"cordiali|atenciosamente|abraços?|cumprimentos",
    re.IGNORECASE,
)


def sign_off(text: str) -> bool:
    """Whether a line ends a letter."""
    return len(text) <= 60 and _SIGN_OFF.match(text.lstrip()) is not None


def _signed(sheet: Sheet, index: int) -> bool:
    """Whether a letter was signed in the lines before this one."""
    before = [line.text for line in sheet.lines[max(0, index - 8) : index] if line.text]
    return any(sign_off(text) for text in before[-3:])
