"""Words that must never reach a prompt by way of manner: feelings, diagnoses, and talk of having noticed."""

from __future__ import annotations

import tomllib
from importlib.resources import files

from innerlife.affect import mood_lists


def _listed() -> frozenset[str]:
    found: set[str] = set()
    for one in files(mood_lists).iterdir():
        if one.name.endswith(".toml"):
            lists = {name: listed.split() for name, listed in tomllib.loads(one.read_text("utf-8")).items()}
            found |= {*lists["moods"], *lists["after_be"]} - {"low", "down", "off", "solo", "mal"}
            found |= {stem + ending for stem in lists["stems"] for ending in lists["endings"]}
    return frozenset(found)


_FEELINGS = """
    affect affected afraid amused angered angst awful blessed calm calmer calming comfort comforted cried cry crying
    curious depressing disappointing ease emotion emotional emotionally emotions enthusiasm enthusiastic exhaustion
    feel feeling feelings feels felt grateful grumpiness hard harder hate hated hates hope hoping hurt hurting hurts
    joking love loved loves mood moods pain painful pleasant pleased proud relief relieved satisfied sensitive serene
    shy sigh stressful struggle struggling suffer suffering surprised tender tired tiredness tough unpleasant upsetting
    vulnerable warm warmth weak worn
    valence arousal dominance burnout disorder symptom symptoms trauma mental therapy diagnosis
    animo agotamiento alivio amor calma cansancio carino dolor duro duelo emocion emocionado emocional emociones
    esperanza estado gracias humor ilusion ilusionado llanto llorar odio orgullo orgulloso sentimiento sentimientos
    sentir siente siento sorpresa sufre sufrir tranquilo tranquila
"""
FEELINGS = _listed() | frozenset(_FEELINGS.split())
"""Beside the project's own lists, what a person would call a word of feeling or of diagnosis."""

_TELLTALE = """
    notice noticed noticing detect detected detecting detection sense sensed sensing signal signals read reading infer
    inferred analysis analyse analyze analyzed recognise recognize recognized pattern patterns seem seems seemed appear
    appears appeared look looks sound sounds confidence score because you your they their them user
    noto detecto detectado percibo parece parecen senal senales
"""
TELLTALE = frozenset(_TELLTALE.split())
"""What would tell that anything was noticed, or speak of the person at all."""
