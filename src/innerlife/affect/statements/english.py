"""How English says what one feels now."""

from __future__ import annotations

import re
from typing import Final

from innerlife.affect.handed import BEGINNING
from innerlife.affect.lexicon import Feelings, expressions, feelings_of, followers
from innerlife.affect.tongue import Tongue

_FEELINGS: Final = feelings_of("""
    0.8 0.4 0.5: happy, so happy, cheerful, delighted, joyful
    0.9 0.7 0.6: overjoyed, ecstatic, elated, euphoric, over the moon, on cloud nine, on top of the world, blissful
    0.8 0.8 0.5: excited, thrilled, pumped, stoked, psyched, hyped, giddy, exhilarated, exited
    0.4 0.2 0.3: glad
    0.6 0.4 0.4: pleased, amused, great, awesome, amazing, fantastic, wonderful, terrific, excellent, lovely
    0.6 0.7 0.7: energized, energetic, energised, alive, fired up, motivated, inspired, invigorated, pumped up
    0.6 0.4 0.7: proud, accomplished, victorious, powerful, confident, empowered, fulfilled, strong, unstoppable
    0.5 0.1 0.6: determined, capable, ready, focused, in control, productive
    0.6 0.1 0.2: grateful, thankful, blessed, appreciative, touched, moved, appreciated, loved, cared for, seen
    0.6 0.3 0.4: hopeful, optimistic, encouraged, enthusiastic, eager, upbeat, in a good mood, in a great mood
    0.6 -0.4 0.4: relaxed, calm, peaceful, serene, at peace, at ease, content, contented, satisfied, comfortable, safe
    0.6 -0.3 0.3: relieved, rested, refreshed, better, much better, so much better, a lot better, cozy, chilled out
    0.5 0.3 0.3: playful, silly, infatuated, in love, smitten, flattered, reassured, supported
    0.3 0.4 0.1: curious, intrigued, fascinated, amazed, astonished, impatient to start, nostalgic
    -0.1 0.6 -0.3: surprised, startled, shocked, stunned, speechless, blown away, taken aback
    -0.3 0.3 -0.4: confused, puzzled, baffled, bewildered, perplexed, disoriented, torn, conflicted, unsure of myself
    -0.4 -0.4 -0.2: bored, bored to death, restless, uninspired, unmotivated, indifferent, meh, blah
    -0.5 -0.6 -0.4: tired, sleepy, drowsy, weary, worn out, beat, drained, sluggish, lethargic, fatigued, low energy
    -0.6 -0.5 -0.5: exhausted, burned out, burnt out, burning out, spent, wiped out, shattered, knackered, dead tired
    -0.6 -0.3 -0.5: sad, down, low, blue, gloomy, unhappy, melancholy, melancholic, glum, sorrowful, teary, weepy
    -0.8 -0.2 -0.6: miserable, depressed, heartbroken, devastated, crushed, broken, wretched, grief stricken, gutted
    -0.8 -0.2 -0.8: hopeless, in despair, despairing, desperate, worthless, empty, numb, defeated
    -1.0 0.0 -0.9: suicidal
    -0.7 0.0 -0.4: awful, terrible, horrible, bad, so bad, crappy, dreadful, rotten, shitty, rough, rubbish, unwell
    -0.7 0.0 -0.4: like shit, like crap, like garbage, like trash, like hell, like rubbish, ill, sick
    -0.7 0.0 -0.4: under the weather
    -0.6 -0.3 -0.6: lonely, alone, isolated, abandoned, unloved, left out, homesick, forgotten, invisible, lonesome
    -0.6 0.1 -0.6: hurt, betrayed, rejected, let down, disappointed, disheartened, discouraged, unappreciated, used
    -0.6 0.6 -0.6: anxious, nervous, worried, uneasy, apprehensive, tense, on edge, jittery, antsy, worried sick
    -0.7 0.8 -0.7: scared, afraid, terrified, frightened, panicky, panicked, petrified, horrified, alarmed, fearful
    -0.7 0.8 -0.7: panicking, freaking out, freaked out, losing my mind, losing it, spiraling, spiralling, hysterical
    -0.6 0.6 -0.6: stressed, stressed out, so stressed, overwhelmed, swamped, frazzled, under pressure, overworked
    -0.6 0.4 -0.7: helpless, powerless, trapped, stuck, lost, out of control, vulnerable, insecure, small, weak
    -0.6 0.3 -0.7: drowning, falling apart, breaking down, struggling, a mess, suffocating, failing, at my limit
    -0.5 0.6 0.1: frustrated, annoyed, irritated, agitated, aggravated, exasperated, impatient, grumpy, cranky, moody
    -0.6 0.5 0.1: fed up, sick of it, sick of this, sick and tired, tired of this, irritable, bitter, resentful
    -0.6 0.5 0.1: grouchy
    -0.7 0.8 0.3: angry, mad, furious, enraged, livid, pissed, pissed off, outraged, irate, fuming, seething, raging
    -0.6 0.3 0.0: disgusted, grossed out, repulsed, appalled, jealous, envious, offended, insulted, ticked off
    -0.6 0.3 -0.6: ashamed, embarrassed, humiliated, mortified, guilty, regretful, remorseful, self-conscious, awkward
    -0.6 0.3 -0.5: upset, distressed, troubled, disturbed, bothered, tormented, in pain, in a bad mood, shaken
    -0.6 0.3 -0.5: dejected
    -0.4 0.2 -0.3: concerned, off, out of sorts, uncomfortable, pessimistic, doubtful, pensive, crying
    0.3 0.0 0.1: decent
    0.5 0.4 0.3: lucky, impressed, chuffed, buzzing, tickled, validated, understood, heard
    -0.6 0.3 -0.6: attacked, judged, misunderstood, ignored, unwanted, neglected, cheated, cornered, disrespected
    -0.5 0.2 -0.6: intimidated, unsettled, rattled, shy, inadequate, stupid, ugly, useless, clueless, like a failure
    -0.5 -0.3 -0.4: jaded, disillusioned, demoralized, demoralised, deflated, defeatist, bummed, bummed out, heavy
""")

