"""One prompt's context, assembled."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.workspace import (
    Layer,
    Line,
    Origin,
    Position,
    Remembered,
    Rendered,
    Space,
    TurnInputs,
    WorkspacePolicy,
    all_layers,
    assemble,
    beside,
    in_front,
    policy_hash,
)
from innerlife.workspace.tokens import estimate_tokens
from tests.workspace.material import NOW, memory, turn

POLICY = WorkspacePolicy()

LEASE = memory(3, "I finally signed the lease for the flat by the river.")
PRAISE = memory(4, "Light matters more than floor space.", speaker="companion")
PARTY = memory(
    13, "Jo asked to move the party to Sunday.", speaker="Jo Marsh", at=datetime(2023, 5, 29, 12, tzinfo=UTC)
)
MANY = tuple(
    memory(n, f"Number {n}: we talked about the garden, the fence and the neighbours.", score=-n)
    for n in range(200)
)


def remembered_lines(block: str) -> list[str]:
    return block.splitlines()[1:-1]


def test_the_layers_stand_in_order() -> None:
    """[W1] Shipped texts, persona, human, the self; then what changes, and last what was recalled."""
    names = [layer.name for layer in all_layers()]
    stable = ["origin", "guardrails", "constitution", "persona", "human", "identity", "growth_digest"]
    volatile = ["inner_state", "working_memory", "goals", "manner", "preferences", "rules", "skills"]
    volatile += ["observations", "recalled"]
    assert names == stable + volatile
    assert [section.layer for section in assemble(turn(LEASE), POLICY).sections] == names


def test_every_layer_declares_itself() -> None:
    """[W1] Names and places are unique, versions count from one, stable layers stand before the others."""
    layers = all_layers()
    assert len({layer.name for layer in layers}) == len({layer.order for layer in layers}) == len(layers)
    assert all(layer.version >= 1 for layer in layers)
    assert all((layer.share > 0) is (layer.position is Position.BLOCK) for layer in layers)
    positions = [layer.position for layer in layers]
    assert positions == sorted(positions, key=lambda position: position is Position.BLOCK)


def test_the_stable_text_is_origin_guardrails_constitution() -> None:
    """[W1] The stable text holds the shipped texts in order and nothing else."""
    inputs = turn(LEASE)
    origin, *rest = assemble(inputs, POLICY).stable.split("\n\n")
    assert origin.startswith("You are Anima")
    guardrails = "\n".join(line for line in inputs.shipped.guardrails.split("\n") if line)
    assert rest == [guardrails, inputs.shipped.constitution.short_form()]


def test_the_stable_text_stays_from_turn_to_turn() -> None:
    """[W1] Nothing that changes with a turn is in it, so a model's prompt cache keeps it."""
    first = assemble(turn(), POLICY).stable
    later = turn(
        LEASE, now=NOW + timedelta(days=400), nonce="0123456789", zone="Asia/Tokyo", window=8192, withheld=3
    )
    assert assemble(later, POLICY).stable == first


def test_the_block_reads_as_sentences() -> None:
    """[W5] Dates, speakers and words are told as a person tells them; roles and speakers are kept."""
    page = memory(
        20, "River flats flood.", kind="page", speaker="example.org", at=datetime(2023, 4, 28, 12, tzinfo=UTC)
    )
    document = memory(21, "The tenant paints.", kind="document", at=datetime(2022, 4, 28, 12, tzinfo=UTC))
    pasted = memory(22, "Dear all!", pasted=True, at=datetime(2023, 5, 28, 12, tzinfo=UTC))
    forwarded = memory(23, "See you!", pasted=True, speaker="Jo", at=datetime(2023, 5, 30, 8, tzinfo=UTC))
    block = assemble(turn(PARTY, forwarded, pasted, LEASE, PRAISE, page, document), POLICY).block
    assert remembered_lines(block) == [
        "On 28 April 2022, a year ago, you gave me a document that says: “The tenant paints.”",
        "On 28 April 2023, four weeks ago, I read on a web page: “River flats flood.”",
        f"On 8 May 2023, three weeks ago, you told me: “{LEASE.text}”",
        "The same day I answered you: “Light matters more than floor space.”",
        "On 28 May 2023, two days ago, you showed me this, and I do not know who wrote it: “Dear all!”",
        "On 29 May 2023, yesterday, Jo Marsh wrote: “Jo asked to move the party to Sunday.”",
        "On 30 May 2023, today, you showed me these words of Jo: “See you!”",
    ]


def test_no_line_is_a_dump_of_keys_and_values() -> None:
    """[W5] No ids, scores, field names or time stamps reach the prompt."""
    workspace = assemble(turn(LEASE, PRAISE, PARTY, *MANY), POLICY)
    for text in (workspace.stable, *remembered_lines(workspace.block)):
        assert not re.search(r"\b\w+_\w+\b|\bE\d+\b|\d{2}:\d{2}|\bscore\b|\{|\}|=", text)


