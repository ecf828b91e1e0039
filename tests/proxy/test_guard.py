"""The guard through the real proxy, in every dialect: what is dropped, what stays as it was, what is asked again."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from innerlife.affect.guard.lifting import nothing_passes
from innerlife.affect.guard.whole import guarded
from innerlife.membrane.turn import Ending, Opened, Plan, Standing
from innerlife.proxy.guard import ONCE_MORE, Guard
from innerlife.proxy.reply import CHAT_FORMATS
from innerlife.proxy.wire.call import Format
from innerlife.proxy.wire.frame import Tally
from tests.proxy.fakes import (
    Engine,
    House,
    Memory,
    Place,
    Received,
    Script,
    Wire,
    anthropic_events,
    ollama_lines,
    openai_events,
    proxy,
    responses_events,
    whole,
)

pytestmark = pytest.mark.anyio

WORDS = ("Here is ", "the plan. I no", "tice you ", "seem frus", "trated today", ". Step one", " is easy.")
LEFT = "Here is the plan. Step one is easy."
ONLY = ("I can tell ", "you're anx", "ious.")
WITH_A_FILE = (
    "### Task:\nRespond to the user query using the provided context\n<context>a file</context>\n\n"
    "<user_query>\ndo I sound stressed?\n</user_query>"
)
NEUTRAL = "Go on, I'm listening."

CHATS: list[tuple[str, dict[str, Any]]] = [
    ("/api/chat", {"messages": [{"role": "user", "content": "hi"}]}),
    ("/api/generate", {"prompt": "hi"}),
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": "hi"}]}),
    ("/v1/completions", {"prompt": "hi"}),
    ("/v1/responses", {"input": "hi"}),
    ("/v1/messages", {"max_tokens": 9, "messages": [{"role": "user", "content": "hi"}]}),
]


def asking(path: str, text: str) -> dict[str, Any]:
    """The body of a request on that path in which the user says so."""
    body = json.loads(json.dumps(dict(CHATS)[path]).replace('"hi"', json.dumps(text)))
    return {"model": "m", **body}


def frames_of(path: str, words: Sequence[str]) -> list[bytes]:
    if path == "/v1/messages":
        return anthropic_events(tuple(words))
    if path == "/v1/responses":
        return responses_events(tuple(words))
    return ollama_lines(tuple(words), path) if path.startswith("/api") else openai_events(tuple(words), path)


def answering(path: str, *answers: Sequence[str]) -> Script:
    """An engine that gives one answer after the other, streamed where that is asked."""
    left = list(answers)

    async def script(request: Received, wire: Wire) -> None:
        words = left.pop(0) if len(left) > 1 else left[0]
        if not request.json().get("stream", path.startswith("/api")):
            await wire.document(whole(path, tuple(words)))
            return
        await wire.head("application/x-ndjson" if path.startswith("/api") else "text/event-stream")
        for frame in frames_of(path, words):
            await wire.chunk(frame)
        await wire.end()

    return script


def read(path: str, content: bytes) -> Tally:
    """A stream as a client reads it."""
    form: Format = CHAT_FORMATS[path]
    splitter, tally = form.splitter(), Tally()
    for raw in splitter.feed(content):
        tally.add(form.frame(raw))
    assert splitter.rest() == b""
    return tally


def repeated(content: bytes) -> list[str]:
    """Every whole text that the terminal events of a response repeat."""
    found: list[str] = []
    for block in content.split(b"\n\n"):
        data = block.partition(b"data: ")[2]
        value = json.loads(data) if data.startswith(b"{") else {}
        match value.get("type"):
            case "response.output_text.done":
                found.append(value["text"])
            case "response.content_part.done":
                found.append(value["part"]["text"])
            case "response.output_item.done":
                found += [part["text"] for part in value["item"]["content"]]
            case "response.completed":
                found += [part["text"] for item in value["response"]["output"] for part in item["content"]]
            case _:
                pass
    return found


async def streamed(place: Place, path: str, said: str = "hi", **more: Any) -> bytes:
    answer = await place.http.post(path, json={**asking(path, said), "stream": True, **more})
    assert answer.status_code == 200
    return answer.content


@pytest.mark.parametrize("path", [path for path, _ in CHATS])
async def test_an_announcement_does_not_reach_the_client(path: str) -> None:
    """[A4] The sentence is gone from the stream and from what is recorded; all else is there, in valid frames."""
    async with proxy(Engine(answering(path, WORDS))) as place:
        content = await streamed(place, path)
        tally = read(path, content)
        assert tally.text == LEFT
        assert tally.final
        assert [one.text for one in place.memory.finished] == [LEFT]
        assert place.memory.finished[0].ending is Ending.COMPLETE
        for word in (b"frus", b"trated", b"tice you"):
            assert word not in content
        assert len(content.split(b"\n\n")) == len(b"".join(frames_of(path, WORDS)).split(b"\n\n"))
        if path == "/v1/responses":
            assert repeated(content) == [LEFT] * 4


@pytest.mark.parametrize("path", [path for path, _ in CHATS])
async def test_frames_with_nothing_to_drop_keep_their_bytes(path: str) -> None:
    """[A4] [P1] Only the frames that held the sentence differ from what the engine sent."""
    async with proxy(Engine(answering(path, WORDS))) as place:
        came = (await streamed(place, path)).split(b"\n")
        sent = b"".join(frames_of(path, WORDS)).split(b"\n")
        changed = [line for line in sent if line and line not in came]
        assert all(
            any(word.encode() in line for word in ("no", "tice", "frus", "trated", "Step"))
            for line in changed
        )
        assert next(line for line in came if line in sent) == sent[0]


@pytest.mark.parametrize("path", [path for path, _ in CHATS])
async def test_a_whole_answer_is_guarded_too(path: str) -> None:
    """[A4] An answer that is not streamed arrives without the sentence, its length told right, and is so recorded."""
    async with proxy(Engine(answering(path, WORDS))) as place:
        answer = await place.http.post(path, json={**asking(path, "hi"), "stream": False})
        frame = CHAT_FORMATS[path].whole(answer.content)
        assert frame.content == LEFT
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert [one.text for one in place.memory.finished] == [LEFT]
        assert b"frustrated" not in answer.content


@pytest.mark.parametrize("path", [path for path, _ in CHATS])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_model_that_only_announces_is_asked_once_more(path: str, stream: bool) -> None:
    """[A4] The second answer arrives in the place of the first, and the request differs by one sentence at its end."""
    second = ("Let's ", "look at it. You seem ", "tired. Ready?")
    async with proxy(Engine(answering(path, ONLY, second))) as place:
        answer = await place.http.post(path, json={**asking(path, "hi"), "stream": stream})
        seen = read(path, answer.content) if stream else None
        text = seen.text if seen else CHAT_FORMATS[path].whole(answer.content).content
        assert text == "Let's look at it. Ready?"
        assert [one.text for one in place.memory.finished] == [text]
        assert place.memory.finished[0].ending is Ending.COMPLETE
        first, again = place.engine.requests
        assert b"once" not in first.body
        assert again.body.decode().replace(json.dumps(f"\n\n{ONCE_MORE}")[1:-1], "") == first.body.decode()
        assert ONCE_MORE[:20].encode() not in answer.content
        assert b"anx" not in answer.content
        if path == "/v1/responses" and stream:
            assert repeated(answer.content) == [text] * 4
            data = [
                json.loads(block.partition(b"data: ")[2])
                for block in answer.content.split(b"\n\n")
                if b"data: {" in block
            ]
            numbers = [value["sequence_number"] for value in data]
            assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("path", [path for path, _ in CHATS])
@pytest.mark.parametrize("stream", [True, False])
async def test_a_model_that_announces_twice_leaves_one_plain_sentence(path: str, stream: bool) -> None:
    """[A4] The model is asked no third time; in the announcement's language something plain is said."""
    async with proxy(Engine(answering(path, ("Noto que estás", " estresado."), ONLY))) as place:
        answer = await place.http.post(path, json={**asking(path, "hi"), "stream": stream})
        text = read(path, answer.content).text if stream else CHAT_FORMATS[path].whole(answer.content).content
        assert text == "Sigue, te escucho."
        assert [one.text for one in place.memory.finished] == [text]
        assert len(place.engine.requests) == 2


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/v1/chat/completions", "text"), ("/v1/messages", "text"), ("/v1/responses", "input_text")],
)
async def test_what_is_asked_again_stands_behind_the_users_last_part(path: str, kind: str) -> None:
    """[A4] Of a message in parts the last text is added to; blocks, history and rounds of tools stay where they are."""
    own = [{"type": kind, "text": "Look."}, {"type": kind, "text": "And tell me."}]
    messages = [{"role": "user", "content": "hi"}, {"role": "assistant", "content": "Hello."}]
    messages.append({"role": "user", "content": own})  # type: ignore[dict-item]
    words = "input" if path == "/v1/responses" else "messages"
    memory = Memory(plan=Plan(Standing.OK, stable="STABLE", block="BLOCK", opened=Opened("c", 1, "u")))
    async with proxy(Engine(answering(path, ONLY, ("Fine", "."))), House(default=memory)) as place:
        body = {"model": "m", "max_tokens": 9, words: messages, "stream": True}
        assert read(path, (await place.http.post(path, json=body)).content).text == "Fine."
        first, again = (request.json() for request in place.engine.requests)
        again[words][-1]["content"][-1]["text"] = first[words][-1]["content"][-1]["text"]
        assert (
            place.engine.requests[1].json()[words][-1]["content"][-1]["text"]
            == f"And tell me.\n\n{ONCE_MORE}"
        )
        assert again == first
        assert "BLOCK" in json.dumps(first)


