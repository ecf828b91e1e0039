"""How the person seems, in real turns: read beside recall, met by manner, explained, taken back, forgotten."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from innerlife import bootstrap
from innerlife.adapters.sqlite.keys import keys_of, read_record, unwrap
from innerlife.affect.cues import Affect, Cue, CueKind, Say, Statement
from innerlife.affect.events import CORRECTED, DROPPED, MANNER, SAID, SIGNAL, Aim
from innerlife.affect.manner import SENTENCES
from innerlife.affect.mood import Mood
from innerlife.affect.signals import Glimpse
from innerlife.companion import Companion
from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Said
from innerlife.errors import BadInput, NotFound
from innerlife.ledger.envelope import Derivation, Role
from innerlife.ledger.store import Intent
from innerlife.membrane.events import CONTEXT
from innerlife.membrane.remember import Recollection
from innerlife.membrane.turn import Hints, Plan, TurnRequest
from innerlife.reflection.glance import Spoken
from innerlife.selfmodel.events import Hand, Insight, TraitSort
from innerlife.selfmodel.tool_calls import reply
from innerlife.settings import Configured
from tests.support.bytes import planted_in
from tests.support.client import assistant, user
from tests.support.clock import FixedClock

HARD, GLAD, TIRED = Affect(-0.7, 0.5, -0.2), Affect(0.8, 0.7, 0.3), Affect(-0.5, -0.6)
NAMED = {"worn out": TIRED, "furious": HARD, "over the moon": GLAD}
HEADS = Derivation("affect.heads", "1")


def glance(spoken: Spoken) -> Glimpse:
    """A reader of few words: what is named, "I'm fine", and exclamation marks."""
    text, cues, statements = spoken.words.lower(), [], []
    for words, affect in NAMED.items():
        if (at := text.find(words)) >= 0:
            statements.append(Statement(Say.FEELS, words, affect, (at, at + len(words))))
    if (at := text.find("i'm fine")) >= 0:
        statements.append(Statement(Say.FINE, "", Affect(), (at, at + 8)))
    if (at := text.find("!!!")) >= 0:
        cues.append(Cue(CueKind.LINGUISTIC, "many marks", HARD, 0.6, (at, at + 3)))
    return Glimpse(tuple(cues), tuple(statements))


@pytest.fixture
def companion(configured: Configured, clock: FixedClock) -> Iterator[Companion]:
    opened = bootstrap.open_companion(configured, clock=clock, glance=glance)
    yield opened
    opened.close()


def ask(
    companion: Companion,
    text: str,
    history: list[Said] | None = None,
    *,
    fiction: bool = False,
    window: int | None = None,
) -> Plan:
    """A turn with its record written."""
    history = [] if history is None else history
    history.append(user(text))
    plan = companion.turns.begin(TurnRequest(tuple(history), "model", "test", window=window, fiction=fiction))
    assert plan.opened is not None
    companion.turns.finish(plan.opened, Answer("Very well.", Ending.COMPLETE, "model"))
    history.append(assistant("Very well."))
    for _ in range(500):
        effects = [one.effect for one in companion.ledger.store.effects([plan.opened.user_seq])]
        if any(event.kind == CONTEXT for event in companion.ledger.get(effects)):
            companion.upkeep.catch_up()
            return plan
        time.sleep(0.02)
    raise AssertionError("no record was written")


def manner_in(plan: Plan) -> list[str]:
    """The sentences of manner in the block of this turn."""
    return [line for line in plan.block.splitlines() if line in SENTENCES.values()]


def seq_of(plan: Plan) -> int:
    assert plan.opened is not None
    return plan.opened.user_seq


def aims(companion: Companion, clock: FixedClock) -> list[Aim]:
    return [one.point.aim for one in companion.mood.guidance(clock.now())]


def test_the_turn_itself_is_met_by_its_manner(companion: Companion) -> None:
    """[A3] [W1] With the very message, in the block, behind the self-model and before what was recalled."""
    companion.self_model.minding.set_inner_state("The garden.", [])
    companion.self_model.preferences.say("No emojis", user=True)
    plan = ask(companion, "I am furious, the build is broken again")
    assert len(manner_in(plan)) == 3
    lines = plan.block.splitlines()
    manner = lines.index(SENTENCES[Aim.ANSWER_FIRST, "clear"])  # type: ignore[index]
    assert lines.index("This is on my mind: “The garden.”") < manner
    assert manner < lines.index("You asked me for this: “No emojis”")
    assert "furious" not in plan.block
    assert manner_in(ask(companion, "I am over the moon!")) != manner_in(plan)


def test_nothing_is_given_where_nothing_stands_out(companion: Companion) -> None:
    """[A3] An ordinary message leaves no signal and no manner."""
    assert manner_in(ask(companion, "Where does bread come from?")) == []
    assert companion.ledger.count({SIGNAL, SAID, MANNER}) == 0


def test_evidence_is_the_message_and_a_span_in_it(companion: Companion) -> None:
    """[A1] The signal holds no words: it rests on the message, and says where in it."""
    plan = ask(companion, "By now I am worn out, honestly!!!")
    (signal,) = companion.ledger.newest(9, {SIGNAL})
    assert signal.caused(Role.FROM) == (seq_of(plan),)
    assert signal.body.confidence == pytest.approx(0.9)
    spans = {cue.span for cue in signal.body.cues}
    assert {"By now I am worn out, honestly!!!"[s:e] for s, e in spans if s is not None} == {
        "worn out",
        "!!!",
    }
    assert "worn" not in str(signal.body)


def test_what_is_read_names_the_numbers_it_was_read_by(companion: Companion) -> None:
    """[A1] Signal, statement and manner alike, and other numbers have another name."""
    ask(companion, "By now I am worn out, honestly!!!")
    policy = companion.mood.desk.policy
    found = companion.ledger.newest(9, {SIGNAL, SAID, MANNER})
    assert {event.kind for event in found} == {SIGNAL, SAID, MANNER}
    assert {event.derivation.policy if event.derivation else "" for event in found} == {policy.digest}
    others = (replace(policy, floor=0.5), replace(policy, linguistic_cap=0.5), replace(policy, unusual=3.0))
    assert len({policy.digest, *(one.digest for one in others)}) == 4


def test_why_shows_the_manner_again(companion: Companion, clock: FixedClock) -> None:
    """[W6] Byte for byte, from its event, however the signals have faded or been corrected since."""
    history: list[Said] = []
    ask(companion, "I am furious, the build is broken", history)
    plan = ask(companion, "Now the tests, please", history)
    assert manner_in(plan)
    companion.mood.correct("", "I was only joking")
    clock.move(timedelta(days=30))
    explanation = companion.why.last()
    assert explanation.replay.matches, explanation.replay.reasons
    assert explanation.replay.missing == ()
    assert explanation.replay.workspace.block == plan.block
    assert {SIGNAL, MANNER} <= {event.kind for event in explanation.evidence}
    shown = next(one for one in explanation.record.sections if one.layer == "manner")
    ids = {one for line in shown.lines for one in line.event_ids}
    assert explanation.said.id in ids, "the newest message is evidence too"


@pytest.mark.parametrize(("window", "filled"), [(2000, 12), (2800, 13), (4000, 25)])
def test_why_shows_again_what_of_the_manner_had_room(companion: Companion, window: int, filled: int) -> None:
    """[W6] [P4] In a small window, in a chat that fills it: the first sentences that fit, each with its evidence."""
    companion.self_model.minding.set_inner_state("The garden, and what grows in it. " * 4, [])
    companion.self_model.preferences.say("No emojis", user=True)
    history: list[Said] = []
    shown: dict[int, list[str]] = {}
    # The first messages leave little room, and each of the others takes a little of it.
    long = "I am furious, the build is broken again, " + "and there is more to tell " * 12
    words = [*[long] * filled, *["And now to the next of the walls"] * 26]
    for text in words:
        plan = ask(companion, text, history, window=window)
        shown[seq_of(plan)] = manner_in(plan)
        explanation = companion.why.last()
        assert explanation.replay.matches, explanation.replay.reasons
        assert explanation.replay.workspace.block == plan.block
        assert "more." not in plan.block.split("The garden")[-1].split("You asked me")[0]
        (again,) = (one for one in explanation.replay.workspace.sections if one.layer == "manner")
        assert [line.text for line in again.lines] == shown[seq_of(plan)]
        assert tuple(line.event_ids for line in again.lines) == explanation.record.lines_of("manner")
    assert {len(one) for one in shown.values()} >= {0, 1, 2, 3}, (
        "somewhere only a part has room, and none in the end"
    )
    whole = max(shown.values(), key=len)
    assert all(one == whole[: len(one)] for one in shown.values()), "what matters most stays"


def test_a_manner_that_goes_on_is_chosen_once(companion: Companion) -> None:
    """[P4] [W6] Turns that change nothing in it rest on the same event; a word of the person's ends it."""
    history: list[Said] = []
    first = ask(companion, "I am furious, the build is broken", history)
    for text in ("Now the tests", "And the docs"):
        assert manner_in(ask(companion, text, history)) == manner_in(first)
        assert companion.why.last().replay.matches
    assert companion.ledger.count({MANNER}) == 1
    ask(companion, "Elsewhere")
    assert companion.ledger.count({MANNER}) == 2, "another conversation has its own, which goes with it"
    ask(companion, "I'm fine", history)
    ask(companion, "I am furious after all", history)
    assert companion.ledger.count({MANNER}) == 3


