"""Text that shows by its shape that nobody typed it here: code, traces, tables, markup, lists of links."""

from __future__ import annotations

import re
from typing import Final

from innerlife.conversations.text_lines import PartKind, Sheet

_LOOKED_AT = 200
"""Characters of a line by which its shape is known."""

_FENCE: Final = re.compile(r"\s{0,12}(?:[-*+]\s{1,4}|\d{1,3}[.)]\s{1,4})?(`{3,}|~{3,})([^`\n]{0,100})\Z")
_FENCE_END: Final = re.compile(r"\s{0,12}(`{3,}|~{3,})\s*\Z")
_FENCED_LINE: Final = re.compile(r"\s{0,3}`{3,}[^`\n]+`{3,}\Z")

_TRACE_HEAD: Final = re.compile(
    r"Traceback \(most recent call last\):|Exception in thread |Caused by: "
    r"|thread '[^']{1,60}' panicked at|panic: |goroutine \d+ \["
    r"|(?:[\w$]+\.)*[\w$]*(?:Error|Exception|Warning): |npm ERR! |error(?:\[\w+\])?: .{0,150}(?:at|in"
    r"|line) |Segmentation fault"
)
_SHELL: Final = re.compile(
    r"(?:\$|>>>|PS [A-Z]:\\[^>\n]{0,80}>|[\w.-]{1,40}@[\w.-]{1,40}:[^$#\n]{0,80}[$#])\s\S"
)
_TRACE_LINE: Final = re.compile(
    r"\s+(?:at\s\S.{0,180}|File \"[^\"\n]{1,150}\", line \d+.{0,60}|\^+|-->\s.{1,150}|\.\.\. \d+ more)\Z"
)
_LOG_LINE: Final = re.compile(
    r"\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}|\[?(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL|TRACE)\]?[ :]"
    r"|\w{3}\s+\d{1,2} \d{2}:\d{2}:\d{2} \S+ \S+:"
    r"|\[\s*\d+\.\d{3,}\]|npm (?:ERR|WARN)|\d{1,3}(?:\.\d{1,3}){3} - - \["
)

_TABLE: Final = re.compile(r"\s*(?:\|.*\||[+|][-=+|: ]{3,}|[^\t\n]*\t[^\t\n]*\t.*)\Z")
_RULE: Final = re.compile(r"\s*[|+]?\s*:?-{3,}:?\s*(?:[|+]\s*:?-{3,}:?\s*)+[|+]?\Z")
_OPENS: Final = re.compile(
    r"\s*<(?:!DOCTYPE|!--|\?xml|([A-Za-z][\w:.-]{0,40})(?:\s[^<>]{0,400})?/?>)", re.IGNORECASE
)
_CLOSES: Final = re.compile(r"</([A-Za-z][\w:.-]{0,40})\s*>")
_JSON: Final = re.compile(r"\s*[{\[]\s*(?:\Z|[\"{\[])")
_KEY: Final = re.compile(r"\"[^\"\n]{0,80}\"\s*:")
_BRACKETS: Final = re.compile(r"[{}\[\]]")

_CODE: Final = re.compile(
    r"""\s* (?:
        \[[\w.-]{1,40}\]\Z | (?:async\ )?def\ \w+\s*\( | class\ \w+\s*[:({] | import\ [\w.]+(?:\ as\ \w+)?;?\Z
          | import\ .{1,100}\ from\ ['"]
      | from\ [\w.]+\ import\b | (?:export\ )?(?:async\ )?function\b.{0,60}\(
      | (?:export\ )?(?:const|let|var)\ [\w{\[].{0,60}=
      | \#include\b | \#!/ | package\ [\w.]+;?\Z | using\ [\w.]+;
      | (?:public|private|protected|static)\ .{1,100}[({;] | <\?php
      | (?:if|for|while|switch)\ ?\(.{0,150}\)\s*\{? \Z | (?:if|elif|for|while|with)\ .{1,150}:\Z
      | for\ \w+\ in\ \w+\(.{0,80}
      | (?:else|try|finally)\s*[:{]\Z
      | (?:return|await|yield|raise|throw)\b.{0,150}[;()\[\]{}=.] | except\b.{0,60}:\Z
      | @\w[\w.]{0,60}(?:\(.{0,100}\))?\Z
      | (?:SELECT|INSERT\ INTO|UPDATE|DELETE\ FROM|CREATE\ TABLE|ALTER\ TABLE|FROM|WHERE|ORDER\ BY
      |GROUP\ BY|(?:LEFT\ |INNER\ )?JOIN)\s.{1,150}
      | [\w.\#:\ >,*-]{1,80}\s?\{\Z | \s+[\w-]{2,40}:\s?[^;]{1,100};\Z | (?://|/\*|\*/|\#\ |--\ )\s?\S.{0,150}
      | [}\])]+[;,]?\Z | [\w.$\[\]'"]{1,80}\s?(?:[-+*/|&]|:)?=\s?[^=\s].{0,150}
      | [\w.$]{1,80}\(.{0,150}\)[;{]?\Z
      | .{1,190}[=(){}\[\]<>].{0,120}[;{]\Z | \$\ \w.{0,150} | \w+@[\w.-]+:[~/].{0,80}[$\#]\ .{0,80}
    )""",
    re.VERBOSE,
)
_COMMENT: Final = re.compile(r"\s*(?:\#|--|\*)\s")
_LINK: Final = re.compile(r"\s*(?:[-*•]\s+|\d+[.)]\s+)?<?https?://\S+>?\Z")


