"""How things, groups of things and places are called: by name, by what is true of them, by what was said before."""

from __future__ import annotations

import re
from collections.abc import Callable

from thinkaloud.state.edits import noun
from training.demonstrators.statler.scenes import CLEANER, Scene
from training.demonstrators.statler.templates import Family, chosen, drawn, tidy

Said = tuple[str, str]
"""The words, and the expression that means the same."""

SLOT = re.compile(r"\{(\w+)\}")
_BUT = re.compile(r"BUT\((\[[^\]]*\]|\"[^\"]*\")\)")
_TRIES = 8


class Filler:
    """Fills the slots of families at one table. `past` says whether it had to speak of what happened earlier."""

    def __init__(self, scene: Scene, *, vague: float = 0.3) -> None:
        self.scene, self.rng, self.vague = scene, scene.rng, vague
        self.used: set[str] = set()
        self.past = False
        self._group: tuple[str, str, str] | None = None
        self._spoke = False
        self._slots: dict[str, Callable[[], Said]] = {
            **dict.fromkeys("xyz", self.one), **dict.fromkeys("XYZ", self.name), **dict.fromkeys("RS", self.bare),
            **dict.fromkeys("bc", self.box), **dict.fromkeys("BC", self.box_name), "T": self.bare_box,
            **dict.fromkeys("pq", self.place), "P": self.plain_place, "up": self.upon, "s": lambda: self._by("several"),
            **dict.fromkeys("LM", self.names), "u": self.cup, **dict.fromkeys("UV", self.cup_name),
            "D": self.described, "d": lambda: ("the disinfector", f'"{CLEANER}"'), "w": self.quality,
        }  # fmt: skip

    def filled(self, family: Family) -> Said:
        """Words and program with everything filled in; IndexError where there is not enough to speak of."""
        found: dict[str, Said] = {}

        def fill(part: int) -> Callable[[re.Match[str]], str]:
            def slot(match: re.Match[str]) -> str:
                name = match[1]
                if name not in found:
                    found[name] = self._kind(name) if name in ("g", "g1", "h", "h1") else self._slots[name]()
                return found[name][part]

            return slot

        self.past = self.past or family.past
        text = SLOT.sub(fill(0), chosen(self.rng, self.rng.choice(family.texts)))
        return tidy(text), self._questions(SLOT.sub(fill(1), family.program))

    def _by(self, section: str) -> Said:
        """One of the descriptions of a section."""
        for _ in range(_TRIES):
            used, past = {*self.used}, self.past
            try:
                return self.filled(drawn(self.rng, section))
            except IndexError:
                self.used, self.past = used, past
        raise IndexError(f"there is no {section} to speak of")

    def _questions(self, program: str) -> str:
        """The program with the questions for the kinds of things that the words speak of."""
        if "BUT(" in program:
            program = _BUT.sub(lambda found: self._without(found[1]), program)
        if "H(" in program and not self.scene.boxes:
            raise IndexError("there are no containers")
        if "G(" in program and not self._spoke:  # "the others": the words do not say of what kind
            alike = len(self.scene.blocks) == len(self.scene.loose)
            self._group = self._named_kind() if alike else ("thing", "things", "loose(")
        for sign, head in (("G(", self.group[2]), ("H(", _head(self.scene.box, "bowl", "bowls("))):
            program = program.replace(f"{sign})", f"{head.rstrip(', ')})").replace(sign, head)
        return program

    def _without(self, names: str) -> str:
        """All but some things; where these are of the kind that is spoken of, there is no need to say of what."""
        same = all(noun(name) == self.scene.kind for name in re.findall(r'"([^"]+)"', names))
        return f"but({names})" if same and self.group[2] != "loose(" else f"but({names}, G())"

    def _kind(self, name: str) -> Said:
        if name in ("h", "h1") and not self.scene.boxes:
            raise IndexError("there are no containers")
        self._spoke = self._spoke or name in ("g", "g1")
        words = {"g": self.group[1], "g1": self.group[0], "h": _plural(self.scene.box), "h1": self.scene.box}
        return words[name], words[name]

    @property
    def group(self) -> tuple[str, str, str]:
        """What things are called as a kind: one, several, and the question for them."""
        if self._group is None:
            scene = self.scene
            general = 0.6 if scene.domain == "cups" else 0.1 if len(scene.blocks) == len(scene.loose) else 0.3
            if not scene.blocks or self.rng.random() < general:
                one = self.rng.choice(("object", "object", "thing", "item", "piece", "toy"))
                self._group = (one, f"{one}s", "loose(")
            else:
                self._group = self._named_kind()
        return self._group

    def _named_kind(self) -> tuple[str, str, str]:
        kind = self.scene.kind
        one = "cube" if kind == "block" and self.rng.random() < 0.04 else kind
        return one, _plural(one), _head(kind, "block", "blocks(")

    # One thing --------------------------------------------------------------------------------------------------------

    def name(self) -> Said:
        """A thing by its name."""
        name = self._fresh(self.scene.loose)
        return self.called(name), f'"{name}"'

    def bare(self) -> Said:
        """A thing by its name, without an article."""
        name = self._fresh(self.scene.loose)
        return name, f'"{name}"'

    def called(self, name: str) -> str:
        """A name as people say it."""
        roll = self.rng.random()
        hue, _, kind = name.rpartition(" ")
        alone = [each for each in self.scene.objects if each.startswith(f"{hue} ")]
        if roll < 0.05 and hue and alone == [name]:
            return f"the {hue} one"
        if roll < 0.08 and hue and kind == "block":
            return f"the {hue} {self.rng.choice(('cube', 'brick', 'piece'))}"
        return name if roll < 0.12 else f"the {name}"

    def one(self) -> Said:
        """A thing by its name, or by what is true of it."""
        return self.described() if self.rng.random() < self.vague else self.name()

    def described(self) -> Said:
        """A thing by what is true of it."""
        return self._by("hidden thing" if self.scene.cups and self.rng.random() < 0.8 else "thing")

    def quality(self) -> Said:
        """Dirty or clean."""
        word = self.rng.choice(("dirty", "clean"))
        return word, f'"{word}"'

    # Containers, cups, places -----------------------------------------------------------------------------------------

    def box_name(self) -> Said:
        """A container by its name."""
        cleaner = CLEANER in self.scene.objects and self.rng.random() < 0.3
        name = self._fresh([CLEANER] if cleaner else self.scene.boxes)
        return ("the disinfector" if name == CLEANER else self.called(name)), f'"{name}"'

    def bare_box(self) -> Said:
        """A container by its name, without an article."""
        name = self._fresh(self.scene.boxes)
        return name, f'"{name}"'

    def box(self) -> Said:
        """A container by its name, or by what is true of it."""
        return self._by("box") if self.scene.boxes and self.rng.random() < self.vague else self.box_name()

    def cup_name(self) -> Said:
        """A cup by its name."""
        name = self._fresh(self.scene.cups)
        return self.called(name), f'"{name}"'

    def cup(self) -> Said:
        """A cup by its name, or by what it hides."""
        return self._by("cup") if self.rng.random() < self.vague else self.cup_name()

    def place(self) -> Said:
        """Where to: into a container, onto a thing, on the table; with its preposition."""
        roll = self.rng.random()
        if roll < 0.17:
            return self._by("table")
        if roll < 0.6 and (self.scene.boxes or CLEANER in self.scene.objects):
            return self._into(*self.box())
        if roll < 0.985:
            return self.upon()
        self.past = True
        return self.rng.choice(("there", "there too", "in the same place", "to the same place")), "there()"

    def plain_place(self) -> Said:
        """A container or the table."""
        if self.rng.random() < 0.3 or not (self.scene.boxes or CLEANER in self.scene.objects):
            return self._by("table")
        return self._into(*self.box())

    def upon(self) -> Said:
        """Onto a thing."""
        text, program = self.one()
        where = self.rng.choice(("on", "on", "onto", "on top of", "onto", "atop", "upon", "on to"))
        return f"{where} {text}", program

    def _into(self, text: str, program: str) -> Said:
        where = self.rng.choice(("in", "in", "into", "into", "inside", "to", "inside of", "in to", "within"))
        return f"{where} {text}", program

    # Several ----------------------------------------------------------------------------------------------------------

    def names(self) -> Said:
        """A few things by their names."""
        pool = [name for name in self.scene.loose if name not in self.used]
        if len(pool) < 2:
            raise IndexError("too few things")
        count = self.rng.choices((2, 3, 4), (6, 3, 1))[0]
        found = self.rng.sample(pool, min(count, len(pool)))
        self.used |= {*found}
        return self._listed(found), "[" + ", ".join(f'"{name}"' for name in found) + "]"

    def _listed(self, found: list[str]) -> str:
        """Several names in one phrase; what they have in common may be said once."""
        rng = self.rng
        article, joint = rng.choice(("the ", "the ", "")), rng.choice((" and ", " and ", " and ", " & ", " plus "))
        hues, kinds = [name.rpartition(" ")[0] for name in found], {noun(name) for name in found}
        words, kind = found, ""
        if len(kinds) == 1 and all(hues) and rng.random() < 0.4:
            words, kind = hues, f" {rng.choice((*kinds, _plural(*kinds)))}"
        words = [f"{article if at else 'the '}{word}" for at, word in enumerate(words)]
        both = "both " if len(found) == 2 and rng.random() < 0.1 else ""
        comma = "," if len(words) > 2 and rng.random() < 0.3 else ""
        return f"{both}{', '.join(words[:-1])}{comma}{joint}{words[-1]}{kind}"

    def _fresh(self, names: list[str]) -> str:
        left = [name for name in names if name not in self.used]
        if not left:
            raise IndexError("nothing is left to speak of")
        name = self.rng.choice(left)
        self.used.add(name)
        return name


def _head(kind: str, usual: str, question: str) -> str:
    return question if kind == usual else f'things("{kind}", '


def _plural(word: str) -> str:
    return f"{word}es" if word.endswith(("x", "s", "ch")) else f"{word}s"