def test_another_process_makes_the_same_block_again(configured: Configured, clock: FixedClock) -> None:
    """[P4] [W6] A block left in place is rendered from the ledger by a process that never saw it."""
    history: list[Said] = []
    first = bootstrap.open_companion(configured, clock=clock, glance=glance)
    plan = ask(first, "I am furious, the build is broken", history)
    first.close()
    again = bootstrap.open_companion(configured, clock=clock, glance=glance)
    follow = ask(again, "And now?", history)
    again.close()
    assert [block for _, block in follow.kept] == [plan.block]


def test_a_preview_is_what_the_turn_will_be(companion: Companion, clock: FixedClock) -> None:
    """[W7] The manner included, and nothing is recorded by looking."""
    for text in ("I am worn out", "Hello there", "!!!", "I'm fine"):
        head = companion.ledger.head()
        seen = companion.turns.preview(text).block.splitlines()[1:-1]
        assert companion.ledger.head() == head
        assert [line for line in seen if line in SENTENCES.values()] == manner_in(ask(companion, text))
        clock.move(timedelta(hours=1))


def test_a_message_sent_again_is_read_once(companion: Companion) -> None:
    """[A1] A retry finds what was read and chosen."""
    request = TurnRequest((user("I am furious"),), "model", "test")
    blocks = {companion.turns.begin(request).block for _ in range(3)}
    assert len(blocks) == 1
    assert [companion.ledger.count({kind}) for kind in (SIGNAL, SAID, MANNER)] == [1, 1, 1]


