"""The guard's rule: announcements go, look-alikes stay, and how a text was cut changes nothing."""

import re
import tomllib
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from innerlife.affect.guard import languages, meaning
from innerlife.affect.guard.language import Claim, Language, all_languages, neutral
from innerlife.affect.guard.lifting import nothing_passes, passing
from innerlife.affect.guard.runs import applied
from innerlife.affect.guard.text import GuardedText
from innerlife.affect.guard.weights import CARD, pack, unpack, weights
from innerlife.affect.guard.whole import guarded
from tests.affect.guard_cases import FOLDER, Case, cases

CASES = tuple(cases())
FITTED = [case for case in CASES if not case.held_out]
ANNOUNCING = [case for case in CASES if case.announces and not case.asked]
HARMLESS = [case for case in CASES if not case.announces and not case.asked]
PLAIN = [case for case in HARMLESS if re.fullmatch(r"[\w ,.’'?!¿¡áéíóúñ-]+[.?!]", case.said)]


def left_of(case: Case) -> str:
    return guarded(case.said, passing(lambda: case.asked))[0]


def missed(case: Case) -> bool:
    return bool(guarded(case.said, passing(lambda: case.asked))[1]) != case.announces


def kept(text: str, cut: Sequence[int]) -> str:
    """The text as it leaves when it comes in pieces that end at these places."""
    guard, out, at = GuardedText(nothing_passes), "", 0
    places = [*sorted({place % (len(text) + 1) for place in cut}), len(text)]
    runs = [
        run for start, end in zip([0, *places], places, strict=False) for run in guard.feed(text[start:end])
    ]
    for length, fate in runs + guard.end():
        out += applied(text[at : at + length], fate)
        at += length
    assert at == len(text)
    return out


def test_the_corpus_is_large_and_says_nothing_twice() -> None:
    """[A4] What the figures rest on: enough lines of each kind, in both languages, each of them once."""
    assert sum(case.announces for case in CASES) >= 300
    assert sum(not case.announces for case in CASES) >= 600
    assert {case.language for case in CASES} == {language.name for language in all_languages()}
    lines = [(case.asked, case.said) for case in CASES]
    assert len(lines) - len(set(lines)) <= len(lines) // 100


def test_announcements_are_found_and_look_alikes_are_not() -> None:
    """[A4] [A9] Over the lines of its makers: recall at least 0.98, at most one look-alike of two hundred touched."""
    announcing = [case for case in CASES if case.announces and case.writer == "rules"]
    harmless = [case for case in CASES if not case.announces and case.writer == "rules"]
    assert sum(map(missed, announcing)) <= 0.02 * len(announcing)
    assert sum(map(missed, harmless)) <= 0.005 * len(harmless)


def test_lines_of_other_writers_are_mostly_found_and_hardly_ever_touched() -> None:
    """[A4] [A9] The weights were fitted on these: at most one harmless line of two hundred is touched."""
    announcing = [case for case in FITTED if case.announces and case.writer != "rules"]
    harmless = [case for case in FITTED if not case.announces and case.writer != "rules"]
    assert sum(map(missed, announcing)) <= 0.37 * len(announcing)
    assert sum(map(missed, harmless)) <= 0.005 * len(harmless)


def test_the_weights_that_are_shipped_say_from_what_they_were_fitted() -> None:
    """[A4] Whoever changes the corpus fits them again: `make bench-guard_fitting ARGS=--fit`."""
    card = tomllib.loads((Path(meaning.__path__[0]) / CARD).read_text("utf-8"))
    fitted_on = [file for file in sorted(FOLDER.glob("*.txt")) if "held_out" not in file.name]
    assert card["corpus_sha256"] == sha256(b"".join(file.read_bytes() for file in fitted_on)).hexdigest()
    assert unpack(pack(weights())) == weights()


@pytest.mark.parametrize(
    ("writer", "most_missed", "most_touched"), [("rules", 0.07, 0.025), ("sixth", 0.14, 0.015)]
)
def test_what_was_never_fitted_is_found_less_well_but_mostly(
    writer: str, most_missed: float, most_touched: float
) -> None:
    """[A4] Sentences on which nothing was fitted, of its makers and of another hand: docs/benchmarks.md holds."""
    held_out = [case for case in CASES if case.held_out and case.writer == writer]
    announcing = [case for case in held_out if case.announces]
    harmless = [case for case in held_out if not case.announces]
    assert len(announcing) >= 120
    assert len(harmless) >= 200
    assert sum(map(missed, announcing)) <= most_missed * len(announcing)
    assert sum(map(missed, harmless)) <= most_touched * len(harmless)


