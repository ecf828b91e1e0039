"""A request to /v1/responses as one to /v1/chat/completions, for engines that speak only the older format."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from innerlife.errors import BadInput

_OPTIONS: Final = {
    "max_output_tokens": "max_tokens",
    "temperature": "temperature",
    "top_p": "top_p",
    "parallel_tool_calls": "parallel_tool_calls",
}
_TEXTS: Final = frozenset({"input_text", "output_text", "text"})


def translated(members: Mapping[str, Any], model: str, *, llama: bool) -> bytes:
    """A request to /v1/responses as one to /v1/chat/completions. `llama` says that the engine is a llama.cpp server.

    Left out is what has no counterpart: reasoning of earlier turns, tools that OpenAI's own servers run, `store`.
    Raises BadInput where the client relies on a history, a file or a prompt that only such servers keep.
    """
    for name in ("previous_response_id", "conversation", "prompt", "background"):
        if members.get(name):
            raise BadInput(
                f"The engine behind Innerlife keeps nothing from one request to the next, which {name} needs",
                "Send the whole conversation as input",
            )
    value: dict[str, Any] = {"model": model, "messages": _messages(members)}
    value |= {new: members[old] for old, new in _OPTIONS.items() if members.get(old) is not None}
    value |= _tools(members) | _form(members.get("text"))
    reasoning = members.get("reasoning")
    effort = reasoning.get("effort") if isinstance(reasoning, dict) else None
    if not isinstance(effort, str):
        effort = ""
    if effort and llama:
        value["chat_template_kwargs"] = {"enable_thinking": effort not in {"none", "minimal"}}
    elif effort:
        value["reasoning_effort"] = effort
    value["stream"] = members.get("stream") is True
    if value["stream"]:
        value["stream_options"] = {"include_usage": True}
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")


def _messages(members: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Instructions and items as messages; calls of tools belong to one message of the assistant there."""
    words, systems = members.get("input"), [members.get("instructions")]
    items = [{"role": "user", "content": words}] if isinstance(words, str) else list(words or ())
    while items and _role(items[0]) in {"system", "developer"}:
        # Many templates take one system text only.
        systems.append(_joined(items.pop(0).get("content")))
    system = "\n\n".join(text for text in systems if text)
    found: list[dict[str, Any]] = [{"role": "system", "content": system}] if system else []
    for item in items:
        match item.get("type", "message"):
            case "message":
                role = _role(item)
                role = "system" if role == "developer" else role
                found.append({"role": role, "content": _content(item.get("content"))})
            case "function_call":
                if not found or found[-1]["role"] != "assistant":
                    found.append({"role": "assistant", "content": None})
                found[-1].setdefault("tool_calls", []).append(_call(item))
            case "function_call_output":
                output = _joined(item.get("output"))
                found.append({"role": "tool", "tool_call_id": item.get("call_id") or "", "content": output})
            case "item_reference":
                raise BadInput(
                    "The engine behind Innerlife keeps no earlier items", "Send them in full as input"
                )
            case _:
                # Reasoning, and the work of tools that OpenAI's own servers run.
                continue
    return found


def _role(item: dict[str, Any]) -> str:
    role = item.get("role")
    return role if isinstance(role, str) else "user"


def _content(content: Any) -> Any:
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    images = [_image(part) for part in parts if str(part.get("type")) in {"input_image", "input_file"}]
    if not images:
        return _joined(content)
    text = _joined(content)
    return ([{"type": "text", "text": text}] if text else []) + images


def _image(part: dict[str, Any]) -> dict[str, Any]:
    url = part.get("image_url")
    if not isinstance(url, str) or not url:
        raise BadInput("The engine behind Innerlife has no files", "Send the image or text itself")
    return {"type": "image_url", "image_url": {"url": url}}


def _joined(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    return "\n\n".join(str(part.get("text") or "") for part in parts if str(part.get("type")) in _TEXTS)


def _call(item: dict[str, Any]) -> dict[str, Any]:
    function = {"name": item.get("name") or "", "arguments": item.get("arguments") or "{}"}
    return {"id": item.get("call_id") or "", "type": "function", "function": function}


def _tools(members: Mapping[str, Any]) -> dict[str, Any]:
    listed = members.get("tools")
    names = ("name", "description", "parameters", "strict")
    found = [
        {"type": "function", "function": {name: tool[name] for name in names if tool.get(name) is not None}}
        for tool in (listed if isinstance(listed, list) else [])
        if isinstance(tool, dict) and tool.get("type") == "function"
    ]
    if not found:
        return {}
    choice = members.get("tool_choice")
    if isinstance(choice, dict) and choice.get("type") == "function":
        choice = {"type": "function", "function": {"name": choice.get("name")}}
    usable = "function" in choice if isinstance(choice, dict) else str(choice) in {"auto", "none", "required"}
    return {"tools": found, **({"tool_choice": choice} if usable else {})}


def _form(text: Any) -> dict[str, Any]:
    form = text.get("format") if isinstance(text, dict) else None
    if not isinstance(form, dict) or form.get("type") == "text":
        return {}
    if form.get("type") == "json_schema":
        schema = {name: form[name] for name in ("name", "strict", "schema") if form.get(name) is not None}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    return {"response_format": {"type": "json_object"}}