async def test_the_events_of_a_second_answer_are_a_valid_message() -> None:
    """[A4] Anthropic's order of events holds: a block's parts come between its start and its stop."""
    path = "/v1/messages"
    async with proxy(Engine(answering(path, ONLY, ("Fine", ".")))) as place:
        content = await streamed(place, path)
        kinds = [line[7:].decode() for line in content.split(b"\n") if line.startswith(b"event: ")]
        assert kinds[0] == "message_start"
        assert kinds[-3:] == ["content_block_stop", "message_delta", "message_stop"]
        between = kinds[kinds.index("content_block_start") + 1 : kinds.index("content_block_stop")]
        assert set(between) == {"ping", "content_block_delta"}
        assert kinds.count("content_block_stop") == 1


async def test_a_second_request_that_fails_still_leaves_an_answer() -> None:
    """[A4] An engine that is gone when it is asked again costs the second answer and nothing else."""
    path, asked = "/api/chat", 0

    async def script(request: Received, wire: Wire) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            wire.abort()
            return
        await answering(path, ONLY)(request, wire)

    async with proxy(Engine(script)) as place:
        tally = read(path, await streamed(place, path))
        assert (tally.text, tally.final) == (NEUTRAL, True)
        assert place.memory.finished[0].text == NEUTRAL


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/messages", "/api/chat", "/api/generate"])
async def test_an_engine_of_another_dialect_is_guarded_and_asked_again(path: str) -> None:
    """[A4] Behind a translation the rule holds as well: first answer, second answer, terminal events."""
    openai = "/v1/chat/completions"
    scripts = answering(openai, ONLY, ("All ", "right."))
    async with proxy(Engine(scripts), kind="embedded" if path.startswith("/api") else "ollama") as place:
        place.engine.knows = {}
        content = await streamed(place, path)
        assert read(path, content).text == "All right."
        assert [request.target for request in place.engine.requests] == [openai, openai]
        assert place.engine.requests[1].json()["messages"][-1]["content"].endswith(ONCE_MORE)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("do I sound stressed?", ("You sound a little ", "stressed.")),
        ("what do you remember about me?", ("My notes say you live in ", "Lisbon.")),
        ("How do you know that?", ("I have a note that you ", "told me.")),
        ("I'm so tired", ("Since you're ", "tired, let's stop.")),
        (
            WITH_A_FILE,
            ("You sound a little ", "stressed."),
        ),
    ],
)
async def test_what_the_user_asked_for_or_said_passes_byte_for_byte(
    said: str, words: tuple[str, ...]
) -> None:
    """[A4] [A9] The newest message decides: asked for, or said by the user, a sentence arrives as it was."""
    for path, _ in CHATS:
        async with proxy(Engine(answering(path, words))) as place:
            assert await streamed(place, path, said) == b"".join(frames_of(path, words))