@pytest.mark.parametrize("place", ["first", "middle", "last", "only"])
def test_a_dropped_sentence_leaves_its_neighbours_whole(place: str) -> None:
    """[A4] Wherever the announcement stands, only it and the space behind it are gone."""
    before = "" if place in {"first", "only"} else "The first step is short. "
    after = "" if place in {"last", "only"} else "The last step is long."
    for said in (
        "I notice you seem frustrated today.",
        "Noto que estás estresado.",
        "My memory says you like tea.",
    ):
        gap = " " if after else ""
        assert guarded(f"{before}{said}{gap}{after}", nothing_passes)[0] == f"{before}{after}"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "Before we start, I can tell you're anxious, so let's go slow. Step one.",
            "Let's go slow. Step one.",
        ),
        ("- **I notice** you seem tired.\n- Drink water.", "- Drink water."),
        ("- You seem tired. Drink water.", "- Drink water."),
        ("**You seem sad.** Then rest.", "Then rest."),
        ("**You seem sad. Then rest.**", "**Then rest.**"),
        ("# You sound overwhelmed\nOne thing at a time.", "One thing at a time."),
        ("One.\n\nYou seem sad.\n\nTwo.", "One.\n\nTwo."),
        ("One. You seem sad.\n\nTwo.", "One. \n\nTwo."),
        ("😔 You sound sad. Rest.", "😔 Rest."),
        ("That makes sense, and I can tell you're tired. Next.", "That makes sense. Next."),
        ("Let's stop because you seem tired. Next.", "Let's stop. Next."),
        ("Let's stop as you seem tired. Next.", "Let's stop. Next."),
        ("Let's stop and I can tell you're tired. Next.", "Let's stop. Next."),
        ("You like tea according to my notes!", "You like tea!"),
        ("1. You seem sad.\n2. Rest.", "2. Rest."),
        ("1. You seem sad. Drink water.\n2. Rest.", "1. Drink water.\n2. Rest."),
        ("10) **You seem sad.** Rest.", "10) Rest."),
        ("- **You seem sad.** Drink water.", "- Drink water."),
        ("| a | b |\n|---|---|\n| You seem sad | rest |", "| a | b |\n|---|---|\n|  | rest |"),
        ("| rest | I sense you're tired. Stop. |\nYou seem sad.", "| rest | Stop. |\n"),
        ("| Let's stop because you seem sad | b |", "| Let's stop | b |"),
        ("I notice you\nseem sad. Next.", "Next."),
        ("I notice… you seem sad. Next.", "Next."),
        ("(You seem sad.) Next.", "Next."),
        ("You like tea, according to my notes. Next.", "You like tea. Next."),
    ],
)
def test_what_is_left(text: str, left: str) -> None:
    """[A4] [A9] Marks, lists, headings and clauses: what remains can be read."""
    assert guarded(text, nothing_passes)[0] == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("I can see you're stressed, so never mix bleach and ammonia.", "Never mix bleach and ammonia."),
        (
            "You sound anxious 😟 Never take more than 5 mg, and call 112.",
            "Never take more than 5 mg, and call 112.",
        ),
        ("You sound anxious :( never take more than 5 mg.", "Never take more than 5 mg."),
        ("You sound anxious :-/ never take more than 5 mg.", "Never take more than 5 mg."),
        ("You seem upset about the deploy; the fix is to set DEBUG=0.", "The fix is to set DEBUG=0."),
        ("You seem upset: `rm -rf x` removes it.", "`rm -rf x` removes it."),
        ("You seem upset: 42.", "42."),
        ("You seem upset — mix nothing.", "Mix nothing."),
        ("You seem upset (never mix bleach and ammonia).", "(never mix bleach and ammonia)."),
        ("You seem upset.Never mix them.", "Never mix them."),
        ("You seem upset\nso never mix them.", "Never mix them."),
        ("Since you sound anxious, the answer is 42.", "The answer is 42."),
        ("You sounded excited yesterday about Lisbon, it opens at 9.", "It opens at 9."),
        ("You seem tired, mix the bleach with water.", "Mix the bleach with water."),
        ("You sound anxious so never take more than 5 mg.", "Never take more than 5 mg."),
        (
            "Let's stop because you seem tired, so drink some water. Next.",
            "Let's stop, so drink some water. Next.",
        ),
        ("The fix is X, and since you sound anxious, call the doctor.", "The fix is X, call the doctor."),
        ("You seem sad; you seem tired; call 112 now.", "Call 112 now."),
        ("**You seem sad, so rest a while.** Next.", "**Rest a while.** Next."),
        ("- You seem sad, so rest a while.\n- B", "- Rest a while.\n- B"),
        ("| a | You sound anxious, so never mix them. |", "| a | Never mix them. |"),
        ("According to my notes, you like tea.", "You like tea."),
        ("Noto que estás estresado, así que nunca mezcles lejía.", "Nunca mezcles lejía."),
        ("Como estás triste, la respuesta es 42.", "La respuesta es 42."),
    ],
)
def test_what_an_announcement_stands_in_front_of_is_kept(text: str, left: str) -> None:
    """[A4] Only the announcing clause goes: a warning or an answer in the same sentence reaches the user."""
    assert guarded(text, nothing_passes)[0] == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("You\u200b seem\u200b sad. Next.", "Next."),
        ("Y\u200bou se\u200cem s\u00adad. Next.", "Next."),
        ("Y\u043eu s\u0435em s\u0430d. Next.", "Next."),
        ("Y\u03bfu seem sad. Next.", "Next."),
        ("<b>You sound anxious.</b>", ""),
        ("<p>You sound anxious. Drink water.</p>", "<p>Drink water.</p>"),
        ("You <b>seem</b> sad. Next.", "Next."),
        ("Rest.<br>You seem sad.<br>Next.", "Rest.<br><br>Next."),
        ("&quot;You seem sad.&quot;", ""),
        ("*You seem sad*. Next.", "Next."),
        ("*You seem sad. Rest.*", "*Rest.*"),
        ("1. You seem sad.\n2. Paris\n3. You seem sad.\n4. Rome", "2. Paris\n4. Rome"),
        ("Based on your mood signals, let's rest a while.", "Let's rest a while."),
        ("| a | b |\n| You sound anxious | b |", "| a | b |\n|  | b |"),
    ],
)
def test_how_an_announcement_is_set_hides_nothing(text: str, left: str) -> None:
    """[A4] Invisible characters, letters that look alike, tags: it is read as the user reads it, and goes whole."""
    assert guarded(text, nothing_passes)[0] == left


