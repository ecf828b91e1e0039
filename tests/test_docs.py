"""What is written for people: links lead somewhere, and paths that are named exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
LINK = re.compile(r"\[[^\]]+\]\((?!https?:)([^)#\s]+)")
SOURCE = re.compile(r"`(src/[\w/.]+\.py|docs/[\w.]+\.md|bench/[\w.]+\.py)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    """[U7] A page that says where to look is right about it."""
    text = page.read_text("utf-8")
    missing = [target for target in LINK.findall(text) if not (page.parent / target).exists()]
    missing += [target for target in SOURCE.findall(text) if not (ROOT / target).exists()]
    assert missing == []


def test_every_bench_has_its_table() -> None:
    """[U7] docs/benchmarks.md has the command of every bench there is."""
    text = (ROOT / "docs" / "benchmarks.md").read_text("utf-8")
    benches = [
        p.stem for p in (ROOT / "bench").glob("*.py") if '__name__ == "__main__"' in p.read_text("utf-8")
    ]
    assert [name for name in benches if f"make bench-{name}" not in text] == []