_FELT_ONLY_WORDS: Final = """
    down low blue beat spent shattered broken empty numb used seen safe strong alive small weak off rough
    rubbish ready lost stuck alone hurt moved touched failing lovely amazing awesome fantastic wonderful
    excellent terrific powerful capable better focused comfortable raging silly invisible
    forgotten decent low bad meh blah great ill indifferent confident supported appreciated loved encouraged
    curious intrigued lucky impressed understood heard validated attacked judged ignored unwanted cheated shy stupid
    ugly useless clueless heavy cornered
"""
_FELT_ONLY: Final = frozenset(_FELT_ONLY_WORDS.split())
_NOT_SLIPS_WORDS: Final = """
    sacred started stated stained trained cured covered united exacted scarred staring starring starting
    started moping pissd hopping loney lowly lovey expired striped stripped
"""
_NOT_SLIPS: Final = frozenset(_NOT_SLIPS_WORDS.split())

_TONE: Final = (
    r"(?:so+|to{2,}|ve+r+y+|re+a+l+y+|rly|real|pretty|quite|extremely|super|totally|completely|absolutely|"
    r"utterly|just|still|kinda|kind of|sort of|sorta|a bit|a little bit|a little|a tad|a lot|rather|"
    r"honestly|all|also|even|feeling|getting|starting to feel|starting to get|beginning to feel|becoming|"
    r"growing|actually|genuinely|truly|deeply|incredibly|terribly|insanely|seriously|fucking|"
    r"freaking(?! out)|damn|bloody|hella|now|currently|already|again|definitely|fully|thoroughly|"
    r"officially|both|more and more|increasingly|slightly|somewhat|mostly|literally|fairly|feelin|"
    r"ridiculously|doing|always|such|like(?= (?:so|really)\b)|right now|today|tonight|simply|beyond|"
    r"quite literally|mildly|perfectly|about to be|that|overly|particularly|exactly|entirely|especially|"
    r"a wee bit|way too|too damn|ever so|emotionally|mentally|physically)"
)
_NOT: Final = (
    r"(?:not(?! (?:just|only|merely|gonna|going))|no longer|far from|anything but|hardly|neither|barely|"
    r"never(?= been)|not even|isn'?t|ain'?t)"
)
_AM: Final = r"(?:i'?m|i am|iam|i m|i'am|i be)"
_BEEN: Final = r"(?:i'?ve|i have|ive) (?:(?:just|really|kinda|honestly|also|always) )?been"
_FEEL: Final = (
    r"(?:i(?: (?:just|still|really|honestly|also|kinda|do|truly|genuinely|currently|actually|"
    r"sort of))* fee+l)"
)
_FEEL_NOT: Final = r"(?:i (?:really |just |honestly )?(?:don'?t|do not|dont) (?:really |even |exactly )?feel)"

