"""Which profile a request opens, and how keys are kept."""

import json
import stat
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from innerlife.adapters.access import AccessFile
from innerlife.adapters.files import write_private
from innerlife.errors import BadInput, NotFound, ProfileClosed, Refused, StorageFailed
from innerlife.membrane.access import AccessBook, AccessKey, Admission, Asked, admit, digest_of, split_model
from innerlife.settings import Places
from tests.proxy.fakes import House, Keys, Memory, proxy

NOW = datetime(2026, 3, 1, tzinfo=UTC)
WORK, BOTH, OTHERS = "il-work", "il-both", "il-others"
BOOK = AccessBook(
    (
        AccessKey("laptop", digest_of(WORK), ("work",), ""),
        AccessKey("both", digest_of(BOTH), ("default", "work"), ""),
        AccessKey("others", digest_of(OTHERS), ("work", "home"), ""),
    ),
    frozenset({"default", "work", "home"}),
)
ALONE = AccessBook()
WORK_ALONE = AccessBook(profiles=frozenset({"work"}), served="work")
WORK_SERVED = AccessBook(BOOK.keys, BOOK.profiles, "work")
HELLO = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


@pytest.mark.parametrize(
    ("book", "asked", "admission"),
    [
        (ALONE, Asked(), Admission("default")),
        (ALONE, Asked(header="default"), Admission("default")),
        (ALONE, Asked(header="fiction"), Admission("default", fiction=True)),
        (WORK_ALONE, Asked(), Admission("work")),
        (WORK_ALONE, Asked(header="work"), Admission("work")),
        (WORK_ALONE, Asked(header="fiction"), Admission("work", fiction=True)),
        (WORK_SERVED, Asked(BOTH), Admission("work", keyed=True)),
        (WORK_SERVED, Asked(BOTH, header="default"), Admission("default", keyed=True)),
        (BOOK, Asked(WORK), Admission("work", keyed=True)),
        (BOOK, Asked(BOTH), Admission("default", keyed=True)),
        (BOOK, Asked(BOTH, header="work"), Admission("work", keyed=True)),
        (BOOK, Asked(BOTH, suffixes=("work", "fiction")), Admission("work", fiction=True, keyed=True)),
        (BOOK, Asked(BOTH, header="work", suffixes=("work",)), Admission("work", keyed=True)),
        (BOOK, Asked(OTHERS, suffixes=("home",)), Admission("home", keyed=True)),
    ],
)
def test_who_gets_in(book: AccessBook, asked: Asked, admission: Admission) -> None:
    """[P7] Key, header and suffix name the profile; alone on loopback no key is asked for."""
    assert admit(book, asked) == admission


@pytest.mark.parametrize(
    ("book", "asked", "error"),
    [
        (WORK_ALONE, Asked(header="default"), NotFound),
        (WORK_ALONE, Asked(suffixes=("home",)), NotFound),
        (WORK_SERVED, Asked(), Refused),
        (WORK_SERVED, Asked(header="work"), Refused),
        (BOOK, Asked(), Refused),
        (BOOK, Asked(header="default"), Refused),
        (BOOK, Asked("il-unknown"), Refused),
        (ALONE, Asked("il-unknown"), Refused),
        (ALONE, Asked(header="work"), NotFound),
        (BOOK, Asked(WORK, header="default"), ProfileClosed),
        (BOOK, Asked(WORK, suffixes=("home",)), ProfileClosed),
        (BOOK, Asked(BOTH, header="default", suffixes=("work",)), ProfileClosed),
        (BOOK, Asked(OTHERS), ProfileClosed),
    ],
)
def test_who_does_not(book: AccessBook, asked: Asked, error: type[Exception]) -> None:
    """[C8] [P7] With a second profile only keys open, and each only what it was made for."""
    with pytest.raises(error):
        admit(book, asked)


names = st.sampled_from(["", "default", "work", "home", "fiction", "nobody"])


@given(st.sampled_from(["", WORK, BOTH, OTHERS, "il-x", "sk-x"]), names, st.lists(names, max_size=2))
def test_no_way_around_a_key(key: str, header: str, suffixes: list[str]) -> None:
    """[C8] Whatever is combined, a profile opens only with a key that may open it."""
    try:
        admission = admit(BOOK, Asked(key, header, tuple(suffixes)))
    except (Refused, NotFound):
        return
    entry = next(entry for entry in BOOK.keys if entry.digest == digest_of(key))
    assert admission.profile in entry.profiles


