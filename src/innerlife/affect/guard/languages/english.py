"""English: how models announce a feeling, or speak of records, and how users ask for either.

The founding example is "I notice you seem frustrated today" (anima §4.1); the rest are ways of saying the same.
"""

from __future__ import annotations

import re
from typing import Final

from innerlife.affect.guard.language import Claim, Language, words_of

_FAMILIES: Final = (
    "frustrated frustration frustrating exasperated exasperation aggravated",
    "stressed stress stressing overwhelmed overwhelm overwhelming frazzled pressure overworked swamped",
    "anxious anxiety nervous nervousness worried worry worries worrying uneasy unease apprehensive apprehension panicked"
    " panicky panic scared afraid fear frightened terrified tense tension edge insecure insecurity",
    "tired tiredness exhausted exhaustion exhausting drained worn burned burnt burnout fatigued fatigue weary weariness"
    " sleepy wiped",
    "sad sadness unhappy depressed depression down downcast blue gloomy gloom melancholy melancholic dejected despondent"
    " miserable misery heartbroken grief grieving devastated low despair hopeless hopelessness bummed gutted",
    "upset angry anger mad furious fury annoyed annoyance irritated irritation irritable agitated agitation resentful"
    " resentment bitter bitterness rage livid outraged grumpy cranky",
    "lonely loneliness alone isolated",
    "disappointed disappointment discouraged discouragement disheartened demotivated unmotivated letdown",
    "excited excitement thrilled enthusiastic enthusiasm ecstatic elated eager",
    "happy happiness happier joyful joy cheerful delighted delight glad pleased content",
    "guilty guilt ashamed shame embarrassed embarrassment",
    "hurt distressed distress troubled shaken rattled",
    "relieved relief calm calmer relaxed",
    "bored boredom restless restlessness",
    "jealous jealousy envious envy",
    "confused confusion lost bewildered",
    "proud pride",
)

