"""Makes `version_1/`: a Core of format 1, as the first release writes it. Run once; never again once it is released.

python -m tests.storage.make_version_1
"""

from __future__ import annotations

import shutil
from pathlib import Path

from innerlife.adapters.sqlite.keys import key_file, read_record
from innerlife.conversations.model import Image
from tests.support.client import ChatClient
from tests.support.stack import opened_stack

FOLDER = Path(__file__).with_name("version_1")
SAID = ["My cat is called Ada", "She likes \ud800 fish\0"]
ANSWERS = ["A fine name.", "Noted."]
PICTURE = b"the cat" * 10


def main() -> None:
    """Write the folder anew."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    with opened_stack(FOLDER) as stack:
        client = ChatClient(stack.recording)
        client.answer(client.ask(SAID[0], Image(PICTURE, "image/png")), ANSWERS[0])
        client.say(SAID[1], ANSWERS[1])
    record = read_record(FOLDER / "core.keys")
    config = FOLDER.with_name("version_1.config")
    # The key lies in the clear beside it: it is a fixture, and protects nothing.
    shutil.copy(key_file(config, record.core_id), FOLDER / "plain.key")
    shutil.rmtree(config)
    for path in FOLDER.iterdir():
        if path.name.startswith("runtime.db") or path.suffix == ".lock":
            path.unlink()


if __name__ == "__main__":
    main()