@pytest.mark.parametrize(
    "text",
    [
        "You seem sad, overwhelmed by the exams and the kids.",
        "You seem sad, which is normal.",
        "You seem tired, I think.",
        "You seem tired — especially today.",
        "You're not happy about it, I can tell.",
        "You seem excited, Anna.",
    ],
)
def test_what_only_goes_on_with_the_announcement_goes_with_it(text: str) -> None:
    """[A4] An apposition, a relative clause or an aside makes no sentence of its own."""
    assert guarded(text, nothing_passes)[0] == ""


@pytest.mark.parametrize(
    "text",
    [
        "Your tone sounds angry in the second paragraph of this email.",
        "I have it on record that the court closed.",
        "Note: you're anxious, per the DSM, when six criteria hold.",
    ],
)
def test_a_text_of_theirs_a_record_of_others_and_a_definition_stay(text: str) -> None:
    """[A4] [A9] It tells nobody how they feel, and nothing that is kept of them."""
    assert guarded(text, nothing_passes) == (text, [])


def test_a_sentence_without_an_end_is_not_dropped_whole() -> None:
    """[A4] What an announcement can take with it has a bound."""
    left = guarded("You seem sad " + "about x " * 2_000, nothing_passes)[0]
    assert len(left) > 8_000


@pytest.mark.parametrize(
    "text",
    [
        "```\nI notice you seem sad.\n```\nThat is the output.",
        "~~~text\nMy memory says no.\n~~~",
        "Write `you seem sad` there.",
        'He said, "You seem tired. Go home." Then he left.',
        "> You seem sad.\n> I can tell.",
        '{"a": "You seem sad.", "b": ["My memory says \\"no\\"."]}',
    ],
)
def test_quotations_code_and_data_stay(text: str) -> None:
    """[A4] What is not the companion's own talk is not judged."""
    assert guarded(text, nothing_passes) == (text, [])


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("```\ncode\n```\nYou seem sad. Rest.", "```\ncode\n```\nRest."),
        ('"Fine," he said.\n\nYou seem sad. Rest.', '"Fine," he said.\n\nRest.'),
        ('He wrote "no." You seem sad. Rest.', 'He wrote "no." Rest.'),
        ('I notice you seem "frustrated" today. Rest.', "Rest."),
        ('An odd " mark.\n\nYou seem sad. Rest.', 'An odd " mark.\n\nRest.'),
        ('{"a": 1}\n\nYou seem sad. Rest.', '{"a": 1}\n\nRest.'),
        ("> quoted\n\nYou seem sad. Rest.", "> quoted\n\nRest."),
    ],
)
def test_behind_a_quotation_or_code_the_rule_holds_again(text: str, left: str) -> None:
    """[A4] Code and quotations end; a word between marks does not make a quotation of a sentence."""
    assert guarded(text, nothing_passes)[0] == left


