import pytest

from innerlife.recall.use import rarity_of, uses


def test_a_shared_rare_term_is_use() -> None:
    """[R4] The answer takes up a name that only the item held."""
    assert uses(
        answer="How is Ottilie doing?", item="My sister Ottilie broke her leg.", question="I'm tired today"
    )


def test_what_the_question_had_anyway_is_no_use() -> None:
    """[R4] Sharing the question's own words proves nothing."""
    item = "My sister Ottilie broke her leg."
    assert not uses(answer="I hope Ottilie is well.", item=item, question="Ottilie called me")


def test_everyday_words_are_no_use() -> None:
    """[R4] One common short word in both is chance."""
    assert not uses(answer="That is good to know.", item="It was a good day.", question="hello")


@pytest.mark.parametrize(("often", "expected"), [(3, True), (600, False)])
def test_rarity_decides_where_frequencies_are_known(often: int, expected: bool) -> None:
    """[R4] The same shared word counts when it is rare in this memory, and not when it is everywhere."""
    rarity = rarity_of({"garden": often}, 1_000)
    found = uses(answer="Go into the garden.", item="The garden is wet.", question="what now", rarity=rarity)
    assert found is expected


def test_nothing_shared_nothing_used() -> None:
    """[R4] Without a shared term nothing was used."""
    assert not uses(answer="", item="Ottilie", question="")
    assert not uses(answer="Blue whales sing.", item="Ottilie broke her leg.")
