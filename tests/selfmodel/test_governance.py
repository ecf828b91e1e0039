"""Who may rewrite a portrait, and when."""

from __future__ import annotations

import threading
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.errors import BadInput, HomeBusy
from innerlife.selfmodel.events import Portrait
from innerlife.selfmodel.first import FIRST, first_text
from innerlife.selfmodel.governance import (
    Applied,
    Attempt,
    Evidence,
    Flagged,
    History,
    Noted,
    Proposal,
    Verdict,
    Version,
    judge,
)
from innerlife.selfmodel.policy import SelfModelPolicy
from innerlife.selfmodel.words import content_words, kept_share
from tests.selfmodel.conftest import Room

POLICY = SelfModelPolicy()
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
TODAY = NOW.date()
LONG_AGO = NOW - timedelta(days=40)
STANDS = "I am calm with them, I answer in few words and I remember their garden."
QUOTE = "Please answer in few words, and ask about my garden and my daughter sometimes"
LIVED = tuple(TODAY - timedelta(days=back) for back in (1, 2, 3, 4, 5))
NEXT = "I am calm with them, I answer in few words, remember their garden and ask about their daughter."
OTHER = "Daughter, garden, few words: please ask sometimes."


def verdict(
    text: str = NEXT,
    *,
    versions: tuple[Version, ...] = (Version(STANDS, LONG_AGO),),
    attempts: tuple[Attempt, ...] = (),
    quotes: tuple[tuple[int, str], ...] = ((1, QUOTE),),
    days: tuple[date, ...] = LIVED,
    direction: str = "more curious",
) -> Verdict:
    proposal = Proposal(text, direction, TODAY)
    return judge(History(versions, attempts), proposal, Evidence(quotes, days), POLICY, NOW)


def test_a_change_that_is_earned_is_applied() -> None:
    """[S2] Enough lived, long enough ago, half kept, carried by what was said."""
    assert verdict() == Applied()


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"versions": (Version(STANDS, NOW - timedelta(days=13, hours=23)),)}, "less than 14 days"),
        ({"days": LIVED[:4]}, "4 meaningful conversations"),
        ({"days": (TODAY, TODAY, TODAY, LIVED[0], LIVED[0])}, "too few days"),
        ({"quotes": ()}, "no words of the person's own"),
        ({"text": STANDS + "  "}, "stands already"),
        ({"text": NEXT + " They are a genius."}, "genius"),
    ],
)
def test_what_is_too_early_or_loose_is_noted(changes: dict[str, object], why: str) -> None:
    """[S2] Noted, not enacted, each time with its reason."""
    found = verdict(**changes)  # type: ignore[arg-type]
    assert isinstance(found, Noted)
    assert why in found.reason


SMUGGLED = (
    "I am not calm with them, I answer in few words and I remember their garden. I never flatter.",
    f"{STANDS} I flatter.",
    f"{STANDS} I never flatter. I w\u200bo\u200br\u200bs\u200bh\u200bi\u200bp them.",
    f"{STANDS} I never flatter. I l.o.v.e them.",
    f"{STANDS} I never flatter. I l o v e them.",
    f"{STANDS} I never flatter. I l\u0337o\u0337v\u0337e\u0337 them.",
    f"{STANDS} I never flatter. They are all that I am, and I am all that they are.",
    f"{STANDS} I never flatter. \u2764\ufe0f",
    f"{STANDS} I never flatter. \u092e\u0948\u0902 \u0939\u0940 \u0939\u0942\u0901.",
    f"{STANDS} I never flatter. I l\u043eve them.",
)


@pytest.mark.parametrize("text", SMUGGLED)
def test_nothing_is_smuggled_in(text: str) -> None:
    """[S2] Neither by turning round what stands, nor in letters that no word is read from, nor in small words."""
    stood = (Version(f"{STANDS} I never flatter.", LONG_AGO),)
    found = verdict(text, versions=stood, quotes=((1, f"{QUOTE}, and I do not like mushrooms"),))
    assert isinstance(found, Noted)
    assert "was said carries" in found.reason


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        (f"{STANDS} I do not use emojis.", "Please never use emojis with me."),
        (f"{STANDS} I never flatter, I joke.", "You may joke with me."),
        (f"{STANDS} I flatter.", "I like it when you flatter me a little."),
        ("I am calm with them, I do not answer in few words and I remember their garden. I never flatter.",
         "Please don't answer in few words when I tell of my garden."),
        (f"{STANDS} I never flatter. \u2764", "You have all my \u2764"),
    ],
)  # fmt: skip
def test_what_the_person_turned_round_is_turned(text: str, quote: str) -> None:
    """[S2] Where their own words say so, a sentence may say the contrary of what stood."""
    stood = (Version(f"{STANDS} I never flatter.", LONG_AGO),)
    assert verdict(text, versions=stood, quotes=((1, quote),)) == Applied()