_CLASSES: Final = {
    "i": "i | i'm | im | i am | i've | ive | i have | i had | i'd | i can | i could | i do | i must say i"
    " | i can't help but | i couldn't help but | i cannot help but | i can't help | i couldn't help | i think i | i thought i"
    " | i'm starting to | i'm beginning to | i am beginning to | i seem to | i may be wrong , but i | if i may , i",
    "surely": "really | clearly | definitely | already | also | just | certainly | still | now | almost | immediately | kind of"
    " | totally | even | do | be | absolutely | plainly | easily | always | sometimes",
    "tell": "tell | see | hear | feel | sense | notice | read",
    "see": "notice | noticed | noticing | sense | sensed | sensing | detect | detected | detecting | see | saw | seeing | hear"
    " | hearing | heard | feel | felt | perceive | perceived | observe | observed | gather | gathering | spot | recognize"
    " | recognise | pick up | picked up | picking up | pick up on | picked up on | picking up on | tell | read | find",
    "sensing": "sense | sensed | sensing | detect | detected | detecting | pick up | picked up | picking up | pick up on"
    " | picked up on | picking up on | perceive | perceived | gather | register | registered | read",
    "watching": "notice | noticed | noticing | see | saw | seeing | hear | hearing | heard | feel | felt | observe | observed"
    " | find | spot | recognize | recognise",
    "bit": "this | a bit | a little | a little bit | a touch | slightly | somewhat | rather | quite | pretty | very | really | so"
    " | extremely | particularly | especially | kind of | kinda | sort of | fairly | too | more | less | even | still | also"
    " | genuinely | truly | deeply | incredibly | clearly | obviously | understandably | already | just | almost | both"
    " | perhaps | maybe | mentally | emotionally | physically | increasingly | absolutely | completely | totally | utterly | awfully"
    " | a lot | feeling | getting | becoming | growing | being | definitely | probably | likely | possibly | quietly | visibly"
    " | noticeably | unusually | all | well and truly | seriously | that | beyond | rightly | naturally | always | often"
    " | currently | now | actually | ever so | super | much | ,",
    "hue": "a | an | any | some | a bit of | a lot of | lots of | a hint of | a note of | hints of | traces of | a trace of"
    " | a touch of | a little | signs of | a sense of | a degree of | a tone of | an undercurrent of | much | so much"
    " | plenty of | a wave of | a certain | certain | the | all the | all this | real | underlying | growing | mild | deep"
    " | great | genuine | hidden | quiet | rising | such | your | this | that | more | levels of | a level of | an air of"
    " | considerable | possible | elevated | high | moderate | a good deal of",
    "feel": "frustrated | stressed | overwhelmed | anxious | nervous | worried | tired | exhausted | drained | worn out"
    " | worn down | burned out | burnt out | fatigued | weary | sad | unhappy | depressed | upset | angry | mad | furious"
    " | annoyed | irritated | irritable | agitated | tense | on edge | uneasy | restless | lonely | heartbroken | disappointed"
    " | discouraged | disheartened | dejected | demotivated | unmotivated | hopeless | helpless | afraid | scared"
    " | frightened | terrified | panicked | panicky | insecure | guilty | ashamed | embarrassed | jealous | envious"
    " | resentful | bitter | bored | fed up | grumpy | cranky | moody | gloomy | melancholy | melancholic | downcast"
    " | despondent | distressed | troubled | shaken | rattled | numb | excited | thrilled | joyful | cheerful | delighted"
    " | elated | ecstatic | enthusiastic | relieved | proud | hopeful | optimistic | pessimistic | impatient"
    " | sleepy | wiped out | run down | apprehensive | desperate | miserable | devastated | aggravated | exasperated"
    " | flustered | frazzled | bummed | gutted | livid | outraged | isolated | emotional | withdrawn | defensive"
    " | in distress | in pain | in despair | at your wits' end | at the end of your rope | at your limit | close to tears"
    " | defeated | abandoned | rejected | unappreciated | stressed-out | burned-out | burnt-out | worn-out",
    "mild": "down | low | off | flat | blue | happy | happier | pleased | content | hurt | quiet | quieter"
    " | distant | better | brighter | calm | calmer | relaxed | struggling | under pressure | under stress | preoccupied"
    " | tired out | subdued | uncomfortable | vulnerable | alone | lighter | heavier | tenser | sadder | angrier"
    " | stuck in your head | not yourself | not okay | not ok | unsettled | unwell | in a rush | hard on yourself | a mess",
    "mood": "under a lot of pressure | under a lot of stress | under so much pressure | under so much stress"
    " | under some stress | under some pressure | under strain"
    " | in a ( good | bad | great | better | low | dark | foul | rough | tender ) ( mood | place | headspace )"
    " | in ( high | low | good | better ) spirits | having a ( really )? ( hard | rough | tough | bad | difficult )"
    " ( time | day | week | morning | night | moment ) | going through a lot | going through a ( hard | rough | tough"
    " | difficult ) ( time | patch | stretch ) | carrying a lot | not doing well | not doing great | not in a good place"
    " | in over your head | at a breaking point | near a breaking point | holding a lot | beating yourself up",
    "end": ". | , | today | lately | tonight | now | right now | recently | these days | at the moment | this morning"
    " | this evening | this week | about | and | but | or | because | since | as | when | after | over | so | than usual"
    " | than before | than yesterday | than last | here | there | to me | somehow | again | though",
    "isyou": "you're | youre | you are | you were | you've been | youve been | you have been | you feel | you felt"
    " | you might be | you may be | you could be | you must be | you must feel | you have to be | you've got to be"
    " | you are still | you're not | you have | you've had",
    "labelled": "you're | youre | you are | you've been | youve been | you have been | you feel | you must be"
    " | you must feel | you must have been | you have to be | you've got to be | you have got to be",
    "puzzled": "lost | confused | bewildered",
    "stop": ". | , | today | lately | tonight | now | right now | and | but | or",
    "inner": "<bit>* ( <feel> | <mild> <end> | <puzzled> <stop> | <mood> )",
    "state": "<isyou> <inner> | ( you're not | you are not | you aren't ) ( happy | okay | ok | doing well | doing okay | yourself )",
    "name": "<labelled> <bit>* ( <feel> | ( down | hurt | struggling | under stress | under pressure | vulnerable ) <end> | <mood> )",
    "seem": "seem | seems | sound | look | appear | come across | seemed | sounded | looked | appeared | came across"
    " | are coming across | read | strike me | feel to me | have seemed | have sounded | have looked | are sounding"
    " | are looking | are seeming | still seem | still sound | really seem | really sound | definitely seem | definitely sound"
    " | do seem | do sound | certainly sound | certainly seem | also seem | clearly seem | may seem | just sound",
    "seeming": "( you | you've ) <seem> ( as | like | to be | to me | to me like | to have been | as if | as though | like you're"
    " | like you are | as if you're | as though you're | like you feel | to feel | like you've been | to be in )? <inner>",
    "amiss": "( you | you're ) ( don't | do not | didn't | aren't | haven't | doesn't | not ) ( seem | sound | look | seemed"
    " | sounded | been | looking | sounding | seeming )? ( like )? <bit>* ( yourself | okay | ok | happy | well | like yourself"
    " | your usual self | quite yourself ) <end>",
    "noun": "frustration | stress | anxiety | nervousness | worry | tiredness | exhaustion | fatigue | weariness | sadness"
    " | depression | anger | annoyance | irritation | agitation | tension | unease | restlessness | loneliness"
    " | disappointment | discouragement | hopelessness | fear | panic | guilt | shame | embarrassment | jealousy"
    " | resentment | bitterness | boredom | distress | excitement | joy | delight | enthusiasm | relief"
    " | hesitation | impatience | overwhelm | grief | despair | burnout | melancholy | apprehension | insecurity"
    " | negative emotion | negative emotions | negative feelings | strong emotions | strong feelings | heaviness | pain | hurt"
    " | emotional distress | frustration levels | stress levels",
    "inyou": "in you | in your | from you | from your | behind your | in what you | behind what you | in the way you | in how you"
    " | from how you | from the way you | from what you | coming from you | coming through in your | coming through in what"
    " | coming through | in these words | in this message | in that message | in those words | in there | between the lines"
    " | underneath | on your end | on your side | on your part | in here | through your",
    "from": "( from | by | in | reading | based on | judging by | , from | , reading ) ( your | the way you | how you | what you"
    " | the way | this | that ) _? _? _? _? ,?",
    "from_mind": "mind | heart | shoulders | plate | sleep",
    "word": "tone | words | message | messages | voice | writing | texts | typing | replies | answers | last message | word choice"
    " | wording | phrasing | last messages | recent messages | mood | energy | punctuation | silence | choice of words",
    "shows": "seem | seems | sound | sounds | feel | feels | suggest | suggests | tell me | tells me | show | shows | reveal"
    " | reveals | betray | betrays | come across as | comes across as | indicate | indicates | carry | carries | read as"
    " | reads as | speak of | speaks of | point to | points to | hint at | hints at | make me think | makes me think"
    " | has been | have been | has become | have become | have gotten | has gotten",
    "mine": "my ( own | long term | long-term | internal | stored | saved | persistent | personal | private )* ( memory | memories"
    " | records | notes | files | database | logs | log | data | archive | archives | storage | knowledge base | system"
    " | systems | memory bank | memory banks | history file | entries | profile of you | profile on you | file on you"
    " | model of you | memory system | memory module | memory store )",
    "about": "about you | on you | of you | regarding you | that you | that your | saying you | saying that you | which says you"
    " | from when you | that says you | from our | from your | from last | where you | of your | on your | about your | that the user",
    "saved": "saved | stored | logged | recorded | filed | registered | noted down | written down | kept | archived | memorized",
}

