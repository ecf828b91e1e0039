"""What docs/clients.md and the README tell people to type is what the proxy accepts."""

import json
import re
from pathlib import Path

import pytest

from innerlife.cli.commands.serve import command as serve
from innerlife.errors import BadInput
from innerlife.proxy.guardpost import check_binding, verdict
from innerlife.proxy.headers import hints_of, to_upstream
from innerlife.proxy.reply import CHAT_FORMATS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "clients.md").read_text("utf-8")
README = (ROOT / "README.md").read_text("utf-8")
HEADERS = {
    "TASK": "title_generation",
    "CHAT_ID": "chat-1",
    "MESSAGE_ID": "message-1",
    "USER_MESSAGE_ID": "user-message-1",
    "USER_MESSAGE_PARENT_ID": "parent-1",
    "USER_ID": "anna",
}


def compose() -> str:
    blocks = [block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "services:" in block]
    assert len(blocks) == 1
    return str(blocks[0])


def environment(name: str) -> str:
    """The value of a variable in the compose file, folded where it is."""
    found = re.search(rf"^      {name}: (?:>-\n((?:        .*\n)+)|\"(.*)\"\n)", compose(), re.MULTILINE)
    assert found, name
    return " ".join(line.strip() for line in found[1].splitlines()) if found[1] else found[2]


def command() -> tuple[str, str]:
    """The address and token of the command that goes with the compose file."""
    found = re.search(r"^innerlife serve --host (\S+) --token (\S+)$", PAGE, re.MULTILINE)
    assert found
    return found[1], found[2]


def test_the_headers_of_the_snippets_are_read() -> None:
    """[P1] [P5] Both pages' JSON parses, and each header that they set says what it is for."""
    readme = re.search(r"OLLAMA_API_CONFIGS='(.*?)'\n", README, re.DOTALL)
    assert readme
    for text in (environment("OPENAI_API_CONFIGS"), readme[1]):
        connection = json.loads(text)["0"]
        assert connection["enable"] is True
        filled = [
            (name.lower().encode(), HEADERS[value.strip("{}")].encode())
            for name, value in connection["headers"].items()
        ]
        hints = hints_of(filled, keyed=True)
        said = {
            hints.task,
            hints.chat,
            hints.message,
            hints.user_message,
            hints.user_message_parent,
            hints.user,
        }
        assert said == set(HEADERS.values())


def test_the_container_is_let_in() -> None:
    """[X2] Under the name that the snippet uses: from Docker Desktop as it is, from Linux's bridge by the token."""
    host = environment("OPENAI_API_BASE_URL").removeprefix("http://").removesuffix("/v1")
    assert host == "host.docker.internal:11435"
    assert f'- "{host.partition(":")[0]}:host-gateway"' in compose()
    assert verdict(host, "", "127.0.0.1", has_token=False) is None
    bridge = verdict(host, "", "172.18.0.2", has_token=False)
    assert bridge
    assert bridge.status == 401
    assert verdict(host, "", "172.18.0.2", has_token=True) is None


def test_the_command_listens_only_with_its_token() -> None:
    """[X2] The address beyond loopback needs the token; the container shows the same one, and it stays here."""
    address, token = command()
    assert {"--host", "--token"} <= {name for one in serve.params for name in one.opts}
    check_binding(address, token)
    with pytest.raises(BadInput):
        check_binding(address, None)
    assert environment("OPENAI_API_KEY") == token
    shown = [(b"authorization", f"Bearer {token}".encode())]
    assert to_upstream(shown, token, {}, length=None) == []


def test_the_page_names_every_path_that_is_remembered() -> None:
    """[P1] The table of formats is the registry's."""
    table = PAGE[PAGE.index("| a program for") : PAGE.index("Where the engine behind")]
    assert set(re.findall(r"`(/[^`]*)`", table)) == set(CHAT_FORMATS)