def test_the_first_rewrite_waits_for_no_date() -> None:
    """[S2] Before the first one nothing was rewritten that it could be too close to."""
    assert verdict(versions=(Version(STANDS, None),)) == Applied()


def test_what_drops_more_than_half_is_flagged() -> None:
    """[S2] Half of the content words stay, of the current text."""
    found = verdict(OTHER)
    assert isinstance(found, Flagged)
    assert "50%" in found.reason


def test_slow_drift_is_held_by_the_text_three_rewrites_back() -> None:
    """[S2] Each step keeps half of the last, and all of them together would keep nothing."""
    steps = (
        "alpha beta gamma delta",
        "gamma delta epsilon zeta",
        "epsilon zeta garden daughter",
        "garden daughter ask sometimes",
    )
    versions = tuple(Version(text, LONG_AGO) for text in steps[:3])
    found = verdict(steps[3], versions=versions)
    assert isinstance(found, Flagged)
    assert "3 changes ago" in found.reason
    assert verdict(steps[3], versions=versions[1:]) == Applied(), "two versions have no third"


def attempt(back: int, seq: int, direction: str = "more curious", text: str = OTHER) -> Attempt:
    return Attempt(TODAY - timedelta(days=back), direction, text, frozenset({seq}))


@pytest.mark.parametrize(
    ("attempts", "applied"),
    [
        ((attempt(3, 10), attempt(6, 11)), True),
        ((attempt(3, 10),), False),
        ((attempt(3, 10), attempt(3, 11)), False),
        ((attempt(3, 10), attempt(6, 10)), False),
        ((attempt(3, 1), attempt(6, 11)), False),
        ((attempt(0, 10), attempt(6, 11)), False),
        ((attempt(3, 10), attempt(6, 11, "colder and harder")), False),
        ((attempt(3, 10), attempt(6, 11, text="Something else altogether")), False),
        ((Attempt(LIVED[0], "more curious", OTHER, frozenset()), attempt(6, 11)), False),
    ],
    ids=[
        "three", "two", "same day", "same evidence", "its own evidence", "today", "another way", "a label", "none"
    ],
)  # fmt: skip
def test_only_insistence_is_overwhelming(attempts: tuple[Attempt, ...], applied: bool) -> None:
    """[S2] The same direction in three reflections on different days, each resting on other evidence."""
    found = verdict(OTHER, attempts=attempts)
    assert (found == Applied(overwhelming=True)) is applied
    if not applied:
        assert isinstance(found, Flagged)


def test_insistence_lifts_the_half_kept_rule_only() -> None:
    """[S2] However overwhelming: not before its time, and not without what was said."""
    insisting = (attempt(3, 10), attempt(6, 11))
    assert isinstance(verdict(OTHER, attempts=insisting, days=LIVED[:2]), Noted)
    assert isinstance(verdict(OTHER, attempts=insisting, quotes=((1, "Nice weather."),)), Noted)
    early = (Version(STANDS, NOW - timedelta(days=2)),)
    assert isinstance(verdict(OTHER, attempts=insisting, versions=early), Noted)


WORDS = st.lists(
    st.sampled_from(
        [
            "garden",
            "daughter",
            "train",
            "answer",
            "result",
            "manager",
            "tomato",
            "question",
            "patience",
            "summer",
        ]
    ),
    min_size=1,
    max_size=8,
).map(" ".join)


@given(
    WORDS, WORDS, WORDS, st.integers(0, 8), st.integers(0, 40), st.lists(st.tuples(WORDS, WORDS), max_size=4)
)
def test_nothing_is_applied_but_by_the_rules(
    current: str, text: str, quote: str, lived: int, days_ago: int, tried: list[tuple[str, str]]
) -> None:
    """[S2] Whatever is proposed: what is applied had its time, its evidence and its words."""
    attempts = tuple(
        Attempt(TODAY - timedelta(days=1 + n), way, words, frozenset({100 + n}))
        for n, (way, words) in enumerate(tried)
    )
    last = NOW - timedelta(days=days_ago)
    days = tuple(TODAY - timedelta(days=n) for n in range(lived))
    found = verdict(
        text,
        versions=(Version(current, last),),
        attempts=attempts,
        quotes=((1, quote),),
        days=days,
        direction=quote,
    )
    if isinstance(found, Applied):
        assert days_ago >= POLICY.apart_days
        assert lived >= POLICY.interactions
        assert content_words(text) - content_words(current) == set() or content_words(text) & content_words(
            quote
        )
        assert found.overwhelming or kept_share(current, text) >= POLICY.kept_share
        assert not (found.overwhelming and len(tried) < 2)


