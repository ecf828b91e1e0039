"""English: "Write to my boss: …", "tell Anna that …"; words in full and contracted ones."""

from __future__ import annotations

import re
from typing import Final

from innerlife.affect.address import BEGINNING, WORD, Address, words

_THING: Final = r"(?:e-?mail|mail|message|note|letter|text|reply|answer|response|card)"
_ASKED: Final = (
    r"(?:(?:hey|hi|hello|ok|okay|so|now|then|also|please|pls|just)[,!]? )*"
    r"(?:(?:can|could|would|will) you (?:please )?|i (?:want|need) you to |i(?:'d| would) like you to "
    r"|(?:can you )?help me (?:to )?|let's )?(?:please )?"
)
_SUBJECT: Final = (
    r"(?=(?:i|we|you|he|she|it|they|there|this|these|the|my|our|your|his|her|its|their|nobody|everybody|everything"
    r"|nothing|something)\b)"
)

ADDRESS: Final = Address(
    lead=re.compile(
        rf"{BEGINNING}{_ASKED}(?:"
        r"(?P<tell>tell|let|remind|inform)"
        rf"|(?:write|send|draft|compose|prepare)(?: (?:an?|the|this|my|another)(?: following)?(?: \w+)? {_THING}"
        r"| this| it)? (?:to|for)"
        r"|(?:reply|respond|answer|say) to"
        r"|(?:an? |my )?(?:e-?mail|mail|message|note|letter|reply) to"
        r"|e-?mail|text|message|ask)\s+(?=\w)"
    ),
    opens=re.compile(
        rf"(?P<whom>{WORD}(?: {WORD}){{0,4}}?)(?:(?:,? (?:saying|and say)| know)?(?:"
        r":?\s*(?P<quote>[\"“«„])|(?P<colon>:(?!//)\s*)"
        rf"|(?P<clause> that {_SUBJECT})|(?P<bare> (?=(?:i|we)\b))))"
    ),
    again=re.compile(r"\bthat (?:i|we|you|he|she|it|they|there|the|my)\b"),
    about=re.compile(
        r"\b(?:make|keep) (?:it|this|that|the \w+) (?:\w+ )?(?:short|long|polite|formal|friendl|warm|nice|simple|clear"
        r"|sound|less|more|professional|brief|better)\w*"
        r"|\b(?:can|could|would|will) you (?:please )?(?:check|fix|polish|rewrite|shorten|translate|proofread|improve"
        r"|make (?:it|this|that)|reword|rephrase)\b"
        r"|(?:\A|(?<=[.!?\n]))\s*(?:please )?(?:check|fix|polish|rewrite|shorten|translate|proofread|rephrase"
        r"|sign it)\b"
        r"|\b(?:is|does) (?:this|that|it) (?:ok|okay|fine|too|sound|good)\b|\bwhat do you think\b"
        r"|\b(?:and|then) (?:then )?(?:remind|tell|give|show|help|let|send|read) me\b"
    ),
    articles=frozenset({"the"}),
    owners=frozenset({"my", "our"}),
    joins=frozenset({"and", "of", "the", "von", "van", "de", "del", "la"}),
    around=words(
        "about at on in by with before after for from that who which when today tomorrow tonight now again"
        " what how why where whether if everything all"
    ),
    nobody=words(
        "me us myself ourselves self yourself go file files disk database db console log logs stdout screen terminal"
        " table script list notes note notebook diary journal calendar blog folder printer clipboard code output"
        " subject template templates address body marketing messages message analysis editor format mining formatting"
        " report reports results document documents photo photos picture pictures link invoice draft cv resume"
        " website site page web app button banner slide label menu header footer ad poster caption review tweet post"
        " offer request complaint letter thread ticket issue riddle"
        " story stories tale truth joke jokes difference time question questions comment email text"
    ),
    unnamed=words(
        "him her them it everyone everybody someone somebody people a an this that these those each"
    ),
    head=-1,
    courtesy=re.compile(
        r"\b(?:please|pls|thanks(?! to\b)|thank you|thx|sorry|apologi[sz]e|my apologies|excuse me|pardon me"
        r"|would you mind|(?:kind|best|warm) regards|sincerely|grateful|i appreciate|much appreciated"
        r"|you're welcome)\b"
    ),
    form="full_forms",
    near=re.compile(
        r"\b(?:i'm|(?:you|we|they)'re|(?:he|she|it|that|there|what|who|where)'s|(?:i|you|we|they)'(?:ve|ll|d)"
        r"|(?:he|she|it)'(?:ll|d)|(?:do|does|did|is|are|was|were|has|have|had|wo|ca|could|would|should)n't"
        r"|let's|dont|doesnt|didnt|cant|wont|gonna|wanna)\b"
    ),
    formal=re.compile(
        r"\b(?:(?:i am|(?:you|we|they) are|(?:he|she|it|that|there|what|who|where) is"
        r"|(?:i|you|we|they|he|she|it) (?:will|would))(?= \w)"
        r"|(?:i|you|we|they) have been"
        r"|(?:do|does|did|is|are|was|were|has|have|had|will|could|would|should) not|cannot|let us)\b"
    ),
)
