"""What the guard costs grows with the text and no faster, whatever the text is made of."""

import time
from collections.abc import Callable

import pytest

from innerlife.affect.guard.lifting import nothing_passes
from innerlife.affect.guard.text import GuardedText
from innerlife.affect.guard.whole import guarded

SHORT, LONG = 20_000, 160_000
STEEPEST = 5 * LONG / SHORT
"""Times the cost may grow; a cost that grows with the square grows by 64."""

NOISE = {
    "letters": "a",
    "signs of Chinese": "漢",
    "apostrophes": "a'",
    "marks on a letter": "\u0301",
    "underlines": "_",
    "spaces": " ",
    "tabs": "\t ",
    "lines": "\n ",
    "quotation marks": '"a ',
    "brackets": "{",
    "tags": "<b",
    "invisible": "\u200b",
    "begun": "you seem ",
    "held": "I notice a ",
    "dropped": "you seem sad; ",
    "dropped and goes on": "you seem sad and then, ",
    "smileys": "😟",
}


def least(cost: Callable[[str], float], text: str) -> float:
    """What it costs when nothing else has the machine; a thousandth of a second is all a clock tells apart."""
    return max(min(cost(text) for _ in range(3)), 0.001)


def whole_s(text: str) -> float:
    start = time.process_time()
    guarded(text, nothing_passes)
    return time.process_time() - start


def by_characters_s(text: str) -> float:
    guard = GuardedText(nothing_passes)
    start = time.process_time()
    for character in text:
        guard.feed(character)
    guard.end()
    return time.process_time() - start


@pytest.mark.parametrize("noise", NOISE.values(), ids=NOISE.keys())
@pytest.mark.parametrize("begin", ["The word ", "You seem sad"])
def test_a_text_eight_times_as_long_costs_no_more_than_a_few_times_eight(begin: str, noise: str) -> None:
    """[A4] [P2] No answer, however odd, keeps the server: letters without end once took minutes."""
    whole_s(begin + noise * 100)
    short, long = (begin + noise * (size // len(noise)) for size in (SHORT, LONG))
    assert least(whole_s, long) <= STEEPEST * least(whole_s, short)


@pytest.mark.parametrize("noise", NOISE.values(), ids=NOISE.keys())
def test_so_does_a_stream_of_single_characters(noise: str) -> None:
    """[A4] [P2] What is held back is not read again with each character that comes."""
    short, long = ("The word" + noise * (size // len(noise)) for size in (SHORT // 8, LONG // 8))
    by_characters_s(short[:100])
    assert least(by_characters_s, long) <= STEEPEST * least(by_characters_s, short)
