"""What a model writes, as a typed tree: `program.parse_program` makes it, and `evaluate` finds what it comes to.

water([p for p in plants if not wet(p)])

Do(Call("water", "skill", (Each(Variable("p"), (Loop("p", Things("plants"), (Not(Call("wet", …)),)),)),)))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any, Literal, TypeVar, cast

from thinkaloud.skills.signatures import Signature

Place = tuple[int, int]
"""Where something stands in the text; it makes no difference to what is written."""
Role = Literal["skill", "relation", "measure", "kind", "builtin", "unknown"]
"""What a name that is called is for this robot."""
Form = Literal["the", "any_of", "all_of", "the_other", "it", "them"]
When = Literal["before", "at_start"]
Told = Literal["done", "todo", "why", "abilities", "when", "rules", "clock"]


class Node:
    """A part of a program."""

    __slots__ = ()


class Expression(Node):
    """What has a value."""

    __slots__ = ()


# Expressions ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Text(Expression):
    """`"fern"`: the name of a thing, or free text."""

    value: str
    place: Place = field(default=(1, 0), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Number(Expression):
    """`2`, `0.5`."""

    value: int | float


@dataclass(frozen=True, slots=True)
class Truth(Expression):
    """`True`, `False`; `None` is neither."""

    value: bool | None


@dataclass(frozen=True, slots=True)
class Variable(Expression):
    """A name that the program gave to something, or goes through a list with."""

    name: str


@dataclass(frozen=True, slots=True)
class Things(Expression):
    """One of the robot's lists: `cups`."""

    name: str


@dataclass(frozen=True, slots=True)
class Row(Expression):
    """`["fern", "rose"]`: a list that is written out."""

    items: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Loop(Node):
    """`for c in cups if full(c)`: a part of a comprehension."""

    variable: str
    over: Expression
    conditions: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Each(Expression):
    """`[c for c in cups if full(c)]`; `bare` where it stands without brackets, as in `any(full(c) for c in cups)`."""

    item: Expression
    loops: tuple[Loop, ...]
    bare: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Call(Expression):
    """A call of something that the robot has, or of one of Python's functions; `unknown` if there is no such thing."""

    name: str
    role: Role
    given: tuple[Expression, ...] = ()
    named: tuple[tuple[str, Expression], ...] = ()

    def arguments(self, signature: Signature) -> dict[str, Expression]:
        """What it is given, by the names of the parameters."""
        return dict(zip((p.name for p in signature.parameters), self.given, strict=False)) | dict(self.named)


@dataclass(frozen=True, slots=True)
class About(Expression):
    """`done()`, `rules()`, `clock()`: what the robot tells about itself; `why(open("door"))`: about a deed of its."""

    what: Told
    deed: Call | None = None


@dataclass(frozen=True, slots=True)
class TimeOfDay(Expression):
    """`clock("18:30", "monday")`: when something is to be done that waits."""

    time: str
    day: str = ""


