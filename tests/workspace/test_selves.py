"""The layers of the self-model: their words, their shares, and that a record shows them again."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from innerlife.workspace import WorkspacePolicy, Written, all_layers, assemble, record_of, render_again
from innerlife.workspace.layer import Position
from innerlife.workspace.record import LookUpWritten
from tests.workspace.hostile import HOSTILE
from tests.workspace.material import NOW, ORIGIN, SHIPPED, memory, turn

POLICY = WorkspacePolicy()
BLOCKS = ("inner_state", "working_memory", "goals", "preferences", "observations")
STABLE = ("persona", "human", "identity", "growth_digest")


def written(seq: int, layer: str, text: str, **changes: object) -> Written:
    kinds = {"human": "family", "goals": "goal", "observations": "insight"}
    plain: dict[str, object] = {"at": NOW - timedelta(days=3), "kind": kinds.get(layer, ""), **changes}
    return Written(layer, text, (seq,), (f"E{seq}",), **plain)  # type: ignore[arg-type]


SELF = (
    written(1, "persona", "I speak softly."),
    written(2, "human", "A sister, Anna, in Lisbon."),
    written(3, "human", "impatient with preamble", kind="trait"),
    written(4, "human", "cameras", kind="interest"),
    written(5, "human", "the sea", kind="interest"),
    written(6, "identity", "I am calm with them."),
    written(7, "growth_digest", "I put who I am in other words: calmer."),
    written(8, "inner_state", "I wonder how the exam went. And about the tomatoes."),
    written(9, "working_memory", "Ask about the talk", due=NOW + timedelta(days=1)),
    written(10, "goals", "Learn what calms them"),
    written(11, "goals", "I'll call her", kind="promise", by="user", due=NOW + timedelta(days=5)),
    written(12, "goals", "I'll ask about Anna", kind="promise", by="companion"),
    written(13, "preferences", "No emojis"),
    written(14, "observations", "They calm down when they cook"),
)


def looked_up(*items: Written) -> LookUpWritten:
    """As the membrane does: a layer's items, by the events that it named."""

    def again(layer: str, ids: tuple[str, ...], now: datetime) -> tuple[Written, ...]:
        del now
        return tuple(
            one
            for one in items
            if one.layer == layer and (not one.event_ids or set(one.event_ids) & set(ids))
        )

    return again


def test_what_is_written_reads_as_language() -> None:
    """[W1] [W5] In order, in sentences; no keys and values, no ids."""
    workspace = assemble(turn(written=SELF), POLICY)
    tail = workspace.stable.split("\n\n")[3:]
    assert "\n\n".join(tail) == (
        "How I speak: I speak softly.\n\n"
        "Of their family I know this: “A sister, Anna, in Lisbon.”\n"
        "This lasts in them: “impatient with preamble”\n"
        "They take an interest in this: “cameras”; “the sea”\n\n"
        "Who I am here: I am calm with them.\n\n"
        "How I changed on 27 May 2023: I put who I am in other words: calmer."
    )
    assert workspace.block.splitlines()[1:-1] == [
        "This is on my mind: “I wonder how the exam went. And about the tomatoes.”",
        "I keep this in mind for tomorrow: “Ask about the talk”",
        "I am working towards this: “Learn what calms them”",
        "You promised this, due on 4 June 2023: “I'll call her”",
        "I promised you this: “I'll ask about Anna”",
        "You asked me for this: “No emojis”",
        "On 27 May 2023, I noticed this: “They calm down when they cook”",
    ]


def test_every_written_line_has_its_evidence() -> None:
    """[W6] And a line that names several things names the events of all."""
    sections = {one.layer: one for one in assemble(turn(written=SELF), POLICY).sections}
    for name in STABLE + BLOCKS:
        assert all(line.sources and line.event_ids for line in sections[name].lines), name
    assert sections["human"].lines[-1].sources == (4, 5)


