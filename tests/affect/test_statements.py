"""What people say of how they are: found, denied, accepted, and left alone where they do not say it."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect import statements
from innerlife.affect.cues import CueKind, Say, Statement
from innerlife.affect.folding import fold
from innerlife.affect.habits import Habits
from innerlife.affect.read import glimpse
from innerlife.affect.reading_policy import ReadingPolicy
from innerlife.affect.said import Said
from innerlife.affect.statements import ironic, of_oneself, statements_in, tongues

Labelled = tuple[str, frozenset[str], str]


def labelled(name: str) -> list[Labelled]:
    """Language, what is said, text."""
    lines = (Path(__file__).parent / name).read_text("utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return [(tongue, frozenset(said.split("+")) - {"-"}, text) for tongue, said, text in rows]


def f1(rows: Iterable[Labelled]) -> float:
    """F1 over pairs of a text and what it says."""
    counts: Counter[str] = Counter()
    for _, wanted, text in rows:
        found = {one.say.value for one in statements_in(text)}
        counts.update(right=len(wanted & found), over=len(found - wanted), missed=len(wanted - found))
    return 2 * counts["right"] / (2 * counts["right"] + counts["over"] + counts["missed"])


def said(text: str) -> list[tuple[Say, str]]:
    return [(one.say, one.feeling) for one in statements_in(text)]


@pytest.mark.parametrize("tongue", ["en", "es"])
def test_statements_about_oneself_are_told_from_what_only_looks_like_them(tongue: str) -> None:
    """[A1] Explicit cues carry most, so they have to be right: in both languages, hard negatives included."""
    rows = [row for row in labelled("statements.tsv") if row[0] == tongue]
    assert len(rows) >= 90
    assert f1(rows) >= 0.95


def test_lines_that_were_not_looked_at_while_writing_are_read_as_well() -> None:
    """[A1] A held-out set of 140: when they were first read F1 was 0.96 over the first 92 and 0.92 over the rest."""
    assert f1(labelled("statements_held_out.tsv")) >= 0.92


@pytest.mark.parametrize(
    "text", ["I'm fine", "I’m fine.", "im fine!", "estoy bien", "Todo bien, gracias", "I'm ok 🙃"]
)
def test_that_somebody_is_fine_is_taken_at_its_word(text: str) -> None:
    """[A5] It is read as such, whatever an emoji beside it may mean."""
    assert [one.say for one in statements_in(text)] == [Say.FINE]


def test_a_denied_feeling_is_a_correction_and_a_denied_pleasure_is_a_feeling() -> None:
    """[A1] "I'm not angry" takes something back; "I'm not happy" does not."""
    assert said("I'm not angry") == [(Say.DENIES, "angry")]
    (unhappy,) = statements_in("I'm not happy with this")
    assert unhappy.say is Say.FEELS
    assert unhappy.affect.valence is not None
    assert unhappy.affect.valence < 0
    assert said("I'm not angry or sad") == [(Say.DENIES, "angry"), (Say.DENIES, "sad")]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("im frustated", "frustrated"),
        ("I'm sooooo tireddd", "tired"),
        ("I am exhasuted", "exhausted"),
        ("ESTOY AGOTADÍSIMA", "agotadisima"),
        ("estoy mas cansada que nunca", "cansada"),
        (unicodedata.normalize("NFD", "sí, estoy deprimídó"), "deprimido"),
    ],
)
def test_haste_does_not_hide_a_feeling(typed: str, meant: str) -> None:
    """[A1] Slips, drawn-out letters, capitals, missing and decomposed accents."""
    assert said(typed) == [(Say.FEELS, meant)]


@pytest.mark.parametrize(
    "text", ["I'm trained", "I'm started", "I'm cured", "I'm content creator", "estoy contando"]
)
def test_a_word_of_its_own_is_no_slip(text: str) -> None:
    """[A1] Words that look like a misspelt feeling."""
    assert said(text) == []


def test_irony_takes_pleasure_at_less_than_its_word() -> None:
    """[A1] What is marked as ironic states no pleasant feeling; an unpleasant one stands."""
    assert said("Oh great, I'm thrilled it crashed again") == []
    assert said("I'm so happy 🙄") == []
    assert said("I'm furious 🙄") == [(Say.FEELS, "furious")]
    assert ironic("yeah right")
    assert not ironic("I'm so happy")


def test_quoted_words_are_nobodys_statement() -> None:
    """[A1] Also where the marks are of another language."""
    for marks in ('"{}"', "“{}”", "«{}»", "`{}`", "'{}'", "> {}"):
        assert said(marks.format("I'm so sad")) == [], marks


def test_every_language_is_a_file_of_its_own_and_has_a_lexicon_of_some_size() -> None:
    """[A1] Found by being there; every feeling has a place in all three dimensions."""
    files = {path.stem for path in Path(statements.__path__[0]).glob("*.py")} - {"__init__"}
    assert len(tongues()) == len(files)
    for tongue in tongues():
        assert len(tongue.feelings.names) >= 120
        for name, affect in tongue.feelings.names.items():
            values = (affect.valence, affect.arousal, affect.dominance)
            assert all(value is not None and -1 <= value <= 1 for value in values), name


def test_every_feeling_can_be_said() -> None:
    """[A1] No entry of a lexicon is out of reach of its own language's plainest sentence."""
    frames = {"en": ("I'm {}", "I feel {}"), "es": ("estoy {}", "me siento {}", "tengo {}")}
    unreached = [
        name
        for tongue in tongues()
        for name in tongue.feelings.names
        if not any(
            one.say is not Say.DENIES and one.span == (0, len(frame.format(name)))
            for frame in frames[tongue.language]
            for one in statements_in(frame.format(name))
        )
    ]
    assert unreached == []