@dataclass(frozen=True, slots=True)
class Describe(Expression):
    """`the("juice")`, `any_of("mug", n=2)`, `all_of([c for c in cups if full(c)])`, `it()`: things by a description."""

    form: Form
    words: str = ""
    among: tuple[Expression, ...] = ()
    count: int = 1
    place: Place = field(default=(1, 0), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Past(Expression):
    """`before(wet("fern"))`, `at_start(…)`: the value that an expression had then."""

    when: When
    inner: Expression


@dataclass(frozen=True, slots=True)
class Amount(Expression):
    """`amount(2, "tablespoon")`: a number in the unit that was said."""

    number: Expression
    unit: str


@dataclass(frozen=True, slots=True)
class Not(Expression):
    """`not full(c)`."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Joined(Expression):
    """`full(c) and clean(c)`, `… or …`."""

    word: Literal["and", "or"]
    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Compare(Expression):
    """`height(p) > 3`, `2 < x <= 5`, `p not in ["fern"]`."""

    left: Expression
    rest: tuple[tuple[str, Expression], ...]


@dataclass(frozen=True, slots=True)
class Compute(Expression):
    """`litres(t) / 2`."""

    left: Expression
    sign: str
    right: Expression


@dataclass(frozen=True, slots=True)
class Negative(Expression):
    """`-x`."""

    inner: Expression


@dataclass(frozen=True, slots=True)
class Item(Expression):
    """`places[i]`."""

    of: Expression
    index: Expression


@dataclass(frozen=True, slots=True)
class Part(Expression):
    """`places[1:]`."""

    of: Expression
    start: Expression | None
    end: Expression | None


@dataclass(frozen=True, slots=True)
class Choose(Expression):
    """`a if full(a) else b`."""

    test: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Function(Expression):
    """A function of the robot by its name, as a key: `sorted(cups, key=height)`."""

    name: str


@dataclass(frozen=True, slots=True)
class Lambda(Expression):
    """A key that is written out: `lambda c: height(c)`."""

    variable: str
    body: Expression


# Statements -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Statement(Node):
    """A statement, and the line of the text that it stands in."""

    line: int = field(default=1, compare=False, repr=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class Telling(Statement):
    """A statement that is a plain call of one of our own words."""


@dataclass(frozen=True, slots=True)
class Do(Statement):
    """A deed: `fill("cup")`."""

    call: Call


@dataclass(frozen=True, slots=True)
class Say(Telling):
    """An answer: `say(len(cups))`."""

    value: Expression = Text("")


@dataclass(frozen=True, slots=True)
class Ask(Telling):
    """A question back: `ask("Which cup?", cups)`."""

    question: Expression = Text("")
    options: Expression = Row(())


@dataclass(frozen=True, slots=True)
class Note(Telling):
    """Something to remember: `note("The fern is ill.")`."""

    text: Expression


@dataclass(frozen=True, slots=True)
class Cannot(Telling):
    """A refusal: `cannot("There is no tea here.")`."""

    reason: Expression = Text("")


@dataclass(frozen=True, slots=True)
class Keep(Telling):
    """Things to leave alone: `keep(["vase"])`."""

    things: Expression


@dataclass(frozen=True, slots=True)
class Allow(Telling):
    """Things that may be touched again: `allow("vase")`."""

    things: Expression


@dataclass(frozen=True, slots=True)
class Never(Statement):
    """A rule about a deed: `never(wake("Tom"), until=up("Ida"))`; or its end (`lifted`): `allow(wake("Tom"))`."""

    deed: Call
    above: Expression | None = None
    until: Expression | None = None
    lifted: bool = False


@dataclass(frozen=True, slots=True)
class Remind(Telling):
    """What the robot says when its time has come: `remind("Call Anna.")`; only within what waits."""

    text: Expression


@dataclass(frozen=True, slots=True)
class Standing(Statement):
    """What waits for a condition, a time of day or a time span: `whenever(ringing("bell"), open("door"))`.

    `again`: each time anew; otherwise the next time only, `once(…)`.
    """

    when: Expression
    deeds: tuple[Statement, ...]
    again: bool


@dataclass(frozen=True, slots=True)
class Forget(Statement):
    """What waits is taken back: all of it, what has this deed, or the reminder with such words."""

    deed: Call | None = None
    words: Expression | None = None


@dataclass(frozen=True, slots=True)
class Emergency(Telling):
    """Somebody needs help at once: `emergency("He fell down the stairs.")`."""

    matter: Expression = Text("")


@dataclass(frozen=True, slots=True)
class Undo(Telling):
    """What was done last is taken back: `undo(2)`."""

    count: Expression = Number(1)


@dataclass(frozen=True, slots=True)
class Previous(Telling):
    """The robot continues with what was under way before: `previous()`."""


@dataclass(frozen=True, slots=True)
class Stop(Telling):
    """The robot leaves off: `stop("after this")`."""

    when: Expression = Text("now")


@dataclass(frozen=True, slots=True)
class Unclear(Telling):
    """It cannot be understood: `unclear("who is meant?")`."""

    why: Expression = Text("")


@dataclass(frozen=True, slots=True)
class Order(Statement):
    """What is wanted by guidelines, or is to be otherwise: `order("taro", no=["milk"])`, `change("boba")`."""

    word: Literal["order", "change"]
    wanted: tuple[Expression, ...]
    no: Expression
    exactly: Expression


@dataclass(frozen=True, slots=True)
class Let(Statement):
    """A name for a value: `young = sorted(wines, key=vintage)`."""

    name: str
    value: Expression


@dataclass(frozen=True, slots=True)
class If(Statement):
    """`if full("cup"): …`; an `elif` is an If alone in `otherwise`."""

    test: Expression
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class For(Statement):
    """`for c in cups: …`."""

    variable: str
    over: Expression
    body: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Idle(Statement):
    """A value that stands alone, which nothing comes of; a pass, if there is none."""

    value: Expression | None


TELLINGS: dict[str, type[Telling]] = {
    kind.__name__.lower(): kind
    for kind in (Say, Ask, Note, Cannot, Keep, Allow, Remind, Emergency, Undo, Previous, Stop, Unclear)
}
"""These statements by their words."""


def given_to(kind: type[Telling]) -> dict[str, Any]:
    """What such a statement is given, by name: what it is if nothing is given, or MISSING."""
    return {each.name: each.default for each in fields(kind) if each.name != "line"}


# Walking through it ---------------------------------------------------------------------------------------------------


def walk(node: Any) -> Iterator[Node]:
    """All nodes of statements or of an expression, in the order of the text."""
    if isinstance(node, tuple):
        for each in node:
            yield from walk(each)
    elif isinstance(node, Node):
        yield node
        for each in _parts_of(node):
            yield from walk(getattr(node, each))


def walk_by_level(node: Any) -> Iterator[Node]:
    """All nodes of statements or of an expression, the outer ones first."""
    level = [*_parts(node)]
    while level:
        yield from level
        level = [part for each in level for name in _parts_of(each) for part in _parts(getattr(each, name))]


def _parts(node: Any) -> Iterator[Node]:
    if isinstance(node, tuple):
        for each in node:
            yield from _parts(each)
    elif isinstance(node, Node):
        yield node


_T = TypeVar("_T")


def changed(node: _T, change: Callable[[Any], Any]) -> _T:
    """The same tree with every node as `change` returns it, the inner ones first; a tuple stands for several."""
    if isinstance(node, tuple):
        found = [changed(each, change) for each in node]
        pairs = zip(node, found, strict=True)
        several = (new if isinstance(new, tuple) and not isinstance(old, tuple) else (new,) for old, new in pairs)
        return cast(_T, tuple(part for each in several for part in each))
    if isinstance(node, Node):
        values: dict[str, Any] = {each: changed(getattr(node, each), change) for each in _parts_of(node)}
        return cast(_T, change(replace(cast(Any, node), **values)))
    return node


def _parts_of(node: Any) -> tuple[str, ...]:
    """Which fields of a node hold other nodes."""
    kind: Any = type(node)
    return _parts_of_kind(kind)


@cache
def _parts_of_kind(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind) if re.search("Expression|Statement|Loop|Call", str(each.type)))