@pytest.mark.parametrize(
    ("model", "split"),
    [
        ("llama3", ("llama3", ())),
        ("llama3@work", ("llama3", ("work",))),
        ("llama3:8b@work@fiction", ("llama3:8b", ("work", "fiction"))),
        ("llama3@work:latest", ("llama3", ("work",))),
        ("claude@20240620", ("claude@20240620", ())),
        ("claude@20240620@work", ("claude@20240620", ("work",))),
        ("@work", ("@work", ())),
    ],
)
def test_suffixes_of_models(model: str, split: tuple[str, tuple[str, ...]]) -> None:
    """[P7] Only the name of a profile is taken off a model's name."""
    assert split_model(model, BOOK.profiles) == split


def test_keys_are_kept_as_hashes(tmp_path: Path) -> None:
    """[P7] The file holds no key, is the owner's alone, and changes are seen by others at once."""
    write_private(tmp_path / "profiles" / "work" / "core.keys", b"{}")
    file, other = AccessFile(tmp_path), AccessFile(tmp_path)
    assert other.book() == AccessBook((), frozenset({"default", "work"}))
    key = file.add("laptop", ("work",), NOW)
    assert key.startswith("il-")
    assert len(key) >= 43
    written = (tmp_path / "access.json").read_text()
    assert key not in written
    assert key.removeprefix("il-") not in written
    assert stat.S_IMODE((tmp_path / "access.json").stat().st_mode) == 0o600
    assert admit(other.book(), Asked(key)) == Admission("work", keyed=True)
    assert [(entry.name, entry.created) for entry in other.list()] == [
        ("laptop", "2026-03-01T00:00:00+00:00")
    ]
    file.revoke("laptop")
    with pytest.raises(Refused):
        admit(other.book(), Asked(key))


def test_only_a_folder_with_keys_is_a_profile(tmp_path: Path) -> None:
    """[C8] What a start left that did not succeed asks nobody for a key; a profile that is made does, at once."""
    file = AccessFile(tmp_path)
    (tmp_path / "profiles" / "work").mkdir(parents=True)
    write_private(tmp_path / "profiles" / ".home.1234" / "core.keys", b"{}")
    places = Places(tmp_path, tmp_path)
    assert file.book().profiles == {"default"}
    assert places.profiles == []
    write_private(tmp_path / "profiles" / "work" / "core.keys", b"{}")
    assert file.book().profiles == {"default", "work"}
    assert places.profiles == ["work"]


def test_the_profile_that_is_served_is_the_one_for_those_who_name_none(tmp_path: Path) -> None:
    """[C8] [P7] Alone, it needs no key and no other profile is made beside it; with a second one only keys open."""
    _profile(tmp_path, "work")
    access = AccessFile(tmp_path, "work")
    assert admit(access.book(), Asked()) == Admission("work")
    assert admit(AccessFile(tmp_path / "empty", "work").book(), Asked()) == Admission("work")
    with pytest.raises(NotFound):
        admit(access.book(), Asked(header="default"))
    _profile(tmp_path, "default")
    with pytest.raises(Refused):
        admit(access.book(), Asked())
    with pytest.raises(Refused):
        admit(access.book(), Asked(header="work"))


def _profile(home: Path, name: str) -> None:
    (home / "profiles" / name).mkdir(parents=True)
    (home / "profiles" / name / "core.keys").write_text("{}")


def test_names_of_keys(tmp_path: Path) -> None:
    file = AccessFile(tmp_path)
    file.add("a", ("default",), NOW)
    for name, profiles in [("a", ("default",)), ("b", ()), (" ", ("default",))]:
        with pytest.raises(BadInput):
            file.add(name, profiles, NOW)
    with pytest.raises(NotFound):
        file.revoke("b")


WRONG_TYPES = '{"keys": [{"name": 1, "digest": "", "profiles": [], "created": ""}]}'


@pytest.mark.parametrize("text", ["", "{", "[]", '{"keys": [{"name": "a"}]}', WRONG_TYPES])
def test_a_damaged_file_opens_nothing(tmp_path: Path, text: str) -> None:
    """[P7] Keys that cannot be read are no keys, and it is said so."""
    (tmp_path / "access.json").write_text(text)
    with pytest.raises(StorageFailed, match="damaged"):
        AccessFile(tmp_path).book()