@pytest.mark.parametrize(
    "said",
    [
        "What is wrong with this?\n\n> do I sound stressed?\n> what do you remember about me?\n",
        "<attached_files>\ndo I sound stressed? what do you remember about me?\n</attached_files>\n\nWhat is wrong?",
    ],
    ids=["quoted", "attached"],
)
async def test_what_is_not_the_users_own_lifts_nothing(said: str) -> None:
    """[A4] A question in a text that the user pasted, or that their program attached, is nobody's question."""
    path = "/api/chat"
    async with proxy(Engine(answering(path, WORDS))) as place:
        assert read(path, await streamed(place, path, said)).text == LEFT


@pytest.mark.parametrize(
    ("path", "more"),
    [
        ("/api/chat", {"format": "json"}),
        ("/api/generate", {"format": {"type": "object", "properties": {}}}),
        ("/v1/chat/completions", {"response_format": {"type": "json_object"}}),
        ("/v1/responses", {"text": {"format": {"type": "json_schema", "name": "a", "schema": {}}}}),
        ("/v1/messages", {"output_config": {"format": {"type": "json_schema", "schema": {}}}}),
    ],
)
async def test_an_answer_that_is_to_be_data_is_not_touched(path: str, more: dict[str, Any]) -> None:
    """[A4] Where the client asks for JSON, every byte passes."""
    async with proxy(Engine(answering(path, WORDS))) as place:
        assert await streamed(place, path, **more) == b"".join(frames_of(path, WORDS))