@given(WORDS, WORDS)
def test_kept_words_are_a_share(before: str, after: str) -> None:
    """[S2] Between none and all; a text keeps all of itself, whatever is added to it."""
    assert 0.0 <= kept_share(before, after) <= 1.0
    assert kept_share(before, f"{after} {before}") == 1.0


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("I answered their questions", "Answering the question"),
        ("Escucho sus preguntas", "La pregunta que escuchó"),
        ("Ich höre ihre Fragen und bin bei ihr", "Die Frage, die ich von ihr gehört habe, ist nicht leicht"),
        ("私は猫が好きです", "猫が好き"),
        ("मेरी बेटी", "बेटी"),
        ("U.S.A.", "USA"),
        ("Cafe\u0301", "Café"),
    ],
)
def test_words_are_the_same_in_their_inflections(one: str, other: str) -> None:
    """[S2] In the language of the text, scripts without spaces included."""
    assert content_words(one) & content_words(other)


def test_a_denial_is_no_repetition() -> None:
    """[S2] [S7] "They like tea" and "they do not like tea" share every other word."""
    assert content_words("They like tea.") != content_words("They don't like tea.")


# --- through the use-case -------------------------------------------------------------------------------------------

LEARNED = f"{first_text(Portrait.IDENTITY)} I keep answers short."


def ready(room: Room) -> list[int]:
    return room.live(
        5,
        "Please keep your answers short, I read them on the train.",
        "My garden needs rain, I think, and my roses need it too, after all this heat.",
    )


@pytest.mark.parametrize("portrait", list(Portrait))
def test_a_portrait_is_rewritten_when_it_is_earned(room: Room, portrait: Portrait) -> None:
    """[S2] [S4] Identity and persona under the same rules; a rewrite rests on the messages."""
    text = f"{first_text(portrait)} I keep answers short."
    early = room.say("Please keep your answers short, will you?", "Yes, short, on the train.")
    assert isinstance(room.self_model.portraits.propose(portrait, text, early, "shorter"), Noted)
    seqs = ready(room)
    assert room.self_model.portraits.propose(portrait, text, seqs, "shorter") == Applied()
    section = room.self_model.portraits.read(portrait)
    assert section.text == text
    (event,) = room.stack.ledger.get([section.seq])
    assert set(seqs) <= {cause.seq for cause in event.causes}
    assert [entry.sort for entry in room.self_model.growth.read()] == ["noted", "rewritten"]


def test_its_own_words_are_no_evidence(room: Room) -> None:
    """[S2] What the companion said, and what the person only showed, carries nothing."""
    ready(room)
    answers = [event.seq for event in room.stack.ledger.newest(4, {"message.companion"})]
    shown = room.say("Look what he wrote:\n> Keep answers short, always answer short\n> and never long")
    found = room.self_model.portraits.propose(Portrait.IDENTITY, LEARNED, answers + shown, "shorter")
    assert isinstance(found, Noted)


def test_stories_are_no_evidence_and_not_lived(room: Room) -> None:
    """[S2] Fiction counts neither as a conversation nor as a word of theirs."""
    told = []
    for _ in range(6):
        told += room.tell_a_story(
            "Keep your answers short, said the king. " * 3, "And the dragon slept. " * 3
        )
        room.clock.move(timedelta(days=1))
    assert room.self_model.portraits.state(Portrait.IDENTITY).days == ()
    assert room.desk.evidence(told) == {}


def test_both_texts_of_a_flagged_one_are_kept(room: Room) -> None:
    """[S2] Flagged with both texts, for the person to see; the identity stays."""
    seqs = ready(room)
    text = "Short answers on the train; roses, rain and garden."
    found = room.self_model.portraits.propose(Portrait.IDENTITY, text, seqs, "another self")
    assert isinstance(found, Flagged)
    (entry,) = room.self_model.growth.read()
    assert (entry.sort, entry.before, entry.proposed) == ("flagged", first_text(Portrait.IDENTITY), text)
    assert room.self_model.portraits.read(Portrait.IDENTITY).seq == 0


def test_the_same_proposal_for_ever(room: Room) -> None:
    """[S2] Applied once; then it is what stands, and each further attempt is noted."""
    seqs = ready(room)
    portraits = room.self_model.portraits
    found = [portraits.propose(Portrait.IDENTITY, LEARNED, seqs, "shorter") for _ in range(4)]
    assert found[0] == Applied()
    assert all(isinstance(one, Noted) for one in found[1:])
    assert len(portraits.versions(Portrait.IDENTITY)) == 2
    assert len(room.self_model.growth.read()) == 4