_DETECTS: Final = (
    "<i> <surely>* <see> ( that | how | like | , | right away | today )* <from>? ( that )? ,? ( <state> | <seeming> | <amiss> )",
    "<i> <surely>* <see> how <bit>* ( <feel> | <mild> ) ( you | you're | this | that | all )",
    "<i> <surely>* <sensing> <hue>* <bit>* <noun> ( <end> | <inyou> )",
    "<i> <surely>* <sensing> <hue>* <bit>* ( <noun> | <feel> ) ( and | or ) ( <hue> )* ( <noun> | <feel> )",
    "<i> <surely>* <watching> <hue>* <bit>* <noun> ( and _ )? <inyou>",
    "<i> <surely>* ( <sensing> | <watching> ) your <bit>* <noun>",
    "<i> <surely>* ( <see> ) ( that )? ( something | this | it | things | all this ) ( is | 's | has been | are | really is )? <surely>*"
    " ( bothering | weighing on | troubling | upsetting | eating at | getting to | stressing | frustrating | worrying | hurting"
    " | wearing | overwhelming | draining ) ( you | on you | out you | down you | heavily on you )",
    "<i> <surely>* <see> ( that )? ( something's | this's | it's | this is | that this is | that's ) <surely>*"
    " ( bothering | weighing on | troubling | upsetting | eating at | getting to | stressing | frustrating | worrying | hurting"
    " | wearing ) ( you | on you )",
    "<i> <surely>* <see> ( that )? ( this | it | this one ) ( is | has been ) <bit>* ( hard | frustrating | stressful"
    " | upsetting | painful | difficult | exhausting | overwhelming ) ( for | on ) you",
    "<i> <surely>* <see> ( that )? ( there's | there is ) <hue>* <noun>",
    "<i> <surely>* <see> ( that )? ( you )? ( have | you've | you've got | got ) a lot on your <from_mind>",
    "<i> <surely>* <see> ( that )? your <word> <shows> <inner>",
    "<i> <surely>* <see> ( that )? your ( messages | replies | answers | texts | sentences ) ( are | have been | have gotten"
    " | have become | got | seem ) <bit>* ( shorter | terse | terser | curt | clipped | sharper | angrier ) ( than )? <end>*",
    "<i> <surely>* <see> ( that )? your ( mood | emotional state | spirits | energy | stress | anxiety | tone )"
    " ( is | are | has | have | seems | seem | changed | dropped | shifted | lifted )",
    "<i> <surely>* <see> ( a | some | the )? ( change | shift | drop | dip ) in your ( mood | tone | energy | spirits )",
    "( it | this | that | , )? <surely>* ( seems | sounds | looks | feels | appears | seemed | sounded | reads | is sounding )"
    " ( to me )? ( like | as if | as though | that | maybe | perhaps )* ,? ( <state> | <seeming> | <amiss> )",
    "( it )? ( seems | sounds | looks | feels ) ( to me )? ( like | as if | as though ) ( something | there | something's | there's"
    " | this | all this ) ( is | has been )? ( bothering | weighing on | troubling | upsetting | eating at | getting to"
    " | stressing | a lot on ) ( you | your )",
    "( it's | it is | its | it's pretty | it seems ) <surely>* ( clear | obvious | apparent | evident | plain | showing"
    " | noticeable | palpable ) ( to me )? <from>? ( that | how )? ( <state> | <bit>* <feel> you )",
    "( <surely> | clearly | obviously | evidently | apparently ) ,? <name>",
    "<seeming>",
    "<amiss>",
    "you <seem> ( like | to )? ( you've | you have | you | have )? ( got | have )? a lot on your <from_mind>",
    "( you're | you are ) ( clearly | obviously | evidently | visibly | apparently | plainly | noticeably | audibly ) <inner>",
    "( i | i'm | i've ) <surely>* ( get | getting | have | got | had | got the | pick ) ( the | a | this )? <bit>* ( strong | distinct"
    " | clear )? ( sense | feeling | impression | vibe | hunch ) ( here | from you )? <from>? ( that )? ,? ( <state> | <seeming> | something | <bit>* <feel> )",
    "( i )? ( wonder | suspect | sense | gather | bet | fear | worry | 'd say | feel like | feel that ) ( that | if | whether | maybe )?"
    " ( maybe | perhaps )? <state>",
    "( i'd | i would ) ( say | guess | bet | wager | venture ) ( that )? <state>",
    "( i'm ) ( wondering | worried | concerned | guessing ) ( that | if | whether )? ( maybe )? <state>",
    "your <bit>* <word> <shows> ( like | that | to me | to )* ( <inner> | <hue>* <noun> | <state> | <seeming> )",
    "your ( frustration | stress | anxiety | sadness | anger | exhaustion | tension | worry | excitement | tiredness | fatigue )"
    " ( is | are )? ( showing | palpable | obvious | clear | noticeable | evident | comes through | shows | coming through"
    " | really comes through | is coming through )",
    "your ( mood | stress | emotion | sentiment | emotional | anxiety ) ( score | level | levels | signal | signals | reading | trajectory"
    " | state ) ( is | are | has | have | seem | seems | show | shows | suggests | looks | look )",
    "your mood ( seems | sounds | is | has | looks | appears )",
    "( there's | there is | there seems to be | there appears to be | i think there's ) <hue>* <bit>* <noun> <inyou>",
    "( something | your message | the way you _ | how you _ ) ( tells | told | is telling | makes ) me ( think | feel )? ( that )? <state>",
    "the way you ( write | wrote | type | typed | said | put | phrase | phrased | speak | talk | are writing | 're writing ) _? _? _? ( tells | shows | suggests | makes"
    " | sounds ) _? ( that | think )? ( <state> | <inner> | <seeming> )",
    "my ( sense | impression | read | feeling | gut | guess | hunch | reading | intuition ) ( is | tells me | says | here is ) ( that )? ( <state> | <seeming> )",
    "( someone | somebody ) ( is | sounds | seems | looks )? <inner>",
    "( someone's | somebody's ) <inner>",
    "what ( i | i'm | i am ) ( hear | hearing | sense | sensing | notice | noticing | pick up | picking up | see | seeing ) ( here )?"
    " ( is | from you is ) ( that )? ( <state> | <hue>* <noun> | <seeming> )",
    "( frustration | stress | anxiety | sadness | anger | fatigue | tension | distress ) ( was )? ( detected | noted | registered | noticed )",
    "( detected | sensing | noticing | noticed | detecting | picking up on | picking up ) <hue>* <bit>* <noun>",
    "( sensing | noticing | seeing | hearing ) ( that )? ( <state> | <seeming> )",
)

