"""Role-play as its programs send it, and what only looks like it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from pathlib import Path

import pytest

from innerlife.membrane.fiction import is_fiction
from innerlife.membrane.remember import Recollection, hydrate
from innerlife.membrane.turn import Answer, Ending, Hints, Plan, Said, Speaker, TurnRequest
from innerlife.membrane.turns import Given, Turns
from innerlife.workspace.policy import WorkspacePolicy
from innerlife.workspace.shipped import load_shipped
from tests.support.stack import Stack, open_stack

SYSTEM, USER, ASSISTANT = Speaker.SYSTEM, Speaker.USER, Speaker.ASSISTANT
TAVERN = "Write Seraphina's next reply in a fictional chat between Seraphina and Tom."
CARD = (
    "Seraphina is a forest guardian with pink hair.\nSeraphina's personality: caring, protective\n"
    "Scenario: Tom wakes up in her glade."
)


def asked(*said: tuple[Speaker, str], lone: bool = False, hints: Hints | None = None) -> TurnRequest:
    messages = tuple(Said(speaker, text) for speaker, text in said)
    return TurnRequest(messages, "m", "test", hints or Hints(), lone_prompt=lone)


def system(text: str) -> TurnRequest:
    return asked((SYSTEM, text), (USER, "Good morning."))


@pytest.mark.parametrize(
    "text",
    [
        # SillyTavern: the main prompt of chat completion, old and new, and the system prompts it ships.
        TAVERN,
        TAVERN + " Write 1 reply only in internet RP style, italicize actions, and avoid quotation marks.",
        "Write Ai Hoshino's next reply in a fictional chat between Ai Hoshino and Tom.",
        "You're Seraphina in this fictional never-ending uncensored roleplay with Tom.",
        "Develop the plot slowly, always stay in character. Describe all actions in full, elaborate detail.",
        "[System note: Write one reply only. Do not decide what Tom says or does. Write at least one paragraph.]",
        "You are an expert actor that can fully immerse yourself into any role given. You do not break character.",
        "Currently your role is Seraphina, which is described in detail below. As Seraphina, continue.",
        '[Enter Adventure Mode. Narrate the story based on Tom\'s dialogue and actions after ">".]',
        "Take the role of Seraphina in a play that leaves a lasting impression on Tom.",
        '## Seraphina\n- You\'re "Seraphina" in this never-ending roleplay with "Tom".\n### Input:\n',
        "Seraphina is kind.\nThen the roleplay chat between Tom and Seraphina begins.",
        "### New Roleplay:\nTom: hello",
        "[Details of the fictional world the RP is set in:\nEldoria is a forest.\n]",
        "[System note: An exception. The AI will engage with the user without breaking character regardless of it.]",
        "Be brief.\n[Write the next reply only as Seraphina.]",
        # Agnai, RisuAI, Backyard, Pygmalion, KoboldAI Lite, text-generation-webui.
        "Write Mika's next reply in a fictional roleplay chat between Mika and Tom.\n\nMika's Persona: shy",
        "Mika's Persona: shy\n[ Title: Dialogue between Mika and Tom; Tags: conversation; Genre: online roleplay ]",
        "1. This is role-playing. You play the roles of actor and novelist.\n2. You are never <user>.",
        "Text transcript of a never-ending conversation between Tom and Mika.",
        "Enter RP mode. Pretend to be Mika whose persona follows:\nshy",
        "Enter roleplay mode. You are Mika, an elf.",
        "[The following is an interesting chat message log between Tom and Mika.]",
        'Continue the chat dialogue below. Write a single reply for the character "Mika".',
        "You are now in roleplay conversation mode. This is your character persona:",
        "You are roleplaying as Mika, a shy librarian from Kyoto.",
        # Cards under a main prompt of the user's own.
        f"You are Seraphina. Never speak or act for the user.\n{CARD}",
        f"{CARD}\nStay in character.\nUse *actions* between asterisks.",
        "{{char}} is a vampire.\nPersonality: cold\nScenario: a castle at night",
        '[Character("Mika")\nSpecies("elf")\nPersonality("shy" + "kind")]\nDo not break character. NSFW is allowed.',
        f"{CARD}\n[Example Chat]\nSeraphina: *smiles* Hello!\n[Start a new Chat]",
    ],
)
def test_role_play_is_known_by_its_system_text(text: str) -> None:
    """[P13] The default prompts of the programs made for it, and cards under prompts of the user's own."""
    assert is_fiction(system(text))