async def test_a_wish_for_plain_text_is_no_wish_for_data() -> None:
    """[A4] `{"type": "text"}` is what clients send that want words."""
    path = "/v1/chat/completions"
    async with proxy(Engine(answering(path, WORDS))) as place:
        content = await streamed(place, path, response_format={"type": "text"})
        assert read(path, content).text == LEFT


async def test_fiction_is_not_touched() -> None:
    """[A4] A character may notice what it likes: by the reserved profile, and where the conversation began so."""
    path = "/api/chat"
    began = Memory(plan=Plan(Standing.OK, opened=Opened("c", 1, "u", fiction=True)))
    for house, headers in ((House(), {"X-Innerlife-Profile": "fiction"}), (House(default=began), {})):
        async with proxy(Engine(answering(path, WORDS)), house) as place:
            answer = await place.http.post(path, json={**asking(path, "hi"), "stream": True}, headers=headers)
            assert answer.content == b"".join(frames_of(path, WORDS))


async def test_what_is_not_recorded_by_nature_is_not_touched() -> None:
    """[A4] A chat program's own side task passes as it is; a chat that memory lost is guarded all the same."""
    path = "/api/chat"
    side = House(default=Memory(plan=Plan(Standing.PASSTHROUGH)))
    async with proxy(Engine(answering(path, WORDS)), side) as place:
        assert await streamed(place, path) == b"".join(frames_of(path, WORDS))
    lost = House(default=Memory(plan=Plan(Standing.UNRECORDED, "the disk is full")))
    async with proxy(Engine(answering(path, WORDS)), lost) as place:
        assert read(path, await streamed(place, path)).text == LEFT