_LABELS: Final = (
    "<name>",
    "( i'm | i am | im | i feel | i'm really | i'm so | i'm very | i'm truly )? ( so | very | really | truly | deeply | terribly )* ( sorry | glad | happy"
    " | pleased | relieved | sad ) ( to hear | to see | to learn | to know | that | you're going through this and | how )* ( <name>"
    " | <bit>* <feel> you )",
    "( i )? ( can | could | do | completely | totally | fully | really | truly | also | absolutely )* ( understand | know | get | realize | realise"
    " | appreciate | recognize | acknowledge | imagine | think | believe | guess | assume | see | accept | respect | hear | feel )"
    " ( that | why | how | completely | exactly | it | what makes )* ( <name> | <bit>* <feel> ( you | you're ) ( are | feel | must | have ) | you'd ( be | feel ) <inner> | you would ( be | feel ) <inner>"
    " | you might ( be | feel ) <inner> )",
    "( i )? ( can | could | do | completely | totally | fully | really | truly | also | absolutely | want to | just want to )* ( understand | get"
    " | appreciate | recognize | acknowledge | respect | share | validate | honor | hear | know | apologize for | sorry for | feel ) ( all )?"
    " your <bit>* ( deep | real | current | growing )* <noun>",
    "( it's | it is | that's | it | it makes | makes | that makes | of course | no wonder | small wonder | naturally | understandably )"
    " ( okay | ok | fine | normal | natural | understandable | sense | perfect sense | total sense | alright | all right | completely | perfectly | totally | only | so | very )*"
    " ( that | why | if )? ,? <name>",
    "your ( <bit> | very | own )* <noun> ( is | are | makes | feels | seems | deserves | matters | must | sounds | has | was | about )",
    "( given | considering | seeing | because of | despite | with ) ( how | that | all )* ( <bit>* <feel> you | <name> | your <bit>* <noun> <end> )",
    "( if | judging | from ) ( anything | by your | by the | the way | your )* _? _? _? , <name>",
)