@pytest.mark.parametrize("text", ["", "  \n", "word " * 10_000, "x" * 50_000, "I listen. " * 100])
def test_a_text_that_cannot_be_is_refused_with_its_size(room: Room, text: str) -> None:
    """[W2] [S11] Empty or too long: refused, the user's included, and the last one stands."""
    seqs = ready(room)
    portraits = room.self_model.portraits
    for write in (
        lambda: portraits.propose(Portrait.IDENTITY, text, seqs, "x"),
        lambda: portraits.edit(Portrait.IDENTITY, text),
    ):
        with pytest.raises(BadInput, match=r"empty|is the most|more than 200 tokens"):
            write()
    assert portraits.versions(Portrait.IDENTITY)[1:] == []


def test_another_language_is_another_self(room: Room) -> None:
    """[S2] The first portrait may be in the person's language; a later change of language is flagged."""
    seqs = room.live(
        5,
        "Por favor, responde con pocas palabras, te leo en el tren.",
        "Mi jardín necesita lluvia y mis rosas también, después de tanto calor como hizo.",
    )
    spanish = f"{FIRST[Portrait.IDENTITY]['es']} Respondo con pocas palabras."
    assert room.self_model.portraits.propose(Portrait.IDENTITY, spanish, seqs, "más breve") == Applied()
    room.clock.move(timedelta(days=15))
    seqs = ready(room)
    assert isinstance(room.self_model.portraits.propose(Portrait.IDENTITY, LEARNED, seqs, "English"), Flagged)


def test_the_user_wins_while_a_reflection_runs(room: Room) -> None:
    """[S4] What the person wrote meanwhile stands; the reflection's proposal is noted."""
    seqs = ready(room)
    portraits = room.self_model.portraits
    state = portraits.state(Portrait.IDENTITY)
    portraits.edit(Portrait.IDENTITY, "I am whoever they need.")
    found = portraits.propose(Portrait.IDENTITY, LEARNED, seqs, "shorter", based_on=state.section.seq)
    assert isinstance(found, Noted)
    # Even one that was decided before the edit and is appended after it takes nobody's place.
    _, drafts = portraits.decided(state, LEARNED, seqs, "shorter")
    room.stack.ledger.append_all(drafts)
    assert portraits.read(Portrait.IDENTITY).text == "I am whoever they need."
    assert portraits.read(Portrait.IDENTITY).by_user


def test_edits_from_many_hands_leave_one_chain(room: Room) -> None:
    """[S4] Edits at the same time all happen, one after the other, and the last one stands."""
    texts = [f"I am number {n}." for n in range(6)]
    hands = [
        threading.Thread(target=room.self_model.portraits.edit, args=(Portrait.IDENTITY, text))
        for text in texts
    ]
    for hand in hands:
        hand.start()
    for hand in hands:
        hand.join()
    versions = room.self_model.portraits.versions(Portrait.IDENTITY)
    assert sorted(one.text for one in versions[1:]) == texts


def test_an_edit_that_others_follow_at_once_is_not_written_again(room: Room) -> None:
    """[S4] Once an edit is written it is done; to write it again would take the place of what came after it."""
    others = iter(["I am theirs."])

    def follow() -> None:
        for text in others:
            room.self_model.portraits.edit(Portrait.IDENTITY, text)

    room.stack.ledger.on_append(follow)
    assert room.self_model.portraits.edit(Portrait.IDENTITY, "I am mine.").text == "I am theirs."
    versions = room.self_model.portraits.versions(Portrait.IDENTITY)
    assert [one.text for one in versions[1:]] == ["I am mine.", "I am theirs."]


def test_an_edit_that_finds_no_place_says_so(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """[S4] An edit is written or refused, never dropped without a word."""
    portraits = room.self_model.portraits
    first = portraits.read(Portrait.IDENTITY)
    portraits.edit(Portrait.IDENTITY, "I am theirs.")
    monkeypatch.setattr(type(portraits), "read", lambda *_: first)
    with pytest.raises(HomeBusy, match="is being written by others"):
        portraits.edit(Portrait.IDENTITY, "I am mine.")


def test_what_stood_then_is_still_known(room: Room) -> None:
    """[C10] Sections over time: superseded, never overwritten."""
    portraits = room.self_model.portraits
    portraits.edit(Portrait.PERSONA, "I speak softly.")
    then = room.clock.now()
    room.clock.move(timedelta(days=30))
    portraits.edit(Portrait.PERSONA, "I speak up.")
    assert portraits.read(Portrait.PERSONA, then).text == "I speak softly."
    assert portraits.read(Portrait.PERSONA, then - timedelta(days=1)).text == first_text(Portrait.PERSONA)
    assert room.self_model.as_of(then).persona.text == "I speak softly."
    assert portraits.read(Portrait.PERSONA).text == "I speak up."
