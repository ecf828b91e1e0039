"""Who may speak to the server at all."""

import pytest

from innerlife.errors import BadInput
from innerlife.membrane.access import AccessBook, AccessKey, digest_of
from innerlife.proxy.app import bound, serve
from innerlife.proxy.guardpost import check_binding, friendly_origin, verdict
from innerlife.proxy.loopback import loopback_host
from tests.proxy.fakes import Keys, RawClient, proxy

HELLO = {"model": "m", "messages": [{"role": "user", "content": "hi"}]}


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "127.0.0.1:11435", "127.9.9.9:1", "localhost", "LOCALHOST:80", "[::1]", "[::1]:11435", "::1",
        "host.docker.internal:11435", "app.localhost", "localhost.", "::ffff:127.0.0.1",
    ],
)  # fmt: skip
def test_names_of_this_machine(host: str) -> None:
    """[X2] Loopback names and addresses, as hosts and as peers."""
    assert loopback_host(host)


@pytest.mark.parametrize(
    "host",
    [
        "", "evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.1.5:11435", "0.0.0.0",
        "[fe80::1]", "127.0.0.1@evil.example", "xlocalhost", "2130706433", "::ffff:10.0.0.1",
    ],
)  # fmt: skip
def test_other_names(host: str) -> None:
    """[X2] Everything else, look-alikes included."""
    assert not loopback_host(host)


@pytest.mark.parametrize(
    ("host", "origin", "peer", "token", "status"),
    [
        ("localhost", "", "127.0.0.1", False, None),
        ("localhost", "http://localhost:3000", "127.0.0.1", False, None),
        ("localhost", "https://127.0.0.1", "::1", False, None),
        ("localhost", "tauri://localhost", "::1", False, None),
        ("localhost", "https://evil.example", "127.0.0.1", False, 403),
        ("localhost", "https://evil.example", "127.0.0.1", True, 403),
        ("localhost", "null", "127.0.0.1", False, 403),
        ("localhost", "http://localhost.evil.example", "127.0.0.1", False, 403),
        ("evil.example", "", "127.0.0.1", False, 401),
        ("nas.local", "", "192.168.1.9", True, None),
        ("localhost", "", "192.168.1.9", False, 401),
    ],
)
def test_verdicts(host: str, origin: str, peer: str, token: bool, status: int | None) -> None:
    """[X2] Foreign pages never, foreign names and machines only with a token."""
    refusal = verdict(host, origin, peer, has_token=token)
    assert (refusal.status if refusal else None) == status


@pytest.mark.parametrize(
    "origin", ["http://localhost", "app://obsidian.md", "vscode-webview://x", "http://[::1]:5"]
)
def test_friendly_origins(origin: str) -> None:
    assert friendly_origin(origin)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "nas.local", "host.docker.internal"])
def test_listening_beyond_loopback_needs_a_token(host: str) -> None:
    """[X2] Without one the server does not start."""
    with pytest.raises(BadInput, match="token"):
        check_binding(host, None)
    check_binding(host, "secret")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1"])
def test_listening_on_loopback_needs_none(host: str) -> None:
    """[X2] The usual case asks nothing."""
    check_binding(host, None)


def test_a_taken_port_is_said_in_one_sentence() -> None:
    taken = bound("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(BadInput, match=f"Port {port} on 127.0.0.1 is taken"):
        serve(lambda *_: None, "127.0.0.1", port)  # type: ignore[arg-type]
    taken.close()


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/", "/api/chat", "/v1/chat/completions", "/anything"])
async def test_foreign_pages_and_names_reach_nothing(path: str) -> None:
    """[X2] Nothing is recorded and nothing reaches the engine."""
    async with proxy() as place:
        foreign = await place.http.post(path, json=HELLO, headers={"Origin": "https://evil.example"})
        assert foreign.status_code == 403
        rebound = await place.http.post(path, json=HELLO, headers={"Host": "evil.example"})
        assert rebound.status_code == 401
        assert "token" in rebound.text
        assert not place.engine.requests
        assert not place.memory.begun


@pytest.mark.anyio
async def test_tokens_open_foreign_names() -> None:
    """[X2] The configured token, or any key that was given out; the engine sees neither."""
    book = AccessBook((AccessKey("a", digest_of("il-a"), ("default",), ""),))
    async with proxy(keys=Keys(book), token="hush") as place:
        for key, status in [("hush", 200), ("il-a", 200), ("il-b", 401), ("other", 401)]:
            headers = {"Host": "nas.local", "Authorization": f"Bearer {key}"}
            answer = await place.http.post("/api/chat", json=HELLO, headers=headers)
            assert answer.status_code == status, key
        assert [request.header("authorization") for request in place.engine.requests] == [None, None]


@pytest.mark.anyio
async def test_browsers_on_this_machine_may_ask() -> None:
    """[X2] Preflight and answers carry the page's origin once; foreign pages get neither."""
    async with proxy() as place:
        asking = {
            "Origin": "http://localhost:3000",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
        }
        preflight = await place.http.options("/v1/chat/completions", headers=asking)
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == "http://localhost:3000"
        assert preflight.headers["access-control-allow-headers"] == "authorization,content-type"
        answer = await place.http.post("/api/chat", json=HELLO, headers={"Origin": "http://localhost:3000"})
        assert answer.headers.get_list("access-control-allow-origin") == ["http://localhost:3000"]
        foreign = await place.http.options("/api/chat", headers={**asking, "Origin": "https://evil.example"})
        assert foreign.status_code == 403
        assert not [request for request in place.engine.requests if request.method == "OPTIONS"]


@pytest.mark.anyio
async def test_a_request_without_host_is_refused() -> None:
    """[X2] What names no host could mean any."""
    async with proxy() as place:
        client = RawClient(place.port)
        client.send(b"GET / HTTP/1.0\r\n\r\n")
        assert b"401" in await client.receive()
        client.close()


@pytest.mark.anyio
async def test_the_front_page_says_what_this_is() -> None:
    async with proxy() as place:
        page = await place.http.get("/")
        assert "Innerlife is running" in page.text
        assert f"{place.url}/v1" in page.text