_MACHINERY: Final = (
    "( according to | based on | as per | per | going by | consulting | checking | searching | looking at | looking through | looking in | judging by"
    " | drawing on | going through | after checking | as | from | in | reading ) ( <mine> | your user profile | your memory profile"
    " | the profile ( i | you | of you | on you ) | what my )",
    "( according to | based on | as per | per | going by | from | drawing on ) ( what's in | what is in )? your ( saved | stored )? profile",
    "( according to | based on | from | in | per | going by | looking at ) the ( saved | stored | recalled | retrieved )? ( memory | memories | notes | records | profile | context | information | data ) ( that )?"
    " ( i have | i've | i was | i keep | i hold | i've been | stored | on you | about you | on file | of you | we have )",
    "( i )? ( can | could | do | also | just )* ( see | have | found | find | checked | looked | looked up | keep | kept | have it | know | remember | noted | wrote | recall | read | 've noted )"
    " ( it | this | that | something | here | this one )? ( written | noted | down )? ( in | from | at | into | through | on | using ) ( <mine> | your profile | your file | the profile )",
    "<mine> ( also )? ( here )? ( says | say | show | shows | tell | tells | indicate | indicates | suggest | suggests | contain | contains | has"
    " | have | include | includes | list | lists | note | notes | mention | mentions | confirm | confirms | reminds | remind | is | are"
    " | reflects | reflect | describes | state | states | records | holds | hold | on you | about you | doesn't | don't | do not | does not | was | were )",
    "your ( user | memory | stored | saved )? profile ( says | shows | states | mentions | notes | lists | indicates | tells | suggests | records"
    " | describes | has ) ( me )? ( that )? ( you | your | a preference | you're | you've | you'd | an interest )",
    "your ( user profile | memory profile | stored profile | saved profile ) ( says | shows | lists | has | mentions )",
    "( i | i've | ive | i'm | i'll ) ( have | keep | keeping | kept | made | saved | store | stored | logged | recorded | wrote | filed | found | see | got | hold | do have | also have )"
    " ( it )? ( a | an | the | some | one | this | my | several | no )* ( note | record | entry | memory | file | log | notes | records | memories | entries | data | profile | reminder | summary )"
    " ( here | down | saved | stored | on file | from before )* <about>",
    "( i | i've ) ( have | got | have got )? ( it | this | that | you | you down )? ( on file | on record | in storage | in memory ) ( that | you | as | . | , )",
    "( i | i've ) ( have | already | just )* <saved> ( it | this | that | your _ | your _ _ | these | the | what you _ )* ( in | to | into | under | on ) ( <mine> | your profile | your file )",
    "( i | i've ) ( have | already | just )* ( saved | stored | logged | recorded | filed | registered ) that ( you | your | you're )",
    "( i | i've | i'll | i will | let me | i'm going to | i have | i am ) ( just | now | also )* ( updated | update | updating | added | add | adding | save | saved | saving | store | stored | put | adjusted | put it | recording | record )"
    " _? _? _? _? ( to | in | into )? ( <mine> | your profile )",
    "( memory | profile | your profile | my memory | user profile ) ( has been | was | is now )? ( updated | saved )",
    "( the | my | this ) ( memory | context | recalled | retrieved | memories | recall | profile | background )"
    " ( block | section | layer | system | module | store | entries | snippets | notes | summary | data )? ( i have | i was given | i received | i've been given | i got )"
    " ( about you | says | shows | tells | mentions | that | , | contains | includes | is )*",
    "i ( was | 've been | have been | am ) ( given | provided | shown | handed | told by ) ( with )? ( some | a | the | my | these )*"
    " ( notes | memories | profile | background | context | summary | records | system | data ) ( about | on | of | regarding | that | which | telling ) ( you | your )",
    "( i | i've | let me ) ( have | just )* ( retrieved | retrieve | pulled up | pulled | pull up | pull | looked up | look up | accessed | access | searched | search | scanned | scan | queried | checked | check | consulted | consult | went through | find | found )"
    " _? _? _? ( from | in | through | up )? ( <mine> | your profile | your file )",
    "( that's | that is | it's | it is | this is | you're | you are | your _ is | your _ are | you prefer _ ) ( all | also | still )? ( stored | saved | on file | recorded | logged | listed | noted ) ( in | on | under | . )"
    " ( <mine> | your profile | file | record )?",
    "( it's | it is | that's | this is | you're | it says ) ( all | also | right | here | there )* in ( <mine> | your profile )",
    "( my | the ) ( emotion | emotional | sentiment | mood | affect | affective ) ( analysis | detection | detector | model | tracker | tracking | score | scores"
    " | signals | signal | readings | reading | system | recognition ) ( says | say | shows | show | picked | suggests | suggest | indicates | indicate"
    " | detected | flagged | of you | has | have | tells | is | puts | rates )",
    "( i | i've | i'm | i have ) ( been | have been | am )? ( tracking | monitoring | logging | analyzing | analysing | measuring | scoring | track | monitor )"
    " your ( mood | moods | emotions | emotion | feelings | stress | emotional | sentiment | messages | tone | behavior | behaviour )",
    "( my | the ) ( confidence | certainty | salience | relevance ) ( score )? ( that you | about you | in that | for this memory | of this memory )",
    "( as | like ) ( my | the ) ( records | notes | memory | logs ) ( show | say | has | have | shows | says | tell | tells )",
    "( what | everything | all | the information | the data | the facts ) ( i | i've | that i ) ( have | 've | keep )? ( stored | saved | recorded | on file | logged | on record | in my memory | in my notes | in my records ) ( about you | on you | , | is | . | says | tells )",
)