@given(st.text(max_size=300))
def test_any_text_at_all_is_read_without_harm(text: str) -> None:
    """[A1] Evidence is a place in the person's own words, in their order."""
    found = statements_in(text)
    assert all(0 <= one.span[0] < one.span[1] <= len(text) for one in found)
    assert [one.span for one in found] == sorted(one.span for one in found)


@given(
    st.sampled_from(["I'm {}", "i feel {}", "honestly, I am {} today.", "Well. I'm so {}!"]),
    st.sampled_from(["sad", "angry", "anxious", "exhausted", "lonely", "thrilled"]),
    st.text(alphabet="áé😀 .Ñ\u0301", max_size=12),
)
def test_a_span_holds_the_words_that_were_said(frame: str, feeling: str, before: str) -> None:
    """[A1] Whatever stands in front of it, accents and emoji too."""
    text = f"{before}. {frame.format(feeling)}"
    (one,) = statements_in(text)
    assert text[slice(*one.span)].endswith(feeling)
    assert text[slice(*one.span)].lower().startswith("i")


def test_one_pattern_for_all_expressions_passes_over_none() -> None:
    """[A1] Wherever an expression stands, the pattern that looks for all of them at once finds something."""
    expressions = [(tongue.whole, pattern) for tongue in tongues() for pattern, _, _ in tongue.whole.each]
    lines = [
        fold(line) for name in ("statements.tsv", "statements_held_out.tsv") for _, _, line in labelled(name)
    ]
    found = [(whole, line) for whole, pattern in expressions for line in lines if pattern.search(line)]
    assert len(found) >= 20
    assert [line for whole, line in found if whole.any_of.search(line) is None] == []


def test_a_message_is_looked_through_once_for_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    """[P4] For the cue and for the person's word alike; of a long one its beginning and its end."""
    looked: list[int] = []

    def counted(text: str) -> tuple[Statement, ...]:
        looked.append(len(text))
        return statements_in(text)

    monkeypatch.setattr("innerlife.affect.read.statements_in", counted)
    text = "I'm so tired. " + "The wall is white. " * 500
    seen = glimpse(Said(text, datetime(2026, 3, 2, tzinfo=UTC), UTC), Habits())
    assert [one.say for one in seen.statements] == [Say.FEELS]
    assert any(one.kind is CueKind.EXPLICIT for one in seen.cues)
    assert looked == [ReadingPolicy().read_characters + 1]


