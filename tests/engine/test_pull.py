"""Fetching a model, against a hub of our own."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import innerlife
from innerlife.adapters.files import held
from innerlife.adapters.models.catalogue import LocalModel, list_models, read_origin
from innerlife.adapters.models.pull import PullPolicy, pull
from innerlife.errors import BadInput, DiskFull, HomeBusy, ModelUnavailable, ReadOnlyHome, StorageFailed
from tests.engine.doubles import COMMIT, FILE, NAME, REFERENCE, REPO, FakeHub, serving, weights


@pytest.fixture
def hub() -> Iterator[FakeHub]:
    double = FakeHub()
    with serving(double):
        yield double


@pytest.fixture
def models(tmp_path: Path) -> Path:
    return tmp_path / "models"


def fetch(hub: FakeHub, models: Path, **options: object) -> LocalModel:
    settings: dict[str, object] = {"endpoint": hub.url, "sleep": lambda _seconds: None} | options
    return pull(REFERENCE, models, **settings)  # type: ignore[arg-type]


def left_in(models: Path) -> list[str]:
    """Every file but locks, which hold nothing."""
    return sorted(
        str(path.relative_to(models))
        for path in models.rglob("*")
        if path.is_file() and path.suffix != ".lock"
    )


def test_a_model_is_fetched_checked_and_used_from_then_on(hub: FakeHub, models: Path) -> None:
    """[P9] A better model is one command away."""
    steps: list[tuple[int, int]] = []

    model = fetch(hub, models, progress=lambda done, total: steps.append((done, total)))

    assert model.path.read_bytes() == hub.content
    assert steps[-1] == (len(hub.content), len(hub.content))
    assert left_in(models) == [f"{NAME}.gguf", f"{NAME}.json"]
    origin = read_origin(models, NAME)
    assert origin is not None
    assert (origin.repo, origin.file, origin.revision) == (REPO, FILE, COMMIT)
    assert origin.sha256 == hashlib.sha256(hub.content).hexdigest()
    newest = list_models(models)[0]
    assert (newest.name, newest.kind, newest.in_use) == (NAME, "pulled", True)


def test_only_the_hub_and_its_storage_are_asked(
    hub: FakeHub, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """[X1] No telemetry, no account, no other host, though an account lies in its usual place."""
    account = Path(os.environ["HOME"]) / ".cache" / "huggingface" / "token"
    account.parent.mkdir(parents=True)
    account.write_text("hf_private")
    monkeypatch.setenv("HF_TOKEN", "hf_private")

    fetch(hub, models)

    asked = [(request.method, request.path) for request in hub.seen]
    assert asked == [
        ("HEAD", f"/{REPO}/resolve/main/{FILE}"),
        ("GET", f"/{REPO}/resolve/{COMMIT}/{FILE}"),
        ("GET", f"/storage/{FILE}?signed=1"),
    ]
    for request in hub.seen:
        assert "authorization" not in request.headers
        assert "cookie" not in request.headers
        assert "agent/" not in request.headers["user-agent"]


def test_a_token_goes_to_the_hub_and_not_to_its_storage(hub: FakeHub, models: Path) -> None:
    """[X1] A key is shown only to the host it is for."""
    fetch(hub, models, token="hf_given")

    assert [request.headers.get("authorization") for request in hub.seen] == [
        "Bearer hf_given",
        "Bearer hf_given",
        None,
    ]


def test_a_download_that_breaks_goes_on_where_it_broke(hub: FakeHub, models: Path) -> None:
    hub.cuts = [20_000, 7_000]
    waits: list[float] = []

    model = fetch(hub, models, sleep=waits.append)

    assert model.path.read_bytes() == hub.content
    assert [request.headers.get("range") for request in hub.downloads()] == [
        None,
        "bytes=20000-",
        "bytes=27000-",
    ]
    assert hub.sent == len(hub.content)
    assert waits == [1.0, 1.0]


def test_a_download_given_up_goes_on_at_the_next_call(hub: FakeHub, models: Path) -> None:
    hub.cuts = [30_000, 0, 0, 0]
    waits: list[float] = []

    with pytest.raises(ModelUnavailable, match="broke off at") as broken:
        fetch(hub, models, sleep=waits.append, policy=PullPolicy(attempts=3))

    assert waits == [1.0, 2.0, 4.0]
    assert "goes on from there" in broken.value.hint
    assert not (models / f"{NAME}.gguf").exists()

    model = fetch(hub, models)

    assert model.path.read_bytes() == hub.content
    assert hub.downloads()[-1].headers["range"] == "bytes=30000-"
    assert hub.sent == len(hub.content)


def test_an_interrupted_command_loses_nothing_that_came(hub: FakeHub, models: Path) -> None:
    hub.content = weights(3_000_000)

    def interrupt(done: int, _total: int) -> None:
        if done >= 1_000_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fetch(hub, models, progress=interrupt)
    (part,) = (models / ".partial").glob("*.part")
    kept = part.stat().st_size
    assert kept >= 1_000_000

    model = fetch(hub, models)

    assert model.path.read_bytes() == hub.content
    assert hub.downloads()[-1].headers["range"] == f"bytes={kept}-"


def test_a_storage_that_knows_no_ranges_sends_all_again(hub: FakeHub, models: Path) -> None:
    hub.cuts, hub.honours_ranges = [20_000], False

    assert fetch(hub, models).path.read_bytes() == hub.content


def changed(content: bytes) -> bytes:
    return content[:-1] + bytes([content[-1] ^ 1])


@pytest.mark.parametrize(
    ("sent", "announced", "wrong"),
    [
        (changed(weights()), weights(), "checksum"),
        (weights() + b"and more", weights(), "size"),
        (b"<html>" + weights(), b"<html>" + weights(), "format"),
    ],
)
def test_what_is_not_what_was_announced_leaves_nothing(
    hub: FakeHub, models: Path, sent: bytes, announced: bytes, wrong: str
) -> None:
    hub.content, hub.announced = sent, announced

    with pytest.raises(ModelUnavailable, match=f"wrong {wrong}"):
        fetch(hub, models)

    assert left_in(models) == []


def test_a_file_shorter_than_announced_is_never_put_in_place(hub: FakeHub, models: Path) -> None:
    hub.announced = hub.content + b"the rest that never comes"

    with pytest.raises(ModelUnavailable, match="broke off"):
        fetch(hub, models)

    assert [path.name for path in models.iterdir()] == [".partial"]


def test_a_file_without_a_checksum_is_not_fetched(hub: FakeHub, models: Path) -> None:
    hub.etag = "8b137891791fe96927ad78e64b0aad7bded08bdc"

    with pytest.raises(ModelUnavailable, match="no checksum"):
        fetch(hub, models)

    assert hub.downloads() == []


@pytest.mark.parametrize(
    ("refusal", "sentence"),
    [
        ((404, "RepoNotFound"), "has no file"),
        ((404, "EntryNotFound"), "has no file"),
        ((401, "RepoNotFound"), "has no file"),
        ((403, "GatedRepo"), "asks for your consent"),
        ((500, ""), "answered 500"),
    ],
)
def test_a_refusal_of_the_hub_is_one_sentence_with_a_way_out(
    hub: FakeHub, models: Path, refusal: tuple[int, str], sentence: str
) -> None:
    hub.refusal = refusal

    with pytest.raises(ModelUnavailable, match=sentence) as refused:
        fetch(hub, models)

    assert refused.value.hint
    assert "\n" not in str(refused.value)
    assert not models.exists()


def test_without_a_network_the_hub_is_named_and_nothing_is_left(hub: FakeHub, models: Path) -> None:
    with serving(gone := FakeHub()):
        pass

    with pytest.raises(ModelUnavailable, match=f"{gone.url} cannot be reached"):
        pull(REFERENCE, models, endpoint=gone.url)

    assert not models.exists()


def test_a_disk_without_room_is_noticed_before_a_byte_is_fetched(hub: FakeHub, models: Path) -> None:
    with pytest.raises(DiskFull, match=r"needs 0\.27 GB more .* and 0\.10 GB are free"):
        fetch(hub, models, free_bytes=lambda _folder: 100_000_000)

    assert hub.downloads() == []


def test_a_disk_that_becomes_full_is_given_back_what_came(hub: FakeHub, models: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full to stand for a full disk")
    part = models / ".partial" / f"{hashlib.sha256(hub.content).hexdigest()}.part"
    part.parent.mkdir(parents=True)
    part.symlink_to(full)

    with pytest.raises(DiskFull, match="became full"):
        fetch(hub, models)

    assert not part.is_symlink()
    assert left_in(models) == []


@pytest.mark.parametrize(
    ("number", "error"),
    [(errno.EROFS, ReadOnlyHome), (errno.EACCES, ReadOnlyHome), (errno.EIO, StorageFailed)],
)
def test_a_folder_that_cannot_be_written_is_said_plainly(
    hub: FakeHub, models: Path, monkeypatch: pytest.MonkeyPatch, number: int, error: type[StorageFailed]
) -> None:
    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(Path, "mkdir", refuse)

    with pytest.raises(error, match="models"):
        fetch(hub, models)


def test_two_downloads_of_one_model_do_not_mix(hub: FakeHub, models: Path) -> None:
    part = models / ".partial" / f"{hashlib.sha256(hub.content).hexdigest()}.part"
    with (
        held(part.with_suffix(".lock"), 0, HomeBusy("")),
        pytest.raises(HomeBusy, match="another process"),
    ):
        fetch(hub, models)

    assert hub.downloads() == []


def test_what_is_here_is_not_fetched_again_but_a_newer_one_is(hub: FakeHub, models: Path) -> None:
    fetch(hub, models)
    fetch(hub, models)
    assert len(hub.downloads()) == 1

    hub.content = weights(seed=2)

    assert fetch(hub, models).path.read_bytes() == hub.content
    assert len(hub.downloads()) == 2


def test_a_file_put_there_by_hand_is_never_overwritten(hub: FakeHub, models: Path) -> None:
    models.mkdir()
    place = models / f"{NAME}.gguf"
    place.write_bytes(b"GGUF of the person's own")

    with pytest.raises(BadInput, match="comes from elsewhere"):
        fetch(hub, models)

    assert place.read_bytes() == b"GGUF of the person's own"


def test_the_very_file_put_there_by_hand_is_taken_as_fetched(hub: FakeHub, models: Path) -> None:
    models.mkdir()
    (models / f"{NAME}.gguf").write_bytes(hub.content)

    assert fetch(hub, models).kind == "pulled"
    assert hub.downloads() == []
    assert read_origin(models, NAME) is not None


def test_the_hub_can_be_another_by_the_usual_variable(hub: FakeHub, models: Path) -> None:
    """[X1] A person with a mirror of their own needs no other host; telemetry is off in a fresh process too."""
    program = (
        "import sys; from pathlib import Path; from innerlife.adapters.models.pull import pull;"
        "print(pull(sys.argv[1], Path(sys.argv[2])).path)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, REFERENCE, str(models)],
        env={
            "PATH": os.environ["PATH"],
            "HOME": os.environ["HOME"],
            "HF_ENDPOINT": hub.url,
            "PYTHONPATH": str(Path(innerlife.__file__).parents[1]),
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert done.stdout.strip() == str(models / f"{NAME}.gguf"), done.stderr
    assert {request.path.split("/")[1] for request in hub.seen} == {"someone", "storage"}
