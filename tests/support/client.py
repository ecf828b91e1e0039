"""A chat program that resends its whole history, as they all do (no ids, no headers unless given)."""

from __future__ import annotations

from dataclasses import replace

from innerlife.conversations.events import Ending
from innerlife.conversations.model import Answer, Image, Opened, Said, Speaker
from innerlife.conversations.recording import Arriving, Recording


def user(text: str, *images: Image) -> Said:
    return Said(Speaker.USER, text, images)


def assistant(text: str, tool_calls: str = "") -> Said:
    return Said(Speaker.ASSISTANT, text, (), tool_calls)


def tool(text: str) -> Said:
    return Said(Speaker.TOOL, text)


def without_wrapper(text: str) -> str:
    """The person's own words of a message that a chat program wrapped: what follows the wrapper's end."""
    return text.rpartition("</attached_files>")[2].lstrip("\n")


class ChatClient:
    """One open chat window. `history` is what it would resend; every method returns what was opened."""

    def __init__(self, recording: Recording, chat: str = "") -> None:
        self._recording = recording
        self._chat = chat
        self.history: list[Said] = []

    def send(self, user_message: str = "") -> Opened:
        """Send the history as it stands, unanswered."""
        opened = self._recording.open(Arriving(tuple(self.history), "test", self._chat, user_message))
        assert opened is not None
        return opened

    def ask(self, text: str, *images: Image, user_message: str = "") -> Opened:
        """Type a message and send; nothing answers."""
        self.history.append(user(text, *images))
        return self.send(user_message)

    def answer(self, opened: Opened, text: str, ending: Ending = Ending.COMPLETE) -> None:
        """The model's answer arrives and is shown."""
        self._recording.close(opened, Answer(text, ending, "model"))
        if opened.prefix:
            self.history[-1] = replace(self.history[-1], text=opened.prefix + text)
        else:
            self.history.append(assistant(text))

    def say(self, text: str, reply: str) -> Opened:
        """One whole exchange."""
        opened = self.ask(text)
        self.answer(opened, reply)
        return opened

    def regenerate(self, reply: str) -> Opened:
        """Throw the last answer away and ask again."""
        self.history.pop()
        opened = self.send()
        self.answer(opened, reply)
        return opened

    def edit(self, place: int, text: str) -> Opened:
        """Rewrite the user message at `place` of the history; what followed vanishes."""
        self.history = [*self.history[:place], user(text)]
        return self.send()
