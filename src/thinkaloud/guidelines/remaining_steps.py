"""From what is wanted to the steps that are left: a recipe of the guidelines, adapted, minus what has been done.

Unwanted material loses its steps. Material that the recipe lacks gets steps in the words of another. Steps about a
thing are repeated for each of the things, one after the other, each with its own place.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from thinkaloud.guidelines import Guidelines, Recipe
from thinkaloud.guidelines.order_form import Want, all_material, all_things, places, shared_material, things_of
from thinkaloud.language.name_matching import is_named, names_in
from thinkaloud.language.words import ORDINALS, stems, words_of

OTHERS = "others"


@dataclass(frozen=True, slots=True)
class PlanRules:
    """What the rules of the guidelines mean for a plan."""

    orders: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Each rule: groups of material in order; `others` is everything in none of them."""
    every: tuple[str, ...] = ()
    default: tuple[str, ...] = ()
    undo: str = ""
    """What to do with something that is no longer wanted, as a step."""
    pairs: tuple[tuple[str, str], ...] = ()
    """An order for the first also gets the second."""
    gone: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    """Combinations that are refused."""
    twice: tuple[str, ...] = ()
    after: tuple[tuple[str, str], ...] = ()
    """A material, and the step that follows its own step."""
    end: tuple[str, ...] = ()
    """Steps that always come before the last one."""

    def before(self, one: str, other: str) -> bool:
        """Whether the rules require one material before the other."""
        return any(_rank(one, groups) < _rank(other, groups) for groups in self.orders if _both(one, other, groups))


def _both(one: str, other: str, groups: Sequence[Sequence[str]]) -> bool:
    named = {name for group in groups for name in group}
    return OTHERS in named or {one, other} <= named


def _rank(name: str, groups: Sequence[Sequence[str]]) -> int:
    found = next((at for at, group in enumerate(groups) if name in group), None)
    return found if found is not None else next(at for at, group in enumerate(groups) if OTHERS in group)


def shown_order(guidelines: Guidelines) -> PlanRules:
    """Derive what the recipes imply: if all of them have something first, or last, it comes there."""
    orders: list[tuple[tuple[str, ...], ...]] = []
    for name in shared_material(guidelines):
        longer = [recipe.material for recipe in guidelines.recipes if len(recipe.material) > 1]
        if longer and all(material[-1] == name for material in longer):
            orders.append(((OTHERS,), (name,)))
        elif longer and all(material[0] == name for material in longer):
            orders.append(((name,), (OTHERS,)))
    return PlanRules(tuple(orders))


