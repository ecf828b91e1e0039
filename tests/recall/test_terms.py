import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.recall.terms import stem, terms, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("hike", "hiking"), ("hikes", "hiked"), ("story", "stories"), ("running", "runs"), ("boxes", "box"),
        ("quick", "quickly"), ("activities", "activity"), ("park", "parked"),
    ],
)  # fmt: skip
def test_inflections_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("bus", "bush"), ("sing", "s"), ("glass", "gla"), ("red", "r")])
def test_short_words_keep_their_body(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_words_without_a_subject_are_left_out() -> None:
    assert terms("When did you go to the pottery class?") == ["go", "potteri", "class"]


def test_a_son_a_hat_and_a_war_are_subjects_in_english() -> None:
    assert terms("my son had a hat in the war, and nobody would die") == [
        "son",
        "hat",
        "war",
        "nobodi",
        "die",
    ]


def test_accents_case_and_possessives_fold() -> None:
    assert words("Ángel’s CAFÉ, Straße") == ["angel", "cafe", "strasse"]


def test_unspaced_scripts_are_searched_by_pairs() -> None:
    assert words("東京タワー") == ["東京", "京タ", "タワ", "ワー"]


@given(st.text(max_size=80))
def test_any_text_gives_plain_terms(text: str) -> None:
    """Terms hold no space, no quotation mark and no operator: they stand in a query as they are."""
    for term in terms(text):
        assert term.isalnum()
        assert len(term) <= 40
