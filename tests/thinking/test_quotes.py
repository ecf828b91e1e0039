"""Quotes and languages: what stands in a text, and what language it is in."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.thinking.language import language_of, same_language
from innerlife.thinking.quotes import find_quote

TEXT = "Anna said: “I don’t like the\n  sea — it’s too cold.” Élodie agreed. Straße, 我喜欢大海。"


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("like the sea", "like the\n  sea"),
        ("I don't like the sea - it's too cold.", "I don’t like the\n  sea — it’s too cold."),
        ('"I DON\'T LIKE"', "I don’t like"),
        ("  élodie  ", "Élodie"),
        (unicodedata.normalize("NFD", "Élodie agreed"), "Élodie agreed"),
        ("strasse", "Straße"),
        ("喜欢", "喜欢"),
    ],
)
def test_a_quote_is_found_however_it_is_set(quote: str, found: str) -> None:
    """[X5] Case, spaces, line breaks, typography and composed accents may differ; offsets are the evidence's own."""
    span = find_quote(quote, TEXT)
    assert span is not None
    assert TEXT[span.start : span.end] == found


@pytest.mark.parametrize(
    "quote", ["", " ", "...", "hates the sea", "like sea", "ann", "old", "Elodie", "the sea it's", "x" * 500]
)
def test_what_is_not_there_is_not_found(quote: str) -> None:
    """[X5] A paraphrase, half a word, another accent and nothing at all are no quotes."""
    assert find_quote(quote, TEXT) is None


def test_an_accent_typed_apart_belongs_to_its_letter() -> None:
    text = "a cafe\u0301 there"
    span = find_quote("café", text)
    assert span is not None
    assert text[span.start : span.end] == "cafe\u0301"
    assert find_quote("cafe", text) is None


@given(st.text(max_size=60), st.data())
def test_any_run_of_words_of_a_text_is_found_in_it(text: str, data: st.DataObject) -> None:
    """[X5] And the span that is found reads like the quote."""
    words = text.split()
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[start : data.draw(st.integers(start + 1, len(words)))])
    span = find_quote(quote, text)
    if span is not None:
        assert find_quote(text[span.start : span.end], text) is not None
    elif any(c.isalnum() for c in quote):
        # Marks at a word's edge are all that may keep it from being found.
        assert not quote.isascii() or not quote.strip("\"' `").isalnum()


@given(st.text(max_size=80), st.text(max_size=80))
def test_spans_lie_within_the_evidence(quote: str, evidence: str) -> None:
    span = find_quote(quote, evidence)
    assert span is None or 0 <= span.start < span.end <= len(evidence)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The dog was in the house with my sister and she had a cold", "en"),
        ("Der Hund war mit meiner Schwester im Haus und sie hatte eine Erkältung", "de"),
        ("El perro estaba en la casa con mi hermana y ella tenía un resfriado", "es"),
        ("Le chien était dans la maison avec ma soeur et elle avait un rhume", "fr"),
        ("Собака была в доме с моей сестрой", "CYRILLIC"),
        ("犬は家にいました", "HIRAGANA"),
        ("我喜欢大海和山", "CJK"),
        ("A friend of a friend bought a boat", "en"),
        ("I think I lost my keys again", "en"),
        ("Me duele si me muevo", "es"),
        ("Escuto, lembro o que importa a esta pessoa e aprendo como ajudar.", "pt"),
        ("#a5b1da done: I finished the old violin", "en"),
        ("#a5b1da completed #b2a7da dropped", ""),
        ("Check https://blog.example.com please", ""),
        ("Please have a look at www.example.com.br/o/a/e", "en"),
        ("run src/do/na/i.py and tell me what it says", "en"),
        ("How do I make pancakes fluffy?", "en"),
        ("You read as fast as I do.", "en"),
        ("¿Qué vuelos directos hay de Bogotá a Madrid?", "es"),
        ("Parece que va a llover.", ""),
        ("Estoy decidida a dejar de fumar", ""),
        ("Você pode me dizer como chegar a Lisboa?", "pt"),
        ("Pizza!", ""),
        ("", ""),
        ("12 34 56", ""),
    ],
)
def test_languages_are_told_apart(text: str, language: str) -> None:
    assert language_of(text) == language


def test_nothing_is_said_where_nothing_can_be_told() -> None:
    assert same_language(
        "Llamar a mamá. Trabaja de noche.", "Trabajo de noche y quiero llamar a mi mamá mañana."
    )
    assert same_language("Pizza!", "Der Hund war mit meiner Schwester im Haus")
    assert not same_language(
        "The dog was in the house with my sister", "Der Hund war mit der Schwester im Haus"
    )