_FRAME: Final = re.compile(
    rf"(?<![\w'])(?:(?P<feel>{_FEEL}|(?P<unfelt>{_FEEL_NOT})|{_AM}(?: (?:(?P<untold>{_NOT})|"
    rf"{_TONE}))*? (?:feeling|feelin|doing)|{_BEEN}(?: {_TONE})*? feeling|it feels like {_AM}|"
    rf"{_FEEL} like {_AM}|(?<![\w ,'] )(?<!\w)feeling)|{_AM}|{_BEEN}(?=[^,.!?]*\b(?:lately|recently|"
    rf"all (?:day|week|morning|night|month)|since|today|this (?:week|morning|month)|these days|for (?:days|"
    rf"weeks|months|a while))\b))(?:,? (?:(?P<no>{_NOT})|{_TONE}))* (?=\w)"
)
_JOINT: Final = re.compile(
    rf"(?:(?P<turn>,? (?:but|just|only|though|yet)\b)|,? (?:and|or|nor|&)|,(?= \w))(?: (?:(?P<no>{_NOT})|"
    rf"{_TONE}|i|i'?m|and|also|or|nor|then|feel|just))* (?=\w)"
)
_FINE_WORDS: Final = """
    fine, ok, okay, alright, all right, good, well, all good, okey, just fine, doing fine, k
"""
_FINE: Final = frozenset(one.strip() for one in _FINE_WORDS.split(","))
_PHOBIA: Final = (
    r"(?:(?:the )?(?:dark|dentists?)|flying|planes|heights|spiders|snakes|needles|injections|blood|dogs|cats|horses|"
    r"mice|rats|bugs|insects|wasps|bees|moths|clowns|ghosts|thunder|lifts|elevators|sharks|germs|crowds|driving)"
)
"""What people are afraid of all their life: it says nothing of how they are now."""