async def test_calls_of_tools_and_reasoning_pass() -> None:
    """[A4] What a model thinks or gives to a tool is not said to the user; a call is an answer too."""
    path = "/v1/chat/completions"
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    call = {"index": 0, "id": "t1", "type": "function", "function": {"name": "note", "arguments": ""}}
    deltas: list[dict[str, Any]] = [
        {"reasoning_content": "I notice you seem frustrated."},
        {"content": "You seem tired."},
        {"tool_calls": [call]},
        {"tool_calls": [{"index": 0, "function": {"arguments": '{"text":"You seem sad."}'}}]},
    ]
    chunks = [{**head, "choices": [{"index": 0, "delta": one, "finish_reason": None}]} for one in deltas]
    chunks.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    frames = [b"data: " + json.dumps(chunk).encode() + b"\n\n" for chunk in chunks] + [b"data: [DONE]\n\n"]

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        for frame in frames:
            await wire.chunk(frame)
        await wire.end()

    async with proxy(Engine(script)) as place:
        content = await streamed(place, path)
        for at in (0, 2, 3, 4, 5):
            assert frames[at] in content
        (answer,) = place.memory.finished
        assert (answer.text, answer.reasoning) == ("", "I notice you seem frustrated.")
        assert "You seem sad." in answer.tool_calls
        assert len(place.engine.requests) == 1


@pytest.mark.parametrize(
    ("words", "left"),
    [
        (("Let's", " stop", " because", " you seem", " tired", ".", " Next."), "Let's stop. Next."),
        (("Let's ", "stop ", "because ", "you seem ", "tired. ", "Next."), "Let's stop . Next."),
    ],
)
async def test_the_space_before_a_clause_goes_with_it_but_no_word_waits_for_it(
    words: Sequence[str], left: str
) -> None:
    """[A4] [P2] Nothing is left of the clause, or the space alone where the engine sent it with the word before."""
    async with proxy(Engine(answering("/api/chat", words))) as place:
        assert read("/api/chat", await streamed(place, "/api/chat")).text == left


@pytest.mark.parametrize("path", [path for path, _ in CHATS])
async def test_what_begins_like_no_announcement_leaves_before_the_next_frame_comes(path: str) -> None:
    """[P2] The engine waits for the client's word that each frame came: nothing is held that claims nothing."""
    words = (
        "Zinc ",
        "melts at ",
        "the heat",
        " and boils",
        ". Copper ",
        "melts ",
        "later",
        " than it, slowly.",
    )
    frames = frames_of(path, words)
    got = asyncio.Queue[int]()

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/x-ndjson" if path.startswith("/api") else "text/event-stream")
        sent = 0
        for frame in frames:
            await wire.chunk(frame)
            sent += len(frame)
            while await asyncio.wait_for(got.get(), 3) < sent:
                pass
        await wire.end()

    async with proxy(Engine(script)) as place:
        body = {**asking(path, "hi"), "stream": True}
        seen = 0
        async with place.http.stream("POST", path, json=body) as answer:
            async for chunk in answer.aiter_raw():
                seen += len(chunk)
                got.put_nowait(seen)
        assert seen == sum(map(len, frames))


async def test_a_sentence_that_only_begins_so_is_held_no_longer_than_it_must() -> None:
    """[P2] "I notice the loop" is free with its fourth word: what was held leaves with its own bytes."""
    path = "/api/chat"
    words = ("I", " notice", " the", " loop", " ends", " here.")
    frames = frames_of(path, words)
    came = asyncio.Event()

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/x-ndjson")
        await wire.chunk(b"".join(frames[:5]))
        await asyncio.wait_for(came.wait(), 3)
        await wire.chunk(b"".join(frames[5:]))
        await wire.end()

    async with proxy(Engine(script)) as place:
        content = b""
        body = {**asking(path, "hi"), "stream": True}
        async with place.http.stream("POST", path, json=body) as answer:
            async for chunk in answer.aiter_raw():
                content += chunk
                if content == b"".join(frames[:5]):
                    came.set()
        assert content == b"".join(frames)