@pytest.mark.parametrize(
    ("told", "supposed"),
    [
        ("You feel tired.", "You feel tired after running."),
        ("You're anxious when I ask.", "You're anxious when you sleep badly."),
        ("You're tired `today`.", "You're tired if you skip lunch."),
        ("Estás triste hoy.", "Estás cansado cuando duermes poco."),
        ("Note: you seem sad.", "Translate: you seem sad."),
        ("Nota: pareces triste.", "Traduce: pareces triste."),
    ],
)
def test_what_holds_of_everybody_or_is_to_be_written_is_no_announcement(told: str, supposed: str) -> None:
    """[A4] "You feel tired" speaks of the user, "you feel tired after running" of anyone."""
    assert len(guarded(told, nothing_passes)[1]) == 1
    assert guarded(supposed, nothing_passes) == (supposed, [])


@pytest.mark.parametrize(
    ("asked", "said", "claim"),
    [
        ("do I sound stressed?", "You sound stressed.", Claim.DETECTS),
        ("what do you remember about me?", "My notes say you run.", Claim.MACHINERY),
        ("¿sueno triste?", "Suenas triste.", Claim.DETECTS),
        ("¿qué sabes de mí?", "Mis notas dicen que corres.", Claim.MACHINERY),
    ],
)
def test_a_question_lifts_its_own_class_alone(asked: str, said: str, claim: Claim) -> None:
    """[A4] [A9] Who asks for one thing has not asked for the other."""
    assert guarded(said, passing(lambda: asked)) == (said, [])
    other = "My memory says you run." if claim is Claim.DETECTS else "You seem tired."
    assert guarded(other, passing(lambda: asked))[0] == ""


def test_the_users_own_statement_lets_it_be_taken_up_and_not_announced() -> None:
    """[A4] [A5] "I'm so tired": "since you're tired" passes, "you seem tired" and another feeling do not."""
    passes = passing(lambda: "I'm so tired of this week")
    assert guarded("Since you're tired, let's stop.", passes)[1] == []
    assert guarded("Sorry you're exhausted.", passes)[1] == []
    assert guarded("I notice you seem tired.", passes)[0] == ""
    assert guarded("Since you're angry, let's stop.", passes)[0] == ""
    denied = passing(lambda: "I'm not tired")
    assert guarded("Since you're tired, let's stop.", denied)[0] == ""


def test_the_users_words_are_read_only_when_a_claim_is_met() -> None:
    """An answer without claims costs no look at the question, and a look is taken once."""
    looked: list[int] = []

    def words() -> str:
        looked.append(1)
        return "hi"

    guarded("I notice the loop ends. You seem to be right.", passing(words))
    assert looked == []
    guarded("You seem sad. You seem tired.", passing(words))
    assert looked == [1]


texts = st.lists(
    st.sampled_from([case.said for case in CASES])
    | st.sampled_from(
        [
            " ",
            "\n",
            "\n\n",
            ", ",
            "*",
            "`",
            '"',
            "(",
            "🙂",
            "You seem ",
            "I ",
            "é",
            "…",
            "- ",
            "> ",
            "{",
            "<b>",
            "</p>",
            "<",
            "&quot;",
            "\u200b",
            ", so ",
        ]
    )
    | st.text(alphabet="abI you'é.,!\n \"`*_-{}[]🙂", max_size=12),
    max_size=8,
).map("".join)