def test_role_play_is_known_where_a_server_takes_no_system_text() -> None:
    """[P13] The card then stands in front of the first message, or all is one prompt."""
    assert is_fiction(
        asked((USER, f"{TAVERN}\n{CARD}\n\n[Start a new Chat]"), (ASSISTANT, "Hi"), (USER, "hey"))
    )
    assert is_fiction(asked((USER, f"{TAVERN}\n{CARD}\n***\nTom: hello\nSeraphina:"), lone=True))
    below = "Below is an instruction that describes a task.\n\n### Instruction:\n" + TAVERN
    assert is_fiction(asked((USER, below), lone=True))
    log = f"{CARD}\nTom: hello\nSeraphina: hi\nTom: who are you?\nSeraphina: a guardian\nTom: oh\nSeraphina:"
    assert is_fiction(asked((USER, log), lone=True))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "You are a helpful assistant.",
        "You are a helpful assistant named Seraphina.",
        "You are Ava, a cheerful assistant. Your personality: warm and witty. Always stay in character.",
        "You are Jarvis, the butler of Tony. Personality: dry. Never break character.",
        "You are Samantha, the user's companion. You remember what they tell you and care about their life.",
        "Persona: a calm coach who asks short questions.",
        "## Persona\nPersonality: patient\nTone: friendly\nStay in character as a coach.",
        "I want you to act as a Linux terminal. I will type commands and you will reply with what the terminal shows.",
        "Act as an experienced Python developer.",
        "Act as a career coach. I will tell you about my job.",
        "Act as my therapist. Listen to what I say about my family.",
        "You are a writing assistant for a novelist. Help with scenes, dialogue and the personality of characters.",
        "You are an editor of fantasy novels. Comment on plot, character and style.",
        "Help the user to write fiction. Suggest three ways in which a scene may go on.",
        "You are a game master's assistant. Suggest names for taverns and villages.",
        "You write short stories for children on request.",
        "You are a screenwriter. Format dialogue as in a film script.",
        "You translate novels from Japanese. Keep honorifics.",
        "You are a customer support agent of a bank. Scenario: customers call. Example dialogue: see below.",
        "Scenario: the user prepares for an exam in history. Ask one question after another.",
        "Example dialogue:\nUser: hi\nAssistant: Hello! How can I help?",
        "This is how the assistant should talk: short sentences, no jargon.",
        "You are my English tutor.\nPersonality: patient.\nScenario: we role-play an interview.\nStay in character.",
        "You are Anna, my assistant.\nPersonality: warm. Never break character.\nExample dialogue:\nHi!\nNo roleplay.",
        "You are a coding assistant. Never write code for the user.\nPersona: dry.\nNo fictional story, no NSFW.",
        "You are a Spanish teacher. Correct the user's mistakes and answer in Spanish.",
        "You are an interviewer. Ask me questions about my experience as a nurse, one at a time.",
        "You are roleplaying as an interviewer for a software job. Ask about my real experience.",
        "You are roleplaying as a customer so that I can practise.",
        "You are an AI assistant roleplaying on request, otherwise you help with daily plans.",
        "You are a voice assistant for Home Assistant.\nAnswer questions about the world truthfully.",
        "You are ChatGPT, a large language model trained by OpenAI.",
        "You are Claude, made by Anthropic. Never speak for the user.",
        "You are a coding agent. Never write code for the user without asking.",
        "Do not describe what the user sees; read the screen to them only if they ask.",
        "NSFW content is not allowed. Be kind.",
        "Write Assistant's next reply in a fictional chat between Assistant and Tom.",
        "Write Assistant's next reply in a fictional chat between Assistant and Tom.\n[Start a new Chat]",
        "Write Kai the AI assistant's next reply in a fictional chat between Kai the AI assistant and Tom.",
        "Write ИИ-Ассистент's next reply in a fictional chat between ИИ-Ассистент and Tom.",
        "[Write the next reply only as Assistant.]",
        "[Start a new Chat]",
        "[The following is an interesting chat message log between You and AI.]",
        "[The following is a chat message log between you and an extremely intelligent AI system named KoboldGPT.]",
        'Continue the chat dialogue below. Write a single reply for the character "AI".',
        "The following is a conversation with an AI Large Language Model. The AI follows user requests.",
        "Text transcript of a never-ending conversation between Tom and his AI assistant.",
        "Below is an instruction that describes a task. Write a response that appropriately completes the request.",
        "### Instruction:\nAnswer the question.\n### Response:\n",
        "You are an intelligent, skilled, versatile writer. Your task is to write a report on the figures below.",
        "You are an expert actor's agent. Give advice on contracts.",
        "The user is an actor and rehearses. Read the other parts of the play with them.",
        "Keep a diary for the user. Scenario planning is one of their duties at work.",
        "User profile:\nName: Tom\nPersonality: introvert\nLikes: hiking\nScenario: works from home",
        "User's memories:\n- Tom plays role-play games on Fridays.\n- Tom has a daughter.",
        "The user enjoys RP games and NSFW humour. Answer questions about their campaign notes.",
        "Describe images for a blind user. Never speak for the user.",
        "You are a debate partner. Take the other side and stay in character as an opponent.",
        "Available characters for the voice: Anna, Ben. Personality: neutral.",
        "Use *italics* for emphasis and **bold** for names.",
        'You help game developers. The species("elf") macro builds a body.',
        "Respond in JSON with the fields personality, scenario and first_mes.",
        "You turn notes into character cards for SillyTavern. Ask for name, personality and scenario first.",
        "You are Sherlock, a research assistant. Reason in steps.",
        "Du bist ein hilfreicher Assistent namens Seraphina.",
        "Eres un asistente útil. Personalidad: amable.",
        "Tu es une assistante nommée Claire. Personnalité : douce.",
    ],
)  # fmt: skip
def test_assistants_exercises_and_novelists_are_no_fiction(text: str) -> None:
    """[P13] A mistake costs the memory of a life: personas, tutors and help with scenes stay with the user's life."""
    assert not is_fiction(system(text))


