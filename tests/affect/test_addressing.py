"""Whom the words of a message are meant for, and the forms of address in them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect.address import Meant
from innerlife.affect.addressing import courtesies, formality, meant_for
from innerlife.affect.folding import fold

PASSED_ON = [
    ("Write to my boss: I can't come tomorrow, I'm ill.", "my boss", "I can't come tomorrow, I'm ill."),
    ("tell Anna that I'll be late", "Anna", "I'll be late"),
    ("Please tell my boss that we are done", "my boss", "we are done"),
    ("Can you tell Anna I'm late?", "Anna", "I'm late?"),
    (
        "Write an email to Dr. Smith: Dear doctor, I need a refill.",
        "Dr. Smith",
        "Dear doctor, I need a refill.",
    ),
    ("Let Anna know that the party is off", "Anna", "the party is off"),
    ("Tell Anna: “See you at 8!” and then come back to me", "Anna", "See you at 8!"),
    ("text Anna: omw!!", "Anna", "omw!!"),
    ("Reply to my landlord: The heating is broken.", "my landlord", "The heating is broken."),
    ("Write to the school committee: We object.", "the school committee", "We object."),
    ("I'm ill. Write to my boss: I can't come.", "my boss", "I can't come."),
    ("Message to Anna and Bob: dinner at ours", "Anna and Bob", "dinner at ours"),
    ("Tell the team that I'm late", "the team", "I'm late"),
    ("escríbele a mi jefa que no puedo ir mañana", "mi jefa", "no puedo ir mañana"),
    ("Escríbele a mi jefa: no puedo ir mañana.", "mi jefa", "no puedo ir mañana."),
    ("Dile a Ana que llego tarde", "Ana", "llego tarde"),
    ("Dile al director que no estoy de acuerdo", "el director", "no estoy de acuerdo"),
    ("Por favor, envíale un mensaje a Ana: ya llegué", "Ana", "ya llegué"),
    ("¿Puedes decirle a mi hermano que lo quiero?", "mi hermano", "lo quiero?"),
    (
        "Avísale a la directora de la escuela que falta un papel",
        "la directora de la escuela",
        "falta un papel",
    ),
    ("Mándale un correo a mi jefe diciendo: estoy enfermo", "mi jefe", "estoy enfermo"),
    ("Write to my boss:\n\nI can't come.\n\nThanks, Jo", "my boss", "I can't come.\n\nThanks, Jo"),
    ("TELL ANNA: I'M LATE", "ANNA", "I'M LATE"),
    ("Escribe a nuestra vecina: “¡feliz día!”", "nuestra vecina", "¡feliz día!"),
]

FOR_THE_COMPANION = [
    "I wrote to my boss: he said no",
    "I have to tell Anna that I'm leaving",
    "Should I tell Anna that I'm leaving?",
    "Tell me that story again",
    "Tell me about this: what is love",
    "Tell Anna that story about the bear",
    "Don't tell Anna that I'm leaving",
    "Write to disk: the file is big",
    "Write to the log: x is 3",
    "Note to self: buy milk",
    "Write to my boss about my holidays",
    "Tell the story that I wrote yesterday",
    "Tell the story of Troy: keep it short",
    "Email the report that I wrote to the printer",
    "Text Analysis: I need help with the essay",
    "I told Anna that I'm leaving",
    "Let Anna sleep",
    "Write a poem about my mother",
    "Le dije a Ana que llego tarde",
    "Tengo que decirle a Ana que llego tarde",
    "No le digas a Ana que llego tarde",
    "¿Le digo a Ana que llego tarde?",
    "Escríbeme: qué hay de nuevo",
    "Dime que todo irá bien",
    "Escribe a mano: la letra es bonita",
    "Escribe a la derecha: cinco",
    "Escribe al final: gracias",
    "If you tell Anna that I'm late, she will be angry",
    "My boss: what a man",
    "Ask yourself: is it worth it",
    "Thanks for telling Anna that I was ill",
    "Please let Alaskans decide",
    "",
]

NOT_CLEAR = [
    "Write to my boss: I can't come. Make it more polite.",
    "Write to my boss: I can't come. What do you think?",
    "tell her that I'm late",
    "Write to a friend: hello",
    "Write to my boss about the meeting: I can't come",
    "Tell Anna that I'll be late. What's the weather like?",
    "Tell Anna that I'll be late and remind me to buy milk",
    "Write to the woman that I met yesterday",
    "Tell the woman that I met yesterday that I liked her",
    "Tell Anna: “hi” and Bob: “ho”",
    "Dile que llego tarde",
    "Escríbele a la mujer que conocí ayer",
    "Escríbele a mi jefa: no puedo ir. Hazlo más formal.",
    "Tell Anna that I'm late. Tell Bob that I'm ill.",
    "Write to my boss:",
    "Tell Anna “I'm late",
    "tell anna that i'm late",
    "Write to my boss about the meeting: I can't come",
    "Escríbele: no puedo ir mañana",
    "Escríbele a él: no puedo ir mañana",
]


@pytest.mark.parametrize(("text", "addressee", "words"), PASSED_ON)
def test_words_for_somebody_are_told_from_the_request(text: str, addressee: str, words: str) -> None:
    """[A10] The addressee as they are named there, and only the part that is meant for them."""
    assert meant_for(text) == Meant(addressee, words)


@pytest.mark.parametrize("text", FOR_THE_COMPANION)
def test_what_only_looks_like_it_is_for_the_companion(text: str) -> None:
    """[A10] Things, stories, what was told already, should or must not be told, and what is asked of the companion."""
    assert meant_for(text) == Meant("", text)


@pytest.mark.parametrize("text", NOT_CLEAR)
def test_what_is_not_clearly_parted_counts_for_nobody(text: str) -> None:
    """[A10] Nobody who is named, another request behind it, or a relative clause where the words might begin."""
    assert meant_for(text) is None


@given(
    before=st.sampled_from(
        ["", "Write to my boss: ", "tell Anna that I ", "Dile a Ana que ", "Tell Anna: “"]
    ),
    text=st.text(alphabet="aB ñİ\n.:!?\"“”'te\u0301I", max_size=40),
)
def test_nothing_is_ever_put_into_somebodys_mouth(before: str, text: str) -> None:
    """[A10] Addressee and words stand in the message as they are, whatever it is."""
    meant = meant_for(before + text)
    if meant is not None:
        assert meant.words in before + text
        assert all(
            word in (before + text).split() or word in before + text for word in meant.addressee.split()
        )


@pytest.mark.parametrize(("text", "form", "share"), [
    ("I'm late, don't wait", "full_forms", 0.0),
    ("I am late, do not wait", "full_forms", 1.0),
    ("I’m late, do not wait", "full_forms", 0.5),
    ("Here I am. Yes, it is.", "full_forms", None),
    ("¿Puedes venir con tu hermana?", "usted", 0.0),
    ("¿Podría usted venir? Le agradezco su ayuda", "usted", 1.0),
    ("Te quiero ver, dígame cuándo, por favor", "usted", 0.5),
    ("Llego tarde, no hay tren", "usted", None),
    ("Is the tu in French like te?", "usted", None),
])  # fmt: skip
def test_formality_is_told_by_the_forms_of_a_language(text: str, form: str, share: float | None) -> None:
    """[A10] Contractions in English, tú and usted in Spanish; nothing where no form tells."""
    assert formality(fold(text))[form] == share


@pytest.mark.parametrize(("text", "number"), [
    ("Please come, thanks!", 2), ("Por favor, ven. Gracias.", 2), ("Thanks to the rain we stayed", 0),
    ("Gracias a la lluvia nos quedamos", 0), ("Come.", 0),
])  # fmt: skip
def test_courtesies_are_counted(text: str, number: int) -> None:
    """[A10] Asking, thanking and excusing; a cause is no thanks."""
    assert courtesies(fold(text)) == number


def test_a_very_long_message_is_parted_as_a_short_one_is() -> None:
    """[A10] A request is looked for at its beginning, and the words behind it are all of them."""
    assert meant_for("Write to my boss: " + "x. " * 15_000) == Meant("my boss", ("x. " * 15_000).strip())
    assert meant_for("Tell Anna “" * 4_000) is None
    late = "All is well here. " * 500 + "Write to my boss: hello"
    assert meant_for(late) == Meant("", late)
