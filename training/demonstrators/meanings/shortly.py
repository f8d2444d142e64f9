"""Short programs of Statler's language (`statler/language`), as programs of the language of meanings say the same.

    Ours(…).program('put(the(on("red block")), container("blue block"))')
    == 'pick_and_place(atop("red block"), container("blue block"))'

What is so is for code to look up: the program says what is asked for, by the world's own relations, values and lists.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass

from thinkaloud.language.words import plural
from thinkaloud.program.lexicon import identifier
from thinkaloud.saying.telling import joined
from training.demonstrators.statler.scenes import Scene

QUALITIES = {
    "dirty": "dirty({})",
    "clean": "clean({})",
    "outside": "loose({})",
    "not outside": "not loose({})",
    "on the table": 'on({}, "table")',
    "empty": "empty({})",
    "full": "not empty({})",
    "clear": "empty({})",
    "covered": "not empty({})",
    "hidden": "any([on(c, {}) for c in cups])",
    "not hidden": "not any([on(c, {}) for c in cups])",
}
"""What is asked of each thing, for a word of the short language."""
_ADJECTIVES = {"dirty": "dirty", "clean": "clean", "outside": "loose", "empty": "empty", "clear": "empty"}
_TIMES = {"1/2": "half", "1/3": "a third", "1/4": "a quarter", "2/3": "two thirds", "3/2": "1.5 times"}
_PAST = {
    "last_moved()": "moved()[-1]",
    "last_moved(2)": "moved()[-2]",
    "first_moved()": "moved()[0]",
    "first_moved(2)": "moved()[1]",
    "first_moved(3)": "moved()[2]",
    "moved()": "[o for o in objects if o in moved()]",
    "all_moves()": "len(moved())",
}
_GROUPS = ("blocks", "bowls", "cups", "things", "loose")
_HOW = {">": "more than", "<": "less than"}


class Unsaid(Exception):
    """Something that the language of meanings has no short way to say, or that makes no sense here."""


@dataclass(frozen=True)
class Ours:
    """Says short programs in the language of meanings, of one table. `spoken` is what the latest query was about."""

    scene: Scene
    put: str
    things: Collection[str] = ()
    place: str = ""
    moved: bool = False
    """Whether what was spoken of last was moved, by whatever name."""

    def program(self, short: str) -> str:
        """The whole program; Unsaid where there is none."""
        return "\n".join(line for each in ast.parse(short).body for line in self._statement(each))

    # Statements -------------------------------------------------------------------------------------------------------

    def _statement(self, node: ast.stmt) -> list[str]:
        match node:
            case ast.If(test, body, orelse):
                inner, other = ([f"    {line}" for s in each for line in self._statement(s)] for each in (body, orelse))
                return [f"if {self.one(test)}:", *inner, *(["else:", *other] if other else [])]
            case ast.Expr(ast.Call(ast.Name(name), given)):
                return self._call(name, given)
        raise Unsaid(ast.unparse(node))

    def _call(self, name: str, given: list[ast.expr]) -> list[str]:
        match name:
            case "put":
                return [f"{self.put}({self.one(given[0])}, {self.one(given[1])})"]
            case "say" if not isinstance(given[0], ast.Constant):
                return [f"say({self.one(given[0])})"]
            case "undo":
                return ["undo()"]
            case "match":
                return [self._match(*given)]
            case "stack":
                return self._stack(*given)
            case "swap":
                return self._swap(*given)
            case "mark":
                return [f'note("{self._subject(given[0])} {_text(given[1])}.")']
            case "placed" if len(given) == 3:  # where it is now is seen
                return [f'note("{self._subject(given[0])} {_text(given[2])}.")']
            case "placed":
                return [f'note("{self._subject(given[0])} {self._where(given[1])}.")']
            case "weighs":
                return [f'note("{self._weighs(*given)}.")']
        raise Unsaid(name)

    def _match(self, target: ast.expr, like: ast.expr, times: ast.expr | None = None) -> str:
        factor = "1" if times is None else ast.unparse(times)
        how, where = _HOW.get(factor.strip("'"), "as much as"), self.one(target)
        more = f", {eval(factor):g}" if how == "as much as" and factor != "1" else ""  # 2, or 1 / 2: ours
        return f'{self.put}(blocks_to_add({where}, "{how}", {self.one(like)}{more}), {where})'

    def _stack(self, things: ast.expr, base: ast.expr | None = None) -> list[str]:
        if isinstance(things, ast.List):
            low = [] if base is None else [self.one(base)]
            names = [*low, *(f'"{name}"' for name in _names(things))]
            return [f"{self.put}({names[at]}, {names[at - 1]})" for at in range(1, len(names))]
        every = self.one(things)
        if every.startswith(("[", "sorted")) or base is not None:
            raise Unsaid(every)
        return [f"for i in range(1, len({every})):", f"    {self.put}({every}[i], {every}[i - 1])"]

    def _swap(self, x: ast.expr, y: ast.expr) -> list[str]:
        """Where both are is asked before anything is done."""
        one, other = self.one(x), self.one(y)
        if {one.strip('"'), other.strip('"')} & {*self.scene.loose}:
            return [f"{self.put}({one}, beneath({other}))", f"{self.put}({other}, beneath({one}))"]
        if {one.strip('"'), other.strip('"')} & {*self.scene.cups}:
            raise Unsaid("cups")
        return [
            f"{self.put}([o for o in objects if on(o, {one})], {other})",
            f"{self.put}([o for o in objects if on(o, {other})], {one})",
        ]

    # What is told -----------------------------------------------------------------------------------------------------

    def _subject(self, node: ast.expr) -> str:
        """What something is told of, up to its verb: one wording, whatever was said."""
        many = plural(self.scene.kind) if len(self.scene.blocks) == len(self.scene.loose) else "objects"
        match node:
            case ast.Constant() | ast.List():
                names = _names(node)
                return f"{_the(names)} {'is' if len(names) == 1 else 'are'}"
            case ast.Call(ast.Name("but"), [left]):
                return f"All the {many} but {_the(_names(left)).lower()} are"
            case ast.Call(_, given) if given and _text(given[-1]) == "unknown":
                return f"The other {many} are"
            case ast.Call(ast.Name("blocks" | "things" | "loose"), [] | [_]):
                return f"All the {many} are"
            case ast.Call(ast.Name("the"), [ast.Call(ast.Name("last_moved" | "it"), [])]) if len(self.things) == 1:
                return f"The {next(iter(self.things))} is"
        raise Unsaid(ast.unparse(node))

    def _where(self, node: ast.expr) -> str:
        place = _text(node)
        return f"{'in' if place in self.scene.boxes or place == 'disinfector' else 'on'} the {place}"

    def _weighs(self, thing: ast.expr, times: ast.expr, others: ast.expr | None = None) -> str:
        (name,), factor = _names(thing), ast.unparse(times).strip("'").replace(" ", "")
        if others is None:
            return f"The {name} weighs {factor}"
        than = _names(others)
        if factor in _HOW:
            return f"The {name} is {'heavier' if factor == '>' else 'lighter'} than {_the(than).lower()}"
        much = {"1": ""}.get(factor, f"{_TIMES.get(factor, f'{factor} times')} ")
        return f"The {name} weighs {much}as much as {_the(than).lower()}{' together' if len(than) > 1 else ''}"

    # Expressions ------------------------------------------------------------------------------------------------------

    def one(self, node: ast.expr) -> str:
        """An expression."""
        short = ast.unparse(node).replace("'", '"')
        if short in _PAST:
            return _PAST[short]
        match node:
            case ast.Constant(str() as text):
                return f'"{text}"'
            case ast.Constant(value):
                return str(value)
            case ast.List():
                return f"[{', '.join(f'{chr(34)}{name}{chr(34)}' for name in _names(node))}]"
            case ast.UnaryOp(ast.Not(), operand):
                return f"not {self.one(operand)}"
            case ast.Compare(left, [how], [right]):
                return self._compared(left, how, right)
            case ast.BinOp(left, ast.Sub(), right):
                return f"{self.one(left)} - {self.one(right)}"
            case ast.Call(ast.Name(name), given):
                return self._asked(name, given)
        raise Unsaid(short)

    def _compared(self, left: ast.expr, how: ast.cmpop, right: ast.expr) -> str:
        match left, how, right:
            case ast.Call(ast.Name("under"), [x]), ast.Eq(), y:
                return f"on({self.one(x)}, {self.one(y)})"
            case x, ast.In() | ast.NotIn(), ast.Call(ast.Name("inside"), [box]):
                asked = self._within(box, self.one(x))
                return asked if isinstance(how, ast.In) else f"not {asked}"
            case x, ast.In(), ast.Call(ast.Name("moved"), []):
                return f"{self.one(x)} in moved()"
            case ast.Call(ast.Name("ratio"), [x, y]), ast.Eq(), ast.Constant(int() as value):
                return f"weight({self.one(x)}) == {value} * weight({self.one(y)})"
            case _, ast.Gt() | ast.Lt() | ast.Eq(), _:
                sign = {ast.Gt: ">", ast.Lt: "<", ast.Eq: "=="}[type(how)]
                return f"{self.one(left)} {sign} {self.one(right)}"
        raise Unsaid(ast.unparse(left))

    def _asked(self, name: str, given: list[ast.expr]) -> str:
        match name, given:
            case "the", [inner]:
                return self._the_one(inner)
            case "colour" | "colours", [inner]:
                return self.one(inner)
            case "where", _ if self.scene.domain == "cups":
                raise Unsaid("what is hidden is under something")
            case "cover", [x]:
                return f"[c for c in {self._list('cups')} if on(c, {self.one(x)})]"
            case "attribute", [x]:
                return self._so(ast.Constant("dirty"), self.one(x))
            case "moves", [x]:
                return f"len([o for o in moved() if o == {self.one(x)}])"
            case "most" | "fewest", [xs]:
                within = "lambda b: len([o for o in objects if on(o, b)])"
                return f"{'max' if name == 'most' else 'min'}({self.one(xs)}, key={within})"
            case "under" | "where", [x]:
                return f"beneath({self.one(x)})"
            case "on", [x]:
                return f"atop({self.one(x)})"
            case "container", [x]:
                return f"container({self.one(x)})"
            case "len", [x]:
                return f"len({self.one(x)})"
            case "any", [ast.Call(ast.Name("on" | "inside"), [x])]:
                return f"not empty({self.one(x)})"
            case "any", [ast.Call(ast.Name(group), [word])] if group in _GROUPS:
                return f"any([{self._so(word, 'b')} for b in {self._list(group)}])"
            case "any", [x]:
                return f"any({self.one(x)})"
            case "every", [xs, word]:
                return f"all([{self._so(word, 'b')} for b in {self.one(xs)}])"
            case "is_", [x, word]:
                return self._so(word, self.one(x))
            case "empty", [x]:
                return f"empty({self.one(x)})"
            case "higher", [x, y]:
                return f"height({self.one(x)}) > height({self.one(y)})"
            case "highest", []:
                return f"max({self._every()}, key=height)"
            case "highest" | "lowest", [xs]:
                return f"{'max' if name == 'highest' else 'min'}({self.one(xs)}, key=height)"
            case "never_moved", []:
                return f"[o for o in {self._every()} if o not in moved()]"
            case "it" | "them" | "others" | "there" | "other" | "but", _:
                return self._spoken(name, given)
            case "inside", [x]:
                return f"[o for o in objects if {self._within(x, 'o')}]"
            case "above", [x]:
                return f"[o for o in objects if on(o, {self.one(x)})]"
        return self._listed(name, given) if name in _GROUPS else self._weighed(name, given)

    def _weighed(self, name: str, given: list[ast.expr]) -> str:
        if self.scene.domain != "weight":
            raise Unsaid(name)
        match name, given:
            case "heavier", [x, y]:
                return f"heavier({self._single(x)}, {self._single(y)})"
            case "lighter", [x, y]:
                return f"heavier({self._single(y)}, {self._single(x)})"
            case "same_weight", [x, y]:
                return f"equally_heavy({self._single(x)}, {self._single(y)})"
            case "heaviest" | "lightest", [xs]:
                return f"{'max' if name == 'heaviest' else 'min'}({self.one(xs)}, key=weight)"
            case "heaviest" | "lightest", [xs, ast.Constant(int() as nth)]:
                return f"sorted({self.one(xs)}, key=weight{', reverse=True' * (name == 'heaviest')})[{nth - 1}]"
            case "ranked", [xs, *rest]:
                return f"sorted({self.one(xs)}, key=weight{', reverse=True' * bool(rest)})"
            case "ratio", [x, y]:
                return f"weight({self.one(x)}) / weight({self.one(y)})"
            case "weight" | "total", [ast.List() as xs]:
                return f"sum([weight(o) for o in {self.one(xs)}])"
            case "weight" | "total", [ast.Call(ast.Name(group), []) as xs] if group in _GROUPS:
                return f"sum([weight(o) for o in {self.one(xs)}])"
            case "weight" | "total", [x]:
                return f"weight({self.one(x)})"
            case "as_heavy", [x]:
                return f"[o for o in {self._every()} if equally_heavy(o, {self.one(x)})]"
            case "heavier_than", [x]:
                return f"[o for o in {self._every()} if heavier(o, {self.one(x)})]"
            case "lighter_than", [x]:
                return f"[o for o in {self._every()} if heavier({self.one(x)}, o)]"
        raise Unsaid(name)

    def _single(self, node: ast.expr) -> str:
        if isinstance(node, ast.List):
            raise Unsaid("several things at once")
        return self.one(node)

    # Things and lists -------------------------------------------------------------------------------------------------

    def _list(self, group: str, kind: str = "") -> str:
        """The list of a kind, if there is one: of a single thing there is none."""
        found = {"blocks": "block", "bowls": "bowl", "cups": "cup", "loose": "object"}.get(group, kind)
        alike = [each for each in self.scene.objects if each.split()[-1] == found]
        if (found == "object" and self.scene.cups) or (found != "object" and len(alike) < 2):
            raise Unsaid(f"one {found}")
        return identifier(plural(found))

    def _every(self) -> str:
        alike = len(self.scene.blocks) == len(self.scene.loose)
        return self._list("things", self.scene.kind) if alike else self._list("loose")

    def _listed(self, group: str, given: list[ast.expr]) -> str:
        """All of a kind that are so."""
        kind = _text(given[0]) if group == "things" else ""
        words = given[1:] if group == "things" else given
        hidden = bool(words) and all("hidden" in _text(word) for word in words)
        every = "objects" if group == "loose" and hidden else self._list(group, kind)
        if not words:
            return every
        name = "o" if every == "objects" else every[0]
        return f"[{name} for {name} in {every} if {' and '.join(self._so(word, name) for word in words)}]"

    def _so(self, word: ast.expr, name: str) -> str:
        """What is asked of a thing for it to be so, or among some."""
        if (_text(word) in ("dirty", "clean") and self.scene.domain != "disinfection") or (
            "hidden" in _text(word) and len(self.scene.cups) < 2
        ):
            raise Unsaid(ast.unparse(word))
        match word:
            case ast.Constant(str() as text) if text in QUALITIES:
                return QUALITIES[text].format(name)
            case ast.Call(ast.Name("inside"), [box]):
                return self._within(box, name)
            case ast.Call(ast.Name(group), [*_, ast.Constant(str() as text)]) if group in _GROUPS:
                return self._so(ast.Constant(text), name)
        raise Unsaid(ast.unparse(word))

    def _within(self, box: ast.expr, name: str) -> str:
        within = self.one(box)
        return f"on({within}, {name})" if within.strip('"') in self.scene.cups else f"on({name}, {within})"

    def _the_one(self, node: ast.expr) -> str:
        """A single thing that is told by what is so of it: where several are, the robot asks which."""
        match node:
            case ast.Call(ast.Name(group), [*_, ast.Constant(str() as text)]) if (
                group in _GROUPS and text in _ADJECTIVES
            ):
                self._so(ast.Constant(text), "")
                kind = {"blocks": "block", "bowls": "bowl", "cups": "cup", "loose": "object"}.get(group)
                return f'"{_ADJECTIVES[text]} {kind or _text(node.args[0])}"'
        return self.one(node)

    def _spoken(self, name: str, given: list[ast.expr]) -> str:
        """What was spoken of just now, by its name; and all but that."""
        match name, given:
            case "it", [] if len(self.things) == 1:
                return f'"{next(iter(self.things))}"'
            case "it", [] if self.moved:
                return "moved()[-1]"
            case "them", [] if len(self.things) > 1:
                return self.one(ast.List([ast.Constant(each) for each in self.things]))
            case "there", [] if self.place:
                return f'"{self.place}"'
            case "others", [] if self.things:
                return self._but([*self.things], self._every())
            case "other", [x]:
                left = self.one(x)
                if not left.startswith('"'):
                    raise Unsaid(left)
                every = self._list("things", left.strip('"').split()[-1])
                return f"[{every[0]} for {every[0]} in {every} if {every[0]} != {left}]"
            case "but", [left]:
                return self._but(_names(left), self._list("things", _names(left)[0].split()[-1]))
            case "but", [left, within]:
                return self._but(_names(left), self.one(within))
        raise Unsaid(name)

    def _but(self, left: list[str], every: str) -> str:
        """All but some of what an expression lists."""
        spelled = f'"{left[0]}"' if len(left) == 1 else f"[{', '.join(f'{chr(34)}{each}{chr(34)}' for each in left)}]"
        how = "!=" if len(left) == 1 else "not in"
        if every.startswith("["):
            return f"{every[:-1]} and {every[1]} {how} {spelled}]"
        name = "o" if every == "objects" else every[0]
        return f"[{name} for {name} in {every} if {name} {how} {spelled}]"


def _text(node: ast.expr) -> str:
    return str(node.value) if isinstance(node, ast.Constant) else ""


def _names(node: ast.expr) -> list[str]:
    """Names that are written out."""
    found = [_text(each) for each in (node.elts if isinstance(node, ast.List) else [node])]
    if not all(found):
        raise Unsaid(ast.unparse(node))
    return found


def _the(names: list[str]) -> str:
    """`The red block and the blue block`."""
    told = joined([f"the {name}" for name in names])
    return f"{told[:1].upper()}{told[1:]}"