@pytest.mark.parametrize(
    "text",
    [
        "I'm scared of spiders, how do I keep them out?",
        "I'm terrified of flying",
        "I am mad about jazz, recommend me three albums",
        "I hate my life insurance company",
        "I'm hopeless at maths",
        "I'm terrible with names",
        "I'm guilty of eating the cake",
        "I'm jealous of your patience",
        "I'm anxious to start",
        "I'm vulnerable to covid because of my lungs",
        "I'm tired of pasta, what else can I cook?",
        "I'm sick of winter",
        "Me dan miedo las arañas",
        "Tengo miedo a volar",
        "Tengo pánico a las agujas",
        "Me da asco el cilantro",
        "Me da envidia tu paciencia",
        "Tengo coraje para hacerlo",
        "Tengo dolor de cabeza",
        "No puedo más que darte las gracias",
        "No aguanto más de dos horas sentada",
        "No doy más de sí",
        "Me molesta la rodilla",
        "Mi hijo me supera en altura",
        "Estoy mal de la espalda, ¿qué ejercicio hago?",
        "Ando mal de pasta",
        "Estoy bien con el viernes",
    ],
)
def test_a_lasting_fear_a_skill_or_an_ache_says_nothing_of_how_somebody_is_now(text: str) -> None:
    """[A1] [A2] What is asked on such an occasion is answered as anything else is."""
    assert statements_in(text) == ()


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I'm scared of losing my job", (Say.FEELS, "scared")),
        ("I'm mad about what he did", (Say.FEELS, "mad")),
        ("I feel terrible at night", (Say.FEELS, "terrible")),
        ("I hate my life", (Say.FEELS, "hates oneself")),
        ("I'm so tired of fighting", (Say.FEELS, "sick of it")),
        ("I'm sick of everything", (Say.FEELS, "sick of it")),
        ("Tengo miedo de perder el trabajo", (Say.FEELS, "miedo")),
        ("No puedo más con este calor", (Say.FEELS, "no puedo más")),
        ("Me molesta que no me escuchen", (Say.FEELS, "me enfada")),
        ("Estoy muy mal", (Say.FEELS, "mal")),
    ],
)
def test_what_is_felt_now_is_still_read_beside_them(text: str, found: tuple[Say, str]) -> None:
    """[A1] The same words where they do say how somebody is."""
    assert said(text)[:1] == [found]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Estoy bien cansada", (Say.FEELS, "cansada")),
        ("Estoy bien jodido", (Say.FEELS, "jodido")),
        ("Me siento bien agobiado hoy", (Say.FEELS, "agobiado")),
        ("Estoy bien gracias", (Say.FINE, "")),
        ("Estoy bien hoy", (Say.FINE, "")),
        ("Estoy bien y contenta", (Say.FINE, "")),
    ],
)
def test_quite_tired_is_not_that_all_is_well(text: str, found: tuple[Say, str]) -> None:
    """[A5] What is taken as "I'm fine" lifts everything read before it: "bien cansada" is no such word."""
    assert said(text)[:1] == [found]


GRAVE = [
    "I want to die",
    "I just want to die, nobody would notice",
    "I feel like I want to die.",
    "Sometimes I want to die",
    "I want to die, what should I do?",
    "I don't want to be here anymore",
    "I don’t want to live any more.",
    "I wish I was dead",
    "I'd rather be dead",
    "I'm thinking about killing myself",
    "I have nothing left to live for",
    "I can't go on",
    "i cant go on like this",
    "I'm suicidal",
    "Me quiero morir",
    "Es que me quiero morir",
    "quiero morirme",
    "Ya no quiero vivir.",
    "Siento que no quiero vivir más",
    "Ya no quiero estar aquí",
    "Quiero suicidarme",
    "Tengo ganas de morirme",
    "Ojalá me muriera",
    "Ya no puedo seguir",
    "No tengo ganas de vivir",
]


@pytest.mark.parametrize("text", GRAVE)
def test_that_somebody_does_not_want_to_live_is_heard(text: str) -> None:
    """[A1] Said of oneself and meant, it is among the gravest things that can be felt."""
    (one,) = statements_in(text)
    assert one.say is Say.FEELS
    assert (one.affect.valence or 0) <= -0.9


