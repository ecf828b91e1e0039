"""For releases: `python -m innerlife.workspace.shipped` records the checksums of the texts as they are."""

from __future__ import annotations

from pathlib import Path

from innerlife.workspace.shipped import CHECKSUMS, TEXTS, checksum

folder = Path(__file__).parent
texts = {name: (folder / name).read_text(encoding="utf-8") for name in TEXTS}
lines = [f'"{name}" = "{checksum(text)}"\n' for name, text in texts.items()]
(folder / CHECKSUMS).write_text("".join(lines), encoding="utf-8")
