"""Role-play, recognised as the programs made for it send it: by their cards in the system text (design §8).

A mistake costs the user the memory of their life, so there are two ways only: a sentence that such a program ships
and nobody types, or several blocks of a card together of which one belongs to role-play alone. A persona of an
assistant, an exercise, or a person who asks for help with a scene has neither.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from innerlife.membrane.turn import Speaker, TurnRequest

_LOOKED_AT = 40_000
"""Characters of a text that are looked at; cards with their lore are long, but what marks them comes early."""

_FEW = 3
"""Blocks of a card that must come together where no shipped sentence is found."""

_ASSISTANT: Final = re.compile(
    r"\b(?:(?-i:AI|A\.I\.)|assistant|chatgpt|\w*gpt|claude|gemini|copilot|bot|chatbot|helper|tutor|teacher|assistent|asistente"
    r"|assistente)\b|ассистент|помощник|助手|助理|アシスタント",
    re.IGNORECASE,
)
"""Who is no character: such programs are also used to talk to an assistant, about the user's own life."""

_NAMED: Final = re.compile(
    r"""
      # SillyTavern public/scripts/openai.js (main prompt), sysprompt "Neutral - Chat"; Agnai; RisuAI "ooba"
      Write\ (?P<a>[^\n]{1,80}?)['’]s\ next\ reply\ in\ (?:a|this)\ (?:never-ending\ )?fictional\ (?:chat|role-?\s?play)
      # SillyTavern presets "Roleplay - Simple", "simple-proxy-for-tavern", "OldDefault", "Lightning 1.1"
    | You['’]re\ "?(?P<b>[^\n"]{1,80}?)"?\ in\ this\ (?:fictional\ )?never-ending\ (?:uncensored\ )?roleplay\ with
    | Then\ the\ roleplay\ chat\ between\ (?P<c>[^\n]{1,120}?)\ begins
    | Take\ the\ role\ of\ (?P<d>[^\n]{1,80}?)\ in\ a\ play\ that\ leaves\ a\ lasting\ impression
      # SillyTavern sysprompt "Actor"
    | Currently\ your\ role\ is\ (?P<e>[^\n]{1,80}?),\ which\ is\ described\ in\ detail\ below
      # SillyTavern group chats, RisuAI groups
    | \[Write\ the\ next\ reply\ only\ as\ (?P<f>[^\n\]]{1,80}?)\.?\]
      # KoboldAI Lite, chat mode
    | \[The\ following\ is\ an\ interesting\ chat\ message\ log\ between\ (?P<g>[^\n\]]{1,120}?)[.\]]
      # Backyard AI (Faraday), model instructions
    | Text\ transcript\ of\ a\ never-ending\ conversation\ between\ (?P<h>[^\n]{1,120}?)[.\n]
      # text-generation-webui, chat-instruct
    | Write\ a\ single\ reply\ for\ the\ character\ "(?P<i>[^\n"]{1,80})"
      # Pygmalion and Metharme, as model cards and clients give it
    | Enter\ (?:RP|role-?play(?:ing)?)\ mode\.?\ (?:Pretend\ to\ be|You\ are)\ (?P<j>[^\n,.]{1,80})
    """,
    re.VERBOSE,
)

