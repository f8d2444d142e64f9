"""One query and its program, drawn for a table: a family, its words, the things that it speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from thinkaloud.language.name_matching import things_told_apart
from training.demonstrators.statler.frames import finished, framed
from training.demonstrators.statler.phrases import Filler
from training.demonstrators.statler.scenes import Scene, hues
from training.demonstrators.statler.templates import Family, drawn, sections

_TRIES = 100
_NAMED = re.compile(r'"([^"]+)"')
FOREIGN = 0.03

COMMON = {
    "commands commands": 30, "commands state": 12, "asking questions": 22, "asking past": 4, "telling moved": 2,
}  # fmt: skip
SECTIONS = {
    "pick_and_place": COMMON,
    "disinfection": COMMON | {"commands dirt": 24, "asking dirt": 16, "telling dirt": 26},
    "weight": COMMON | {"commands weight": 24, "asking weight": 36, "telling weight": 24, "asking questions": 12},
    "cups": COMMON
    | {"commands cups": 34, "asking cups": 26, "commands commands": 26, "asking questions": 8, "telling moved": 1},
}
"""How often people in a domain say what."""


@dataclass(frozen=True)
class Turn:
    """A sentence of a person, the program that it means, and whether one has to know what happened earlier."""

    text: str
    program: str
    past: bool = False


def turn(scene: Scene, vague: float = 0.3, foreign: float = 0.0) -> Turn:
    """Something that a person could say at this table, in words that tell which things are meant."""
    shares = SECTIONS[scene.domain]
    for _ in range(_TRIES):
        section = scene.rng.choices(list(shares), list(shares.values()))[0]
        if foreign and scene.kind == "block" and scene.domain != "cups" and scene.rng.random() < foreign:
            section = "foreign"
        found = said(scene, section, drawn(scene.rng, section), vague)
        if found is not None and found.program.startswith("mark(") and scene.domain != "disinfection":
            continue  # nothing is dirty or clean there
        if found is not None and sayable(found, scene.objects):
            return found
    raise RuntimeError("nothing can be said of this table")  # pragma: no cover


def gathering(scene: Scene) -> Turn | None:
    """That all things of a kind are to go somewhere."""
    families = [family for family in sections()["commands commands"] if family.program.startswith("put(G(")]
    turn = said(scene, "commands commands", scene.rng.choice(families), vague=0.0)
    return turn if turn is not None and sayable(turn, scene.objects) else None


def matching(scene: Scene) -> Turn | None:
    """That a bowl is to be as heavy as another, or heavier."""
    families = [family for family in sections()["commands weight"] if family.program.startswith("match(")]
    chosen = scene.rng.choices(families, [family.weight for family in families])[0]
    turn = said(scene, "commands weight", chosen, vague=0.0)
    return turn if turn is not None and sayable(turn, scene.objects) else None


def said(scene: Scene, section: str, family: Family, vague: float = 0.3) -> Turn | None:
    """One of the ways to say what a family is about; None where there is not enough on the table."""
    fill = Filler(scene, vague=vague)
    try:
        text, program = fill.filled(family)
    except IndexError:
        return None
    if section == "foreign":
        return Turn(finished(scene.rng, text, asks=program.startswith("say")), program)
    return Turn(framed(scene.rng, text, section.split()[0]), program, fill.past)


_ABSENT = ("put the {0} in the {1}", "the {0} goes into the {1}, please", "move the {0} to the {1}", "where is the {0}",
           "is the {0} in the {1}", "what is under the {0}", "bring the {0} to the table", "the {0} is dirty",
           "put the {0} on the {1}", "is the {0} clean")  # fmt: skip


def absent(scene: Scene) -> Turn:
    """Something about a thing that is not there."""
    rng = scene.rng
    free = [hue for hue in hues(rng, 12) if not any(name.startswith(f"{hue} ") for name in scene.objects)]
    name = f"{rng.choice(free)} {scene.kind}"
    text = rng.choice(_ABSENT).format(name, rng.choice(scene.objects))
    return Turn(framed(rng, text, "asking" if text.startswith(("is", "wh")) else "commands"),
                f'say("There is no {name} here.")')  # fmt: skip


def sayable(turn: Turn, objects: Sequence[str]) -> bool:
    """Whether a model would be allowed to write the program: it names only what the sentence names."""
    named = {name for name in _NAMED.findall(turn.program) if name in objects}
    return named <= {*(things_told_apart(turn.text, objects, misspelt=True) or objects)}
