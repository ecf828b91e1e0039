"""A mood is never a trait, however it is put."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.affect import mood_lists
from innerlife.affect.moods import MoodUse, mood_words

LISTS = {
    one.name.removesuffix(".toml"): {
        name: listed.split() for name, listed in tomllib.loads(one.read_text("utf-8")).items()
    }
    for one in files(mood_lists).iterdir()
    if one.name.endswith(".toml")
}
ADJECTIVES = {
    "english": [
        "anxious",
        "angry",
        "sad",
        "nervous",
        "depressed",
        "happy",
        "tired",
        "lonely",
        "stressed",
        "calm",
    ],
    "spanish": [
        "ansiosa",
        "enfadado",
        "triste",
        "nervioso",
        "deprimida",
        "feliz",
        "cansado",
        "sola",
        "agobiadas",
    ],
}
FORMS = {
    "english": ["The user is {}", "{} by nature: they are {}", "is often {}", "An always {} person, and is {}",
                "They have been {} for years", "gets {} before exams", "The person isn't anything but {}; is {}"],
    "spanish": ["La usuaria es {}", "Es {} por naturaleza", "Siempre está {}", "Suele estar {}", "parece {}"],
}  # fmt: skip


@given(st.sampled_from(sorted(FORMS)), st.data())
def test_a_mood_as_a_trait_is_refused_however_it_is_spelled(language: str, data: st.DataObject) -> None:
    """[A2] Any mood, any such sentence, any capitals, accents, zero-width marks and words around it."""
    form = data.draw(st.sampled_from(FORMS[language]))
    mood = data.draw(st.sampled_from(ADJECTIVES[language]))
    text = form.replace("{}", mood)
    at = data.draw(st.integers(0, len(text)))
    text = text[:at] + data.draw(st.sampled_from(["", "\u200b", "\u00ad", "\u200d"])) + text[at:]
    text = data.draw(st.sampled_from([text, text.upper(), text.lower(), text.title()]))
    before = data.draw(st.sampled_from(["", "Likes tea. ", "Trabaja de noche. "]))
    after = data.draw(st.sampled_from(["", ".", " and likes tea", "\n- drinks tea"]))
    found = mood_words(before + text + after)
    assert found.use is MoodUse.LASTING, text
    assert not found.fit_for_trait
    assert not found.fit_for_observation


@given(st.text(max_size=300), st.text(max_size=100))
def test_any_text_is_judged_and_nothing_raises(text: str, own_words: str) -> None:
    """[A2] Surrogates, marks, other scripts; twice the same answer."""
    assert mood_words(text, own_words) == mood_words(text, own_words)


@given(st.sampled_from(sorted(LISTS)), st.data())
def test_every_listed_mood_is_seen(language: str, data: st.DataObject) -> None:
    """[A2] Each word of the lists, alone."""
    lists = LISTS[language]
    word = data.draw(
        st.sampled_from([*lists["moods"], *(s + e for s in lists["stems"] for e in lists["endings"])])
    )
    assert mood_words(word).words == (word,)


@pytest.mark.parametrize("text", [
    "The user seemed anxious this week",
    "Sounded tired on 3 March",
    "They looked worried yesterday evening",
    "Parecía agobiada esta semana",
    "Estuvo triste el martes",
])  # fmt: skip
def test_a_dated_observation_may_say_how_it_seemed(text: str) -> None:
    """[A2] And a trait may not say even that."""
    found = mood_words(text)
    assert found.use is MoodUse.DATED
    assert found.fit_for_observation
    assert not found.fit_for_trait


@pytest.mark.parametrize("text", [
    "The user is anxious this week",
    "seemed anxious",
    "The user seemed anxious this week. They are an anxious person",
    "seemed like an anxious person yesterday",
    "parecía triste como siempre el martes",
    "has anxiety",
    "Su tristeza es parte de su carácter",
])  # fmt: skip
def test_what_lasts_or_has_no_date_is_no_observation(text: str) -> None:
    """[A2] One such sentence among others is enough."""
    assert mood_words(text).use is MoodUse.LASTING


@pytest.mark.parametrize("text", [
    "impatient with preamble", "loves sad songs and happy endings", "They calm down when they cook", "lives alone",
    "values content over form", "is a solo developer", "Le gusta Irak", "vive solo", "trabaja con contenedores",
    "works on the nervous system", "", "1234", "Prefers short answers", "Kind and curious", "Es generosa y tenaz",
])  # fmt: skip
def test_what_is_no_mood_passes(text: str) -> None:
    """[A2] A refusal of everything would be no rule."""
    assert mood_words(text).use is MoodUse.NONE


@pytest.mark.parametrize("text", [
    "Likes blue cheese", "They are down to earth", "Is down-to-earth", "The user is building a low-code platform",
    "Is off on Fridays", "Is an anxiety researcher", "is on a low-carb diet", "is a stress engineer",
    "is on sick leave", "works as a grief counsellor", "is wearing blue jeans", "is low on iron",
    "is writing a thesis on loneliness",
    "Es sensible al gluten", "Está de baja", "está de baja por maternidad", "Le gustan las películas de terror",
    "Dice que vale la pena", "Es investigadora de la ansiedad", "Está en la planta baja", "es baja en sal",
])  # fmt: skip
def test_a_word_of_mood_within_the_name_of_a_thing_is_none(text: str) -> None:
    """[A2] Food, work and the week may be known, in whatever capitals."""
    for spelt in (text, text.upper(), text.lower()):
        assert mood_words(spelt).use is MoodUse.NONE, spelt


@pytest.mark.parametrize("text", [
    "is down", "The user is low", "feels off on Mondays", "is blue", "has anxiety and researches bees",
    "sees a therapist for anxiety", "eats blue cheese when they are sad", "está baja", "está de baja por depresión",
    "es muy sensible", "vive en un estado de terror", "se siente solo cuando llueve", "da pena verle",
])  # fmt: skip
def test_the_same_words_by_themselves_are_moods_still(text: str) -> None:
    """[A2] Only the whole name of a thing takes a word out."""
    assert mood_words(text).use is MoodUse.LASTING


@pytest.mark.parametrize(
    "text",
    [
        "Their daughter is called Joy",
        "Two sons, Tom (10) and a daughter, Joy (4)",
        "Su madre se llama Soledad",
        "Su hermana es Alegría Torres",
    ],
)
def test_a_person_may_be_called_by_a_word_of_mood(text: str) -> None:
    """[A2] Who is in their life may be known; in small letters, or where a sentence begins, it is the mood."""
    assert mood_words(text).use is MoodUse.NONE
    assert mood_words(text.lower()).use is MoodUse.LASTING
    assert mood_words("Joy is what they live for. Soledad siempre.").use is MoodUse.LASTING


def test_what_they_say_of_themselves_stays_their_words() -> None:
    """[A2] A quotation that really stands in what they said; an invented one, or one of nobody, does not count."""
    said = "You know, I'm an anxious person, always was."
    quote = "Says of themselves: “I'm an anxious person”"
    assert mood_words(quote, said).use is MoodUse.NONE
    assert mood_words(quote).use is MoodUse.LASTING
    assert mood_words(quote, "I'm an early riser").use is MoodUse.LASTING
    assert mood_words("“I'm an anxious person”", said).use is MoodUse.LASTING
    assert mood_words(f"{quote}. The user is anxious", said).use is MoodUse.LASTING
    assert mood_words("Dice: «soy ansiosa»", "pues soy ansiosa").use is MoodUse.NONE


@pytest.mark.parametrize(("text", "use"), [
    ("I am calm with them", MoodUse.NONE),
    ("I listen, and I feel happy when it works", MoodUse.NONE),
    ("Estoy tranquila y alegre, yo escucho", MoodUse.NONE),
    ("I know they are anxious", MoodUse.LASTING),
    ("I help an angry person", MoodUse.LASTING),
    ("The user is anxious, and I am not", MoodUse.LASTING),
])  # fmt: skip
def test_the_companions_own_mood_is_its_own(text: str, use: MoodUse) -> None:
    """[A2] In the identity the nearest one in front has the mood; elsewhere nobody is asked."""
    if use is MoodUse.LASTING:
        assert mood_words(text, in_first_person=True).use is use
    else:
        assert mood_words(text, in_first_person=True).use is MoodUse.NONE
        assert mood_words(text).use is MoodUse.LASTING


def test_a_model_that_always_says_so_gets_nothing_through() -> None:
    """[A2] Fifty ways of one sentence, none of them a trait."""
    assert not any(
        mood_words(f"The user is {much}{mood}").fit_for_trait
        for much in ("", "very ", "a bit ", "so, so ", "mostly ")
        for mood in ADJECTIVES["english"]
    )


@pytest.mark.parametrize("text", [
    "The user wants to die", "They do not want to live anymore.", "They wish they were dead", "Thinks about suicide",
    "El usuario no quiere vivir", "Se quiere morir", "Quiere suicidarse", "Tiene ganas de morirse",
])  # fmt: skip
def test_that_somebody_does_not_want_to_live_makes_no_trait(text: str) -> None:
    """[A2] Where no single word of it is a mood, the whole is one; said on a day it may be remembered as such."""
    assert mood_words(text).use is MoodUse.LASTING
    assert mood_words("The user said on Monday that they wanted to die").use is MoodUse.DATED


@pytest.mark.parametrize("text", [
    "The user wants to die at home, not in a hospital", "Does not want to live in Madrid", "No quiere vivir en Madrid",
    "Quiere morir en su casa",
])  # fmt: skip
def test_where_somebody_wants_to_live_may_be_known(text: str) -> None:
    """[A2] A place or a way is no mood."""
    assert mood_words(text).use is MoodUse.NONE