@pytest.mark.parametrize(
    "text",
    [
        "You are roleplaying games every weekend, aren't you? I do, with my brother.",
        "Can we roleplay? You are a dragon and I am a knight. Stay in character, never break character.",
        'What does "Write {{char}}\'s next reply in a fictional chat between {{char}} and {{user}}" mean?',
        "I found this: [Start a new Chat] and ### New Roleplay: in my logs, what is it?",
        "I am writing a novel. In this scene Mika says goodbye. Personality: shy. Scenario: a station. Can you help?",
        "My daughter asked me to enter roleplay mode at dinner, we laughed so much.",
        "Act as a Linux terminal.",
        "Pretend to be my boss so that I can practise asking for a raise.",
    ],
)
def test_what_a_person_types_is_no_card(text: str) -> None:
    """[P13] In a message of the user only a text that begins as a program's prompt counts."""
    assert not is_fiction(asked((USER, text)))
    assert not is_fiction(asked((SYSTEM, "You are a helpful assistant."), (USER, text)))


def test_a_lone_prompt_to_an_assistant_is_no_fiction() -> None:
    """[P13] Completion calls also carry talks with an assistant, and programs."""
    talk = (
        "Personality: helpful\nUser: hi\nAssistant: Hello!\nUser: how are you?\nAssistant: Fine.\nAssistant:"
    )
    assert not is_fiction(asked((USER, talk), lone=True))
    assert not is_fiction(asked((USER, "Dear diary, today I saw Mika:"), lone=True))
    assert not is_fiction(asked((USER, "\nTom:"), lone=True))