_NOT_BEFORE: Final = followers(
    r"""
    all good, all right, alright, doing fine, fine, good, just fine, k, ok, okay, okey, well:  ?-|
        (?: enough)? (?:at|with|to(?! be\b)|for(?! now| the moment)|on|by|aware|versed|tuning|tuned|if|as|known|
        timing|done|luck|friends|people|person|guy|girl|kid|boy|morning|sized|of|about|taking|using|doing|
        leaving|going)\b
    happy: ,? (?:to(?! (?:be|have been|have finally|feel)\b)|you\b|that you|u\b|with (?:either|both|any)\b|
        for you)| (?:hour|birthday|camper|path|medium|if|either way)\b
    delighted, flattered, glad, pleased, so happy: ,? (?:to(?! (?:be|have been|have finally|feel)\b)|you\b|
        that you|u\b|with (?:either|both|any)\b|for you)
    proud:  to (?:announce|present|say)\b
    excited, thrilled:  to (?:announce|share|introduce|present)\b
    eager:  to\b
    struggling:  (?:with|to)\b
    afraid: ,? (?:i|that|so|not|we|you|it|it's|its|the|there|this|he|she|they|my|your|our|no|nothing|to say|
        to report|of PHOBIA)\b
    scared:  (?:i|that|so|to ask|of PHOBIA)\b
    petrified, terrified:  of PHOBIA\b
    ashamed, embarrassed, sad:  to (?:say|report|inform|announce|hear|see|tell)\b
    shocked, surprised:  (?:that|to|you|it|they|by how|at how|how)\b
    amazed:  (?:that|to|you|it|they|by|at|how)\b
    satisfied:  (?:with|that|by)\b
    content:  (?:creator|writer|marketer|editor|manager|with|to)\b
    confident:  (?:that|this|we|you|it|the|in the|in our|about the)\b
    grateful:  (?:if|for any)\b
    concerned:  (?:with (?:how|what)|only)\b
    angry: (?: birds?\b|-)
    mad: (?: (?:max|men|libs?|scientist|hatter)\b|-| about (?!(?:what|how|that|this|it|the|him|her|them|you|being|
        everything|my|our|your|his|their|losing|getting)\b))
    sick:  (?:beats|skills|of)\b
    tired:  of\b
    anxious, vulnerable:  to\b
    envious, jealous:  of your\b
    guilty:  (?:pleasure|of)\b
    crying:  (?:wolf|laughing|with laughter|from laughing)\b
    comfortable:  (?:with|using|in)\b
    determined:  (?:by|that)\b
    productive:  (?:with|in)\b
    moved:  (?:to|from|in|out)\b
    in love:  with (?:this|the|that|your)\b
    torn:  between\b
    conflicted:  (?:between|about (?:which|using))\b
    awful, bad, hopeless, horrible, so bad, terrible:  for (?!\w+ing\b|myself\b|not\b)| (?:
        at (?!(?:the (?:moment|minute)|present|night|work|home|school|times|life|all|what|how|myself)\b)\w|
        with (?:names|faces|numbers|dates|money|directions|people|kids|plants|words|computers)\b)
""".replace("PHOBIA", _PHOBIA)
)
_WHO: Final = (
    r"(?:this|it|that|he|she|everything|work|you|they|(?:this|that|the|my|his|her|your|"
    r"our)(?: \w+){1,2}?)(?:'s|'re| is| are)?"
)
_PLAINLY: Final = (
    r"(?:(?:just|really|honestly|truly|sometimes|often|so badly|still|only|literally|seriously|genuinely|even|actually|"
    r"fucking|do) )*"
)
_MEANT: Final = (
    r"(?= *(?:$|[,.;:!)-]|(?:right now|now|today|tonight|so (?:much|badly)|sometimes|because|since|and|but|so|i|"
    r"every (?:day|night)|all the time|honestly)\b))"
)
"""What may follow where somebody says that they want to die: a place, a way or a cause makes something else of it."""

