"""Side tasks of chat programs besides Open WebUI, by how their prompts begin: data, with the place where each was read.

A beginning is long enough that nobody types it by chance, and short enough to survive the next version. People write
system texts too, and what is taken for a task is lost to them: one makes a task only of a request that answers nothing
that was said before, and where its beginning is one that a person might write, with what the client writes besides. To
add a client, add its lines. Home Assistant, AnythingLLM and text-generation-webui send chats alone; they are not here.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, assert_never

from innerlife.membrane.turn import Said, Speaker, TurnRequest

_SYSTEM_LOOKED_AT = 20_000
"""Characters of a system text in which a line is looked for: some clients put their own instructions first."""


class Stands(StrEnum):
    """Where in a request the beginning stands."""

    ALONE = "alone"
    """In the one message of the user, no tools being offered."""
    LAST = "last"
    """In the last message, of the user or of the system, mostly below the whole conversation."""
    SYSTEM = "system"
    """At the beginning of a line of a system text, nothing having been answered yet."""


@dataclass(frozen=True, slots=True)
class SideTask:
    """One task of one client.

    Where the beginning alone is too common, `also` must occur in the same text, or, of a system text, `opens` at the
    beginning of the user's first message, or the text is `whole`. `answered`: what opens is an example with its answer.
    """

    client: str
    task: str
    stands: tuple[Stands, ...]
    begins: str
    also: str = ""
    opens: str = ""
    whole: bool = False
    answered: bool = False


_ALONE, _LAST, _SYSTEM = (Stands.ALONE,), (Stands.LAST,), (Stands.SYSTEM,)
_ANYWHERE: Final = (Stands.LAST, Stands.SYSTEM)

SIDE_TASKS: Final = (
    # LibreChat 0.7–0.8, @librechat/agents src/utils/title.ts
    SideTask("LibreChat", "title", _ALONE, "Provide a concise, 5-word-or-less title for the conversation"),
    SideTask("LibreChat", "title", _ALONE, "Analyze this conversation and provide:", "detected language"),
    SideTask(
        "LibreChat", "title", _ALONE, "Write a concise title for this conversation in the detected language."
    ),
    # LibreChat, api/app/clients/prompts/titlePrompts.js
    SideTask(
        "LibreChat", "title", _ANYWHERE, "Write a concise title for this conversation in the given language."
    ),
    SideTask("LibreChat", "language", _SYSTEM, "Detect the language used in the following text.", whole=True),
    SideTask(
        "LibreChat",
        "title",
        _SYSTEM,
        "In this environment you have access to a set of tools you can use to generate the conversation title.",
    ),
    # LibreChat, api/server/services/Endpoints/assistants/title.js
    SideTask(
        "LibreChat", "title", _ALONE, "Please generate a concise title (max 40 characters) for a conversation"
    ),
    # LibreChat, api/app/clients/prompts/summaryPrompts.js
    SideTask(
        "LibreChat", "summary", _ALONE, "Summarize the conversation by integrating new lines into the current"
    ),
    SideTask("LibreChat", "summary", _ALONE, "The following text is cut-off:", "noting that it was cut-off"),
    # LibreChat, packages/api/src/agents/memory.ts, client.js; the second stands below instructions of the owner's own
    SideTask(
        "LibreChat",
        "memory",
        _SYSTEM,
        "Use the `set_memory` tool to save important information about the user, but ONLY when",
        "The `delete_memory` tool should only be used in two scenarios:",
    ),
    SideTask("LibreChat", "memory", _SYSTEM, "# Existing memory:\n", opens="# Current Chat:\n"),
    # SillyTavern 1.10–1.13, public/scripts/extensions/memory, vectors, expressions, stable-diffusion
    SideTask(
        "SillyTavern",
        "summary",
        _ANYWHERE,
        "Ignore previous instructions. Summarize the most important facts",
    ),
    SideTask("SillyTavern", "summary", _ANYWHERE, "[Pause your roleplay. Summarize the most important facts"),
    SideTask(
        "SillyTavern",
        "summary",
        _ANYWHERE,
        "Ignore previous instructions. Summarize the most important parts",
    ),
    SideTask(
        "SillyTavern",
        "expression",
        _ANYWHERE,
        "Ignore previous instructions. Classify the emotion of the last",
    ),
    SideTask(
        "SillyTavern", "picture", _LAST, "[In the next response I want you to provide only a detailed comma-"
    ),
    SideTask(
        "SillyTavern", "picture", _LAST, "Ignore previous instructions and provide a detailed description of"
    ),
    SideTask("SillyTavern", "picture", _LAST, "[Pause your roleplay and provide a"),
    SideTask("SillyTavern", "picture", _LAST, "Pause your roleplay and provide comma-delimited list"),
    # SillyTavern, public/scripts/openai.js. What is written for the user is no answer; what goes on has no question.
    SideTask("SillyTavern", "impersonate", _LAST, "[Write your next reply from the point of view of"),
    SideTask(
        "SillyTavern", "continue", _LAST, "[Continue your last message without repeating its original content"
    ),
    SideTask("SillyTavern", "continue", _LAST, "[Continue the following message. Do not include ANY parts"),
    # RisuAI, src/ts/process/memory/supaMemory.ts, hypav3.ts
    SideTask("RisuAI", "summary", _ANYWHERE, "[Summarize the ongoing role story"),
    # Jan 0.4–0.6, web/hooks, title of a thread
    SideTask("Jan", "title", _ALONE, "Summarize in a ", "-word Title. Give the title only."),
    # Read in Chatbox, src/shared/prompts
    SideTask("Chatbox", "title", _ALONE, "Based on the chat history, give this conversation a name."),
    SideTask("Chatbox", "title", _ALONE, "Based on the chat history, give this conversation a title."),
    # NextChat, app/locales/en.ts; aichat (command line) uses the second
    SideTask(
        "NextChat", "title", _LAST, "Please generate a four to five word title summarizing our conversation"
    ),
    SideTask(
        "NextChat", "summary", _ANYWHERE, "Summarize the discussion briefly in 200 words or less to use as a"
    ),
    # Cherry Studio, src/renderer/src/config/prompts.ts, services/AssistantService.ts
    SideTask("Cherry Studio", "title", _SYSTEM, "Summarize the given session as a 10-word title"),
    SideTask(
        "Cherry Studio",
        "title",
        _SYSTEM,
        "You are an assistant skilled in conversation.",
        "You need to summarize the user's conversation into a title",
    ),
    # Cherry Studio and Perplexica, search query
    SideTask(
        "Cherry Studio",
        "query",
        _ANYWHERE,
        "You are an AI question rephraser. Your role is to rephrase follow-up queries from a conversation",
    ),
    SideTask(
        "Perplexica",
        "query",
        _ANYWHERE,
        "You are an AI question rephraser. You will be given a conversation and a follow-up question",
    ),
    # DeepChat, src/main/presenter
    SideTask(
        "DeepChat",
        "title",
        _ANYWHERE,
        "You need to summarize the user's conversation into a title of no more",
    ),
    # LobeChat, packages/prompts/src/chains
    SideTask(
        "LobeChat",
        "title",
        _SYSTEM,
        "You are a professional conversation summarizer. Generate a concise title",
        "- Output ONLY the title text, no explanations or additional context",
    ),
    SideTask(
        "LobeChat",
        "title",
        _SYSTEM,
        "You are an assistant who is good at conversation.",
        "You need to summarize the user's conversation into a title",
    ),
    SideTask(
        "LobeChat",
        "summary",
        _SYSTEM,
        "You're an assistant who's good at extracting key takeaways from conversations",
        "located in the <chat_history> </chat_history> group of xml tags",
    ),
    SideTask(
        "LobeChat",
        "translation",
        _SYSTEM,
        "You are a professional translator. Translate the input text to",
        "\n- Output ONLY the translated text, no explanations or additional context\n- Preserve technical terms, code",
    ),
    # LobeChat, LangChain, Flowise, Page Assist, a follow-up made a question of its own
    SideTask(
        "LobeChat",
        "query",
        (Stands.ALONE, Stands.SYSTEM),
        "Given the following conversation and a follow",
        "rephrase the follow up question to be a standalone question",
    ),
    # big-AGI, src/modules/aifn/autotitle
    SideTask(
        "big-AGI",
        "title",
        _SYSTEM,
        "You are an AI language expert who specializes in creating very concise and",
    ),
    # Read in Zed, crates/agent_settings/src/prompts, for a title and for a detailed summary
    SideTask(
        "Zed", "title", _LAST, "Generate a concise 3-7 word title for this conversation, omitting punctuation"
    ),
    SideTask(
        "Zed",
        "summary",
        _LAST,
        "Your task is to create a detailed summary of the conversation so far, paying",
    ),
    # Continue, core/util/chatDescriber.ts
    SideTask("Continue", "title", _ALONE, "Given the following... please reply with a title for the chat"),
    # opencode, packages/opencode/src/agent/prompt/title.txt
    SideTask("opencode", "title", _SYSTEM, "You are a title generator. You output ONLY a thread title."),
    # Claude Code, topic, title and summary of a session
    SideTask("Claude Code", "title", _ALONE, "Please write a 5-10 word title for the following conversation"),
    SideTask("Claude Code", "title", _SYSTEM, "Analyze if this message indicates a new conversation topic."),
    SideTask("Claude Code", "title", _SYSTEM, "Summarize this coding conversation in under 50 characters."),
    # goose, crates/goose/src/providers (session name)
    SideTask("goose", "title", _SYSTEM, "Reply with only a description in four words or less", whole=True),
    SideTask(
        "goose", "title", _SYSTEM, "Generate a short title (four words or less) that describes the topic"
    ),
    # HuggingChat, src/lib/server/summarize.ts, generateTitle
    SideTask(
        "HuggingChat",
        "title",
        _SYSTEM,
        "You are a summarization AI. Your task is to summarize user requests",
        opens="Who is the president of France ?",
        answered=True,
    ),
    SideTask(
        "HuggingChat",
        "title",
        _SYSTEM,
        "You are a chat thread titling assistant.",
        "Goal: Produce a very short, descriptive title",
    ),
    # Vercel's chat template (lib/ai/prompts.ts) and what grew from it; crush
    SideTask("Vercel chat", "title", _SYSTEM, "- you will generate a short title based on the first message"),
    SideTask("crush", "title", _SYSTEM, "you will generate a short title based on the first message"),
    SideTask("crush", "title", _SYSTEM, "You will generate a short title based on the first message"),
    # Open WebUI, routers/memories.py, utils/middleware.py
    SideTask("Open WebUI", "memory", _SYSTEM, "You are Open WebUI's private memory reviewer"),
    SideTask("Open WebUI", "tool choice", _SYSTEM, "Available Tools: [", opens="Query:"),
    # Page Assist; Open WebUI until 0.4
    SideTask("Page Assist", "title", _ALONE, "Here is the query:", "as a title for the previous query"),
    SideTask(
        "Open WebUI", "title", _ALONE, "Create a concise, 3-5 word phrase as a header for the following query"
    ),
)


def side_task(request: TurnRequest) -> SideTask | None:
    """The side task that this request is, or None where it reads like a chat."""
    if not request.messages:
        return None
    users = [said for said in request.messages if said.speaker is Speaker.USER]
    alone = users[0].text.lstrip() if len(users) == 1 and not request.offers_tools else ""
    last = _last(request.messages[-1])
    return next((task for task in SIDE_TASKS if _is(task, request, alone, last)), None)


def _last(said: Said) -> str:
    return said.text.lstrip() if said.speaker in (Speaker.USER, Speaker.SYSTEM) else ""


def _is(task: SideTask, request: TurnRequest, alone: str, last: str) -> bool:
    for stands in task.stands:
        match stands:
            case Stands.ALONE:
                fits = alone.startswith(task.begins) and task.also in alone
            case Stands.LAST:
                fits = last.startswith(task.begins) and task.also in last
            case Stands.SYSTEM:
                systems = (said.text for said in request.messages if said.speaker is Speaker.SYSTEM)
                fits = any(_in_system(task, text) for text in systems) and _asked_so(task, request)
            case _:
                assert_never(stands)
        if fits:
            return True
    return False


def _in_system(task: SideTask, text: str) -> bool:
    if task.whole:
        return text.strip() == task.begins
    text = text[:_SYSTEM_LOOKED_AT]
    at = text.find(task.begins)
    if at < 0 or task.also not in text:
        return False
    return not text[:at].strip() or text[:at].rstrip(" \t").endswith("\n")


def _asked_so(task: SideTask, request: TurnRequest) -> bool:
    """Whether the messages below the system text are those of the task, and not of a chat that goes on."""
    spoken = [said for said in request.messages if said.speaker is not Speaker.SYSTEM]
    if not spoken or not spoken[0].text.lstrip().startswith(task.opens):
        return False
    # The beginning of the answer may stand behind the user's words already.
    return task.answered or all(said.speaker is Speaker.USER for said in spoken[:-1])