_NAMELESS: Final = re.compile(
    r"""
      \#\#\#\ New\ Roleplay: | \[?Enter\ Adventure\ Mode\.\ Narrate\ the\ story
    | \bEnter\ (?:RP|[Rr]ole-?[Pp]lay(?:ing)?)\ [Mm]ode\b
    | \[Details\ of\ the\ fictional\ world\ the\ RP\ (?:is\ )?set\ in:
    | \[System\ note:\ Write\ one\ reply\ only\.\ Do\ not\ decide\ what
    | You\ are\ an\ expert\ actor\ that\ can\ fully\ immerse\ yourself\ into\ any\ role
    | Develop\ the\ plot\ slowly,\ always\ stay\ in\ character
    | The\ AI\ will\ engage\ with\ the\ user\ without\ breaking\ character
    | Genre:\ online\ roleplay | You\ are\ now\ in\ roleplay\ (?:conversation|chat)\ mode
    | This\ is\ role-?playing\.\ You\ play\ the\ roles?\ of
    | You\ are\ (?:now\ )?role-?playing\ as\ (?:the\ character\ )?["“]?(?!AI\b|Assistant\b|ChatGPT\b)[A-ZÀ-Þ][^\W\d_]
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of a card: the pattern is looked for only where one of its `signs` stands, in small letters."""

    signs: tuple[str, ...]
    pattern: re.Pattern[str]

    def stands_in(self, text: str, small: str) -> bool:
        return any(sign in small for sign in self.signs) and self.pattern.search(text) is not None


def _block(signs: str, pattern: str) -> _Block:
    return _Block(tuple(signs.split("|")), re.compile(pattern, re.IGNORECASE | re.MULTILINE))


_SHIPPED_SIGNS: Final = (
    "next reply",
    "never-ending",
    "roleplay",
    "role-play",
    "lasting impression",
    "described in detail below",
    "chat message log",
    "reply for the character",
    "enter rp mode",
    "enter adventure mode",
    "the fictional world",
    "write one reply only",
    "expert actor",
    "develop the plot slowly",
    "without breaking character",
)
"""One of these stands in every sentence above: a quick look that spares most system texts the slow one."""

_CARD: Final = (
    _block("personality|persona", r"^\[?(?:[^\n:]{1,60}['’]s )?(?:personality|persona)\s?:"),
    _block(
        "scenario|circumstances",
        r"^\[?(?:the )?(?:scenario(?: of the conversation)?|circumstances and context of the dialogue)(?: is)?\s?:",
    ),
    _block(
        "example|speaks|talk",
        r"^\[?example (?:dialogues?|messages?|chat)\b|^(?:this is )?how [^\n]{1,60} (?:speaks|(?:should )?talks?)\b",
    ),
    _block(
        "character",
        r"\b(?:stay|remain|keep) in character\b|\b(?:never|not|don['’]t|without) break(?:ing)? character\b",
    ),
)
"""Blocks that cards share with personas of assistants and with exercises."""

_NOT_FOR_THE_USER = (
    r"\b(?:never|not|don['’]t|avoid) (?:decid|writ|speak|act|control|describ|narrat|play|impersonat)\w*\b[^.\n]{0,60}"
    r"\b(?:for|as|what|of)\b[^.\n]{0,30}(?:\{\{user\}\}|<user>|\buser\b|\bsays? or do)"
)
_ASTERISKS = (
    r"\bitalici[sz]e actions\b|\*(?:actions?|does this)\*"
    r"|\bactions? (?:in|within|between|with|using|inside) (?:\*|asterisks|italics)"
)
_PROGRAMS: Final = (
    _block(
        "[start a new|example|<start>",
        r"\[start a new (?:group )?chat\b|\[example chat\]|\{example dialogue:\}|^<start>\s*$",
    ),
    _block("{{", r"\{\{(?:char|user)\}\}"),
    _block(
        "(",
        r"\[\s?character\s?\(|\b(?:species|body|appearance|likes|hates|personality)\s?\(\s?[\"“][^\n]{1,200}[\"”]\s?\)",
    ),
)
"""Blocks in the notation of programs for role-play."""

_ROLE_PLAY_ALONE: Final = (
    *_PROGRAMS,
    _block("user|say", _NOT_FOR_THE_USER),
    _block(
        "roleplay|role-play|role play|in-character|rp|fictional",
        r"\brole-?\s?play(?:ing|s)?\b|\bin-character\b|\brp\b|\bfictional (?:character|world|story|setting)\b",
    ),
    _block("italici|action|does this", _ASTERISKS),
    _block("nsfw|smut|erotic", r"\bnsfw\b|\bsmut\b|\berotica?\b"),
)
"""Blocks that nothing but role-play needs, unless a tutor is told to practise a scene."""

_WHO: Final = re.compile(r"\b(?:you are|you['’]re|act as)\b([^\n.]{1,80})", re.IGNORECASE)

_TURN: Final = re.compile(r"^([^\W\d_][^\n:]{0,40}):\s", re.MULTILINE)
_PROMPTED: Final = re.compile(r"\n([^\W\d_][^\n:]{0,40}):\s*\Z")


def is_fiction(request: TurnRequest) -> bool:
    """Whether a program for role-play sent this. The answer depends on the request alone."""
    systems = [said.text[:_LOOKED_AT] for said in request.messages if said.speaker is Speaker.SYSTEM]
    users = [said.text[:_LOOKED_AT] for said in request.messages if said.speaker is Speaker.USER]
    if any(_shipped(text) for text in systems):
        return True
    if _is_card("\n".join(systems)):
        return True
    if request.lone_prompt:
        return any(_shipped(text) or _is_card(text) or _is_dialogue(text) for text in users)
    # Some servers take no system text: then the card stands in front of the first message.
    return bool(users) and _begins_shipped(users[0])


def _shipped(text: str) -> bool:
    """Whether a text has a sentence that programs for role-play ship, about somebody who is no assistant."""
    small = text.lower()
    if not any(sign in small for sign in _SHIPPED_SIGNS):
        return False
    return _NAMELESS.search(text) is not None or any(_is_character(match) for match in _NAMED.finditer(text))


def _begins_shipped(text: str) -> bool:
    """The same for a text that a person may have typed: only at its very beginning."""
    text = text.lstrip()
    match = _NAMED.match(text)
    return _NAMELESS.match(text) is not None or (match is not None and _is_character(match))


def _is_character(match: re.Match[str]) -> bool:
    return _ASSISTANT.search(next(name for name in match.groups() if name is not None)) is None


def _is_card(text: str) -> bool:
    """Whether several blocks of a card come together, one of which belongs to role-play alone.

    A text that begins with whom it makes of the model, and that is an assistant or a tutor, is a card only in the
    notation of such programs: exercises have a scenario, a personality and parts to play too.
    """
    small = text.lower()
    who = _WHO.search(text)
    assists = who is not None and _ASSISTANT.search(who.group(1)) is not None
    if assists and not any(block.stands_in(text, small) for block in _PROGRAMS):
        return False
    alone = sum(block.stands_in(text, small) for block in _ROLE_PLAY_ALONE)
    return alone > 0 and alone + sum(block.stands_in(text, small) for block in _CARD) >= _FEW


def _is_dialogue(prompt: str) -> bool:
    """Whether one prompt is the log of a chat between named characters that waits for the next line, under a card."""
    prompted = _PROMPTED.search(prompt[-200:])
    if prompted is None or _ASSISTANT.search(prompted.group(1)):
        return False
    speakers = [name.strip() for name in _TURN.findall(prompt)]
    turns = speakers.count(prompted.group(1).strip())
    small = prompt.lower()
    return turns >= 2 and any(block.stands_in(prompt, small) for block in _CARD)