def test_im_fine_is_accepted_at_once(companion: Companion) -> None:
    """[A5] In the same turn, for the turns before it and those after it, marks or not."""
    history: list[Said] = []
    assert manner_in(ask(companion, "I am furious", history))
    assert manner_in(ask(companion, "No, I'm fine!!!", history)) == []
    assert manner_in(ask(companion, "Go on then!!!", history)) == []
    assert manner_in(ask(companion, "I am worn out", history))
    for _ in range(5):
        assert manner_in(ask(companion, "I'm fine!!!", history)) == []


def test_stories_quotes_and_temporary_chats_are_not_read(companion: Companion) -> None:
    """[A3] Nothing is read in them, and nothing is given with them."""
    tale = seq_of(ask(companion, "I am furious", fiction=True))
    attending = companion.turns._giving._given.attending  # noqa: SLF001
    assert attending is not None
    assert attending.attend(tale, companion.mood.desk.clock.now()) == ()
    ask(companion, "> I am furious\n> with all of you\n")
    hidden = TurnRequest((user("I am furious"),), "model", "test", Hints(chat="temporary:1"))
    assert manner_in(companion.turns.begin(hidden)) == []
    task = TurnRequest((user("I am furious"),), "model", "test", Hints(task="title_generation"))
    assert companion.turns.begin(task).block == ""
    assert companion.ledger.count({SIGNAL, SAID, MANNER}) == 0
    ask(companion, "I am furious")
    assert manner_in(companion.turns.begin(hidden)) == []
    assert manner_in(ask(companion, "I draw my sword", fiction=True)) == []
    own = "What do you make of this?\n\n> I am furious\n> with all of you\n"
    before = companion.ledger.count({SIGNAL})
    ask(companion, own)
    assert companion.ledger.count({SIGNAL}) == before