def fences(sheet: Sheet) -> None:
    """Blocks between ``` or ~~~; one without an end goes on to the last line."""
    mark, first = "", -1
    for index, line in enumerate(sheet.lines):
        if first < 0:
            if line.text.lstrip()[:3] in ("```", "~~~") and _FENCED_LINE.match(line.text):
                sheet.claim(index, index + 1, PartKind.FENCED)
            elif opened := _FENCE.match(line.text[:_LOOKED_AT]):
                mark, first = opened.group(1), index
        elif (closed := _FENCE_END.match(line.text[:_LOOKED_AT])) and closed.group(1).startswith(mark):
            sheet.claim(first, index + 1, PartKind.FENCED)
            first = -1
    if first >= 0:
        sheet.claim(first, len(sheet.lines), PartKind.FENCED)


def traces(sheet: Sheet) -> None:
    """Stack traces and lines of logs."""
    index = 0
    while index < len(sheet.lines):
        text = sheet.lines[index].text[:_LOOKED_AT]
        after = index
        if text and sheet.free(index):
            if _SHELL.match(text):
                after = _block_end(sheet, index)
            elif _LOG_LINE.match(text):
                after = index + 1
            elif _TRACE_HEAD.match(text) or _TRACE_LINE.match(text):
                after = _trace_end(sheet, index)
        if after > index:
            sheet.claim(index, after, PartKind.PASTED)
        index = max(after, index + 1)


def _block_end(sheet: Sheet, index: int) -> int:
    """Behind the lines without an empty one among them: a command and what it printed."""
    while sheet.free(index):
        index += 1
    return index


def _trace_end(sheet: Sheet, index: int) -> int:
    """Behind the indented lines that follow, and behind the error that ends a Python trace."""
    python = sheet.lines[index].text.startswith("Traceback")
    after = index + 1
    while sheet.free(after) and sheet.lines[after].text[:1] in " \t":
        after += 1
    if python and sheet.free(after):
        after += 1
    return after


def markup(sheet: Sheet) -> None:
    """Blocks of XML or HTML up to the end tag, and of JSON up to the closing bracket."""
    closing: dict[str, list[int]] = {}
    for index, line in enumerate(sheet.lines):
        if "</" in line.text:
            for name in set(_CLOSES.findall(line.text)):
                closing.setdefault(name.lower(), []).append(index)
    budget = 4 * len(sheet.lines)
    index = 0
    while index < len(sheet.lines):
        after = index
        head = sheet.lines[index].text[:_LOOKED_AT]
        if head and sheet.free(index):
            if "<" in head and (opened := _OPENS.match(sheet.lines[index].text[:600])):
                after = _tag_end(index, (opened.group(1) or "").lower(), closing)
            elif _JSON.match(head):
                after, budget = _json_end(sheet, index, budget)
        if after > index:
            sheet.claim(index, after, PartKind.PASTED)
        index = max(after, index + 1)


def _tag_end(index: int, name: str, closing: dict[str, list[int]]) -> int:
    """Behind the last end tag of that name, or `index` where there is none: "<sigh> I am tired" is the user's own."""
    if not name:
        return index + 1
    ends = closing.get(name, ())
    return ends[-1] + 1 if ends and ends[-1] >= index else index


def _json_end(sheet: Sheet, index: int, budget: int) -> tuple[int, int]:
    """(Behind the closing bracket, or `index` where this is no JSON; what is left of the lines to look at)."""
    depth, keys = 0, False
    for at in range(index, len(sheet.lines)):
        budget -= 1
        if budget < 0:
            break
        text = sheet.lines[at].text
        keys = keys or _KEY.search(text) is not None
        depth += sum(1 if bracket in "{[" else -1 for bracket in _BRACKETS.findall(text))
        if depth <= 0:
            return (at + 1 if keys else index), budget
    return index, budget


def tables(sheet: Sheet) -> None:
    """Rows between bars or tabs, and comma-separated values: at least two in a row, three for commas."""
    rows = [_TABLE.match(line.text) is not None for line in sheet.lines]
    for first, after in list(sheet.runs(rows)):
        if after - first >= 2:
            sheet.claim(first, after, PartKind.PASTED)
    commas = [line.text.count(",") if ", " not in line.text else 0 for line in sheet.lines]
    for first, after in list(sheet.runs([count >= 2 for count in commas])):
        if after - first >= 3 and len(set(commas[first:after])) == 1:
            sheet.claim(first, after, PartKind.PASTED)


def code(sheet: Sheet) -> None:
    """Code without a fence: at least two lines of it together, most of a run."""
    lines = sheet.lines
    like = [bool(line.text) and _CODE.match(line.text[:400]) is not None for line in lines]
    for first, after in list(sheet.runs([bool(line.text) for line in lines])):
        hits = [i for i in range(first, after) if like[i]]
        surely = sum(_COMMENT.match(lines[i].text) is None for i in hits)
        if surely < 2 or 5 * len(hits) < 3 * (hits[-1] - hits[0] + 1):
            continue
        indented = all(line.indent >= 4 for line in lines[first:after])
        sheet.claim(hits[0], hits[-1] + 1, PartKind.FENCED if indented else PartKind.PASTED)


def links(sheet: Sheet) -> None:
    """Three addresses in a row or more."""
    for first, after in list(sheet.runs([_LINK.match(line.text) is not None for line in sheet.lines])):
        if after - first >= 3:
            sheet.claim(first, after, PartKind.PASTED)
