"""The token estimate, held to two real tokenizers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.workspace.tokens import estimate_tokens
from tests.workspace import vocabulary

SAMPLES = {
    "English": "On the way home I told her that the presentation had gone better than expected.",
    "Spanish": "Ayer por la tarde estuvimos hablando de la mudanza y de lo difícil que será encontrar uno.",
    "German": "Gestern Abend haben wir über die Geschwindigkeitsbegrenzung gesprochen, und er schwieg.",
    "French": "Je lui ai dit que l'été dernier nous étions déjà allés à la plage, mais elle restait ici.",
    "Polish": "Wczoraj wieczorem rozmawialiśmy o przeprowadzce i o tym, jak trudno będzie znaleźć coś.",
    "Vietnamese": "Hôm qua chúng tôi đã nói chuyện về việc chuyển nhà và việc tìm một căn hộ gần sông.",
    "Turkish": "Dün akşam taşınma hakkında konuştuk ve nehre yakın aydınlık bir daire bulmanın zor.",
    "Russian": "Вчера вечером мы говорили о переезде и о том, как трудно будет найти квартиру у реки.",
    "Greek": "Χθες το βράδυ μιλήσαμε για τη μετακόμιση και πόσο δύσκολο θα είναι να βρούμε ένα διαμέρισμα.",
    "Arabic": "تحدثنا مساء أمس عن الانتقال إلى بيت جديد وعن صعوبة العثور على شقة مضيئة قريبة من النهر.",
    "Hebrew": "אתמול בערב דיברנו על המעבר ועל כמה קשה יהיה למצוא דירה מוארת ליד הנהר.",
    "Hindi": "कल शाम हमने घर बदलने के बारे में बात की और यह कि नदी के पास रोशनी वाला घर मिलना कितना कठिन होगा।",
    "Thai": "เมื่อวานตอนเย็นเราคุยกันเรื่องย้ายบ้านและความยากในการหาห้องที่สว่างใกล้แม่น้ำ",
    "Chinese": "昨天晚上我们谈到了搬家的事情，还有在河边找一间明亮的公寓会有多么困难。",
    "Japanese": "昨日の夜、引っ越しのことや、川の近くで明るい部屋を見つける難しさについて話しました。",
    "Korean": "어제 저녁에 우리는 이사에 대해 이야기했고 강 근처에서 밝은 아파트를 찾는 것이 어렵다.",
    "Amharic": "ትናንት ማታ ስለ ቤት መቀየር ተነጋገርን።",
    "Georgian": "გუშინ საღამოს გადასვლაზე ვისაუბრეთ.",
    "emoji": "😀🎉👩‍👩‍👧‍👦🏳️‍🌈🙏🏽",
    "code": "def f(x: int) -> dict[str, int]:\n    return {k: v for k, v in enumerate(range(x)) if v}",
    "JSON": '{"mapping":{"a1b2-33":{"id":"0f3c9e","parent":null,"children":["7d1"]}}}',
    "base64": "aGVsbG8gd29ybGQgdGhpcyBpcyBhIGJhc2U2NCBzdHJpbmcgd2l0aCBubyBtZWFuaW5n",
    "hash": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "address": "https://www.example.org/path/to/some-page?utm_source=x&id=123456789#frag",
}


@pytest.fixture(scope="module")
def smollm2() -> Callable[[str], int]:
    return vocabulary.smollm2()


@pytest.fixture(scope="module")
def minilm() -> Callable[[str], int]:
    return vocabulary.minilm()


@pytest.mark.parametrize("name", SAMPLES)
def test_the_estimate_is_cautious_but_not_wasteful(
    name: str, smollm2: Callable[[str], int], minilm: Callable[[str], int]
) -> None:
    """[W3] In every script the estimate is at most a quarter below the real count, and never twice."""
    count = max(smollm2(SAMPLES[name]), minilm(SAMPLES[name]))
    assert 0.75 * count <= estimate_tokens(SAMPLES[name]) <= 1.9 * count


def test_english_is_close(smollm2: Callable[[str], int]) -> None:
    """[W3] English, the language tokenizers pack most tightly, is over-counted by a third at most."""
    text = SAMPLES["English"]
    assert smollm2(text) <= estimate_tokens(text) <= 1.34 * smollm2(text)


@given(st.text(max_size=300), st.text(max_size=300))
def test_more_text_takes_more_tokens(first: str, second: str) -> None:
    """[W3] Any text can be weighed, the empty one takes nothing, and twice takes at least as much."""
    assert estimate_tokens("") == 0
    assert estimate_tokens(first) >= 0
    assert estimate_tokens(first + "\n" + first) >= estimate_tokens(first)
    assert estimate_tokens(first) == estimate_tokens(first)
    assert estimate_tokens(second) <= 4 * len(second.encode("utf-8", "surrogatepass"))


def test_a_long_identifier_is_weighed_quickly() -> None:
    """[W3] A megabyte without a space is weighed in one pass: one token a character where it holds digits."""
    assert estimate_tokens("a1" * 500_000) == 1_000_000