def test_a_later_look_counts_where_it_is_surer(companion: Companion, clock: FixedClock) -> None:
    """[A1] The same message is one reading, whatever reads it, and how often."""
    seq = seq_of(ask(companion, "Well, here we are again"))
    heads = Glimpse((Cue(CueKind.LINGUISTIC, "as such words are meant", HARD, 0.55),))
    for run in ("1", "1", "2"):
        companion.mood.record(seq, heads, Derivation("affect.heads", run))
    assert companion.ledger.count({SIGNAL}) == 2
    (one,) = companion.mood.course().readings
    assert (one.message, one.stage) == (seq, "affect.heads")
    assert aims(companion, clock)[0] is Aim.ANSWER_FIRST
    unsure = Glimpse((Cue(CueKind.BEHAVIOURAL, "short", GLAD, 0.45),))
    companion.mood.record(seq, unsure, Derivation("affect.quick", "1", "a model"))
    assert companion.mood.course().readings == (one,)


def test_a_model_that_invents_evidence_is_not_believed(companion: Companion) -> None:
    """[A1] A span beyond the person's words is no evidence; neither are somebody else's words, or no message."""
    seq = seq_of(ask(companion, "Short"))
    beyond = Glimpse(
        (Cue(CueKind.EXPLICIT, "said so", HARD, 1.0, (2, 90)),),
        (Statement(Say.FINE, "", Affect(), (50, 60)),),
    )
    assert companion.mood.record(seq, beyond, HEADS) == []
    (answer,) = companion.ledger.newest(1, {"message.companion"})
    sure = Glimpse((Cue(CueKind.LINGUISTIC, "words", HARD, 1.0),))
    assert companion.mood.record(answer.seq, sure, HEADS) == []
    assert companion.mood.record(10**9, sure, HEADS) == []
    tale = seq_of(ask(companion, "I rage", fiction=True))
    assert companion.mood.record(tale, sure, HEADS) == []


def test_a_correction_wins_and_a_drop_takes_it_out(companion: Companion, clock: FixedClock) -> None:
    """[A2] [A5] What was unknown, empty, too long or gone is said; nothing is left to act on."""
    with pytest.raises(NotFound):
        companion.mood.correct("", "so")
    with pytest.raises(NotFound):
        companion.mood.drop("01ZZZ")
    ask(companion, "Go on!!!")
    (one,) = companion.mood.course().readings
    assert aims(companion, clock)
    for words in ("  ", "x" * 501):
        with pytest.raises(BadInput):
            companion.mood.correct(one.id, words)
    corrected = companion.mood.correct(one.id[:20], "That was joy")
    assert (corrected.corrected, corrected.moves) == ("That was joy", False)
    assert aims(companion, clock) == []
    companion.mood.drop(one.id)
    assert companion.mood.course().readings == ()
    with pytest.raises(NotFound):
        companion.mood.drop(one.id)
    assert companion.ledger.count({DROPPED}) == 1