def test_a_memory_from_the_future_is_not_said_to_be_past() -> None:
    """[W5] After a clock went back, the date stands alone."""
    block = assemble(turn(LEASE, now=NOW - timedelta(days=365)), POLICY).block
    assert remembered_lines(block)[0].startswith("On 8 May 2023 you told me:")


def test_what_is_best_is_chosen_and_the_rest_is_counted() -> None:
    """[W3] The highest scores fill the block, whole, in the order they were lived; then "… N more."."""
    workspace = assemble(turn(*MANY), POLICY)
    *lines, last = remembered_lines(workspace.block)
    shown = [int(number) for number in re.findall(r"Number (\d+):", "\n".join(lines))]
    assert shown == list(range(len(lines)))
    assert len(shown) > 10
    assert last == f"… {200 - len(shown)} more."
    assert all(line.endswith("the fence and the neighbours.”") for line in lines)


def test_a_better_score_outranks_an_earlier_one() -> None:
    """[W3] Relevance decides what is shown, wherever it stands in the input."""
    prized = replace(MANY[150], score=5.0)
    block = assemble(turn(*MANY[:150], prized), POLICY).block
    assert "Number 150:" in block


def test_a_long_memory_is_cut_at_a_sentence() -> None:
    """[W3] One long text does not fill the block: it ends after a sentence and says that it went on."""
    long = memory(1, " ".join(f"This is sentence number {n} of the story." for n in range(500)))
    workspace = assemble(turn(long, LEASE), POLICY)
    line = next(line for line in remembered_lines(workspace.block) if "sentence number" in line)
    assert line.endswith("of the story. …”")
    assert estimate_tokens(line) <= POLICY.item_tokens
    assert "the lease" in workspace.block


WORDS = st.sampled_from(
    ["the", "and you", "presentation", "Übergröße", "przeprowadzce", "река", "公寓", "a1b2", "!", "."]
)
TEXTS = st.one_of(st.text(max_size=600), st.lists(WORDS, max_size=200).map(" ".join))