async def test_a_stream_that_breaks_off_in_a_held_sentence_gives_up_what_it_held() -> None:
    """[A4] [P5] Half a sentence that announces nothing yet is shown and recorded; the trouble is told."""
    path = "/api/chat"

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("application/x-ndjson")
        for frame in frames_of(path, ("Well. ", "I notice"))[:2]:
            await wire.chunk(frame)
        await asyncio.sleep(0.05)
        wire.abort()

    async with proxy(Engine(script)) as place:
        tally = read(path, await streamed(place, path))
        assert tally.text == "Well. I notice"
        assert tally.error
        assert place.memory.finished[0].text == "Well. I notice"


async def test_probabilities_of_dropped_words_do_not_arrive_either() -> None:
    """[A4] What repeats a dropped word token by token is left out with it."""
    path = "/v1/chat/completions"
    head = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m"}

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        for word in ("Hm. ", "You seem ", "tired. ", "Rest?"):
            part = {"index": 0, "delta": {"content": word}, "finish_reason": None}
            part["logprobs"] = {"content": [{"token": word, "logprob": -0.1}]}
            await wire.chunk(b"data: " + json.dumps({**head, "choices": [part]}).encode() + b"\n\n")
        last = {"index": 0, "delta": {}, "finish_reason": "stop"}
        await wire.chunk(b"data: " + json.dumps({**head, "choices": [last]}).encode() + b"\n\n")
        await wire.chunk(b"data: [DONE]\n\n")
        await wire.end()

    async with proxy(Engine(script)) as place:
        content = await streamed(place, path)
        assert read(path, content).text == "Hm. Rest?"
        assert b"tired" not in content


async def test_a_failure_that_looks_like_an_answer_arrives_whole() -> None:
    """[A4] [P1] A document that is no finished answer is not kept back, whatever it begins like."""
    path = "/api/chat"
    body = json.dumps({"message": {"role": "assistant", "content": "I notice"}, "done": False}).encode()

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(body, "500 Internal Server Error")

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={**asking(path, "hi"), "stream": False})
        assert (answer.status_code, answer.content) == (500, body)


def chosen(words: Sequence[str], other: Sequence[str], *, together: bool) -> list[bytes]:
    """The events of two answers at once: in turn, or two in each event."""
    events: list[bytes] = []
    deltas = [*({"content": word} for word in other), {}]
    for first, second in zip([*({"content": word} for word in words), {}], deltas, strict=True):
        finish = None if second else "stop"
        both = [
            {"index": number, "delta": delta, "finish_reason": finish}
            for number, delta in enumerate((first, second))
        ]
        values = [
            {"model": "m", "choices": chosen} for chosen in ([both] if together else [[one] for one in both])
        ]
        events += [b"data: " + json.dumps(value).encode() + b"\n\n" for value in values]
    return [*events, b"data: [DONE]\n\n"]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize(
    ("other", "left"),
    [
        (("You seem ", "tired. ", "Rest ", "now."), "Rest now."),
        (("You seem ", "sad", " today", "."), NEUTRAL),
        (("It works", " as ", "it ", "is."), "It works as it is."),
    ],
)
async def test_every_answer_of_several_is_guarded(together: bool, other: Sequence[str], left: str) -> None:
    """[A4] Two answers were asked for: neither announces, and neither takes the other's words."""
    path = "/v1/chat/completions"
    words = ("You seem ", "sad. ", "Step one", " is easy.")

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        for event in chosen(words, other, together=together):
            await wire.chunk(event)
        await wire.end()

    async with proxy(Engine(script)) as place:
        content = await streamed(place, path, n=2)
        said = {0: "", 1: ""}
        for block in content.split(b"\n\n"):
            data = block.partition(b"data: ")[2]
            for choice in json.loads(data)["choices"] if data.startswith(b"{") else ():
                said[choice["index"]] += choice["delta"].get("content", "")
        assert said == {0: "Step one is easy.", 1: left}
        assert place.memory.finished[0].text == "Step one is easy."


