"""What a program comes to: code walks through its tree and asks a host for all that depends on the robot.

Nothing moves, and nothing outside the tree is run: a program can only reach the host. Its steps are counted; it ends.
Descriptions are resolved where they are reached, among what their place takes; amounts are converted there.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial, reduce
from typing import Any, Protocol

from thinkaloud.errors import CodeRefused, Missing, SkillError, Unfit, Unparseable
from thinkaloud.language.words import in_a_row
from thinkaloud.program import tree
from thinkaloud.program.amounts import Counted, Quantity, Wanted, combine, in_unit, number_for
from thinkaloud.program.parsing import Program
from thinkaloud.skills.signatures import Parameter, Signature

_MOST_STEPS = 50_000
_MOST_ITEMS = 10_000
_MOST_COMBINED = 10_000
_LARGEST = 2**63
_SAME_UNIT = {"+": "{1} cannot be added to {0}.", "-": "{1} cannot be taken from {0}."}
_COMPARED: Mapping[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda one, many: one in many,
    "not in": lambda one, many: one not in many,
}
COMPUTED: Mapping[str, Callable[[Any, Any], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
}


class Host(Protocol):
    """A robot in its circumstances, which programs are about."""

    @property
    def signatures(self) -> Mapping[str, Signature]:
        """Its skills, relations and measures."""
        ...

    @property
    def tells(self) -> Mapping[type[tree.Statement], Callable[..., None]]:
        """What is to happen for each of our own statements, given their values."""
        ...

    def things(self, name: str) -> list[str]:
        """One of its lists."""
        ...

    def is_of_kind(self, kind: str, value: object) -> bool:
        """Whether something, or all of several, is of a kind."""
        ...

    def is_so(self, relation: str, given: Mapping[str, Any], when: str) -> bool:
        """Whether a relation holds, now or then; Unfit for a thing that it cannot be asked of."""
        ...

    def measure(self, measure: str, given: Mapping[str, Any], when: str) -> Any:
        """What a measure tells, now or then."""
        ...

    def about(self, what: tree.Told, deed: tuple[str, dict[str, Any]] | None) -> list[str]:
        """What it tells about itself, or about a deed: a skill, and the arguments that matter."""
        ...

    def called(self, text: str, beside: str) -> str:
        """The thing that a text stands for, of a list in which another thing is; the text, if it is none of them."""
        ...

    def refer(
        self, described: tree.Describe, among: Sequence[list[str]], parameter: Parameter | None, here: Sequence[str]
    ) -> str | list[str]:
        """The things that a description means; `here` is what the program named before it."""
        ...

    def do(self, skill: str, given: dict[str, Any]) -> None:
        """Write down a deed."""
        ...

    def rule(self, rule: tree.Never, given: dict[str, Any], above: Any) -> None:
        """Write down a rule about a deed."""
        ...

    def foresee(self, skill: str, given: dict[str, Any]) -> None:
        """Check a deed that waits, as if it were done now."""
        ...

    def stand(self, rule: tree.Standing) -> None:
        """Write down what waits; nothing in it depends on what was said before."""
        ...

    def forget(self, deed: tuple[str, dict[str, Any]] | None, words: Any) -> None:
        """Take back what waits: what has a deed, the reminder with these words, or all."""
        ...


class TooFew(Exception):
    """The third of two, or the largest of none; or so many, where there are only these."""

    def __init__(self, found: Sequence[Any] = (), wanted: int = 0) -> None:
        are = "is" if len(found) == 1 else "are"
        only = f"There {are} only {len(found)} here for that, not {wanted}: {in_a_row([*map(str, found)])}."
        super().__init__(only if found else "There are too few things here for that.")


class Picked(str):
    """One of several between which nothing decides: `max(plants, key=height)`, of two that are equally tall."""

    among: tuple[str, ...]

    @classmethod
    def of(cls, value: Any, among: Iterable[Any]) -> Any:
        """A thing as one of these; itself, if nothing else is among them, or if it is no thing."""
        things = tuple(dict.fromkeys(among)) if isinstance(value, str) else ()
        if len(things) < 2:
            return value
        picked = cls(value)
        picked.among = things
        return picked


class Evaluation:
    """One program, evaluated against one host."""

    def __init__(self, program: Program, host: Host) -> None:
        self._program, self._host = program, host
        self._names: dict[str, Any] = {}
        self._steps, self._line, self._when = 0, 1, ""
        self._texts = [node for node in program.nodes if isinstance(node, tree.Text)]
        self._within = False
        self._unfit: dict[tree.Call, Unfit] = {}
        self._fitting: set[tree.Call] = set()
        self.referred: dict[tree.Place, str | list[str]] = {}
        """What each description came to, by where it stands; not those that are part of another."""

    def run(self) -> None:
        """Evaluate all of it; CodeRefused says what is wrong, and in which line. What the host raises passes.

        Of a list with many sorts of things, a relation holds for none of those that it cannot be asked of. If it can be
        asked of none at all, it was not meant so: that is Unfit, and no answer.
        """
        self._guarded(lambda: self._block(self._program.statements))
        for call, error in self._unfit.items():
            if call not in self._fitting:
                raise error

    def find(self, expression: tree.Expression) -> Any:
        """The value of an expression in its circumstances."""
        return self._guarded(lambda: self._value(expression))

    def _guarded(self, work: Callable[[], Any]) -> Any:
        try:
            return work()
        except CodeRefused:
            raise
        except Unparseable as error:
            raise self._refused(str(error)) from error
        except SkillError:
            raise
        except IndexError:
            raise TooFew from None
        except (TypeError, ValueError, ArithmeticError, LookupError, RecursionError) as error:
            raise self._refused(f"{str(error).rstrip('.')}.") from None

    def _refused(self, why: str) -> CodeRefused:
        return CodeRefused(f"Line {self._line}: {why}", self._program.text, role="understanding")

    # Statements -------------------------------------------------------------------------------------------------------

    def _block(self, statements: Iterable[tree.Statement]) -> None:
        for each in statements:
            self._line = each.line
            self._statement(each)

    def _statement(self, statement: tree.Statement) -> None:
        match statement:
            case tree.Do(call):
                self._value(call)
            case tree.Let(name, value):
                self._names[name] = self._value(value)
            case tree.If(test, then, otherwise):
                self._block(then if self._value(test) else otherwise)
            case tree.For(variable, over, body):
                for each in self._listed(over):
                    self._names[variable] = each
                    self._block(body)
            case tree.Never(deed, above):
                given = self._bound(deed, self._host.signatures.get(deed.name))
                self._host.rule(statement, given, None if above is None else self._limit(deed, above))
            case tree.Standing():
                self._stand(statement)
            case tree.Forget(deed, words):
                meant = None if deed is None else self._meant(deed)
                self._host.forget(meant, None if words is None else self._value(words))
            case tree.Say(value):
                told = self._value(value)
                self._host.tells[tree.Say](list(told.among) if isinstance(told, Picked) else told)
            case tree.Idle(value):
                _ = value is None or self._value(value)
            case tree.Order(_, wanted, no, exactly):
                values = [[self._value(each) for each in wanted], self._value(no), self._value(exactly)]
                self._host.tells[tree.Order](statement.word, *values)
            case _:
                values = [
                    self._value(getattr(statement, each.name)) for each in fields(statement) if each.name != "line"
                ]
                self._host.tells[type(statement)](*values)

    def _stand(self, rule: tree.Standing) -> None:
        """Find out now what it is about; which of several things it is done with is found out when it is done."""
        if not isinstance(rule.when, tree.TimeOfDay | tree.Amount):
            self._foreseen(lambda: self._value(rule.when))
        deeds = tuple(self._in_own_units(each) for each in rule.deeds)
        for each in deeds:
            if isinstance(each, tree.Do):
                self._foreseen(partial(self._foresee, each.call))
        self._host.stand(tree.changed(replace(rule, deeds=deeds), self._fixed(rule)))

    def _in_own_units(self, deed: tree.Statement) -> tree.Statement:
        """A deed that waits with its amounts in the units that the robot takes."""
        signature = self._host.signatures.get(deed.call.name) if isinstance(deed, tree.Do) else None
        if not isinstance(deed, tree.Do) or signature is None:
            return deed

        def own(node: tree.Expression, parameter: Parameter) -> tree.Expression:
            told = isinstance(node, tree.Amount)
            return literal(in_unit(self._value(node), Wanted(parameter, signature.says))) if told else node

        known = {each.name: each for each in signature.parameters}
        placed = tuple(own(node, each) for node, each in zip(deed.call.given, known.values(), strict=False))
        named = tuple((name, own(node, known[name]) if name in known else node) for name, node in deed.call.named)
        given = (*placed, *deed.call.given[len(placed) :])
        return replace(deed, call=replace(deed.call, given=given, named=named))

    def _foresee(self, call: tree.Call) -> None:
        signature = self._host.signatures.get(call.name)
        self._host.foresee(call.name, self._complete(call, self._bound(call, signature), signature))

    def _foreseen(self, work: Callable[[], Any]) -> None:
        with suppress(TooFew, IndexError):  # there may be enough of them then
            work()

    def _fixed(self, rule: tree.Standing) -> Callable[[Any], Any]:
        """Puts what is known now in the place of names of the program, and of what was spoken of."""
        own = {node.variable for node in tree.walk(rule) if isinstance(node, tree.Loop)}

        def fixed(node: Any) -> Any:
            match node:
                case tree.Variable(name) if name in self._names and name not in own:
                    return literal(self._names[name])
                case tree.Describe(form="the" | "it" | "them" | "the_other") if node.place in self.referred:
                    return literal(self.referred[node.place])
            return node

        return fixed

    def _meant(self, deed: tree.Call) -> tuple[str, dict[str, Any]]:
        return deed.name, self._bound(deed, self._host.signatures.get(deed.name))

    def _limit(self, deed: tree.Call, above: tree.Expression) -> Any:
        """More than so much, in the unit of the first number that the deed takes."""
        signature = self._host.signatures.get(deed.name)
        numbers = [p for p in signature.parameters if p.type in (int, float)] if signature is not None else []
        wanted = Wanted(numbers[0], signature.says) if numbers and signature is not None else Wanted()
        return in_unit(self._value(above), wanted)

    # Expressions ------------------------------------------------------------------------------------------------------

    def _value(self, node: tree.Expression, parameter: Parameter | None = None) -> Any:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            raise self._refused("this takes too long; write it in simpler steps.")
        match node:
            case tree.Text(value) | tree.Number(value) | tree.Truth(value):
                return value
            case tree.Variable(name):
                return self._named(name)
            case tree.Things(name):
                return self._host.things(name)
            case tree.Row(items):
                return [self._value(each, parameter) for each in items]
            case tree.Each():
                return list(self._each(node))
            case tree.Call():
                return self._call(node)
            case tree.Describe():
                return self._refer(node, parameter)
            case tree.Past(when, inner):
                return self._then(when, inner)
            case tree.About(what, deed):
                return self._host.about(what, None if deed is None else self._meant(deed))
            case tree.Amount(number, unit):
                return Quantity(float(self._value(number)), unit)
        return self._operation(node)

    def _operation(self, node: tree.Expression) -> Any:
        match node:
            case tree.Not(inner):
                return not self._value(inner)
            case tree.Joined(word, parts):
                return self._joined(word, parts)
            case tree.Compare(left, rest):
                return self._compared(self._value(left), rest)
            case tree.Compute(left, sign, right):
                return self._computed(self._value(left), sign, self._value(right))
            case tree.Negative(inner):
                return -self._value(inner)
            case tree.Choose(test, then, otherwise):
                return self._value(then if self._value(test) else otherwise)
            case tree.Item(of, index):
                listed = self._listed(of)
                value = listed[_whole(self._value(index))]
                return Picked.of(value, self._tied(of, value, listed))
            case tree.Part(of, start, end):
                bounds = [None if each is None else _whole(self._value(each)) for each in (start, end)]
                listed = self._listed(of)
                if listed and start is None and (bounds[1] or 0) > len(listed):
                    raise TooFew(listed, bounds[1] or 0)
                return self._cut(of, listed, *bounds)
        raise self._refused("this is no value.")

    def _named(self, name: str) -> Any:
        if name not in self._names:
            raise self._refused(f"there is no {name}.")
        return self._names[name]

    def _listed(self, node: tree.Expression) -> list[Any]:
        value = self._value(node)
        if not isinstance(value, list):
            raise self._refused("this is no list.")
        return value

    def _each(self, node: tree.Each, at: int = 0) -> Iterator[Any]:
        if at == len(node.loops):
            yield self._value(node.item)
            return
        loop = node.loops[at]
        outside, missing = self._names.get(loop.variable), loop.variable not in self._names
        for thing in self._listed(loop.over):
            self._names[loop.variable] = thing
            if all(self._value(each) for each in loop.conditions):
                yield from self._each(node, at + 1)
        if missing:
            self._names.pop(loop.variable, None)
        else:
            self._names[loop.variable] = outside

    def _then(self, when: str, inner: tree.Expression) -> Any:
        outside, self._when = self._when, when
        try:
            return self._value(inner)
        finally:
            self._when = outside

    def _joined(self, word: str, parts: Sequence[tree.Expression]) -> Any:
        value: Any = None
        for each in parts:
            value = self._value(each)
            if bool(value) is (word == "or"):
                return value
        return value

    def _compared(self, value: Any, rest: Sequence[tuple[str, tree.Expression]]) -> bool:
        for sign, other in rest:
            told = self._value(other)
            named = self._called(told, value) if isinstance(other, tree.Text | tree.Row) else told
            one, another = combine(value, named)
            if not _COMPARED[sign](one, another):
                return False
            value = another
        return True

    def _called(self, value: Any, beside: Any) -> Any:
        """The thing, or each of several, that a text stands for where a thing is compared with it."""
        if isinstance(value, list):
            return [self._called(each, beside) for each in value]
        both = isinstance(value, str) and isinstance(beside, str)
        return self._host.called(value, beside) if both else value

    def _computed(self, one: Any, sign: str, other: Any) -> Any:
        if isinstance(one, list | str) and not (sign == "+" and type(one) is type(other)):
            raise self._refused(f"{sign} takes numbers.")
        if isinstance(one, Quantity) or isinstance(other, Quantity):
            return _quantified(one, sign, other)
        if sign != "*":
            units = [each.unit for each in (one, other) if isinstance(each, Counted)]
            one, other = combine(one, other, difference=True)
            if sign in _SAME_UNIT and len(units) == 2 and not isinstance(one, Counted):
                raise self._refused(_SAME_UNIT[sign].format(*units))
        value = COMPUTED[sign](one, other)
        if isinstance(value, int | float) and abs(value) > _LARGEST:
            raise self._refused("this number is too large.")
        both = isinstance(one, Counted) and isinstance(other, Counted)
        if both and sign not in ("+", "-", "%"):
            return value  # how many times as much
        return Counted.like(one if isinstance(one, Counted) or sign in ("/", "//") else other, value)

    def _cut(self, of: tree.Expression, listed: list[Any], start: int | None, end: int | None) -> list[Any]:
        """A part of a list; what is in it, and has the same key as the next, is only one of these."""
        tied = self._tied(of, listed[end], listed) if end is not None and 0 < end < len(listed) else []
        return [Picked.of(each, tied) if each in tied else each for each in listed[start:end]]

    def _tied(self, of: tree.Expression, value: Any, listed: Sequence[Any]) -> list[Any]:
        """The things of a list that is sorted by a key, with the same key as one of them."""
        match of:
            case tree.Call("sorted", named=named) if "key" in dict(named):
                told = self._key(dict(named)["key"])
                return [each for each in listed if told(each) == told(value)]
        return []

    # Calls ------------------------------------------------------------------------------------------------------------

    def _call(self, call: tree.Call) -> Any:
        if call.role == "builtin":
            return self._builtin(call)
        if call.role == "kind":
            return all(self._host.is_of_kind(call.name, self._value(each)) for each in call.given)
        signature = self._host.signatures.get(call.name)
        given = self._bound(call, signature)
        if call.role == "skill":
            return self._host.do(call.name, self._complete(call, given, signature))
        given = self._complete(call, given, signature)
        return self._ask(call, given, _named_in(call, signature))

    def _ask(self, call: tree.Call, given: dict[str, Any], named: Collection[str] = ()) -> Any:
        """What a relation or a measure tells; `named` are the parameters for which the program names a thing."""
        if call.role != "relation":
            return self._host.measure(call.name, given, self._when)
        try:
            so = self._host.is_so(call.name, given, self._when)
        except Unfit as error:
            if error.parameter in named:
                raise
            self._unfit.setdefault(call, error)
            return False
        self._fitting.add(call)
        return so

    def _bound(self, call: tree.Call, signature: Signature | None) -> dict[str, Any]:
        """The arguments of a call by the names of its parameters, amounts in the units that these take."""
        parameters = () if signature is None else signature.parameters
        known = {each.name: each for each in parameters}
        if len(call.given) > len(known) or not {name for name, _ in call.named} <= known.keys():
            raise self._refused(f"{call.name} was given too many arguments; it takes {', '.join(known) or 'none'}.")
        places = [*zip(known, call.given, strict=False), *call.named]
        says = "" if signature is None else signature.says
        return {name: self._given(call, each, Wanted(known[name], says)) for name, each in places}

    def _given(self, call: tree.Call, node: tree.Expression, wanted: Wanted) -> Any:
        """What a call is given, in the unit that its place takes; a deed needs a number, and one that is something."""

        def find() -> Any:
            return in_unit(self._value(node, wanted.parameter), wanted)

        is_written = isinstance(node, tree.Number | tree.Amount)
        return find() if is_written or call.role != "skill" else number_for(find, wanted)

    def _complete(self, call: tree.Call, given: dict[str, Any], signature: Signature | None) -> dict[str, Any]:
        for each in () if signature is None else signature.parameters:
            if each.name not in given and each.default is None:
                raise self._refused(f"{call.name} is missing a required argument: {each.name}.")
        return given

    def _refer(self, node: tree.Describe, parameter: Parameter | None) -> str | list[str]:
        outside, self._within = self._within, True
        among = [[str(thing) for thing in flat(self._value(each))] for each in node.among]
        self._within = outside
        before = [each.value for each in self._texts if each.place < node.place]
        found = [thing for value in self.referred.values() for thing in flat(value)]
        value = self._host.refer(node, among, parameter, [*before, *found])
        if not self._within:
            self.referred.setdefault(node.place, value)
        return value

    # Python's functions -----------------------------------------------------------------------------------------------

    def _builtin(self, call: tree.Call) -> Any:
        if call.name in ("any", "all"):
            return self._quantifier(call)
        values, named = [self._value(each) for each in call.given], dict(call.named)
        if call.name in ("sorted", "min", "max"):
            return self._ordered(call.name, values, named)
        if named or call.name not in _FUNCTIONS:
            raise self._refused(f"{call.name} cannot be used so.")
        if call.name == "sum" and len(values) == 1 and isinstance(values[0], list) and values[0]:
            _refuse_unknown(values[0], values[0])
            return reduce(lambda total, each: self._computed(total, "+", each), values[0])
        sample = values[0][0] if values and isinstance(values[0], list) and values[0] else values[0] if values else None
        return (
            Counted.like(sample, _FUNCTIONS[call.name](*values))
            if call.name in _KEEPING
            else _FUNCTIONS[call.name](*values)
        )

    def _quantifier(self, call: tree.Call) -> bool:
        match call.given:
            case (tree.Each() as each,):
                values: Iterable[Any] = self._each(each)
            case _:
                values = [value for each in call.given for value in self._listed(each)]
        return any(values) if call.name == "any" else all([*values])

    def _ordered(self, name: str, values: list[Any], named: Mapping[str, tree.Expression]) -> Any:
        items = values[0] if len(values) == 1 and isinstance(values[0], list) else values
        key = self._key(named["key"]) if "key" in named else None
        if name != "sorted" and key is not None:  # nothing is the nearest to itself
            items = [each for each in items if each not in self._measured_from(named["key"])] or items
        reverse = bool(self._value(named["reverse"])) if "reverse" in named else False
        if not items and "default" in named:
            return self._value(named["default"])
        if not items and name != "sorted":
            raise TooFew
        values = [item if key is None else key(item) for item in items]
        if any(isinstance(value, Quantity) for value in values):
            raise self._refused("an amount that was said is the same for all; order by a measure.")
        _refuse_unknown(items, values)
        if name == "sorted":
            return sorted(items, key=key, reverse=reverse)
        best = min(values) if name == "min" else max(values)
        return Picked.of(items[values.index(best)], (each for each, v in zip(items, values, strict=True) if v == best))

    def _measured_from(self, key: tree.Expression) -> set[str]:
        """The things that a key measures each item against: `lambda b: distance(b, "red block")`."""
        match key:
            case tree.Lambda(variable, tree.Call(role="measure", given=given)) if tree.Variable(variable) in given:
                return {each.value for each in given if isinstance(each, tree.Text)}
        return set()

    def _key(self, node: tree.Expression) -> Callable[[Any], Any]:
        match node:
            case tree.Lambda(variable, body):
                return lambda item: self._with(variable, item, body)
            case tree.Function("len"):
                return len
            case tree.Function(name) if name in self._host.signatures:
                signature = self._host.signatures[name]
                first, role = signature.parameters[0].name, self._role(name)
                return lambda item: self._ask(tree.Call(name, role), {first: item})
        raise self._refused("a key is a measure, a relation or a lambda.")

    def _role(self, name: str) -> tree.Role:
        return "relation" if name in self._program.lexicon.relations else "measure"

    def _with(self, variable: str, item: Any, body: tree.Expression) -> Any:
        self._names[variable] = item
        return self._value(body)


def _named_in(call: tree.Call, signature: Signature | None) -> set[str]:
    """The parameters of a call that are given a thing by its name, or by a description."""
    given = {} if signature is None else call.arguments(signature)
    return {name for name, node in given.items() if isinstance(node, tree.Text | tree.Describe)}


def literal(value: Any) -> tree.Expression:
    """A value as a program writes it out."""
    match value:
        case bool() | None:
            return tree.Truth(value)
        case int() | float():
            return tree.Number(int(value) if isinstance(value, float) and value.is_integer() else value)
        case Quantity(number, unit):
            return tree.Amount(tree.Number(number), unit)
        case list() | tuple():
            return tree.Row(tuple(map(literal, value)))
    return tree.Text(str(value))


def flat(value: Any) -> list[Any]:
    """A value as a list; lists in lists are opened."""
    return [each for part in value for each in flat(part)] if isinstance(value, list | tuple) else [value]


def spread(given: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    """The calls that a call with lists stands for: one for each combination, in the order of the lists."""
    try:
        values = [list(dict.fromkeys(flat(value))) for value in given.values()]
    except TypeError:
        raise Unparseable("a list holds what is no name, number or text.") from None
    if math.prod(map(len, values)) > _MOST_COMBINED:
        raise Unparseable(f"these lists have more than {_MOST_COMBINED} combinations; take shorter ones.")
    return (dict(zip(given, each, strict=True)) for each in itertools.product(*values))


def _refuse_unknown(items: Sequence[Any], values: Sequence[Any]) -> None:
    """Missing where numbers are compared or added and one of them is a word: it is not known."""
    known = [isinstance(value, int | float) for value in values]
    if any(known) and not all(known):
        of = [str(item) for item, is_known in zip(items, known, strict=True) if not is_known and item not in values]
        article = "the " if len(of) == 1 and of[0].islower() else ""
        raise Missing(f"I do not know that of {article}{in_a_row(of) if of else 'all of them'}.", "not known")


def _whole(value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return operator.index(value)


def _quantified(one: Any, sign: str, other: Any) -> Any:
    """An amount times a number; or a measure and an amount more, in the unit of the measure."""
    match one, other:
        case Quantity(number, unit), int() | float() if sign in ("*", "/", "//"):
            return Quantity(COMPUTED[sign](number, other), unit)
        case int() | float(), Quantity(number, unit) if sign == "*":
            return Quantity(one * number, unit)
    left, right = combine(one, other, difference=True)
    return Counted.like(left, COMPUTED[sign](left, right))


def _range(*bounds: Any) -> list[int]:
    found = range(*map(_whole, bounds))
    if len(found) > _MOST_ITEMS:
        raise ValueError("this list is too long")
    return list(found)


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "abs": abs,
    "bool": bool,
    "float": float,
    "int": int,
    "len": len,
    "list": list,
    "round": round,
    "sum": sum,
    "str": str,
    "tuple": list,
    "range": _range,
    "set": lambda of: list(dict.fromkeys(of)),
    "reversed": lambda of: [*reversed(of)],
    "enumerate": lambda of: [[*each] for each in enumerate(of)],
    "zip": lambda *lists: [[*each] for each in zip(*lists, strict=False)],
}
_KEEPING = frozenset({"abs", "round", "sum"})
"""What has the unit of what it is made of."""
