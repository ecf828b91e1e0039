"""How people ask about a text that they show: before it, behind it, in five languages."""

from __future__ import annotations

import re
from typing import Final

LONGEST_REQUEST = 300
"""Characters of a paragraph that introduces a text or asks about one; a longer one tells something of its own."""

_THING = (
    r"(?:e-?mails?|mails?|messages?|texts?|articles?|letters?|paragraphs?|passages?|posts?|reviews?"
    r"|comments?|contracts?|clauses?"
    r"|abstracts?|papers?|job ads?|ads?|listings?|speech|statements?|notes?|recipes?|code|snippets?"
    r"|functions?|scripts?|errors?|logs?"
    r"|outputs?|excerpts?|quotes?|tweets?|reports?|transcripts?|documents?|conversations?|chats?|repl(?:y"
    r"|ies)|answers?"
    r"|nachrichten?|artikels?|briefe?s?|absatz|beitrag|vertrag|fehler|correos?|mensajes?|textos?"
    r"|artículos?|cartas?|párrafos?"
    r"|contratos?|courriels?|textes?|lettres?|paragraphes?|contrats?|mensagens?|mensagem|artigos?"
    r"|parágrafos?|e-mails?)"
)
_THIS = (
    r"(?:this|these|the|the following|following|below|that|diese[nrsm]?|folgende[nrsm]?|den|die|das"
    r"|est[ae]s?|el|la|los|siguientes?"
    r"|ce|cet|cette|ces|le|suivante?s?|ess[ae]s?|o|a|seguintes?)"
)
_TRANSFORM = (
    r"(?:summari[sz]e|sum up|translate|proofread|proof-read|rewrite|rephrase|paraphrase|correct|shorten"
    r"|simplify|polish|reword"
    r"|fix the (?:grammar|spelling)|fasse?t?\b[^:\n]{0,80}\bzusammen|zusammenfass\w+|übersetze?n?"
    r"|korrigiere?n?|kürze?n?"
    r"|formulier\w*|vereinfach\w*|resum[ea](?:me|n|lo)?|resúmeme|resumir|traduc[ei]r?|traduceme|tradúceme"
    r"|traduz(?:a|ir)?|corrig[ea]"
    r"|corrija|corrige|corrigir|reescrib[ei]r?|reescreva|résume[rz]?|tradui[st]e?z?|traduire|reformule[rz]?)"
)
_EXPLAIN = (
    r"(?:explain|analy[sz]e|review|critique|evaluate|comment on|reply to|respond to|answer|debug|refactor"
    r"|erkläre?|analysiere?|bewerte"
    r"|explica(?:me)?|analiza|explique[rz]?|analyse[rz]?|analise)"
)
_OF_MINE: Final = re.compile(
    r"\b(?:i wrote|i'?ve written|i have written|i came up with|of mine|(?:i|we) (?:need|have|want|like"
    r"|love|did|do)\b[^:\n]{0,60}:$|(?:letters?|e-?mails?|messages?|texts?|poems?"
    r"|posts?) (?:that )?i (?:never|always|will|would|want|wanted|should|might) "
    r"|here goes"
    r"|my (?:own )?(?:poem|story|essay|draft|letter|text|diary|journal|song|lyrics|cv|resume|speech"
    r"|e-?mail|message|reply|answer|thoughts?"
    r"|plan|list|day|week|notes?)|mein(?:e[nrsm]?)? (?:gedicht|text|brief|entwurf|geschichte|e-?mail"
    r"|nachricht|aufsatz)"
    r"|(?:ich|hab\w*) .{0,30}geschrieben habe?|mi (?:poema|texto|carta|borrador|historia|correo|mensaje)"
    r"|que escribí|he escrito"
    r"|mon (?:poème|texte|brouillon|message|mail)|ma lettre|j['’]ai écrit|meu (?:poema|texto|rascunho"
    r"|e-?mail)|minha carta"
    r"|que (?:eu )?escrevi)\b",
    re.IGNORECASE,
)
_SHOWN: Final = re.compile(
    rf"\b(?:this|these|dies\w{{1,2}}|folgende\w*|est[ae]s?|ce|cet|cette"
    rf"|ess[ae]) (?:\w+ ){{0,2}}{_THING}\b[^:\n]{{0,60}}:$|"
    r"\b(?:wrote|writes|sent|texted|emailed|e-mailed|messaged|replied|posted|answered|says?|said"
    r"|forwarded)\b[^:\n]{0,60}:$"
    rf"|\b(?:here(?:'s| is| are)|this is|i (?:just )?(?:got|received|found)|look at|see"
    rf"|consider)\b[^:\n]{{0,80}}\b{_THING}\b[^:\n]{{0,80}}:$"
    r"|\b(?:hat|haben) [^:\n]{0,60}geschrieben:$|\b(?:schrieb|schreibt)\b[^:\n]{0,60}:$"
    r"|\bescribi[óo]\b[^:\n]{0,60}:$|\ba écrit\b"
    rf"[^:\n]{{0,60}}:$|\bescreveu\b[^:\n]{{0,60}}:$|\b(?:hier ist|aquí está|voici"
    rf"|aqui está)\b[^:\n]{{0,80}}\b{_THING}\b[^:\n]{{0,60}}:$",
    re.IGNORECASE,
)
_TRANSFORMS: Final = re.compile(
    rf"(?:\A|[.!?,;]\s*|\b(?:please|pls|you|you to|and|just|then|bitte|kannst du|podrías|puedes|peux-tu"
    rf"|pode)\s+){_TRANSFORM}\b",
    re.IGNORECASE,
)
_EXPLAINS: Final = re.compile(
    rf"\b{_EXPLAIN}\b|\b{_THIS} (?:\w+ ){{0,2}}{_THING}\b[^:\n]{{0,60}}:$", re.IGNORECASE
)
_ABOUT_A_TEXT: Final = re.compile(
    rf"\b(?:what do you (?:think|make) of|how (?:should|do|would|can) i (?:answer|reply|respond)"
    rf"|what (?:should|do|can) i (?:answer|reply|say)"
    rf"|is|does|can you (?:read|check|explain|look at|summari[sz]e|reply to)|could you (?:read|check"
    rf"|explain|look at)|help me (?:with|reply to"
    rf"|answer|understand)|was hältst du von|was denkst du über|wie soll ich auf|kannst du|qué (?:opinas"
    rf"|piensas|te parece) (?:de|sobre)?"
    rf"|qu['’]en penses-tu|que penses-tu de|peux-tu|o que (?:você )?acha d[aeo]?|{_TRANSFORM}|{_EXPLAIN})"
    rf"\s*(?:\w+\s){{0,4}}?(?:this|these|the following|th[ae]t|dies\w{{1,2}}|folgende\w*|est[ae]|ce|cet"
    rf"|cette|d?est[ae]|d?ess[ae])"
    rf" (?:\w+ ){{0,3}}?{_THING}\b",
    re.IGNORECASE,
)
_ABOUT_THIS: Final = re.compile(
    r"\b(?:fix|explain|debug|check|read|translate|summari[sz]e|understand|rate|review|answer|improve"
    r"|proofread|solve|is|are|do|does|about"
    r"|of|with) (?:this|that|it|these)(?: (?:mean|work|say|for me|please|pls))*\s?[?.!]*\Z"
    r"|\b(?:is|was) (?:this|that|it) (?:a )?(?:legit|real|scam|spam|phishing|fake|true|normal|rude)\s?\?*\Z"
    r"|\bwas (?:heißt|bedeutet|ist) das\s?\?*\Z|\bqué (?:significa|es) esto\s?\?*\Z"
    r"|\bqu['’]est-ce que (?:ça|c'est)[^?\n]{0,20}\?*\Z"
    r"|\bo que (?:é|significa) isso\s?\?*\Z",
    re.IGNORECASE,
)
_SURELY_ABOUT_IT: Final = re.compile(
    r"\b(?:what|how) (?:should|do|would|can|could|am) i (?:supposed to )?(?:say|reply|answer|respond"
    r"|write back|react)\b"
    r"|\btl;?dr\b|\b(?:draft|write|help me (?:with|write|draft)?)\b[^.\n]{0,30}\b(?:a|an|my) (?:reply"
    r"|answer|response)\b"
    r"|\b(?:is|was) (?:this|that|it) (?:a )?(?:scam|spam|phishing|legit|real|fake|rude|normal)\b"
    r"|\bhelp me (?:reply|answer|respond)\b"
    rf"|\b(?:summari[sz]e|translate|proofread|explain|rewrite|rephrase|paraphrase|shorten) (?:this|it|that"
    rf"|these|the above"
    rf"|(?:this|the) {_THING})\b|\bwhat (?:does|did) (?:he|she|they|it|this|that) (?:really "
    rf"|actually )?mean\b"
    r"|\bwas soll ich (?:antworten|sagen|schreiben)\b|\bwie soll ich (?:antworten|reagieren)\b"
    r"|\bfass\w* (?:das|es|dies\w*)\b.{0,40}zusammen"
    r"|\bübersetz\w* (?:das|es|dies\w*)\b|\bqué (?:le|les)? ?(?:respondo|contesto|digo)\b|\b(?:resúmelo"
    r"|tradúcelo|resume esto|traduce esto)\b"
    r"|\bque (?:dois|devrais)-je répondre\b|\bcomment (?:répondre|dois-je répondre)\b|\b(?:résume"
    r"|traduis)(?:-le|-moi)? ?(?:ça|cela|ce|cette)?\b"
    r"|\bo que (?:eu )?(?:respondo|devo responder|digo)\b|\b(?:resuma|traduza) (?:isso|isto|ess[ea]"
    r"|est[ea])\b",
    re.IGNORECASE,
)
_MAYBE_ABOUT_IT: Final = re.compile(
    r"\b(?:what do you (?:think|make)|thoughts\?|any (?:ideas|thoughts)|can you|could you|should i"
    r"|was meinst du|was denkst du|was hältst du"
    r"|qué (?:opinas|piensas)|qu['’]en penses|tu en penses|o que (?:você )?acha)",
    re.IGNORECASE,
)
_INLINE: Final = re.compile(
    rf"\s*(?:(?:please|pls|can you|could you|bitte|por favor|s['’]il te plaît"
    rf"|stp)[, ]+)?{_TRANSFORM}\b[^:\n]{{0,80}}:\s*(?=\S)",
    re.IGNORECASE,
)