@pytest.mark.parametrize(
    "text",
    [
        "Me muero de risa",
        "Me muero por verte",
        "Me quiero morir de la risa",
        "Quiero morir de vieja",
        "No quiero vivir en Madrid",
        "Ya no quiero vivir con mis padres",
        "No puedo seguir el tutorial",
        "I'm dying to see it",
        "I could die laughing",
        "I'd die for a coffee",
        "I'd rather die than eat that",
        "I want to die of embarrassment",
        "I want to die at home, when the time comes",
        "This bug makes me want to die",
        "When I see this code I want to die",
        "I'm gonna kill myself if this build fails",
        "I can't go on holiday this year",
        "I can't go on Friday",
        "I don't want to live in Berlin",
        "I don't want to die",
        "No me quiero morir",
        "Nunca quiero morirme",
        "I'm not saying I want to die",
        "I don't think I want to die",
        "No es que me quiera morir",
        "She wants to die",
        "My sister says I want to die",
        "Mi hermano dice que me quiero morir",
        '"I want to die" is what he wrote',
        "Escribió «me quiero morir» en su diario",
        "The song is called I Want to Die",
        "In my story the hero says: I want to die",
        "I wanted to die",
    ],
)
def test_what_only_sounds_like_it_is_none_of_it(text: str) -> None:
    """[A1] Turns of speech, what is denied, quoted, told of others or long past."""
    assert not any((one.affect.valence or 0) <= -0.4 for one in statements_in(text))


@pytest.mark.parametrize("text", ["lol I want to die", "Jajaja me quiero morir", "I can't go on, lmao"])
def test_what_is_laughed_about_is_mild_at_most(text: str) -> None:
    """[A1] Where somebody laughs at it, the words are not taken at their full weight."""
    assert all(-0.4 < (one.affect.valence or 0) < 0 for one in statements_in(text))


@pytest.mark.parametrize(
    "text",
    [
        "Write to Ana: I'm so sad you're leaving",
        "Help me write an email to my landlord: I'm furious about the heating. I can't go on.",
        "Write to Ana:\n\nDear Ana,\n\nI'm so sad you're leaving.\n\nLove",
        "translate: estoy harta",
        "Can you translate this to English: estoy muy triste",
        "Translate I'm so sad into French",
        "How do you say I'm so happy in Spanish",
        "Correct this sentence: I am very angry with you",
        "I'm so sad. Translate this to Spanish.",
        "Tell her I'm sad",
        "tell my boss that I'm exhausted and angry",
        "Let them know I'm furious",
        "escríbele a Luis que estoy triste",
        "Dile a mi madre que estoy agobiada",
        "¿Puedes redactar un mensaje para mi jefe: estoy agotada y no puedo más?",
        "¿Cómo se dice estoy triste en inglés?",
        "Traduce: me quiero morir",
        "Estoy harta. Traduce esto al inglés.",
    ],
)
def test_what_is_to_be_written_or_translated_is_not_how_its_author_is(text: str) -> None:
    """[A1] The words are for somebody else, or somebody else's; neither a statement nor their tone is read."""
    assert statements_in(text) == ()
    assert len(of_oneself(text)) == len(text)
    seen = glimpse(Said(text, datetime(2026, 3, 2, tzinfo=UTC), UTC), Habits())
    assert not [one for one in seen.cues if one.kind in {CueKind.EXPLICIT, CueKind.LINGUISTIC}]


@pytest.mark.parametrize(
    ("text", "feeling"),
    [
        ("I'm so sad. Write to Ana: see you tomorrow", "sad"),
        ("I'm furious, write to the landlord: please fix it", "furious"),
        ("I'm so tired. Tell her I'm sorry I'm late", "tired"),
        ("Let me tell you: I'm exhausted", "exhausted"),
        ("Translate: hola a todos\n\nI'm fed up with translating", "fed up"),
        ("Estoy agotada. Escríbele a Ana que mañana no voy", "agotada"),
        ("I'm stressed because I have to write to my boss", "stressed"),
    ],
)
def test_what_they_say_of_themselves_beside_it_is_read(text: str, feeling: str) -> None:
    """[A1] Only the words that are handed over are somebody else's."""
    (one,) = statements_in(text)
    assert one.feeling == feeling
    assert text[slice(*one.span)].endswith(feeling)
