"""GBNF for the states and changes that can follow a state: only its own things, and only existing places.

Both functions return the root expression followed by the rules that it names, each on its own line. The result is ready
for `models.grammar.grammar`, not for use inside a larger expression. A list that names things in the order of the
state, each at most once, is a chain of two rules per thing. So the grammar grows linearly with the number of things
(and quadratically only if everything can be on everything else). What a grammar cannot exclude (a block in two bowls)
is left to `statler.parse`.
"""

from __future__ import annotations

from collections.abc import Sequence

from thinkaloud.models.grammar import NUMBER, choice, literal, one_of, separated, sequence
from thinkaloud.records import Value, WorldState
from thinkaloud.state.change_lines import NO_CHANGE
from thinkaloud.state.edits import OPPOSITES, TABLE, decided_in, is_container, is_cover
from thinkaloud.state.json_reading import render_json
from thinkaloud.state.json_text import INDENT, has_covers, line_order, state_entries
from thinkaloud.state.weights import read_weight_fact

_PREFIX = "# "
_MOST_TERMS = 3
_MOST_WEIGHTS = 3
_POSITIVE = '[1-9] [0-9]{0,3} ("." [0-9]{1,3})?'
_FRACTION = '[1-9] [0-9]{0,3} ("/" [1-9] [0-9]{0,3})?'


def state_grammar(state: WorldState, *, objects: bool = True, weights: bool = True) -> str:
    """The grammar of a later state, as `render` writes it after `opening(state)`.

    Without `objects`, it covers what comes after `opening(state, objects=True)`. Without `weights`, it excludes
    weights.
    """
    rules = _Rules(state, weights)
    fixed = [
        _line(key, literal(render_json(value))) for key, value in state_entries(state) if key in ("objects", "covers")
    ]
    lines = [*([f"{literal(',')} {literal(chr(10))}".join(fixed)] if objects else []), *rules.lines()]
    return rules.text(sequence(*lines, literal(f"\n{_PREFIX}}}")))


def changes_grammar(state: WorldState, *, weights: bool = True) -> str:
    """The grammar of changes as `render_changes` writes them, or of no change.

    First the places, then the qualities, both in the order of the things and each said once, then the weights.
    """
    rules = _Rules(state, weights)
    return rules.text(choice([literal(NO_CHANGE), *rules.changes()]))


def _line(key: str, value: str) -> str:
    return sequence(literal(f"{_PREFIX}{INDENT}{render_json(key)}: "), value)