def test_a_reading_is_known_by_the_id_that_was_shown(companion: Companion) -> None:
    """[A2] A later look at the same message takes the reading's place while the person copies its id."""
    seq = seq_of(ask(companion, "Go on!!!"))
    (shown,) = companion.mood.course().readings
    companion.mood.record(seq, Glimpse((Cue(CueKind.LINGUISTIC, "words", HARD, 0.6),)), HEADS)
    (newer,) = companion.mood.course().readings
    assert newer.id != shown.id
    assert companion.mood.correct(shown.id, "I was only in a hurry").message == seq
    assert companion.mood.drop(newer.id).message == seq
    assert companion.mood.course().readings == ()


def test_two_at_once_drop_it_once_and_correct_it_both(companion: Companion, configured: Configured) -> None:
    """[A2] Another process that did not see the first one's drop adds nothing; of two corrections the last counts."""
    ask(companion, "Go on!!!")
    other = bootstrap.open_companion(configured, glance=glance)
    (one,) = companion.mood.course().readings
    companion.mood.correct(one.id, "First")
    other.mood.correct(one.id, "Second")
    assert [c.mood.course().readings[0].corrected for c in (companion, other)] == ["Second", "Second"]
    stale = companion.mood.course().readings
    other.mood.drop(one.id)
    seen = Mood(companion.mood.desk)
    seen.course = lambda since=None, until=None: type(companion.mood.course())(stale)  # type: ignore[method-assign]
    seen.drop(one.id)
    other.close()
    assert companion.ledger.count({DROPPED}) == 1


def test_a_check_in_comes_once_the_day_after(companion: Companion, clock: FixedClock) -> None:
    """[A3] With the first message of the day, and with no other."""
    ask(companion, "I am furious, what a day")
    ask(companion, "I am worn out")
    clock.move(timedelta(days=1))
    asked = {SENTENCES[key] for key in SENTENCES if key[0] is Aim.CHECK_IN}
    assert set(manner_in(ask(companion, "A dragon!", fiction=True))) == set()
    assert asked & set(manner_in(ask(companion, "Good morning")))
    assert not asked & set(manner_in(ask(companion, "What is on today?")))
    clock.move(timedelta(days=1))
    assert not asked & set(manner_in(ask(companion, "Good morning")))


def test_what_is_captured_in_such_a_window_is_tagged(companion: Companion, clock: FixedClock) -> None:
    """[A8] Whatever its kind and however much later it is made of the messages; a word of the person's lifts it."""
    model = companion.self_model
    before = ask(companion, "Good morning")
    clock.move(timedelta(hours=2))
    plan = ask(companion, "It broke again!!!")
    clock.move(timedelta(hours=2))
    near = ask(companion, "Well, then")
    clock.move(timedelta(hours=2))
    far = ask(companion, "Good evening")
    clock.move(timedelta(days=2))
    for number, said in enumerate((before, plan, near, far)):
        model.observations.record(Insight.INSIGHT, f"Build {number} broke", [seq_of(said)], different=True)
        model.goals.open_goal(f"Mend the build {number}", [seq_of(said)], Hand.COMPANION)
    observations, goals = model.observations.read(), model.goals.read()
    found = [*(one.seq for one in observations), *(one.seq for one in goals)]
    tagged = companion.mood.strong_moments(found)
    assert tagged == {found[place] for place in (0, 1, 2, 4, 5, 6)}
    context = companion.ledger.newest(1, {CONTEXT})[0]
    assert companion.mood.strong_moments([seq_of(plan), context.seq, 10**9]) == {seq_of(plan)}
    companion.mood.correct("", "I was only joking")
    assert companion.mood.strong_moments(found) == frozenset()
    assert companion.mood.strong_moments([]) == frozenset()