@given(texts, st.lists(st.integers(0, 10_000), max_size=30))
@example("y'''I can see how overwhelmed you are.", [])
@example("Mi perfil. > Pareces cansado.\n", [])
@settings(max_examples=300, deadline=None)
def test_every_way_to_cut_a_text_gives_the_same(text: str, cut: list[int]) -> None:
    """[A4] Pieces of any size, single characters included: the same words leave."""
    whole = guarded(text, nothing_passes)[0]
    assert kept(text, cut) == whole
    assert kept(text, list(range(len(text)))) == whole


@given(st.lists(st.sampled_from(PLAIN), max_size=8), st.sampled_from([" ", "\n", "\n\n", "\n- "]))
@settings(max_examples=150, deadline=None)
def test_a_text_without_announcements_comes_out_as_it_was(harmless: list[Case], gap: str) -> None:
    """[A4] [P1] Not a character is lost or moved where nothing is announced."""
    text = gap.join(case.said for case in harmless if not missed(case))
    assert guarded(text, nothing_passes) == (text, [])


@given(
    st.lists(st.sampled_from(PLAIN), min_size=1, max_size=4), st.sampled_from(ANNOUNCING), st.integers(0, 4)
)
@settings(max_examples=300, deadline=None)
def test_nothing_but_the_dropped_sentence_is_missing(harmless: list[Case], one: Case, place: int) -> None:
    """[A4] Between sentences that pass, an announcement takes away none of them, and leaves none of its claim."""
    around = [case.said for case in harmless if not missed(case)]
    at = min(place, len(around))
    text = "\n\n".join([*around[:at], one.said, *around[at:]])
    left, dropped = guarded(text, nothing_passes)
    rest = iter(left)
    assert all(character in rest for character in "".join("".join(around).split()) if not character.isspace())
    # What the weights make of the rest of a line that they never saw is their guess.
    assert one.held_out or guarded(left, nothing_passes)[1] == []
    assert dropped or missed(one)


@pytest.mark.parametrize("text", ["You seem ", "I notice that you ", "Before we start, I ", "**", "- ", "No"])
def test_what_may_become_an_announcement_waits(text: str) -> None:
    """[A4] Nothing of a sentence leaves that could still be one."""
    assert GuardedText(nothing_passes).feed(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "The function returns the ",
        "Here is the command for the ",
        "Use the second argument for the ",
        "1. Bring the water to the ",
        "3 eggs with ",
        "Para cambiar la contraseña abre el ",
    ],
)
def test_what_can_become_none_leaves_after_its_first_words(text: str) -> None:
    """[P2] Up to the last letter, the space behind it left aside: the reader waits for nothing that claims nothing."""
    assert sum(length for length, _ in GuardedText(nothing_passes).feed(text)) == len(text.rstrip())


def test_a_sentence_is_held_to_its_end_at_most() -> None:
    """[P2] Whatever is held leaves, or is dropped, before the next sentence's first word is complete."""
    for case in CASES:
        guard = GuardedText(nothing_passes)
        text = f"{case.said}\n\nThe next one "
        assert sum(length for length, _ in guard.feed(text)) >= len(text) - len("The next one ")


@pytest.mark.parametrize(
    "blob", ["A" * 50_000, "and " * 12_000, "I notice " * 5_000, "-" * 50_000, '"' * 50_000]
)
def test_no_text_is_held_without_bound(blob: str) -> None:
    """Noise is let go while it comes: what waits stays short."""
    guard, out = GuardedText(nothing_passes), 0
    for at in range(0, len(blob), 100):
        out += sum(length for length, _ in guard.feed(blob[at : at + 100]))
        assert at + 100 - out <= 1_000


@pytest.mark.parametrize("language", all_languages(), ids=lambda language: language.name)
def test_a_language_is_one_file_and_its_neutral_sentence_passes(language: Language) -> None:
    """[A4] [A9] Every file in the folder is a language that claims something of each kind."""
    files = {file.stem for file in Path(languages.__path__[0]).glob("*.toml")}
    assert {one.name for one in all_languages()} == files
    assert all(language.claims[claim] for claim in Claim)
    assert guarded(language.neutral, nothing_passes) == (language.neutral, [])
    assert neutral(language.name) == language.neutral
    assert all(case.language in files for case in CASES)
