"""What counts as a preference, and what does not."""

from __future__ import annotations

import pytest

from innerlife.selfmodel.stated import preferences_in, wanted_name, without_preferences

WANTED = (
    "Call me Jo.",
    "Please just call me Mary Ann",
    "Llámame Pepe, por favor.",
    "Please don't use emojis.",
    "No more bullet points, please.",
    "Avoid jargon.",
    "From now on answer in Spanish.",
    "Always give me the result first.",
    "Always answer in English.",
    "Please call me jo.",
    "Siempre responde en español.",
    "Responde siempre sin rodeos.",
    "De ahora en adelante usa frases cortas.",
    "In future, please ask before you explain.",
    "Never start with a compliment.",
    "I'd prefer shorter answers.",
    "I prefer your answers without examples.",
    "I don't like it when you repeat my question.",
    "I hate it when you apologise so much.",
    "Por favor, responde siempre en español.",
    "A partir de ahora dame primero el resultado.",
    "No uses emoticonos.",
    "Prefiero que me hables de tú.",
    "No me gusta que repitas mi pregunta, respóndeme sin rodeos, siempre.",
)
NOT_WANTED = (
    "Call me when you are done.",
    "Call me crazy, but I like it.",
    "You can call me old fashioned and slow.",
    "Don't use recursion in this function.",
    "Don't use tables here.",
    "Always use tabs, she said.",
    "I always answer my mails in the morning.",
    "My boss never gives me an answer.",
    "If I am late, never answer my calls.",
    "Do you always answer so fast?",
    "For now, keep the answers short.",
    "I prefer tea over coffee.",
    "I like dogs.",
    "We never use emojis at work.",
    "The always-on mode gives me headaches.",
    "He prefers short answers.",
    "Siempre respondo tarde a los correos.",
    "¿Siempre respondes así?",
    "Mi jefe nunca me da las gracias.",
    "Prefiero el té.",
    "Si llego tarde, no uses el coche.",
    "Llámame cuando puedas.",
    "Call me paranoid.",
    "Never say never.",
    "Never give up!",
    "Never start a land war in Asia.",
    "Always keep your passport with you.",
    "Always show up on time is my motto, said Ann.",
    "In the future people will always speak Chinese.",
    "Kids nowadays always use emojis.",
    "Don't be so formal with Anna.",
    "Keep it informal at the party, mom wrote.",
    "No me gusta que me digas mentiras, le dije a Pedro.",
    "Siempre contesta tarde.",
    "Nunca habla de sus sentimientos.",
    "Siempre me responde tarde.",
    "Nunca sé qué contestar.",
    "Cada vez que habla me interrumpe.",
    "Acaba siempre mal.",
)


@pytest.mark.parametrize("sentence", WANTED)
def test_a_lasting_wish_is_a_preference(sentence: str) -> None:
    """[L3] Said of how the person wants to be treated from now on."""
    assert preferences_in(sentence) == (sentence,)


@pytest.mark.parametrize("sentence", NOT_WANTED)
def test_what_is_no_wish_is_none(sentence: str) -> None:
    """[L3] A task, a habit, a condition, a question, somebody else: nothing is kept."""
    assert preferences_in(sentence) == ()


def test_a_name_and_what_else_is_said() -> None:
    """[L3] Only the sentence that wishes is kept, as it was said."""
    text = "The roof leaks. Please call me  Jo. What should I do first?"
    assert preferences_in(text) == ("Please call me Jo.",)
    assert wanted_name("Please call me Jo.") == "Jo"
    assert without_preferences(text) == "The roof leaks. What should I do first?"