def test_what_it_was_on_a_day(companion: Companion, clock: FixedClock) -> None:
    """[C10] Before the correction it was read otherwise."""
    ask(companion, "Go on!!!")
    clock.move(timedelta(hours=1))
    before = clock.now()
    clock.move(timedelta(hours=1))
    companion.mood.correct("", "That was joy")
    assert companion.mood.course(until=before).readings[0].corrected is None
    assert companion.mood.course().readings[0].corrected == "That was joy"


def test_rebuilt_views_tell_the_same(companion: Companion) -> None:
    """[C2] And what the view has not read counts already."""
    ask(companion, "I am furious")
    ask(companion, "I'm fine")
    ask(companion, "I am worn out")
    companion.mood.correct("", "Only hungry")
    unread = companion.mood.course()
    companion.upkeep.catch_up()
    assert companion.mood.course() == unread
    companion.upkeep.rebuild()
    assert companion.mood.course() == unread


def test_a_signal_goes_with_its_message(
    companion: Companion, configured: Configured, clock: FixedClock
) -> None:
    """[G3] [G4] With it the correction's words, the manner and the record; what rested on another message stays."""
    plan = ask(companion, "My quartzine broke, I am furious")
    companion.mood.correct("", "Furious at the quartzine")
    other = ask(companion, "I am worn out")
    companion.upkeep.catch_up()
    folder = configured.places.profile("default")
    keys = keys_of(unwrap(read_record(folder / "core.keys"), configured.places.config))
    assert planted_in(configured.places.home, keys, ["quartzine"])
    reach = companion.forgetting.preview([seq_of(plan)])
    gone = {event.kind for event in reach.events}
    assert {SIGNAL, SAID, CORRECTED, MANNER, CONTEXT} <= gone
    ids = [event.id for event in reach.events]
    intent = companion.forgetting.carry_out(reach)
    assert companion.mood.course().chosen == (), (
        "acknowledged: the manner of the other message rested on both"
    )
    assert {one.evidence for one in companion.mood.guidance(clock.now())} == {
        companion.mood.course().readings[0].evidence
    }
    companion.forgetting.finish(intent)
    assert [one.message for one in companion.mood.course().readings] == [seq_of(other)]
    assert [one.message for one in companion.mood.course().reports] == [seq_of(other)]
    seen = companion.mood.course()
    companion.upkeep.rebuild()
    assert companion.mood.course() == seen
    assert planted_in(configured.places.home, keys, ["quartzine", *ids]) == {}


def test_a_half_forgotten_signal_is_not_served(companion: Companion) -> None:
    """[G3] The view lists it no more once the forgetting is acknowledged."""
    plan = ask(companion, "I am furious")
    reach = companion.forgetting.preview([seq_of(plan)])
    companion.ledger.store.forget(lambda: Intent("01K", tuple(reach.why), reach.blobs))
    companion.forgetting.acknowledge_pending()
    assert companion.mood.course().readings == ()


