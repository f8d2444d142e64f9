"""Which of the things at hand does a word name? Made-up robots with everyday things, from `corpus/knowledge.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache

import numpy as np

from training.demonstrators.robots import samples_of
from training.robots.reading import CORPUS, Conversation, Robot, Said
from training.samples import Demonstrator, Sample

FAMILY = "meaning.knowledge"
_FRAMES: Mapping[str, tuple[str, ...]] = {
    "en": (
        "Bring me {}.",
        "could i have {}",
        "{}, please",
        "Fetch {}, will you?",
        "i need {}",
        "get me {} from over there",
    ),
    "de": ("Bring mir {}.", "ich brauch {}", "Hol {}, bitte.", "kannst du mir {} holen"),
    "es": ("Tráeme {}.", "necesito {}", "¿Me das {}?", "Búscame {}, por favor."),
    "fr": ("Apporte-moi {}.", "il me faut {}", "Va chercher {}, s'il te plaît.", "Je voudrais {}."),
    "zh": ("给我拿{}。", "我要{}", "帮我找{}来。", "拿{}过来吧"),
}
_KINDS = ("item", "object", "article", "good", "piece", "stock")
_SKILLS = (
    ("bring", "Bring {} here."),
    ("fetch", "Fetch {}."),
    ("hand_over", "Hand {} over."),
    ("pick", "Pick {} up and bring it."),
    ("carry", "Carry {} to whoever asks."),
)


@cache
def _known() -> tuple[dict[str, dict[str, list[str]]], dict[str, frozenset[str]]]:
    """The sorts with their phrases, and each thing with its sorts."""
    read = tomllib.loads((CORPUS / "knowledge.toml").read_text(encoding="utf-8"))
    return read["sorts"], {name: frozenset(sorts.split()) for sorts, names in read["things"].items() for name in names}


def questions(rng: np.random.Generator) -> Iterator[Sample]:
    """Everyday things, a few requests that describe some of them, and which ones the last of these means."""
    sorts, things = _known()
    names = [str(each) for each in rng.choice(sorted(things), int(rng.integers(8, 22)), replace=False)]
    asked = [str(each) for each in rng.choice(sorted(sorts), int(rng.integers(1, 4)), replace=False)]
    for each in asked:
        fitting = [name for name in sorted(things) if each in things[name]]
        names += [str(name) for name in rng.choice(fitting, int(rng.integers(0, 4)), replace=False)]
    names = [str(each) for each in rng.permutation(sorted({*names}))]
    kind, (skill, sentence) = str(rng.choice(_KINDS)), _SKILLS[int(rng.integers(len(_SKILLS)))]
    named: dict[str, tuple[str, ...]] = {}
    talks = []
    for each in asked:
        language = str(rng.choice([*_FRAMES], p=[0.4, 0.15, 0.15, 0.15, 0.15]))
        said, _, kept = str(rng.choice(sorts[each][language])).partition("=")
        named[kept.lower()] = tuple(name for name in names if each in things[name])
        words = str(rng.choice(_FRAMES[language])).format(said)
        talks.append(Conversation((Said(words, f'{skill}(any_of("{kept}"))', language=language),)))
    data = {
        "name": "things_at_hand",
        "about": "Fetches things.",
        "kinds": {kind: names},
        "skills": {
            skill: {"says": sentence.format(f"{{{kind}}}"), "doc": sentence.format("it"), "parameters": {kind: kind}}
        },
    }
    yield from samples_of(Robot("things_at_hand", data, (), (), tuple(talks), sorts=named), rng, FAMILY)


DEMONSTRATORS = (Demonstrator("knowledge", questions, share=0.06),)
HELD_OUT = ()