_WHOLE: Final = expressions(
    r"""
    -0.7 0.6 -0.7 can't take it: i (?:just |really )?(?:can'?t|cannot) (?:take|do|handle|stand|bear|
        deal with) (?:it|this)(?: any ?more| any longer)?(?= *(?:$|[,.!]|right now|today|because))
    -0.7 0.5 -0.8 can't cope: i (?:just |really )?(?:can'?t|cannot) cope(?: any ?more| with (?:this|it|
        everything))?
    -0.4 0.1 -0.3 not myself: i(?:(?:'?m| am| feel) not(?: feeling)?| don'?t feel)(?: really| quite)* (?:like )?myself
    -0.8 0.1 -0.6 hates oneself: i (?:really |fucking |just )?hate (?:myself|my life(?! \w*(?:insurance|
        coach|story|partner|science|jacket|vest|cycle|savings|drawing|sentence)))
    -0.6 0.0 -0.4 hard day: i(?:'?m| am) having (?:a|such a|one) (?:really |very |pretty )?(?:terrible|awful|rough|bad|
        hard|horrible|shitty|tough|crappy|miserable) (?:day|week|night|morning|month|year)
    0.6 0.4 0.4 good day: i(?:'?m| am) having (?:a|such a) (?:really |very |pretty )?(?:great|good|wonderful|amazing|
        lovely|fantastic) (?:day|week|night|morning|month|year)
    -0.8 0.4 -0.7 can't stop crying: i (?:just |really )?(?:can'?t|cannot) stop (?:crying|worrying)
    -0.6 0.7 -0.3 driven crazy: WHO (?:really |
        just |seriously )?(?:driving|drives) me (?:crazy|insane|nuts|mad|up the wall)
    -0.6 0.6 -0.6 stressed out: WHO (?:really |just |seriously )?(?:stressing me out|stresses me out|
        overwhelming me|freaking me out|wearing me out|getting to me|scaring me|worrying me)
    -0.6 0.8 0.2 made angry: WHO (?:really |just |
        seriously )?(?:pissing me off|pisses me off|getting on my nerves|gets on my nerves|
        making me (?:so )?(?:angry|mad)|makes me (?:so |really )?(?:angry|mad|furious))
    -0.6 -0.1 -0.5 made sad: WHO (?:really |
        just )?(?:making|makes) me (?:feel )?(?:so |really |very |a bit )?(?:sad|depressed|miserable|cry|feel bad)
    0.7 0.4 0.4 made happy: WHO (?:really |just )?(?:making|makes|
        made) me (?:feel )?(?:so |really |very )?(?:happy|smile)
    -0.6 0.6 -0.6 made anxious: WHO (?:really |just )?(?:making|
        makes) me (?:feel )?(?:so |really |very )?(?:anxious|nervous|uneasy|uncomfortable)
    -0.7 0.4 -0.7 wants to cry: i (?:just |really )?(?:want to|wanna|feel like|could) (?:cry|crying|scream|
        screaming|giv(?:e|ing) up|disappear|throwing up)(?= *(?:$|[,.!]|right now|today|because|and))
    -1.0 0.1 -0.9 wants to die: (?:i PLAINLYfeel like )?i PLAINLY(?:
        (?:want to|wanna) (?:die|be dead|kill myself|end my (?:own )?life|end it all|take my own life|stop existing)|
        (?:don'?t|do not) PLAINLY(?:want to|wanna) (?:(?:live|be alive)(?: any ?more| any longer)?|
        (?:exist|be here|wake up|go on) (?:any ?more|any longer|again))|
        wish i (?:was|were) (?:dead|never born)|wish i(?:'d| had) never been born|
        would rather be dead|have (?:no reason|nothing)(?: left)? to live(?: for)?)MEANT
    -1.0 0.1 -0.9 wants to die: i(?:'d rather be dead|'?(?: a)?m PLAINLY(?:
        (?:going to|gonna|about to) (?:kill myself|end my (?:own )?life|end it all)|
        (?:thinking (?:of|about)|considering) (?:killing myself|ending my (?:own )?life|ending it all|suicide)))MEANT
    -0.9 0.1 -0.9 can't go on: i PLAINLY(?:can'?t|cannot|can not) go on(?: any ?more| any longer| like this)?MEANT
    -0.7 0.6 -0.7 at my wits' end: i'?(?: a)?m at (?:my (?:wits'?|wit'?s) end|the end of my rope|my breaking point|
        breaking point)
    -0.6 0.7 -0.6 going crazy: i'?(?: a)?m (?:so |really )?(?:going|gonna go) (?:crazy|insane|nuts)
    -0.6 0.5 0.0 sick of it: i'?(?: a)?m (?:so |really |just )?(?:sick|tired|fed up) (?:and tired )?of (?:this|it|
        that|everything|everyone|being|feeling|trying|fighting|living|life|people|him|her|them|my|all)
    -0.6 0.5 -0.5 dreading: i'?(?: a)?m (?:so |really |kinda )?(?:dreading|regretting)
    0.6 0.5 0.4 looking forward: i'?(?: a)?m (?:so |really )?looking forward to
    0.9 0.6 0.5 couldn't be happier: i couldn'?t be (?:more happy|happier|prouder|more excited)
    -0.7 0.2 -0.5 couldn't be worse: i couldn'?t be (?:more tired|more exhausted|sadder|angrier|more stressed|
        more frustrated)
    -0.6 0.6 0.0 had enough: i'?(?:ve| have) (?:just |really )?had (?:it|enough)(?: with (?:this|it|him|her|them|
        everything))?(?= *(?:$|[,.!]))
    -0.7 -0.1 -0.5 heart is heavy: my heart is (?:broken|heavy|breaking)
    -0.7 0.7 -0.7 anxiety is high: my (?:anxiety|stress) is (?:through the roof|so bad|really bad|killing me|
        killing me|high|acting up)
    -0.5 0.0 -0.3 not in a good mood: (?:i'?(?: a)?m |i feel )?not (?:in the|in a) (?:best|good|great) (?:mood|
        place)
""".replace("WHO", _WHO)
    .replace("PLAINLY", _PLAINLY)
    .replace("MEANT", _MEANT),
    before=r"(?<![\w'])",
)