class _Rules:
    """The rules for one state, created as they are needed."""

    def __init__(self, state: WorldState, weights: bool) -> None:
        self.state = state
        self.rules: dict[str, str] = {}
        self.loose = [thing for thing in state.objects if not is_container(thing)]
        self.weights = weights and bool(self.loose)
        self.containers = [thing for thing in state.objects if is_container(thing)]
        said = list(state.attributes.values())
        true = [word for words in said for word, value in words.items() if value is True]
        decided = [word for thing in state.objects for word in decided_in(thing)]
        self.words = list(dict.fromkeys([*decided, *true]))
        self.keys = list(dict.fromkeys(key for words in said for key, value in words.items() if value is not True))

    def text(self, root: str) -> str:
        return "\n".join([root, *(f"{name} ::= {rule}" for name, rule in self.rules.items())])

    def rule(self, name: str, expression: str) -> str:
        self.rules[name] = expression
        return name

    def chain(self, name: str, items: Sequence[str], separator: str = ", ", *, empty: bool = True) -> str:
        """Some of the items, in this order and each at most once; possibly none, unless `empty` is False."""
        first, more, last = f"{name}-from", f"{name}-more", len(items)
        for index, item in enumerate(items):
            self.rule(f"{name}-{index}", item)
            later = f" | {first}-{index + 1}" if empty or index + 1 < last else ""
            self.rule(f"{first}-{index}", f"{name}-{index} {more}-{index + 1}{later}")
            if index:
                follow = f"{literal(separator)} {name}-{index} {more}-{index + 1}"
                self.rule(f"{more}-{index}", f"{follow} | {more}-{index + 1}")
        if empty:
            self.rule(f"{first}-{last}", '""')
        if items:
            self.rule(f"{more}-{last}", '""')
        return f"{first}-0"

    def others(self, thing: str) -> list[str]:
        """Return what a thing can be on, other than in a container."""
        return [each for each in self.loose if each != thing]

    # whole states -----------------------------------------------------------------------------------------------------

    def lines(self) -> list[str]:
        """Return the lines after the lists of things, each with the comma and line break before it."""
        covers = has_covers(self.state)
        found = []
        said = [relation.words for relation in self.state.relations if relation.relation != "on"]
        if said or not covers:
            placed = [] if covers else [self._placed(thing) for thing in self.loose if self.others(thing)]
            listed = self.chain("relation", [*placed, *map(_quoted, said)])
            found.append(_after(_line("relations", f'"[" {listed} "]"')) + ("?" if covers else ""))
        if facts := [fact for fact in self.state.facts if read_weight_fact(fact, self.state.objects) is None]:
            found.append(_after(_line("facts", f'"[" {self.chain("fact", list(map(_quoted, facts)))} "]"')) + "?")
        if self.containers:
            self.chain("content", [_quoted(thing) for thing in self.state.objects if not is_container(thing)])
        for thing in line_order(self.state):
            known = self._known(thing)
            if decided_in(thing):
                found.append(_after(_line(thing, f'"{{" {known} "}}"')))
            elif covers and known:
                found.append(_after(_line(thing, f'"{{" {known} "}}"')) + "?")
            elif not covers:
                found.append(_after(_line(thing, f'"{{" ({known})? "}}"' if known else '"{}"')))
        return found

    def _placed(self, thing: str) -> str:
        return sequence(literal(f'"{thing} is on '), one_of(self.others(thing)), literal('"'))

    def _known(self, thing: str) -> str:
        """Return what is in the brackets of a thing; empty if there is nothing to say."""
        parts = []
        if is_container(thing):
            parts.append(sequence(literal('"contains": ['), "content-from-0", literal("]")))
        if self.words and self._speaks_of(thing):
            parts.append(self.rule("is", sequence(literal('"is": ['), self._true(), literal("]"))))
        if has_covers(self.state) and not is_container(thing) and self.others(thing):
            one = one_of(render_json(each) for each in self.others(thing))
            parts += [sequence(literal('"on": '), one), sequence(literal('"under": '), one)]
        if (self.weights and not is_container(thing) and not is_cover(thing)) or "weight" in self._own_keys(thing):
            parts.append(self.rule("weight", sequence(literal('"weight": '), self._weight())))
        parts += [self._valued(index, key) for index, key in enumerate(self.keys) if key != "weight"]
        return _some(parts, first=bool(decided_in(thing))) if parts else ""

    def _speaks_of(self, thing: str) -> bool:
        """Bowls and similar things have fixed qualities, unless somebody has said otherwise."""
        return not is_container(thing) or bool(self.state.attributes.get(thing))

    def _own_keys(self, thing: str) -> list[str]:
        return [key for key in self.state.attributes.get(thing, {}) if key in self.keys]

    def _true(self) -> str:
        return separated(one_of(map(render_json, self.words)), ", ", most=min(len(self.words), 4))

    def _weight(self) -> str:
        told = sequence(literal('"'), self._amount("> ", "< "), literal('"'))
        one = self.rule("one-weight", choice([told, *([_POSITIVE] if "weight" in self.keys else [])]))
        return choice([one, sequence(literal("["), separated(one, ", ", most=_MOST_WEIGHTS), literal("]"))])

    def _amount(self, more: str, less: str) -> str:
        """Return what comes after `weighs`."""
        named = self.rule("weighed", one_of(self.loose))
        term = self.rule("term", sequence(_FRACTION, literal(" * "), named))
        return choice([separated(term, " + ", most=_MOST_TERMS), sequence(one_of([more, less]), named), _FRACTION])

    def _valued(self, index: int, key: str) -> str:
        known = choice([one_of(map(render_json, self._values(key))), NUMBER])
        return self.rule(f"value-{index}", sequence(literal(f"{render_json(key)}: "), known))

    # changes ----------------------------------------------------------------------------------------------------------

    def changes(self) -> list[str]:
        """Return the possible lines of changes: optional places and qualities, then optional weights."""
        spoken = [thing for thing in self.state.objects if self._speaks_of(thing)]
        items = [self._place(thing) for thing in self.loose]
        items += [item for thing in spoken for item in self._qualities(thing)]
        found = [self.chain("change", items, "\n", empty=False)] if items else []
        if not self.weights:
            return found
        told = sequence(one_of(self.loose), literal(" weighs "), self._amount("more than ", "less than "))
        weighs = self.rule("weighs", told)
        more = f"({literal(chr(10))} {weighs}){{0,{_MOST_WEIGHTS}}}"
        return [*(sequence(each, more) for each in found), sequence(weighs, more)]

    def _place(self, thing: str) -> str:
        options = [literal(f"on the {TABLE}")]
        if self.others(thing):
            options.append(sequence(literal("on "), one_of(self.others(thing))))
        if self.containers:
            options.append(sequence(literal("in "), one_of(self.containers)))
        return sequence(literal(f"{thing} is "), choice(options))

    def _qualities(self, thing: str) -> list[str]:
        """Return each word once with its opposite, then each value."""
        groups = dict.fromkeys(
            tuple(other for other in self.words if other in (word, OPPOSITES.get(word))) for word in self.words
        )
        return [sequence(literal(f"{thing} is "), one_of(group)) for group in groups] + [
            sequence(literal(f"{thing}: {key} = "), choice([one_of(map(str, self._values(key))), NUMBER]))
            for key in self.keys
        ]

    def _values(self, key: str) -> list[Value]:
        """Return the known values of a key."""
        return [words[key] for words in self.state.attributes.values() if words.get(key, True) is not True]


def _after(line: str) -> str:
    return f"({sequence(literal(',' + chr(10)), line)})"


def _quoted(text: str) -> str:
    return literal(render_json(text))


def _some(parts: Sequence[str], *, first: bool) -> str:
    """Some of a few parts in this order, at least one (or always the first), with commas between them."""
    rest = [f"({sequence(literal(', '), part)})?" for part in parts]
    starts = [sequence(part, *rest[index + 1 :]) for index, part in enumerate(parts)]
    return choice(starts[:1] if first else starts)