@pytest.mark.anyio
async def test_keys_at_the_door() -> None:
    """[C8] [P7] 401 without a key, 403 at the wrong door, each in the client's form; the right key opens."""
    work, default = Memory(), Memory()
    async with proxy(house=House(default=default, work=work), keys=Keys(BOOK)) as place:
        none = await place.http.post("/api/chat", json=HELLO)
        assert (none.status_code, "key" in none.json()["error"]) == (401, True)
        other = {"Authorization": f"Bearer {WORK}", "X-Innerlife-Profile": "home"}
        wrong = await place.http.post("/v1/chat/completions", json=HELLO, headers=other)
        assert (wrong.status_code, wrong.json()["error"]["type"]) == (403, "permission_error")
        assert not default.begun + work.begun
        assert not place.engine.requests
        right = await place.http.post("/api/chat", json=HELLO, headers={"X-Api-Key": WORK})
        assert right.headers["x-innerlife-profile"] == "work"
        assert (len(work.begun), len(default.begun)) == (1, 0)


@pytest.mark.anyio
async def test_our_keys_stay_here_and_others_go_on() -> None:
    """[P7] [X1] The engine never sees a key of ours; a key of its own arrives unchanged."""
    async with proxy(keys=Keys(AccessBook(BOOK.keys))) as place:
        for headers, seen in [
            ({"Authorization": f"Bearer {BOTH}", "X-Api-Key": "sk-theirs"}, (None, "sk-theirs")),
            ({"Authorization": "Bearer sk-theirs", "X-Api-Key": BOTH}, ("Bearer sk-theirs", None)),
            ({"Authorization": f"Bearer {BOTH}"}, (None, None)),
        ]:
            for path in ("/api/chat", "/anything", "/api/show"):
                await place.http.post(path, json=HELLO, headers=headers)
                sent = place.engine.requests[-1]
                assert (sent.header("authorization"), sent.header("x-api-key")) == seen
                assert sent.header("x-innerlife-profile") is None


@pytest.mark.anyio
async def test_a_suffix_names_profile_and_fiction_and_stays_here() -> None:
    """[P7] [P13] The engine gets the bare model name; the conversation is marked as fiction."""
    async with proxy(keys=Keys(BOOK), house=House(default=Memory(), work=Memory())) as place:
        key = {"Authorization": f"Bearer {BOTH}"}
        await place.http.post("/api/chat", json={**HELLO, "model": "m@work@fiction"}, headers=key)
        assert place.engine.requests[-1].json()["model"] == "m"
        assert [(one.model, one.fiction) for one in place.house.rooms["work"].begun] == [("m", True)]
        await place.http.post("/api/show", json={"model": "m@work"}, headers=key)
        assert place.engine.requests[-1].json() == {"model": "m"}
        await place.http.post(
            "/api/generate", json={"model": "m@work", "prompt": "x", "raw": True}, headers=key
        )
        assert place.engine.requests[-1].json()["model"] == "m"


@pytest.mark.anyio
async def test_open_webuis_headers_are_believed_with_a_key() -> None:
    """[P7] Chat and message ids help to tell chats apart; who the user is counts only with the connection's key."""
    headers = {
        "X-OpenWebUI-Chat-Id": "chat-1",
        "X-OWUI-Message-Id": "m-2",
        "X-OWUI-User-Message-Id": "u-2",
        "X-OWUI-User-Message-Parent-Id": "m-1",
        "X-OpenWebUI-User-Id": "anna",
        "X-OWUI-Task": "",
    }
    async with proxy(keys=Keys(AccessBook(BOOK.keys))) as place:
        await place.http.post("/api/chat", json=HELLO, headers=headers)
        await place.http.post("/api/chat", json=HELLO, headers={**headers, "Authorization": f"Bearer {BOTH}"})
        raw = {"X-OWUI-Chat-Id": "{{CHAT_ID}}", "X-OWUI-Task": "title"}
        await place.http.post("/api/chat", json=HELLO, headers=raw)
        keyless, keyed, unfilled = (one.hints for one in place.memory.begun)
        assert (keyless.chat, keyless.message, keyless.user_message) == ("chat-1", "m-2", "u-2")
        assert (keyless.user_message_parent, keyless.task, keyless.user) == ("m-1", "", "")
        assert keyed.user == "anna"
        assert (unfilled.chat, unfilled.task) == ("", "title")


@pytest.mark.anyio
async def test_a_damaged_key_file_is_said_and_opens_nothing(tmp_path: Path) -> None:
    (tmp_path / "access.json").write_text(json.dumps({"keys": 7}))

    class Damaged(Keys):
        def book(self) -> AccessBook:
            return AccessFile(tmp_path).book()

    async with proxy(keys=Damaged()) as place:
        answer = await place.http.post("/api/chat", json=HELLO)
        assert answer.status_code == 503
        assert "damaged" in answer.json()["error"]
        assert not place.memory.begun
