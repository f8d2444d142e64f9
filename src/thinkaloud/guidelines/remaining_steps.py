"""From what is wanted to the steps that are left: a recipe of the guidelines, changed, less what has been done.

Material that is not wanted loses its steps; material that the recipe does not have gets steps in the words of another.
The steps that are about a thing are done for each of the things, one after the other, each with its own place.
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
    """What the rules of guidelines mean for a plan."""

    orders: tuple[tuple[tuple[str, ...], ...], ...] = ()
    """Each of them: groups of material, one after the other; `others` is whatever is in none of them."""
    every: tuple[str, ...] = ()
    default: tuple[str, ...] = ()
    undo: str = ""
    """What is done with something that is not wanted any more, as a step."""
    pairs: tuple[tuple[str, str], ...] = ()
    """Who orders the first gets the second with it."""
    gone: tuple[str, ...] = ()
    apart: tuple[tuple[str, str], ...] = ()
    """Both together are refused."""
    twice: tuple[str, ...] = ()
    after: tuple[tuple[str, str], ...] = ()
    """A material, and the step that follows its own."""
    end: tuple[str, ...] = ()
    """Steps that come before the last one, whatever is ordered."""

    def before(self, one: str, other: str) -> bool:
        """Whether the rules want one material to be used before the other."""
        return any(_rank(one, groups) < _rank(other, groups) for groups in self.orders if _both(one, other, groups))


def _both(one: str, other: str, groups: Sequence[Sequence[str]]) -> bool:
    named = {name for group in groups for name in group}
    return OTHERS in named or {one, other} <= named


def _rank(name: str, groups: Sequence[Sequence[str]]) -> int:
    found = next((at for at, group in enumerate(groups) if name in group), None)
    return found if found is not None else next(at for at, group in enumerate(groups) if OTHERS in group)


def shown_order(guidelines: Guidelines) -> PlanRules:
    """What the recipes show without saying so: what all of them have comes first, or last, in each of them."""
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
    """Knows how the guidelines put things."""

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
        """What is left to do, when so much has been done."""
        done = self._since_undone(done)
        begun = [kind for line in done if (kind := self._kind(line))]
        each = [self._whole(want, begun if at == 0 else ()) for at, want in enumerate(wants)]
        return [line for at, whole in enumerate(each) for line in (self._left(whole, done) if at == 0 else whole)]

    def homeless(self, wants: Sequence[Want]) -> list[str]:
        """The things of which nothing says where they belong, although that matters."""
        kinds = [kind for want in wants for kind, _ in want.things]
        return [kind for kind in dict.fromkeys(kinds) if self.sorting and not self._place_of(kind)]

    @property
    def sorting(self) -> list[str]:
        """The places that are for some things and not for others: those for things that are counted, and their like."""
        counted = {name for recipe in self.guidelines.recipes for name in things_of(recipe)}
        for_some = [place for place, rest in self._located if any(stems(kind) <= stems(rest) for kind in counted)]
        alike = {place.split()[-1] for place in for_some}
        return [place for place, rest in self._located if place in for_some or (rest and place.split()[-1] in alike)]

    @property
    def _located(self) -> list[tuple[str, str]]:
        """The places, each with what it is for."""
        lines, names = self.guidelines.locations, self._places
        return [(name, line[len(name) :]) for line in lines for name in names if line.startswith(name)]

    # One order from the beginning -------------------------------------------------------------------------------------

    def _whole(self, want: Want, begun: Sequence[str]) -> list[str]:
        """All the steps for one order; things that were begun already come first."""
        recipe = self._recipe(want)
        lines = self._of_things(recipe, want, begun) if want.things else list(recipe.steps)
        return self._by_rules([line for line in self._of_material(recipe, lines, want) if line not in want.skip])

    def _by_rules(self, lines: Sequence[str]) -> list[str]:
        """The lines with what the rules want besides."""
        found: list[str] = []
        for line in lines:
            used = names_in(line, self._material)
            found += [line] * (2 if {*used} & {*self.facts.twice} else 1)
            found += [step for name, step in self.facts.after if name in used]
        return [*found[:-1], *(step for step in self.facts.end if step not in found), *found[-1:]]

    def _recipe(self, want: Want) -> Recipe:
        """The one that was named; else the simplest for things, or the one that has most in common."""
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
        """The forms of lines that come again in a recipe for each of its things."""
        found: set[str] = set()
        for recipe in self.guidelines.recipes:
            forms = Counter(self._form(line) for line in recipe.steps if self._kind(line))
            found |= {form for form, count in forms.items() if count > 1}
        return found

    def _form(self, line: str) -> str:
        """A line whatever the thing that it is about, its number and its place."""
        line = self._unnumbered(line).lower()
        for name in sorted([*self._kinds, *self.sorting], key=len, reverse=True):
            line = re.sub(rf"\b{re.escape(name.lower())}\b", "_", line)
        return line

    def _for_each(self, recipe: Recipe, want: Want, begun: Sequence[str]) -> list[str]:
        """The lines of a recipe, those that come again for each of the things that are wanted."""
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
        """A line about the recipe's thing, for another: with its name, its place and, of several, its number."""
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

    @property
    def _numbered(self) -> list[tuple[str, str]]:
        """The lines of recipes that count, with the thing that they count."""
        found = [
            (line, kind) for recipe in self.guidelines.recipes for kind in things_of(recipe) for line in recipe.steps
        ]
        return [(line, kind) for line, kind in found if is_named(kind, line) and self._unnumbered(line) != line]

    def _place_of(self, kind: str) -> str:
        """Where a thing belongs: by the recipes, by what the places are for, or by what was found out."""
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
        """The lines with the steps for the material that is wanted, and for no other."""
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
        """Where the step for a material goes: by the rules, else as the recipes have it, else after the others."""
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
        """Whether the recipes have one before the other, and never the other way round."""
        both = [r.material for r in self.guidelines.recipes if one in r.material and other in r.material]
        return bool(both) and all(each.index(one) < each.index(other) for each in both)

    def line_for(self, name: str) -> str:
        """The step that uses a material: a recipe's, or one for another material that is most like it."""
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

    # What is done already ---------------------------------------------------------------------------------------------

    def _since_undone(self, done: Sequence[str]) -> list[str]:
        """What was done since the last time that all was thrown away."""
        if not self.facts.undo or self._undoes_one:
            return list(done)
        last = max((at + 1 for at, line in enumerate(done) if line == self.facts.undo), default=0)
        return list(done[last:])

    @property
    def _undoes_one(self) -> list[str]:
        """The material that the rule about undoing names: then it is about one thing, and the rest may stay."""
        return sorted(names_in(self.facts.undo, self._material))

    def _left(self, whole: Sequence[str], done: Sequence[str]) -> list[str]:
        """What of a whole plan is left; where that cannot be had from what is done, that is undone first."""
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
        if one := self._undoes_one:
            back = [
                _renamed(self.facts.undo, one[0], name) for line in wrong for name in names_in(line, self._material)
            ]
            return [*back, *left]
        if done and left and (wrong or self._too_late(whole, places_)):
            return [self.facts.undo, *whole]
        return left

    def before(self, one: str, other: str) -> bool:
        """Whether one material has to be used before the other, by the rules or else by what the recipes show."""
        return self.facts.before(one, other) or (not self.facts.before(other, one) and self._shown.before(one, other))

    def _too_late(self, whole: Sequence[str], missing: Sequence[int]) -> bool:
        """Whether something is missing that had to come before what is done already."""
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
        """A line without the number of the thing that it is about."""
        return self._ordinal.sub("", line)

    def _kind(self, line: str) -> str:
        """The thing that a line is about."""
        return next((kind for kind in sorted(self._kinds, key=len, reverse=True) if is_named(kind, line)), "")


def _used(lines: Sequence[str], name: str, known: set[str]) -> bool:
    return any(name in names_in(line, known) for line in lines)


def _renamed(line: str, one: str, other: str) -> str:
    return re.sub(rf"\b{re.escape(one)}\b", other, line, flags=re.IGNORECASE)
