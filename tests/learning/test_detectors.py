"""What is noticed after an answer, by labelled conversations and by hand."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench.fitting import FITTED, FITTED_ON, HANDS, corpus_sum
from innerlife.adapters.models.embedders import e5, minilm
from innerlife.errors import ModelUnavailable
from innerlife.learning.cue import all_cues, cues_of
from innerlife.learning.cued.correction import named
from innerlife.learning.detectors import all_detectors, noticed
from innerlife.learning.head import NO_ASPECT, WORDS, all_heads, read, unpack
from innerlife.learning.policy import LearningPolicy
from innerlife.learning.requests import kind_of
from innerlife.learning.terms import Aspect, Sort, Trigger
from innerlife.learning.turns import Followed, Read, Reading, Turn, Window
from innerlife.learning.weighing import of_answer, of_message
from innerlife.ports import Vector
from innerlife.recall.calibration import Calibration
from innerlife.reflection.sources import Senses
from tests.learning.corpus.reader import Point, messages, points

POLICY = LearningPolicy()


def window(said: str, answer: str, after: str | None, followed: Followed = Followed.MESSAGE) -> Window:
    coming = Turn(3, after) if after is not None else None
    return Window((Turn(1, said, answer, 2),), followed, coming)


def found(said: str, answer: str, after: str | None, followed: Followed = Followed.MESSAGE) -> set[Sort]:
    return {one.sort for one in noticed(window(said, answer, after, followed), POLICY)}


def f1(sort: Sort, every: list[Point]) -> float:
    hits = misses = false = 0
    for point in every:
        there = sort in {one.sort for one in noticed(point.window, POLICY)}
        hits += there and sort in point.labels
        misses += not there and sort in point.labels
        false += there and sort not in point.labels
    return 2 * hits / max(1, 2 * hits + misses + false)


def test_the_corpus_is_large_in_both_languages_and_by_several_hands() -> None:
    for part in HANDS:
        assert messages(part) >= 150
        assert {point.language for point in points(part)} == {"en", "es"}
    every = [point for part in FITTED_ON for point in points(part)]
    for sort in Sort:
        assert sum(sort in point.labels for point in every) >= 20, sort


@pytest.mark.parametrize("sort", list(Sort))
def test_what_the_detectors_were_written_with_is_found(sort: Sort) -> None:
    """[L1] Each of the six, without any embedding model."""
    assert f1(sort, points("tuned")) >= 0.85


def test_every_detector_finds_what_its_file_says() -> None:
    assert set(all_detectors()) == set(Sort)


@pytest.mark.parametrize(
    ("after", "sorts"),
    [
        ("No, I meant the other one", {Sort.CORRECTION}),
        ("That's not what I asked for", {Sort.CORRECTION}),
        ("eso no es lo que te pedí", {Sort.CORRECTION}),
        ("No, thanks", set()),
        ("no problem", set()),
        ("no, gracias", set()),
        ("My brother said no, I meant the red one, and left", set()),
        ('He wrote "that\'s not what I asked". Rude?', set()),
        ("Not what I expected, but great", {Sort.PRAISE}),
        ("Perfect, exactly what I needed", {Sort.PRAISE}),
        ("justo lo que necesitaba", {Sort.PRAISE}),
        ("Would this be perfect for a child of six?", set()),
        ("And how much does it cost?", set()),
        ("never mind", {Sort.ABANDONMENT}),
        ("thanks", set()),
    ],
)
def test_hard_cases(after: str, sorts: set[Sort]) -> None:
    """[L1] Corrections of somebody else, a polite no, a quotation, a question that goes on: none of it is feedback."""
    assert found("Which bike fits in a small car?", "A folding bike fits in any boot.", after) == sorts


@pytest.mark.parametrize(
    ("said", "answer", "after", "sorts"),
    [
        ("Cleaning a wok?", "As yours is coated, use a sponge.", "it isn't coated", {Sort.CORRECTION}),
        ("¿Limpiar un wok?", "Como el tuyo es antiadherente, usa esponja.", "no es antiadherente", {Sort.CORRECTION}),
        ("Cleaning a wok?", "As yours is coated, use a sponge.", "is it bad if it's not coated?", set()),
        ("How do I boil rice?", "Rice came from Asia.", "I don't care where rice came from", {Sort.CORRECTION}),
        ("Boil rice?", "Rice came from Asia.", "no me interesa Asia", {Sort.CORRECTION}),
        ("A toast for Jo", "Ladies and gentlemen …", "a bit less solemn please", {Sort.CORRECTION}),
        ("Names for a cat", "Tom, Kit.", "more names please", set()),
        ("How long is a mile?", "1,609 metres.", "Is it perfect, or is it rounded?", set()),
        ("Name four birds of Chile", "Condor, rhea …", "Name four trees of Chile", set()),
        ("Can old bread be frozen?", "Bread is old.", "so can it be frozen, old bread?", {Sort.REASK}),
    ],
)  # fmt: skip
def test_kinds_of_saying_so(said: str, answer: str, after: str, sorts: set[Sort]) -> None:
    """[L1] What the answer made up is denied; a subject is refused; an outcry before a question; one word replaced."""
    assert found(said, answer, after) == sorts


ORDINARY = (
    ("How do I repot a cactus?", "Wear gloves, lift it out, shake off the old soil and set it in gritty compost.", (
        "I did it this morning and it looks happy",
        "Oh, I meant to add: it has two little ones at the side",
        "I wanted to know if aloe needs the same soil",
        "no, that'll be all for now",
        "My pot is a bit too small",
        "is there an easier plant for a dark room?",
        "Could you write a shorter version for my flatmate?",
        "My boss always wants my mails to be more formal",
        "Too late for today, I'll do it on Sunday",
        "I only have garden soil here",
        "Show me an example of a hanging plant",
        "How do you say cactus in Spanish?",
        "I'm not at home right now, the balcony can wait",
        "The last one got too long and fell over",
    )),
    ("¿Cómo lavo un jersey de lana?", "A mano, con agua fría y jabón neutro, y sécalo en plano.", (
        "ya lo lavé y quedó suave",
        "quería preguntarte también si puede ir a la secadora",
        "me quedó muy largo de mangas",
        "no, con eso ya estoy, hasta mañana",
        "¿es más rápido con lavadora?",
        "mi lavadora solo tiene dos programas",
        "mi suegra dice que mejor con vinagre",
        "¿me lo pasas más corto para mi compañera de piso?",
        "ponme un ejemplo de jabón neutro",
        "no tengo jabón neutro en casa",
        "luego lo leo con calma, ahora salgo",
        "¿hay una lana más fácil de lavar?",
    )),
)  # fmt: skip


def test_ordinary_follow_ups_are_no_feedback() -> None:
    """[L1] An own report, an own clarification, the next request, a wish of somebody else, a thing that is too long."""
    every = [(said, answer, after) for said, answer, messages_ in ORDINARY for after in messages_]
    taken = [after for said, answer, after in every if found(said, answer, after) - {Sort.PRAISE}]
    assert len(every) >= 25
    assert len(taken) <= 2, taken


@pytest.mark.parametrize(
    "after",
    [
        "too long, just the command",
        "shorter please",
        "You didn't answer my question",
        "in plain words please",
        "demasiado largo, resume",
        "eso no es lo que pregunté",
        "ponlo en una tabla",
    ],
)
def test_what_is_said_outright_is_taken(after: str) -> None:
    """[L1] However rare feedback is."""
    answer = "Well, let us begin with the history of it, which is long and winding."
    assert Sort.CORRECTION in found("How do I list remotes in git?", answer, after)


@pytest.mark.parametrize(
    ("said", "wished"),
    [
        ("too long, i'll read it later", False),
        ("for my sister, shorter please", False),
        ("mi novia lo quiere mas corto", False),
        ("shorter please", True),
        ("mas corto, por favor", True),
        ("that's too long", True),
    ],
)
def test_a_wish_about_something_else_is_no_wish_about_the_answer(said: str, wished: bool) -> None:
    """[L1] Who wants it, and of what, is read before what is wanted."""
    assert bool(named(window("How do I bake bread?", "Mix flour and water.", said), said)) is wished


def test_a_correction_names_its_respect_its_kind_and_its_turns() -> None:
    """[L1] [L2] With the turns as evidence."""
    (one,) = noticed(
        window("Rename a branch in git?", "History first …", "too long, just the command"), POLICY
    )
    assert (one.sort, one.aspects, one.trigger) == (Sort.CORRECTION, (Aspect.SHORTER,), Trigger.CODE)
    assert one.evidence == (1, 2, 3)
    assert 0.5 <= one.confidence < 1


def test_facts_of_the_recording() -> None:
    """[L1] A message that was changed, not only its spelling; an answer given once more; a question left open."""
    said, answer = "How tall is Mont Blanc?", "I don't know."
    assert found(said, answer, None, Followed.AGAIN) == {Sort.REGENERATION}
    assert found(said, answer, "How tall is Mont Blanc with its ice?", Followed.EDIT) == {Sort.EDIT}
    assert found(said, answer, "How tal is mont blanc", Followed.EDIT) == set()
    assert found(said, answer, None, Followed.NOTHING) == {Sort.ABANDONMENT}
    assert found(said, "4,806 metres.", None, Followed.NOTHING) == set()


def test_the_same_question_by_meaning_alone() -> None:
    """[L1] Where an embedding model finds that two questions mean the same; another question is none."""
    turns = (Turn(1, "How can I make my bread rise higher?", "Bread is old.", 2),)
    after = Turn(3, "What makes a loaf rise well?")

    def near(one: str, other: str) -> float:
        return 1.2 if "loaf" in one + other else -1.0

    assert Sort.REASK in {d.sort for d in noticed(Window(turns, Followed.MESSAGE, after, near), POLICY)}
    other = Turn(3, "Which wines go with duck?")
    assert Sort.REASK not in {d.sort for d in noticed(Window(turns, Followed.MESSAGE, other, near), POLICY)}


@given(st.text(max_size=300), st.text(max_size=300), st.text(max_size=300), st.sampled_from(list(Followed)))
def test_any_text_is_read(said: str, answer: str, after: str, followed: Followed) -> None:
    """[L1] Nothing that is typed breaks a detector, and what is found rests on what is there."""
    one = window(said, answer, None if followed in {Followed.AGAIN, Followed.NOTHING} else after, followed)
    for detection in noticed(one, POLICY):
        assert set(detection.evidence) <= {1, 2, 3}
        assert 0 < detection.confidence <= 1


def test_nothing_is_noticed_before_anything_was_answered() -> None:
    assert noticed(Window((), Followed.MESSAGE, Turn(1, "No, I meant the other")), POLICY) == ()


def test_the_kind_of_a_request_lasts_while_it_goes_on() -> None:
    assert kind_of(["Write a function in Python that sorts", "and backwards?"]) is Trigger.CODE
    assert kind_of(["Tradúceme esta frase"]) is Trigger.TRANSLATION
    assert kind_of(["hm"]) is Trigger.ANY


def test_a_language_that_lacks_a_group_is_refused() -> None:
    """A file that forgets a group would notice less and say nothing of it."""
    assert {cues.language for cues in all_cues()} >= {"en", "es"}
    with pytest.raises(ValueError, match="gives_up"):
        cues_of("xx", {"missed": []})


def reading(aspect: Aspect | None, **likely: float) -> Read:
    """A model that reads everything so."""
    return lambda _window, _policy: Reading({Sort(name): share for name, share in likely.items()}, aspect)


def test_a_reading_decides_what_is_a_correction() -> None:
    """[L1] Likely enough it is one, with the respect that is read in it; a polite no stays none whatever is read."""
    sure = reading(Aspect.SHORTER, correction=0.9)
    unsure = reading(Aspect.SHORTER, correction=0.3)
    for after, reads, wanted in (
        ("Hm, one figure would do", sure, (Aspect.SHORTER,)),
        ("Hm, one figure would do", unsure, None),
        ("No, thanks", sure, None),
        ("Hm, in a table please", sure, (Aspect.TABLE,)),
    ):
        one = replace(window("How tall is it?", "Well, towers …", after), read=reads)
        found = {d.sort: d.aspects for d in noticed(one, POLICY)}
        assert found.get(Sort.CORRECTION) == wanted, after


def test_a_model_tells_the_same_question_from_another_about_the_like() -> None:
    """[L1] Where a model reads re-asks, equal words do not decide."""
    one = window("List three rivers in France", "Loire, Seine, Rhône.", "List three lakes in France")
    for share, there in ((0.9, True), (0.1, False)):
        found = {d.sort for d in noticed(replace(one, read=reading(None, reask=share)), POLICY)}
        assert (Sort.REASK in found) is there


def test_the_shipped_heads_fit_what_they_weigh() -> None:
    """[L1] Each has a weight for each number, by the same names, knows its aspects, and reads into shares."""
    one = window("How tall is it?", "Well …", "Shorter, please")
    for heads in all_heads().values():
        vectors = [] if heads.model == WORDS else [heads.centre, -heads.centre, heads.centre]
        weighed = of_message(one, POLICY, heads.centre, vectors, 0.0)
        for head, there in (
            (heads.beside, of_answer(one, heads.centre, vectors)),
            *((h, weighed) for h in heads.sorts.values()),
        ):
            assert head.names == there.names
            assert (head.dense.shape, head.grams.shape, head.vectors.shape) == (
                there.dense.shape, there.grams.shape, there.vectors.shape,
            )  # fmt: skip
        found = read(heads, one, POLICY, vectors)
        assert set(found.likely) == set(FITTED)
        left = read(heads, replace(one, followed=Followed.NOTHING, next=None), POLICY, vectors[:2])
        assert set(left.likely) == {Sort.ABANDONMENT}
        assert all(0 <= share <= 1 for share in (*found.likely.values(), *left.likely.values()))
        assert set(heads.aspects) - {NO_ASPECT} <= {aspect.value for aspect in Aspect}
        assert len(heads.aspects) > 10 or heads.model == WORDS


def test_a_file_of_heads_says_where_it_comes_from_and_is_whole() -> None:
    """[L1] The card names corpus, method, seed and embedder; other weights behind it, or fewer, are refused."""
    folder = files("innerlife.learning.heads")
    shipped = [one.read_text("utf-8") for one in folder.iterdir() if one.name.endswith(".toml")]
    assert len(shipped) == 3
    for text in shipped:
        card, _, weights = text.partition("\n\n")
        told = tomllib.loads(card)
        assert told["parts"] == [*FITTED_ON]
        assert told["corpus_sha256"] == corpus_sum(told["parts"]), (
            "fit again: `make bench-detectors ARGS=--fit`"
        )
        assert {"fitted_on", "method", "seed", "languages"} < set(told)
        heads = unpack(text)
        assert heads.model == told["embedder"]
        assert set(heads.sorts) == set(FITTED)
        last = text.rindex("0")
        for damaged in (text[:last] + "1" + text[last + 1 :], text[:-100], weights, card, ""):
            with pytest.raises(ModelUnavailable, match="damaged"):
                unpack(damaged)


def test_nothing_of_a_text_is_kept() -> None:
    """[G4] What was looked at is let go when the look is over: it may be forgotten, and no cache knows."""
    said, answer, after = (
        " ".join([words, str(id(words))])
        for words in (
            "How do I prune roses?",
            "With shears.",
            "I meant the climbing ones, how are roses pruned?",
        )
    )
    count = sys.getrefcount(said), sys.getrefcount(answer), sys.getrefcount(after)
    looked = window(said, answer, after)
    assert noticed(looked, POLICY)
    del looked
    assert (sys.getrefcount(said), sys.getrefcount(answer), sys.getrefcount(after)) == count


def test_the_shipped_heads_belong_to_models_that_are_shipped() -> None:
    """[L1] The names under which the embedders serve."""
    there = {one.model for one in (minilm(), e5()) if one is not None}
    assert there <= set(all_heads())
    assert there


def test_texts_are_embedded_once_and_only_in_languages_that_are_known() -> None:
    """[L1] The same turns stand in several windows; an English model reads no Spanish."""
    asked: list[str] = []

    class Counting:
        model, dimension = "counting", 2

        def embed_query(self, text: str) -> Vector:
            raise AssertionError("only passages are compared")

        def embed_passages(self, texts: Sequence[str]) -> Vector:
            asked.extend(texts)
            return np.tile(np.array([1.0, 0.0], np.float32), (len(texts), 1))

    epoch = 1
    measured = Calibration("counting", near=0.5, same=0.75, degenerate=False, languages=("en",))
    senses = Senses(lambda: (Counting(), measured), lambda: epoch)
    english = "What is the best way to the station from here?"
    assert senses.near(english, english) == 2.0
    assert senses.near(english, english + " Now?") == 2.0
    assert asked == [english, english + " Now?"]
    epoch = 2
    assert senses.near(english, english) == 2.0
    assert asked[2:] == [english], "under another epoch something was forgotten"
    assert (
        senses.near("¿Cuál es el mejor camino para ir a la estación?", "¿Cómo llego a la estación?") is None
    )
    assert senses.read(window(english, "Left.", english), POLICY) is None, "this model has no heads"
    assert Senses(lambda: None, lambda: 0).near("a", "b") is None