LANGUAGE: Final = Language(
    name="english",
    classes=_CLASSES,
    claims={Claim.DETECTS: _DETECTS, Claim.LABELS: _LABELS, Claim.MACHINERY: _MACHINERY},
    joints=words_of("and but so because since although though while yet plus also cause as"),
    reasons=words_of("because since cause"),
    openers=words_of("according based"),
    leads=words_of(
        "before since as while because although though given from judging reading based hey hi ok okay well so and but also oh"
        " ah wow hmm honestly first now look today lately tonight maybe perhaps sorry thanks alright yes yeah right just whatever"
        " after even by looking seeing hearing beyond sure anyway to listening despite if when aw ugh oof correct thank"
        " recently gosh jo listen understood"
    ),
    conditions=words_of("if when whenever once unless until in should suppose imagine say whether after where"),
    subjects=words_of("i i'm i've im it it's"),
    families=_FAMILIES,
    own=re.compile(
        r"\b(?:i'?m|i am|i'?ve been|i have been|i was|i feel|i felt|i get|i got|i keep getting|i've got|me feel|makes me"
        r"|making me|made me|feeling|my|i have|with)\b|(?:^|[.!?,\n]\s*)so\b"
    ),
    unlike=re.compile(r"\b(?:not|n't|never|isn't|wasn't|nor|without|no longer|is|are|was|were)\b|\b(?:he|she|they|sister|brother)\b"),
    asks_feeling=re.compile(
        r"\b(?:do|did|does|don't|am|was|are|can|could|have|would) (?:i|you|my \w+|it|this|that)\b[^.?!\n]{0,60}?"
        r"\b(?:sound|seem|look|come across|tell (?:how|that|if|whether|i)|feel(?:ing)?|notice|sense|detect|mood|emotions?|emotional|"
        r"stressed|angry|sad|tired|upset|anxious|frustrated|overwhelmed|nervous|annoyed|happy|worried|depressed)\b"
        r"|\bhow (?:do|did|am|does|was|would) (?:i|you think i|my \w+|this|it|that)\b[^.?!\n]{0,30}?\b(?:sound|seem|feel(?:ing)?|come across"
        r"|look|doing|read)\b"
        r"|\bwhat(?:'s| is| was|'s)? (?:do you think )?(?:my|the) (?:\w+ )?(?:mood|feelings?|emotions?|tone|emotional state|state of mind)\b"
        r"|\bwhat (?:emotions?|feelings?|mood) (?:do|did|can|am|are|you)\b|\b(?:how|what) (?:i'm|i am|am i) feeling\b"
        r"|\b(?:guess|read|name|analy[sz]e|describe|detect|assess|judge|rate|label) (?:\w+ )?(?:my|how i) (?:\w+ )?(?:mood|feel\w*|emotions?|tone|state|sound|seem|voice|sentiment)\b"
        r"|\bwhy (?:are|were) you (?:being |so |acting |talking |suddenly )+\w+"
    ),
    asks_machinery=re.compile(
        r"\b(?:what|how much|anything|everything|which|all|whatever)\b[^.?!\n]{0,40}?\byou(?:'ve| have)?\b[^.?!\n]{0,25}?\b(?:know|remember|recall|stored?|saved?|kept|keep"
        r"|recorded|record|learned|collect\w*|hold|have)\b[^.?!\n]{0,15}?\b(?:about me|of me|on me|from me|from last|from before|from our|about my|about us|of us|$|\?)"
        r"|\bhow (?:do|did|can|could|would) you (?:\w+ )?(?:know|remember|recall|find out|learn|work|keep|store)\b"
        r"|\b(?:where|who) (?:do|did|have) you (?:\w+ )?(?:get|got|read|learn|hear|find|told|store|keep)\b|\bwho told you\b"
        r"|\b(?:do|did|are|can|have|will|does) (?:you|your)\b[^.?!\n]{0,40}?\b(?:memory|memories|records?|notes?|profile|remember|database|store|storing|recording|logs?|tracking"
        r"|keep track|score)\b"
        r"|\b(?:your|my) (?:memory|memories|records?|notes|profile|database|logs?|score)\b"
        r"|\bwhy do you (?:think|say|believe|assume)\b|\bwhat makes you (?:think|say)\b|\bare you (?:an? )?(?:ai|bot|machine|human|real|person|program|language model)\b"
        r"|\bwhat are you\b|\byou (?:remember|still know|keep) (?:that|this|me|it)\?"
    ),
    shortened=words_of("e.g i.e etc vs mr mrs ms dr st approx a.m p.m no"),
    neutral="Go on, I'm listening.",
)