def test_the_stable_text_stays_while_no_section_changed() -> None:
    """[P4] Time, recall and what is on the mind change the block alone."""
    one = assemble(turn(memory(90, "The lease ends."), written=SELF), POLICY)
    later = [item for item in SELF if item.layer not in BLOCKS]
    other = assemble(
        turn(written=(*later, written(50, "inner_state", "Else")), now=NOW + timedelta(days=40)), POLICY
    )
    assert one.stable == other.stable
    assert one.block != other.block


def test_a_verbose_part_crowds_out_no_other() -> None:
    """[W4] Each has its share of the block, and a list loses whole items and says how many."""
    many = tuple(
        written(
            1000 * place + n,
            layer,
            f"Thing number {n} of the part {layer}, told at some length, again and again.",
        )
        for place, layer in enumerate(BLOCKS[1:])
        for n in range(60)
    )
    recalled = tuple(
        memory(n, f"Number {n}: we talked about the garden and the fence.", score=-n) for n in range(60)
    )
    sections = {one.layer: one for one in assemble(turn(*recalled, written=many), POLICY).sections}
    for name in BLOCKS[1:]:
        assert 1 <= len(sections[name].lines) - 1 < 60
        assert sections[name].lines[-1].text == f"… {60 - len(sections[name].lines) + 1} more."
        assert "again and again.”" in sections[name].lines[0].text
    share = next(layer.share for layer in all_layers() if layer.name == "recalled")
    assert sections["recalled"].tokens > share * POLICY.block_tokens - 40, (
        "its own share, but for part of a line"
    )


def test_what_a_part_leaves_goes_on() -> None:
    """[W4] Where nothing is written, what is recalled has the whole block, as before there was a self-model."""
    recalled = tuple(memory(n, f"Number {n}: the garden and the fence.", score=-n) for n in range(200))
    alone = assemble(turn(*recalled), POLICY, (replace(all_layers()[-1], share=1.0),))
    assert assemble(turn(*recalled), POLICY).block == alone.block
    assert alone.sections[-1].more
    shares = [one.share for one in all_layers() if one.position is Position.BLOCK]
    assert round(sum(shares), 6) == 1.0


def test_hostile_words_stay_inside_their_line() -> None:
    """[W8] Whatever was written: one line each, no delimiter, no markup, in front as in the block."""
    for text in HOSTILE.values():
        items = tuple(written(n, layer, f"a {text}") for n, layer in enumerate(STABLE + BLOCKS))
        workspace = assemble(turn(written=items), POLICY)
        assert len(workspace.stable.split("\n\n")[3:]) == 4
        assert all(len(part.splitlines()) == 1 for part in workspace.stable.split("\n\n")[3:])
        assert workspace.block.count("⟦") == 2


PIECES = st.lists(
    st.tuples(st.sampled_from(STABLE + BLOCKS), st.text(min_size=1, max_size=120)), min_size=1, max_size=40
)


@given(PIECES, st.one_of(st.none(), st.integers(600, 9000)))
def test_any_turn_is_shown_again(pieces: list[tuple[str, str]], window: int | None) -> None:
    """[W6] From ids alone the whole context comes back byte for byte, whatever was written and left out."""
    items = tuple(written(n, layer, text) for n, (layer, text) in enumerate(pieces, 1))
    shipped = Written("persona", "As it was shipped.")
    inputs = turn(
        *(memory(900 + n, f"Memory {n}.") for n in range(9)), written=(shipped, *items), window=window
    )
    record = record_of(assemble(inputs, POLICY), inputs, POLICY)
    past = {f"E{900 + n}": memory(900 + n, f"Memory {n}.") for n in range(9)}
    replay = render_again(record, past.get, SHIPPED, ORIGIN, written=looked_up(shipped, *items))
    assert replay.matches, replay.reasons
    assert replay.missing == ()


def test_a_section_that_is_gone_is_missed() -> None:
    """[W6] It is named, and nothing takes its place."""
    inputs = turn(written=SELF)
    record = record_of(assemble(inputs, POLICY), inputs, POLICY)
    replay = render_again(record, lambda _: None, SHIPPED, ORIGIN, written=looked_up(*SELF[:5], *SELF[6:]))
    assert not replay.matches
    assert replay.missing == ("E6",)
    assert "Who I am here" not in replay.workspace.stable