async def test_every_answer_of_a_whole_document_is_guarded() -> None:
    """[A4] The same where nothing is streamed."""
    path = "/v1/chat/completions"
    texts = ("You seem sad. One.", "I notice you seem tired. Two.", "You seem sad.", "Four.")
    choices = [
        {"index": number, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
        for number, text in enumerate(texts)
    ]

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(json.dumps({"model": "m", "choices": choices}).encode())

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json={**asking(path, "hi"), "n": 4})
        said = [choice["message"]["content"] for choice in answer.json()["choices"]]
        assert said == ["One.", "Two.", NEUTRAL, "Four."]


async def test_words_that_come_as_parts_are_guarded() -> None:
    """[A4] Some servers send a list of parts in place of a text."""
    path = "/v1/chat/completions"
    words = ("You seem ", "sad. ", "Rest.")
    deltas = [{"content": [{"type": "text", "text": word}]} for word in words]

    async def script(request: Received, wire: Wire) -> None:
        await wire.head("text/event-stream")
        for delta in [*deltas, {}]:
            choice = {"index": 0, "delta": delta, "finish_reason": None if delta else "stop"}
            await wire.chunk(b"data: " + json.dumps({"model": "m", "choices": [choice]}).encode() + b"\n\n")
        await wire.chunk(b"data: [DONE]\n\n")
        await wire.end()

    async with proxy(Engine(script)) as place:
        assert read(path, await streamed(place, path)).text == "Rest."
        assert place.memory.finished[0].text == "Rest."


async def test_blocks_of_a_whole_message_are_guarded_each_by_itself() -> None:
    """[A4] A message in several blocks keeps them all, each without its announcements."""
    path = "/v1/messages"
    value = json.loads(whole(path))
    value["content"] = [
        {"type": "text", "text": "First. You seem tired."},
        {"type": "tool_use", "id": "t", "name": "look", "input": {"for": "You seem tired."}},
        {"type": "text", "text": "I notice you seem sad. Last."},
    ]

    async def script(request: Received, wire: Wire) -> None:
        await wire.document(json.dumps(value).encode())

    async with proxy(Engine(script)) as place:
        answer = await place.http.post(path, json=asking(path, "hi"))
        blocks = answer.json()["content"]
        assert [block.get("text") for block in blocks] == ["First. ", None, "Last."]
        assert blocks[1] == value["content"][1]
        assert place.memory.finished[0].text == "First. Last."


@given(
    st.lists(
        st.sampled_from(["You seem tired. ", "It works. ", "Pareces triste. ", "olé🙂 ", "I see it. "]),
        min_size=1,
    ),
    st.lists(st.integers(1, 9), min_size=1),
)
@settings(max_examples=60, deadline=None)
def test_every_split_into_frames_gives_the_same_words(sentences: list[str], sizes: list[int]) -> None:
    """[A4] Frames of any size, in the dialect with the strictest order of events, say the same."""
    text, words, at, turn = "".join(sentences), [], 0, 0
    while at < len(text):
        size = sizes[turn % len(sizes)]
        words.append(text[at : at + size])
        at, turn = at + size, turn + 1
    form = CHAT_FORMATS["/v1/responses"]
    guard, out = Guard(form, nothing_passes), []
    for raw in responses_events(tuple(words)):
        out += guard(form.frame(raw))
    expected = guarded(text, nothing_passes)[0]
    if guard.bereft:
        assert not any(character.isalnum() for character in expected)
        return
    content = b"".join(frame.raw for frame in out)
    assert read("/v1/responses", content).text == expected == "".join(frame.content for frame in out)
    assert set(repeated(content)) == {expected}