_ASKED: Final = (
    r"(?:(?:hey|hi|hello|ok|okay|so|now|then|also|and|please|pls|just|well|yes)[,!]? )*"
    r"(?:(?:can|could|would|will) you (?:please |just )?|i (?:want|need) you to |i(?:'d| would) like you to |"
    r"i (?:want|need|have) to (?=write|translate|draft|send)|(?:can you |please )?help me (?:to )?|let'?s |please )?"
)
_FOR_OTHERS: Final = r"(?!(?:you|u|me|us|myself|it|this)\b)[\w'-]+"
_HANDED: Final = re.compile(
    rf"{BEGINNING}{_ASKED}(?:"
    r"(?P<shown>(?:translate|write|draft|compose|reword|rephrase|rewrite|paraphrase|proofread|correct|polish|shorten|"
    r"summari[sz]e|send|post|tweet|fix|improve|edit|translation|"
    r"(?:e-?mail|text|message|reply|respond|say|tell)(?= (?:to )?"
    rf"{_FOR_OTHERS}))(?! (?:me|you)\b)(?: [^.!?:\n]{{0,80}})?:(?!//|\d)[ \t]*)|"
    rf"(?P<clause>(?:tell|let|remind|inform|text|e-?mail|message|write|reply|respond|say)(?: to)? {_FOR_OTHERS}"
    r"(?: [\w'-]+){0,3}?(?: know)?(?: that| saying(?: that)?| and say(?: that)?| how)? "
    r"(?=(?:i|i'm|im|i've|my|we|we're)\b)|"
    r"translate (?=(?:i|i'm|im|my)\b)|how (?:do|would|can|should) (?:i|you|we|one) (?:say|write|spell) )|"
    r"(?P<above>translate (?:this|that|it|(?:the )?(?:text|words|sentence)s?|(?:the )?above)\b"
    r"[^:\n]{0,40}(?:\Z|[.!?\n])))"
)