def of_ones_own(text: str) -> bool:
    """Whether the text that is introduced is said to be the user's own."""
    return _OF_MINE.search(text) is not None


def introduces(text: str) -> tuple[bool, int]:
    """(Whether a line that ends with a colon introduces somebody's text, from how many characters on)."""
    if not text.endswith((":", "：")) or of_ones_own(text):
        return False, 0
    if _TRANSFORMS.search(text):
        return True, 1
    if _SHOWN.search(text):
        return True, 20
    return _EXPLAINS.search(text) is not None, 160


def asks_before(text: str) -> bool:
    """Whether a paragraph asks about a text that follows, without a colon."""
    return len(text) <= LONGEST_REQUEST and not of_ones_own(text) and _ABOUT_A_TEXT.search(text) is not None


def asks_about_this(text: str) -> bool:
    """Whether a paragraph of a few words asks about something below that it does not name: "what does this mean"."""
    return len(text) <= 80 and not of_ones_own(text) and _ABOUT_THIS.search(text) is not None


def asks_about_it(text: str, *, signed: bool) -> bool:
    """Whether a last paragraph asks about what stands before it; a letter `signed` before it makes that likelier."""
    if len(text) > LONGEST_REQUEST:
        return False
    return _SURELY_ABOUT_IT.search(text) is not None or (signed and _MAYBE_ABOUT_IT.search(text) is not None)


def asks_inline(text: str) -> int:
    """Where in a line the text begins that is to be translated or summarised, or -1."""
    match = _INLINE.match(text[:LONGEST_REQUEST])
    if match is None or of_ones_own(match.group()):
        return -1
    return match.end()