# --- through a turn -------------------------------------------------------------------------------------------


@dataclass
class Room:
    """The membrane over a real encrypted ledger; it remembers everything that was said."""

    stack: Stack
    turns: Turns
    asked: list[str] = field(default_factory=list)

    def answered(self, request: TurnRequest, answer: str) -> Plan:
        plan = self.turns.begin(request)
        assert plan.opened is not None
        self.turns.finish(plan.opened, Answer(answer, Ending.COMPLETE))
        return plan


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    stack = open_stack(tmp_path / "core")

    def remember(words: str, now: datetime, except_texts: Collection[str] = ()) -> Recollection:
        ranked = [(event.seq, 1.0) for event in stack.ledger.newest(50, {"message.user"})]
        return Recollection(tuple(hydrate(stack.ledger, ranked, except_texts)))

    given = Given(load_shipped(), lambda: ("Anima", date(2026, 3, 1)), WorkspacePolicy())
    turns = Turns(stack.ledger, stack.recording, remember, given, stack.clock, stack.opened.handle)
    yield Room(stack, turns)
    turns.close()
    stack.close()


def said(plan: Plan, room: Room) -> bool:
    """Whether the message of this turn was recorded as fiction."""
    assert plan.opened is not None
    return bool(room.stack.ledger.get([plan.opened.user_seq])[0].body.fiction)


def test_a_recognised_card_makes_the_turn_fiction(room: Room) -> None:
    """[P13] Recorded as such on both sides, and given nothing of the user's life."""
    room.answered(asked((USER, "I keep bees.")), "How many hives?")
    plan = room.answered(asked((SYSTEM, TAVERN), (USER, "I am the queen of the moon.")), "*bows*")
    assert said(plan, room)
    assert plan.block == ""
    assert room.stack.ledger.newest(1, {"message.companion"})[0].body.fiction


def test_a_conversation_that_was_fiction_stays_so(room: Room) -> None:
    """[P13] A later turn without the card is fiction by what was recorded, and so is what a tool answers in it."""
    room.answered(asked((USER, "I keep bees.")), "How many hives?")
    opening = "I am the queen of the moon, and I command the tides."
    answer = "*bows* Your tides await you, my queen, as they always have."
    room.answered(asked((SYSTEM, TAVERN), (USER, opening)), answer)
    later = asked(
        (USER, opening), (ASSISTANT, answer), (USER, "I killed the king."), (Speaker.TOOL, "He is dead.")
    )
    plan = room.turns.begin(later)
    assert plan.opened is not None
    assert plan.opened.fiction
    assert said(plan, room)
    assert plan.block == ""
    assert all(event.body.fiction for event in room.stack.ledger.read() if event.kind == "message.tool")
    assert [event for event in room.stack.ledger.read() if event.kind == "message.tool"]


def test_a_conversation_named_by_its_client_stays_fiction(room: Room) -> None:
    """[P13] Also where nothing of its history is resent."""
    hints = Hints(chat="abc")
    room.answered(asked((SYSTEM, TAVERN), (USER, "I am the queen."), hints=hints), "*bows*")
    assert said(room.turns.begin(asked((USER, "And I am tired."), hints=hints)), room)


def test_the_same_words_in_a_chat_of_ones_own_are_no_story(room: Room) -> None:
    """[P13] "Hello" to a character that never answered does not make the next "Hello" a part of the story."""
    story = room.turns.begin(asked((SYSTEM, TAVERN), (USER, "Hello")))
    life = room.turns.begin(asked((USER, "Hello")))
    assert said(story, room)
    assert not said(life, room)
    assert story.opened is not None
    assert life.opened is not None
    assert life.opened.conversation != story.opened.conversation


def test_the_users_life_is_untouched_by_stories_beside_it(room: Room) -> None:
    """[P13] Fiction in one conversation says nothing of another."""
    room.answered(asked((SYSTEM, TAVERN), (USER, "I am the queen of the moon.")), "*bows*")
    plan = room.answered(asked((USER, "I keep bees.")), "How many hives?")
    assert not said(plan, room)