@given(
    st.lists(st.tuples(TEXTS, st.floats(allow_nan=True), st.booleans()), max_size=30),
    st.one_of(st.none(), st.integers(0, 10_000)),
)
def test_the_block_keeps_within_its_budget(texts: list[tuple[str, float, bool]], window: int | None) -> None:
    """[W3] Whatever is remembered, the block is within 1,500 tokens and a quarter of the window, or empty."""
    items = [memory(n, text, score=score, pasted=pasted) for n, (text, score, pasted) in enumerate(texts)]
    workspace = assemble(turn(*items, window=window), POLICY)
    assert workspace.block_tokens <= min(1_500, 1_500 if window is None else window // 4)
    assert workspace.stable


def test_a_small_window_shrinks_the_block_first() -> None:
    """[P12] Down to a quarter of the window; the always-present text stays as long as it is within another one."""
    roomy, narrow = (assemble(turn(*MANY, window=window), POLICY) for window in (8192, 2400))
    assert narrow.block_tokens <= 600 < roomy.block_tokens
    assert narrow.stable == roomy.stable
    assert (narrow.brief, narrow.overfull) == (False, False)


def test_beyond_a_quarter_the_shipped_texts_take_their_short_form() -> None:
    """[P12] All of them, origin included; nothing is cut, and a window too small even for that is said."""
    narrow, tiny = (assemble(turn(*MANY, window=window), POLICY) for window in (2048, 512))
    assert narrow.stable_tokens <= 512
    assert "Anima" in narrow.stable
    assert [line.text for section in narrow.sections[1:3] for line in section.lines] == [
        turn().shipped.brief.guardrails,
        turn().shipped.brief.constitution,
    ]
    assert (narrow.brief, narrow.overfull) == (True, False)
    assert tiny.stable == narrow.stable
    assert (tiny.brief, tiny.overfull) == (True, True)


def test_a_client_that_fills_the_window_leaves_less_room() -> None:
    """[P12] Twenty-five kilobytes of tools in a small window: the block gives way, then the long texts do."""
    roomy, full, over = (assemble(turn(*MANY, window=8192, taken=taken), POLICY) for taken in (0, 6800, 8000))
    assert full.block_tokens <= 8192 - 6800 - full.stable_tokens - 512 < roomy.block_tokens
    assert (full.brief, full.overfull) == (False, False)
    assert (over.block, over.brief, over.overfull) == ("", True, False)
    assert assemble(turn(window=8192, taken=8100), POLICY).overfull


@given(st.permutations(range(40)))
def test_equal_inputs_give_equal_bytes(order: list[int]) -> None:
    """[W3] The order in which recall happened to return its results plays no part."""
    assert assemble(turn(*(MANY[n] for n in order)), POLICY) == assemble(turn(*MANY[:40]), POLICY)


def test_an_event_is_shown_once() -> None:
    """[W3] Found by both arms of recall, it is one line, and counted once."""
    workspace = assemble(turn(LEASE, replace(LEASE, score=0.2), replace(LEASE, score=3.0)), POLICY)
    assert len(remembered_lines(workspace.block)) == 1


def test_empty_texts_are_nothing_to_remember() -> None:
    """[W5] A message of white space gives no line, and alone no block."""
    assert assemble(turn(memory(1, " \n "), memory(2, "")), POLICY).block == ""


def test_every_line_names_its_evidence() -> None:
    """[W6] Each remembered line carries seq, id and span, and the span is where its words are."""
    items = {
        item.seq: item for item in (memory(7, "  \n Two words. " + "Then more of it. " * 200), LEASE, PARTY)
    }
    section = assemble(turn(*items.values()), POLICY).sections[-1]
    assert [line.sources for line in section.lines] == [(3,), (7,), (13,)]
    for line in section.lines:
        (seq,), (event_id,), ((start, end),) = line.sources, line.event_ids, line.spans
        assert event_id == items[seq].event_id
        words = items[seq].text[start:end]
        assert words == words.strip()
        assert f"“{words}" in line.text
    assert all(line.text in assemble(turn(*items.values()), POLICY).block for line in section.lines)


def test_lines_without_evidence_are_ours() -> None:
    """[W6] Only shipped lines and the count of what was left out carry no evidence."""
    for section in assemble(turn(*MANY), POLICY).sections:
        for line in section.lines:
            if section.layer == "recalled":
                assert bool(line.sources) is not line.text.startswith("… ")
            else:
                assert not line.sources


def test_the_preview_is_what_the_model_receives() -> None:
    """[W7] Stable text before the client's system text, block before the message, both untouched."""
    workspace = assemble(turn(LEASE), POLICY)
    system, message = "You are a helpful assistant.\n\n\n", "  What did I sign?\n"
    assert in_front(workspace.stable, system) == workspace.stable + "\n\n" + system
    assert beside(workspace.block, message) == workspace.block + "\n\n" + message


@pytest.mark.parametrize("text", ["", "hello"])
def test_nothing_is_added_where_there_is_nothing_to_add(text: str) -> None:
    """[W7] An empty block or an empty system text leaves no blank lines behind."""
    assert beside("", text) == text
    assert in_front("", text) == text
    assert in_front("stable", "") == "stable"


def test_a_layer_is_one_file_and_shares_carry_forward() -> None:
    """[W1] A layer handed in takes its place; what it leaves unused goes to the next one."""
    spaces: list[Space] = []

    def render(_: TurnInputs, space: Space) -> Rendered:
        spaces.append(space)
        return Rendered((Line("Anima speaks softly today."),))

    recalled = replace(all_layers()[-1], share=0.5)
    manner = Layer("manner", Position.BLOCK, order=5000, version=1, share=0.5, render=render)
    shared = assemble(turn(*MANY), POLICY, (manner, recalled))
    alone = assemble(turn(*MANY), POLICY, (recalled,))
    assert remembered_lines(shared.block)[0] == "Anima speaks softly today."
    assert shared.block_tokens > alone.block_tokens + 0.25 * POLICY.block_tokens
    assert shared.block_tokens <= POLICY.block_tokens
    assert spaces[0].tokens <= POLICY.block_tokens // 2


def test_the_policy_has_one_hash() -> None:
    """[W6] Equal numbers give an equal hash, in any process; any other number another one."""
    assert policy_hash(WorkspacePolicy()) == policy_hash(WorkspacePolicy()) == "ab11aee905f8fea8"
    assert policy_hash(WorkspacePolicy(item_tokens=241)) != policy_hash(WorkspacePolicy())


def test_days_are_those_of_the_place() -> None:
    """[W5] Late in the evening UTC is the next day in Berlin; a memory's own zone comes before the turn's."""
    late = memory(1, "hello", at=datetime(2023, 5, 28, 22, 30, tzinfo=UTC))
    berlin = assemble(turn(late), POLICY).block
    utc = assemble(turn(replace(late, zone=None), zone=None), POLICY).block
    tokyo = assemble(turn(replace(late, zone="Asia/Tokyo"), zone="UTC"), POLICY).block
    assert "On 29 May 2023, yesterday, you told me" in berlin
    assert "On 29 May 2023, yesterday, you told me" in tokyo
    assert "On 28 May 2023, two days ago, you told me" in utc


def test_strange_times_do_not_stop_a_turn() -> None:
    """[W5] A naive time, the edges of the calendar and an unknown zone are all shown."""
    items: list[Remembered] = [
        memory(1, "naive", at=datetime(2023, 5, 8, 12)),  # noqa: DTZ001 naive is meant
        memory(2, "first", at=datetime.min.replace(tzinfo=UTC)),
        memory(3, "last", at=datetime.max.replace(tzinfo=UTC), zone="Nowhere/Land"),
    ]
    lines = remembered_lines(assemble(turn(*items, origin=Origin("Anima", date(1, 1, 1))), POLICY).block)
    assert [re.findall("“(.*)”", line) for line in lines] == [["first"], ["naive"], ["last"]]