def test_a_forgetting_that_is_under_way_moves_nothing(
    companion: Companion, clock: FixedClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[G4] Between the ledger's deletion and the view's, a forgotten feeling is neither followed nor kept at hand."""
    plan = ask(companion, "I am furious, the build is broken")
    assert aims(companion, clock)
    reach = companion.forgetting.preview([seq_of(plan)])
    with monkeypatch.context() as patched:
        patched.setattr(companion.forgetting, "_stop_serving", lambda _intent: None)
        intent = companion.forgetting.carry_out(reach)
        assert companion.mood.course().readings == ()
        assert aims(companion, clock) == []
    companion.forgetting.finish(intent)
    assert aims(companion, clock) == []
    assert manner_in(ask(companion, "Where does bread come from?")) == []


def test_it_is_no_memory(companion: Companion, clock: FixedClock) -> None:
    """[A2] No kind of this room is searchable, so no signal comes back as something remembered."""
    ask(companion, "I am furious")
    assert not any(kind.startswith("affect.") for kind in bootstrap.EXTRACTORS)
    assert {item.kind for item in companion.remember("many marks furious signal", clock.now()).items} <= {
        "message.user",
        "message.companion",
    }
    assert companion.self_model.as_of().human.everything == ()


def test_a_model_that_calls_everyone_anxious_writes_nothing_of_it(companion: Companion) -> None:
    """[A2] By any tool, as trait, interest, field, summary or insight; a dated observation and a real quote stand."""
    seq = seq_of(ask(companion, "I'm an anxious person, I know that"))
    model, label = companion.self_model, "The user is anxious"
    calls: list[tuple[str, dict[str, object]]] = [
        (
            "update_user_model",
            {"add_traits": [label, "an anxious person"], "add_interests": ["their own anxiety"]},
        ),
        ("update_human_memory", {"field": "matters", "text": f"Tea. {label}."}),
        ("update_self_model", {"summary": f"I listen. {label}.", "direction": "calmer"}),
        ("add_insight", {"text": "They are always anxious before exams"}),
        ("add_insight", {"text": "La usuaria es ansiosa"}),
    ]
    head = companion.ledger.head()
    for name, arguments in calls:
        assert "nothing that lasts" in reply(model, name, arguments, [seq]), name
    assert companion.ledger.head() == head
    assert "Recorded" in reply(model, "add_insight", {"text": "Seemed anxious this week"}, [seq])
    quote = {"field": "matters", "text": "Says of themselves: “I'm an anxious person”"}
    assert "Added" in reply(model, "update_human_memory", quote, [seq])
    assert "nothing that lasts" in reply(
        model, "update_human_memory", {**quote, "text": "Says: “I'm a sad man”"}, [seq]
    )
    own = reply(model, "update_self_model", {"summary": "I am calm here.", "direction": "x"}, [seq])
    assert "nothing that lasts" not in own
    model.human.add(TraitSort.TRAIT, "anxious, by my own hand", [], user=True)
    assert [one.text for one in model.as_of().human.traits] == ["anxious, by my own hand"]


def test_it_is_read_while_memory_is_searched(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    """[P4] Each begins while the other is still under way, so that it adds nothing to the first token."""
    giving = companion.turns._giving  # noqa: SLF001
    remember, attend = giving._remember, giving._given.attending  # noqa: SLF001
    assert attend is not None
    recalling, reading, met = threading.Event(), threading.Event(), []

    def recall(words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        recalling.set()
        met.append(reading.wait(5))
        return remember(words, now, except_texts)

    def look(spoken: Spoken) -> Glimpse:
        reading.set()
        met.append(recalling.wait(5))
        return glance(spoken)

    monkeypatch.setattr(giving, "_remember", recall)
    monkeypatch.setattr(attend, "_glance", look)
    assert manner_in(companion.turns.begin(TurnRequest((user("I am furious"),), "model", "test")))
    assert met == [True, True]


def test_a_glance_that_hangs_costs_no_answer(companion: Companion, monkeypatch: pytest.MonkeyPatch) -> None:
    """[P4] The turn goes on without a manner, and says so."""
    attend = companion.turns._giving._given.attending  # noqa: SLF001
    assert attend is not None
    monkeypatch.setattr("innerlife.membrane.giving.RECALL_SECONDS", 0.05)
    let_go = threading.Event()

    def hang(spoken: Spoken) -> Glimpse:
        let_go.wait(30)
        return glance(spoken)

    monkeypatch.setattr(attend, "_glance", hang)
    plan = companion.turns.begin(TurnRequest((user("I am furious"),), "model", "test"))
    let_go.set()
    assert plan.opened is not None
    assert "manner" in plan.why