TONGUE: Final = Tongue(
    language="en",
    own=re.compile(r"\b(?:i|iam|im|ive|me|my|feeling|feelin|not)\b"),
    frame=_FRAME,
    joint=_JOINT,
    feelings=Feelings(_FEELINGS, _NOT_SLIPS),
    felt_only=_FELT_ONLY,
    fine=_FINE,
    all_well=re.compile(
        r"(?:^|(?<=[,;:-]))\s*(?:no worries,? |don'?t worry,? |honestly,? |yeah,? |yes,? |nah,? |no,? |"
        r"really,? |oh,? |but |ok,? |well,? |thanks,? )*(?:(?:i'?m |it'?s |we'?re )?all good|all(?: is|"
        r"'s) (?:well|good|fine)|everything(?:'s| is) (?:fine|good|ok|okay|alright|all right|great)|"
        r"nothing(?:'s| is) wrong|can'?t complain|i can'?t complain|doing (?:fine|well|good|ok|okay|"
        r"alright|all right)|not (?:too |so |that )?bad|feeling (?:fine|ok|okay|alright))(?=\s*(?:$|"
        r"[,.!;:)-]|here|now|thanks|thank|today|with me|really|so far))"
    ),
    whole=_WHOLE,
    alone=re.compile(
        r"(?:(?:ugh|argh|god|man|omg|wow|honestly|just|oh|well|yeah|yep|ok|no|nah|"
        r"nope),? )*(?:(?P<no>not(?: really| that| even| so| too| very)?)|(?:so+|re+a+l+y+|ve+r+y+|super|"
        r"extremely|absolutely|totally|completely|just|still|too|beyond)(?: so| very| damn|"
        r" fucking)?) (?P<word>(?:\w+ed|tired|anxious|lonely|angry|upset|nervous|mad|worn out|burnt out|"
        r"happy for \w+|homesick|grateful|proud|pissed off|fed up|stressed out|hopeless|sleepy|"
        r"depressed)\b)(?: (?:right now|rn|now|today|tonight|lately|of this|again|this week|this morning|"
        r"and \w+))*[.! ]*"
    ),
    not_before=_NOT_BEFORE,
    supposed=re.compile(
        r"\b(?:if|when|whenever|unless|suppose|supposing|imagine|imagining|as though|as if|"
        r"pretend(?:ing)?|in case|until|once(?! again| more)|would|wouldn'?t say .{0,20}if|might|maybe|"
        r"perhaps|should|hope|wish|say that|tell (?:him|her|them|everyone|people)|act(?:ing)? like|"
        r"so that|let'?s say|what if|every time|the (?:days?|times|nights)|anytime|either|lest|(?:song|"
        r"book|title|lyrics?|phrase|word|movie|film|file|called|named|titled|line))\b(?!.*\bbecause\b)"
    ),
    conditional=re.compile(
        r"(?:but |and |so )?(?:if|when|whenever|unless|suppose|imagine|even if|what if|in case|pretend)\b"
    ),
    reported=re.compile(
        r"(?<![\w'])(?:(?:you|he|she|they|people|everyone|everybody|somebody|someone|who|mom|dad|friends?|"
        r"wife|husband|boss|therapist|doctor|sister|brother|mother|father|partner|boyfriend|girlfriend|"
        r"coworkers?|\w+) (?:(?:just|always|all|also|really|still|keeps?|often|"
        r"once) )?(?<!\bi )(?<!\bi just )(?<!\bi still )(?<!\bi really )(?<!\bi also )(?<!\bi always )(?:says?|"
        r"said|saying|thinks?|thought|believes?|claims?|told (?:me|him|her|them|us)|tells? (?:me|him|her)|"
        r"assumes?|asks?|asked|insists?|wrote|writes|goes|like|quote|replied|texted|shouted|yelled|"
        r"whispered|sings?|knows?|notices?|noticed|can tell|saw|sees)(?: (?:that|if|whether|how|why|"
        r"when))*:?|\bwas like,?|\bbe like,?|\bwhether)\s*$"
    ),
    denied=re.compile(
        r"\b(?:(?:i )?(?:don'?t|do not) (?:really |honestly )?think(?: that)?|"
        r"(?:i )?wouldn'?t say(?: that)?|(?:it'?s|its|it is) not (?:that|because|like)|not (?:that|"
        r"because|like)|i never said(?: that)?|i didn'?t say(?: that)?|"
        r"(?:i'?m |i am )?not saying(?: that)?|(?:i )?(?:can'?t|"
        r"cannot) say(?: that)?|stop (?:saying|assuming|thinking)(?: that)?|it isn'?t that|"
        r"don'?t assume(?: that)?|who says|not something)\s*$"
    ),
    recurring=re.compile(
        r"(?: \w+){0,2} (?:if|whenever|unless|every time|everytime|each time)\b| (?:when(?! he said|"
        r" she said)|before|in the past|once)\b|.* since (?:i was (?:a |\d|little|young|small|born)|"
        r"childhood)|(?: \w+)? (?:person|people|guy|woman|man|type|kind of person|individual|human|"
        r"by nature|as a person)\b"
    ),
    past=re.compile(
        r"(?<!since )\b(?:back then|in those days)\b|^\s*(?:yesterday|last (?:week|night|month|"
        r"year))\b(?!.*\b(?:now|today|but|and)\b)"
    ),
    handed=_HANDED,
    asked=re.compile(
        r"(?:^|\b)(?:do|does|did|are|is|am|can|could|would|will|why|how|what|who|should|have|has|where|"
        r"when|which|any|isn'?t|aren'?t|don'?t you|got)\b(?! (?:i )?feel like)|\b(?:and )?(?:you|u|"
        r"yourself|hbu|wbu)\s*\?"
    ),
    ironic=re.compile(
        r"^\s*(?:oh|well|yeah|wow|sure|great|right|yay|lovely)[, ]+(?:great|sure|yeah|right|joy|wonderful|"
        r"perfect|fantastic|good|brilliant|lovely)\b|\b(?:yeah right|just what i needed|love it when|"
        r"lucky me|as if|said no one ever|yay me|what a joy)\s*[.!]*$|\b(?:thrilled|happy|excited|"
        r"delighted|glad|overjoyed|ecstatic)\b.*\b(?:crash(?:ed|es)?|broke(?:n)?|fail(?:ed|s|ing)?|bugs?|"
        r"monday|another (?:bug|meeting|error|deadline|crash|outage|three|two|ten)|3 ?am|overtime|ruined|"
        r"cancell?ed|(?:root canal)|again lost|lost again|traffic)\b"
    ),
)
"""English, in its plain and its hasty spellings."""