@dataclass
class Composer:
    """Writes steps in the words of the guidelines."""

    guidelines: Guidelines
    facts: PlanRules = field(default_factory=PlanRules)
    belongs: Mapping[str, str] = field(default_factory=dict)
    """Where things belong that the guidelines do not name."""

    def __post_init__(self) -> None:
        self._material = all_material(self.guidelines)
        self._shown = shown_order(self.guidelines)
        self._kinds = all_things(self.guidelines)
        self._places = places(self.guidelines)
        within = [place.partition(" ")[2] for place in self._places if place.split()[0].lower() in ORDINALS]
        besides = rf"(?!(?:{'|'.join(map(re.escape, within))})\b)" if within else ""  # not that of the third rack
        self._ordinal = re.compile(rf"\b(?:{'|'.join(ORDINALS)}) {besides}")

    # The steps --------------------------------------------------------------------------------------------------------

    def steps(self, wants: Sequence[Want], done: Sequence[str] = ()) -> list[str]:
        """Return what is left to do, given what has been done."""
        done = self._since_undone(done)
        begun = [kind for line in done if (kind := self._kind(line))]
        each = [self._whole(want, begun if at == 0 else ()) for at, want in enumerate(wants)]
        return [line for at, whole in enumerate(each) for line in (self._left(whole, done) if at == 0 else whole)]

    def homeless(self, wants: Sequence[Want]) -> list[str]:
        """Return the things whose place is unknown although it matters."""
        kinds = [kind for want in wants for kind, _ in want.things]
        return [kind for kind in dict.fromkeys(kinds) if self.sorting and not self._place_of(kind)]

    @cached_property
    def sorting(self) -> list[str]:
        """Return the places that are for some things only: those for counted things, and similar ones."""
        counted = {name for recipe in self.guidelines.recipes for name in things_of(recipe)}
        for_some = [place for place, rest in self._located if any(stems(kind) <= stems(rest) for kind in counted)]
        alike = {place.split()[-1] for place in for_some}
        return [place for place, rest in self._located if place in for_some or (rest and place.split()[-1] in alike)]

    @cached_property
    def _located(self) -> list[tuple[str, str]]:
        """Return the places, each with what it is for."""
        lines, names = self.guidelines.locations, self._places
        return [(name, line[len(name) :]) for line in lines for name in names if line.startswith(name)]

    # One order from the start -----------------------------------------------------------------------------------------

    def _whole(self, want: Want, begun: Sequence[str]) -> list[str]:
        """Return all the steps for one order; things already begun come first."""
        recipe = self._recipe(want)
        lines = self._of_things(recipe, want, begun) if want.things else list(recipe.steps)
        return self._by_rules([line for line in self._of_material(recipe, lines, want) if line not in want.skip])

    def _by_rules(self, lines: Sequence[str]) -> list[str]:
        """Return the lines with the additions that the rules require."""
        found: list[str] = []
        for line in lines:
            used = names_in(line, self._material)
            found += [line] * (2 if {*used} & {*self.facts.twice} else 1)
            found += [step for name, step in self.facts.after if name in used]
        return [*found[:-1], *(step for step in self.facts.end if step not in found), *found[-1:]]

    def _recipe(self, want: Want) -> Recipe:
        """Return the named recipe; else the simplest one for things, or the one with most in common."""
        recipes = self.guidelines.recipes
        if want.things:
            several = sum(count for _, count in want.things) > 1 and bool(self._repeated)

            def unlike(recipe: Recipe) -> tuple[bool, int, int]:
                shown = sum(things_of(recipe).values())
                return (shown > 1) != several, shown or 99, len(recipe.steps)

            return min(recipes, key=unlike)
        if want.recipe:
            return next(recipe for recipe in recipes if recipe.name == want.recipe)
        return min(recipes, key=lambda r: (len({*r.material} ^ {*want.material}), len(r.steps)))

    def _of_things(self, recipe: Recipe, want: Want, begun: Sequence[str]) -> list[str]:
        shown = things_of(recipe)
        if not shown:
            return list(recipe.steps)
        if any(self._form(line) in self._repeated for line in recipe.steps):
            return self._for_each(recipe, want, begun)
        model, count = next(iter(shown.items()))
        places_ = [at for at, line in enumerate(recipe.steps) if is_named(model, line)]
        if not places_:
            return list(recipe.steps)
        block = [recipe.steps[at] for at in places_][: max(1, len(places_) // count)]
        last = places_[len(block) - 1]
        kinds = sorted(want.things, key=lambda each: begun.index(each[0]) if each[0] in begun else len(begun))
        each = [(kind, nth, total) for kind, total in kinds for nth in range(total)]
        lines: list[str] = []
        for at, line in enumerate(recipe.steps):
            if at in places_:
                lines += [self._put(line, model, *each[0])] if at <= last else []
            elif any(is_named(other, line) for other in list(shown)[1:]):
                continue
            else:
                lines.append(line)
            if at == last:
                lines += [self._put(step, model, *other) for other in each[1:] for step in block]
        return lines

    @cached_property
    def _repeated(self) -> set[str]:
        """Return the forms of the lines that a recipe repeats for each of its things."""
        found: set[str] = set()
        for recipe in self.guidelines.recipes:
            forms = Counter(self._form(line) for line in recipe.steps if self._kind(line))
            found |= {form for form, count in forms.items() if count > 1}
        return found

    def _form(self, line: str) -> str:
        """Return a line without its thing, its number and its place."""
        line = self._unnumbered(line).lower()
        for name in sorted([*self._kinds, *self.sorting], key=len, reverse=True):
            line = re.sub(rf"\b{re.escape(name.lower())}\b", "_", line)
        return line

    def _for_each(self, recipe: Recipe, want: Want, begun: Sequence[str]) -> list[str]:
        """Return the lines of a recipe, with the repeated ones written for each wanted thing."""
        block: dict[str, str] = {}
        for line in recipe.steps:
            if self._form(line) in self._repeated:
                block.setdefault(self._form(line), line)
        kinds = sorted(want.things, key=lambda each: begun.index(each[0]) if each[0] in begun else len(begun))
        each = [(kind, nth, total) for kind, total in kinds for nth in range(total)]
        lines: list[str] = []
        seen: set[str] = set()
        for line in recipe.steps:
            form = self._form(line)
            if form not in block:
                other = self._kind(line)
                named = [kind for kind, _ in kinds]
                lines.append(_renamed(line, other, " and ".join(named)) if other and other not in named else line)
            elif form not in seen:
                seen.add(form)
                lines.append(self._put(line, self._kind(line), *each[0]))
                if len(seen) == len(block):
                    lines += [
                        self._put(step, self._kind(step), *other) for other in each[1:] for step in block.values()
                    ]
        return lines

    def _put(self, line: str, model: str, kind: str, nth: int, total: int) -> str:
        """Adapt a line about the recipe's thing to another thing: its name, its place and, if there are several, its
        number."""
        for place in self.sorting:
            if re.search(rf"\b{re.escape(place)}\b", line) and (instead := self._place_of(kind)):
                line = re.sub(rf"\b{re.escape(place)}\b", instead, line)
                break
        line = self._unnumbered(line)
        if total > 1 and nth < len(ORDINALS):
            for shown, counted in self._numbered:
                if self._unnumbered(shown) == _renamed(line, model, counted):
                    return _renamed(self._ordinal.sub(f"{ORDINALS[nth]} ", shown, count=1), counted, kind)
        return _renamed(line, model, kind)

    @cached_property
    def _numbered(self) -> list[tuple[str, str]]:
        """Return the lines of recipes that count, with the thing that they count."""
        found = [
            (line, kind) for recipe in self.guidelines.recipes for kind in things_of(recipe) for line in recipe.steps
        ]
        return [(line, kind) for line, kind in found if is_named(kind, line) and self._unnumbered(line) != line]

    def _place_of(self, kind: str) -> str:
        """Return where a thing belongs: by the recipes, by what the places are for, or by what was found out."""
        for recipe in self.guidelines.recipes:
            for line in recipe.steps:
                if is_named(kind, line) and (named := [each for each in self.sorting if each.lower() in line.lower()]):
                    return named[0]
        size = len(kind.split())
        for place, rest in self._located:
            words = words_of(rest)
            if place in self.sorting and any(
                stems(" ".join(words[i : i + size])) == stems(kind) for i in range(len(words))
            ):
                return place
        return self.belongs.get(kind, "")

    # Material ---------------------------------------------------------------------------------------------------------

    def _of_material(self, recipe: Recipe, lines: list[str], want: Want) -> list[str]:
        """Return the lines with steps for the wanted material, and for no other."""
        listed = {*want.material}
        known = {*self._material, *listed}
        lines, at, gone = list(lines), 0, -1
        while at < len(lines):
            used = {*names_in(lines[at], known)}
            if used and not used & listed and used & {*recipe.material}:
                gone = at
                del lines[at]
            else:
                at += 1
        there = {name for line in lines for name in names_in(line, known)}
        tacit = {name for name in recipe.material if not _used(recipe.steps, name, known)}
        for name in want.material:
            if name not in there and name not in tacit and (line := self.line_for(name)):
                at = self._position(name, lines, known, gone)
                lines.insert(at, line)
                gone = at + 1
        return lines

    def _position(self, name: str, lines: Sequence[str], known: set[str], gone: int) -> int:
        """Return where the step for a material goes: by the rules, else as in the recipes, else after the others."""
        for before in (self.facts.before, self._shown.before, self._seen_before):
            used = [(at, other) for at, line in enumerate(lines) for other in names_in(line, known)]
            later = [at for at, other in used if before(name, other)]
            earlier = [at + 1 for at, other in used if before(other, name)]
            if later and (not earlier or max(earlier) <= min(later)):
                return min(later)
            if earlier:
                return max(earlier)
        if gone >= 0:
            return gone
        return max((at + 1 for at, _ in used), default=max(len(lines) - 1, 0))

    def _seen_before(self, one: str, other: str) -> bool:
        """Whether the recipes have one before the other, and never the reverse."""
        both = [r.material for r in self.guidelines.recipes if one in r.material and other in r.material]
        return bool(both) and all(each.index(one) < each.index(other) for each in both)

    def line_for(self, name: str) -> str:
        """Return the step that uses a material: a recipe's, or one for the most similar material."""
        known = {*self._material, name}
        uses = [
            (line, used)
            for recipe in self.guidelines.recipes
            for line in recipe.steps
            for used in names_in(line, known)
        ]
        if same := next((line for line, used in uses if used == name), ""):
            return same
        if not uses:
            return ""
        count = Counter(re.sub(rf"\b{re.escape(used)}\b", "", line) for line, used in uses)
        base = {*shared_material(self.guidelines)}

        def alike(each: tuple[str, str]) -> tuple[float, ...]:
            line, used = each
            return (
                self._same_group(name, used),
                name.split()[-1].lower() == used.split()[-1].lower(),
                used not in base,
                count[re.sub(rf"\b{re.escape(used)}\b", "", line)],
            )

        line, used = max(uses, key=alike)
        return re.sub(rf"\b{re.escape(used)}\b", name, line, flags=re.IGNORECASE)

    def _same_group(self, one: str, other: str) -> bool:
        return any(one in group and other in group for groups in self.facts.orders for group in groups)

    # What has been done -----------------------------------------------------------------------------------------------

    def _since_undone(self, done: Sequence[str]) -> list[str]:
        """Return what was done since everything was last thrown away."""
        if not self.facts.undo or self._undoes_one:
            return list(done)
        last = max((at + 1 for at, line in enumerate(done) if line == self.facts.undo), default=0)
        return list(done[last:])

    @property
    def _undoes_one(self) -> list[str]:
        """Return the material that the undo rule names: then the rule is about that material, and the rest may stay."""
        return sorted(names_in(self.facts.undo, self._material))

    def _left(self, whole: Sequence[str], done: Sequence[str]) -> list[str]:
        """Return what is left of a whole plan; if it cannot follow from what was done, that is undone first."""
        left, spare = list[str](), Counter(map(self._unnumbered, done))
        places_: list[int] = []
        for at, line in enumerate(whole):
            if spare[self._unnumbered(line)] > 0:
                spare[self._unnumbered(line)] -= 1
            else:
                left.append(line)
                places_.append(at)
        wrong = [line for line in done if spare[self._unnumbered(line)] > 0 and names_in(line, self._material)]
        if not self.facts.undo:
            return left
        if self._undoes_one:
            return [*(self._undo_of(name) for line in wrong for name in self.material_in(line)), *left]
        if done and left and (wrong or self._too_late(whole, places_)):
            return [self.facts.undo, *whole]
        return left

    # Comparing with what somebody else has listed ---------------------------------------------------------------------

    def key(self, line: str) -> frozenset[str]:
        """Return what two forms of one step have in common: its words and its place, without its number."""
        return frozenset({*stems(self._unnumbered(line)), *names_in(line, self.sorting)})

    def material_in(self, line: str) -> list[str]:
        """Return the material that a line names."""
        return names_in(line, self._material)

    def named_in(self, line: str) -> list[str]:
        """Return the material and the thing that a line names, and the place if things have places of their own."""
        return [*self.material_in(line), *filter(None, [self._kind(line)]), *names_in(line, self.sorting)]

    def may_swap(self, one: str, other: str) -> bool:
        """Whether a line that comes before another in the guidelines may also come after it."""
        if self.material_in(one) and self.material_in(other):
            return not any(self.before(a, b) for a in self.material_in(one) for b in self.material_in(other))
        return bool(self._kind(one) and self._kind(other)) and self._kind(one) != self._kind(other)

    def without_undone(self, lines: Sequence[str]) -> list[str]:
        """Return the lines without material that was put in and, by the rule for that, taken out again."""
        left: list[str] = []
        for line in lines:
            undone = [name for name in self._material if line == self._undo_of(name)]
            if undone:
                at = next((n for n in reversed(range(len(left))) if undone[0] in self.material_in(left[n])), None)
                left = left if at is None else [*left[:at], *left[at + 1 :]]
            else:
                left.append(line)
        return left

    def _undo_of(self, name: str) -> str:
        """Return the step that takes a material out again; empty if no rule says how."""
        return _renamed(self.facts.undo, self._undoes_one[0], name) if self._undoes_one else ""

    def before(self, one: str, other: str) -> bool:
        """Whether one material must be used before the other, by the rules or by the recipes."""
        return self.facts.before(one, other) or (not self.facts.before(other, one) and self._shown.before(one, other))

    def _too_late(self, whole: Sequence[str], missing: Sequence[int]) -> bool:
        """Whether something is missing that had to come before what was done."""
        for at in missing:
            mine = names_in(whole[at], self._material)
            for later in range(at + 1, len(whole)):
                if later in missing:
                    continue
                theirs = names_in(whole[later], self._material)
                if not theirs or any(self.before(a, b) for a in mine for b in theirs):
                    return True
        return False

    def _unnumbered(self, line: str) -> str:
        """Return a line without the number of its thing."""
        return self._ordinal.sub("", line)

    def _kind(self, line: str) -> str:
        """Return the thing that a line is about."""
        return next((kind for kind in sorted(self._kinds, key=len, reverse=True) if is_named(kind, line)), "")


def _used(lines: Sequence[str], name: str, known: set[str]) -> bool:
    return any(name in names_in(line, known) for line in lines)


def _renamed(line: str, one: str, other: str) -> str:
    return re.sub(rf"\b{re.escape(one)}\b", other, line, flags=re.IGNORECASE)
