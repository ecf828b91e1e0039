"""Cutting streams into frames, whatever the network does to them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.proxy.reply import OLLAMA, OPENAI
from innerlife.proxy.wire.frame import Splitter, Tally
from innerlife.proxy.wire.splitting import event_data, events, lines


def cut(splitter: Splitter, pieces: list[bytes]) -> list[bytes]:
    found = [frame for piece in pieces for frame in splitter.feed(piece)]
    rest = splitter.rest()
    return [*found, rest] if rest else found


@given(
    st.lists(st.binary(max_size=40) | st.sampled_from([b"\n", b"\r\n", b"\r", b"\n\n", b"data: x\r\n\r\n"]))
)
def test_frames_joined_are_the_stream(pieces: list[bytes]) -> None:
    """[P1] Whatever comes, in whatever pieces, no byte is lost, added or moved."""
    for splitter in (lines(), events()):
        assert b"".join(cut(splitter, pieces)) == b"".join(pieces)


WORDS = st.lists(
    st.text(min_size=1, max_size=8).filter(lambda text: text.isprintable()), min_size=1, max_size=6
)


@given(WORDS, st.sampled_from(["\n", "\r\n", "\r"]), st.data())
def test_events_are_read_however_they_are_split(words: list[str], ending: str, data: st.DataObject) -> None:
    """[P1] The same words are read from LF, CRLF and CR streams split anywhere, also inside a character."""
    events_text = "".join(
        f": note{ending}{ending}data: "
        + json.dumps({"choices": [{"delta": {"content": word}}]}, ensure_ascii=False)
        + ending * 2
        for word in words
    )
    raw = events_text.encode()
    marks = sorted(data.draw(st.sets(st.integers(0, len(raw)), max_size=8)))
    pieces = [raw[a:b] for a, b in zip([0, *marks], [*marks, len(raw)], strict=True)]
    tally = Tally()
    for frame in cut(events(), pieces):
        tally.add(OPENAI.frame(frame))
    assert tally.text == "".join(words)


@given(st.lists(st.binary(max_size=60)))
def test_garbage_never_raises(pieces: list[bytes]) -> None:
    for form in (OLLAMA, OPENAI):
        for piece in pieces:
            assert form.frame(piece).raw == piece
            assert form.whole(piece).raw == piece


def test_an_event_leaves_as_soon_as_its_empty_line_came() -> None:
    """[P2] Nothing is held that is complete, whatever ends the lines."""
    for ending in (b"\n", b"\r\n", b"\r"):
        splitter = events()
        assert list(splitter.feed(b"data: 1" + ending + ending)) == [b"data: 1" + ending + ending]


def test_frames_without_end_are_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("innerlife.proxy.wire.splitting.LONGEST_FRAME", 100)
    splitter = lines()
    assert b"".join(splitter.feed(b"x" * 101)) == b"x" * 101
    assert splitter.rest() == b""


@pytest.mark.parametrize(
    ("raw", "data"),
    [
        (b"data: a\n\n", b"a"),
        (b"data:a\r\n\r\n", b"a"),
        (b"data: a\ndata: b\n\n", b"a\nb"),
        (b"event: x\ndata: a\nid: 1\n\n", b"a"),
        (b": comment\n\n", b""),
        (b"\n", b""),
        (b"data: [DONE]\r\r", b"[DONE]"),
    ],
)
def test_data_of_events(raw: bytes, data: bytes) -> None:
    assert event_data(raw) == data
