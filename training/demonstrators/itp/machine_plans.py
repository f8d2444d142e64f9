"""A machine with guidelines as somebody wrote them, and the plans that follow from them: what a good planner says."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from thinkaloud.guidelines import Guidelines, Recipe, read_guidelines
from thinkaloud.guidelines.order_form import Want, places, things_of
from thinkaloud.language.words import ORDINALS, in_a_row, singular
from thinkaloud.methods.itp.planner_prompt import NOT_AVAILABLE, render_list
from training.demonstrators.itp import ruling
from training.demonstrators.itp.doing import DONE
from training.demonstrators.itp.drawing import Rng, between, chance, one, some
from training.demonstrators.itp.machining import SAYS, plant_words
from training.demonstrators.itp.menus import Works, draw_works, plural

_OPENING, _CLOSING = ("open", "pull"), ("close", "start", "wait", "check", "return")
_RARE = {"pull": 0.25, "prepare": 0.2, "wait": 0.1, "check": 0.15}
"""How often a kind of step is left out."""
_RAW = ("new", "raw", "used", "untreated", "plain", "dirty")
_CHECK = (
    "check that {all} {are} {rw}, otherwise wait again",
    "make sure that {all} {are} {rw}; if not, wait some more",
    "see whether {all} {are} {rw}, and wait longer if not",
    "look at {all}: if not {rw}, wait again",
    "check {all} and go on only when {rw}",
)
_CHECK_ALL = (
    "check that everything is {rw}, otherwise wait again",
    "make sure that all of it is {rw}; if not, wait some more",
)
_RETURN = ("return the {rw} {k} to the {end}", "bring the {k} to the {end}", "take the {k} out and put it on the {end}")
_RETURN_ALL = (
    "return all the {rw} {is} to the {end}",
    "bring all the {is} to the {end}",
    "take all {is} out and put them on the {end}",
)
_TIDY = ("wipe", "rinse", "air", "switch off", "lock", "dust")
_EXTRA = ("tie up the {k}", "turn the {k} round", "put a label on the {k}", "weigh the {k}", "cover the {k}")
_WITH = ("switch on the fan", "turn the dial to two", "shake the bottle", "ring the bell", "dim the light")


@dataclass
class Hall:
    """How things are said and done at a machine."""

    works: Works
    says: Mapping[str, str]
    """The line for each kind of step, with `{k}`, `{n}`, `{p}` and `{x}` in it."""
    open_first: bool
    add_first: bool
    without: frozenset[str]
    """Kinds of steps that are not done here."""
    one_item: tuple[str, str]
    """How it is checked and returned where there is one thing."""
    many: tuple[str, str]
    homes: Mapping[str, str]
    words: Mapping[str, str]
    default: tuple[str, ...]
    extra: tuple[str, str] = ("", "")
    """A kind, and what is done with that alone."""
    special: tuple[str, str] = ("", "")
    """An additive, and what is done with that alone."""
    finally_: str = ""
    sold_out: frozenset[str] = frozenset()
    rules: list[str] = field(default_factory=list)
    guidelines: Guidelines = field(init=False)

    # What is to be done -----------------------------------------------------------------------------------------------

    def whole(self, things: Sequence[tuple[str, int]], additive: str) -> list[str]:
        """All the steps for some things."""
        opening = [self.says[deed] for deed in _OPENING if deed not in self.without]
        adding = [self.says["additive"].format(x=additive)]
        adding += [self.special[1]] if additive == self.special[0] else []
        lines = [*(opening if self.open_first else []), *(adding if self.add_first and self.open_first else [])]
        for kind, count in things:
            for nth in range(count):
                lines.append(self._grasp(kind, nth, count))
                lines += [] if "prepare" in self.without else [self.says["prepare"].format(k=kind)]
                lines += [self.extra[1]] if kind == self.extra[0] else []
                if not self.open_first and (kind, nth) == (things[0][0], 0):
                    lines += opening
                lines.append(self.says["put"].format(k=kind, p=self.homes[kind]))
        lines += [] if self.add_first and self.open_first else adding
        lines += [self.says[deed] for deed in _CLOSING[:3] if deed not in self.without]
        lines += [] if "check" in self.without else [self._in_all(0, things)]
        return [*lines, self._in_all(1, things), *([self.finally_] if self.finally_ else [])]

    def _grasp(self, kind: str, nth: int, count: int) -> str:
        number = f"{ORDINALS[nth]} " if count > 1 and nth < len(ORDINALS) else ""
        return self.says["grasp"].format(n=number, k=kind)

    def _in_all(self, which: int, things: Sequence[tuple[str, int]]) -> str:
        count = sum(number for _, number in things)
        template = self.one_item[which] if count == 1 else self.many[which]
        names = [f"the {kind if number == 1 else plural(kind)}" for kind, number in things]
        return template.format(all=in_a_row(names), are="is" if count == 1 else "are", k=things[0][0])

    def key(self, line: str) -> str:
        """A line without the number of the thing that it is about."""
        for nth in ORDINALS:
            for kind in self.works.kinds:
                if line == self.says["grasp"].format(n=f"{nth} ", k=kind):
                    return self.says["grasp"].format(n="", k=kind)
        return line

    def open_until(self, lines: Sequence[str]) -> int:
        """How many of these steps may be done when something is changed: all before the machine is closed."""
        return lines.index(self.says["close"]) if self.says["close"] in lines else 0

    def returns(self, line: str) -> bool:
        """Whether a line is the one by which all is taken out again."""
        starts = [template.split("{")[0] for template in (self.one_item[1], self.many[1])]
        return any(line.startswith(start) for start in starts) and line.endswith(self.words["end"])

    def left(self, want: Want, done: Sequence[str]) -> list[str]:
        """What is left when so much is done; what was begun comes first."""
        keys = [self.key(line) for line in done]
        begun = [kind for kind, _ in want.things if self._grasp(kind, 0, 1) in keys]
        things = sorted(want.things, key=lambda each: begun.index(each[0]) if each[0] in begun else len(begun))
        spare, left = Tally(keys), list[str]()
        for line in self.whole(things, want.material[0]):
            if spare[self.key(line)] > 0:
                spare[self.key(line)] -= 1
            else:
                left.append(line)
        return left

    def scene(self, done: Sequence[str]) -> list[str]:
        """What is seen of that which has been done."""
        keys = Tally(self.key(line) for line in done)
        put = {kind: keys[self.says["put"].format(k=kind, p=self.homes[kind])] for kind in self.works.kinds}
        found = [
            f"{kind} {put[kind] + 1} is in the gripper" for kind in put if keys[self._grasp(kind, 0, 1)] > put[kind]
        ]
        found += [
            f"{kind} {n} is on the {self.homes[kind]}" for kind, count in put.items() for n in range(1, count + 1)
        ]
        return [*found, *([f"The {self.words['m']} is open"] if self.says["open"] in done else [])]

    def can_change(self, wants: Sequence[Want], done: Sequence[str]) -> bool:
        """Whether what is done can become what is wanted: nothing is taken out again, and the machine stands still."""
        if len(wants) != 1 or not wants[0].things or len(wants[0].material) != 1:
            return False
        if self.says["close"] in done:
            return False
        grasped = Tally(self.key(line) for line in done)
        counts = dict(wants[0].things)
        return all(grasped[self._grasp(kind, 0, 1)] <= counts.get(kind, 0) for kind in self.works.kinds)

    # What is said -----------------------------------------------------------------------------------------------------

    def answer(self, head: str, wants: Sequence[Want], done: Sequence[str], first: int) -> tuple[str, list[str]]:
        """What a good planner says, and the steps that it lists."""
        want = wants[0]
        counted = ", ".join(f"{count} {kind} ({self.homes[kind]})" for kind, count in want.things)
        gone = [name for name in want.material if self._there(name) != "available"]
        treated = ", ".join(f"{name} ({self._there(name)})" for name in want.material)
        thought = f"Thought: Wanted: {counted}; {treated}."
        if gone:
            return f"{thought}\n{NOT_AVAILABLE}: {', '.join(gone)}\n\n", []
        thought += f" By the rules: in the end {self.finally_}." if self.finally_ else ""
        thought += self._state(done)
        lines = self.left(want, done)
        return render_list(f"{thought}\nMaterial: {', '.join(want.material)}", lines, first), lines

    def _there(self, name: str) -> str:
        if name in self.sold_out:
            return "not available by the rules"
        return "not available" if self.guidelines.missing([name]) else "available"

    def _state(self, done: Sequence[str]) -> str:
        if not done:
            return " All is left to do."
        keys = Tally(self.key(line) for line in done)
        put = {kind: keys[self.says["put"].format(k=kind, p=self.homes[kind])] for kind in self.works.kinds}
        held = [kind for kind in self.works.kinds if keys[self._grasp(kind, 0, 1)] > put[kind]]
        known = [f"{count} {kind} in" for kind, count in put.items() if count]
        known += [f"{kind} in hand" for kind in held]
        return f" Done: {', '.join(known) if known else 'nothing is in yet'}. The rest is left."


# Drawing one ----------------------------------------------------------------------------------------------------------


def draw_hall(rng: Rng) -> Hall:
    """A machine, and guidelines for it by somebody who has one way to say each thing."""
    while True:
        works = _sorted_works(rng) if chance(rng, 0.35) else draw_works(rng)
        hall = _hall(rng, works)
        if hall is not None:
            return hall


def _hall(rng: Rng, works: Works) -> Hall | None:
    plant = works.plant
    words = plant_words(rng, plant)
    words |= {"d": one(rng, _RAW), "start": one(rng, ruling.WORKPLACES), "end": one(rng, DONE)}
    kept = {"k": "{k}", "n": "", "p": "{p}", "x": "{x}", "all": "{all}", "are": "{are}"}
    says = {deed: one(rng, SAYS[deed]).format(**words, **kept) for deed in ("prepare", "put", "additive", *_OPENING)}
    says |= {deed: one(rng, SAYS[deed]).format(**words, **kept) for deed in _CLOSING[:3]}
    says["grasp"] = one(rng, ("grasp the {n}{d} {k}", "take the {n}{d} {k}", "pick up the {n}{k}", "take the {n}{k}"))
    says["grasp"] = says["grasp"].replace("{d}", words["d"])
    homes = _homes(works)
    if {*homes} != {*works.kinds}:
        return None
    named = chance(rng, 0.6)
    one_item = (one(rng, _CHECK if named else _CHECK_ALL), one(rng, _RETURN))
    many = (one_item[0], one(rng, _RETURN_ALL))
    hall = Hall(
        works,
        says,
        chance(rng, 0.4),
        chance(rng, 0.3),
        frozenset(deed for deed, share in _RARE.items() if chance(rng, share)),
        (one_item[0].format(**words, **kept), one_item[1].format(**words, **kept)),
        (many[0].format(**words, **kept), many[1].format(**words, **kept)),
        homes,
        words,
        works.guidelines.recipes[1].material,
    )
    shown = [things_of(recipe) for recipe in works.guidelines.recipes]
    if not all(shown) or any(kind not in works.kinds for each in shown for kind in each):
        return None
    if chance(rng, 0.2):
        kind = next(iter(shown[0]))
        hall.extra = (kind, one(rng, _EXTRA).format(k=kind))
    if chance(rng, 0.15):
        hall.special = (works.guidelines.recipes[0].material[0], one(rng, _WITH))
    _rule(rng, hall, words)
    hall.guidelines = read_guidelines(_written(rng, hall, shown), "practice")
    return hall


def _homes(works: Works) -> dict[str, str]:
    """Where each kind belongs, as the locations say."""
    found = {}
    names = places(works.guidelines)
    for kind in works.kinds:
        for name, line in zip(names, works.guidelines.locations, strict=True):
            if f" {plural(kind)}" in line.replace(":", " ") or (kind == works.hidden and _is_for(kind, line, works)):
                found[kind] = name
    return found


def _is_for(kind: str, line: str, works: Works) -> bool:
    sort = next((name for name, kinds in ruling.SORTS.items() if kind in kinds), "")
    return bool(sort and line.rstrip(".").endswith(sort)) or (line == works.guidelines.locations[0] and not sort)


def _sorted_works(rng: Rng) -> Works:
    """A machine for all sorts of things: the locations say which sorts, and not every kind."""
    while True:
        works = draw_works(rng)
        count = between(rng, 2, 3)
        sorts, part, which = some(rng, list(ruling.SORTS), count), one(rng, ruling.PARTS), one(rng, ruling.WHICH)
        kinds, locations = list[str](), list[str]()
        for sort, word in zip(sorts, some(rng, which, count), strict=True):
            usable = [kind for kind in ruling.SORTS[sort] if singular(plural(kind)) == kind and " of " not in kind]
            mine = some(rng, usable, 3)
            shown = [plural(kind) for kind in mine[: between(rng, 1, max(1, len(mine)))]]
            kinds += mine
            locations.append(f"{word} {part} for {' and '.join(shown)} and {one(rng, ('', 'other '))}{sort}")
        verb, plain = works.plant.verb.capitalize(), works.guidelines
        first, second, third = kinds[0], kinds[3 if len(kinds) > 3 else 1], kinds[1]
        special, usual = plain.recipes[0].material[0], plain.recipes[1].material[0]
        names = (
            f"{verb} one {first} with {special}",
            f"{verb} all the {plural(second)} and there are two {plural(second)}",
            f"{verb} one {first} and one {third}",
        )
        recipes = tuple(
            Recipe(name, (special if at == 0 else usual,), tuple(f"take the {kind}" for kind in kinds))
            for at, name in enumerate(names)
        )
        told = replace(plain, options=names, recipes=recipes, locations=tuple(locations))
        unnamed = [kind for kind in kinds if not any(f" {plural(kind)}" in line for line in locations)]
        if len({*kinds}) == len(kinds) > 3 and len(unnamed) <= 1 and all(map(things_of, recipes)):
            return replace(works, guidelines=told, kinds=tuple(kinds), hidden=unnamed[0] if unnamed else "")


def _rule(rng: Rng, hall: Hall, words: Mapping[str, str]) -> None:
    found, additives = list[str](), hall.works.additives

    def tell(templates: str, **more: str) -> None:
        given = {"noun": words["i"], "vessel": words["i"], "work": words["start"], "bin": "bin", "m": words["m"]}
        text = one(rng, ruling.split(templates)).format(**{**given, **more})
        found.append(text[:1].upper() + text[1:])

    if chance(rng, 0.3):
        hall.default = (one(rng, additives),)
        tell(ruling.DEFAULT, x=hall.default[0])
    if chance(rng, 0.2):
        deed = one(rng, _TIDY)
        hall.finally_ = f"{deed} the {words['m']}"
        tell(ruling.IN_THE_END, deed=deed)
    used = {name for recipe in hall.works.guidelines.recipes for name in recipe.material} | {*hall.default}
    if (rare := [name for name in additives if name not in used]) and chance(rng, 0.12):
        hall.sold_out = frozenset({one(rng, rare)})
        tell(ruling.SOLD_OUT, x=next(iter(hall.sold_out)))
    for _ in range(between(rng, 0, 2) if chance(rng, 0.3) else 0):
        tell(ruling.HARMLESS, x=one(rng, additives))
    hall.rules = some(rng, found, len(found))


def _written(rng: Rng, hall: Hall, shown: Sequence[Mapping[str, int]]) -> str:
    """The guidelines as a file has them."""
    plain, recipes = hall.works.guidelines, list[str]()
    for recipe, things in zip(plain.recipes, shown, strict=True):
        steps = [line for line in hall.whole(list(things.items()), recipe.material[0]) if line != hall.finally_]
        numbered = [f"{number}) {line}" for number, line in enumerate(steps)]
        recipes.append("\n".join([recipe.name, f"Material: {recipe.material[0]}", "Steps:", *numbered]))
    gap = "\n\n" if chance(rng, 0.5) else "\n"
    rules = ["Rules:\n" + "\n".join(f"* {rule}" for rule in hall.rules)] if hall.rules else []
    where = ["Available location we have now:\n" + "\n".join(f"* {line}" for line in plain.locations)]
    material = [f"Available material we have now: {', '.join(plain.available)}"]
    rest = [*rules, *where, *material] if chance(rng, 0.7) else [*where, *material, *rules]
    return gap.join([f"Options: {', '.join(plain.options)}", f"Instructions:{gap}{gap.join(recipes)}", *rest])
