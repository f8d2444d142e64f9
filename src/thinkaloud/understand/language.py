"""The language in which a meaning is written: a small Python over one robot's lists, skills, relations and measures.

    fill([c for c in cups if not full(c)])            a list is spread over a skill's parameter
    say(len([c for c in cups if full(c)]))            an answer
    cannot("There is no tea here.")                   what this robot does not have, or cannot do
    put(before([b for b in books if open_(b)]), "shelf")   an expression as it was before the latest request

Besides what the robot has, these are always there: see `ALWAYS`. Where the robot itself has something of that name,
ours has an underscore behind it.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from thinkaloud.errors import CodeRefused
from thinkaloud.skills.signatures import Signature
from thinkaloud.understand.lexicon import Lexicon
from thinkaloud.understand.switches import switchable


@dataclass(frozen=True, slots=True)
class Word:
    """A function that is always there: how it is called, and what it is for."""

    head: str
    about: str

    @property
    def name(self) -> str:
        """Its name."""
        return self.head.partition("(")[0]


SAY, ASK, NOTE, CANNOT, KEEP, ALLOW = "say", "ask", "note", "cannot", "keep", "allow"
UNDO, PREVIOUS, STOP, UNCLEAR = "undo", "previous", "stop", "unclear"
BEFORE, AT_START = "before", "at_start"
ORDER, CHANGE = "order", "change"
"""By guidelines: what is wanted, or is to be otherwise."""
DONE, TODO, WHY, ABILITIES = "done", "todo", "why", "abilities"
THE, ANY_OF, ALL_OF, THE_OTHER, IT, THEM = "the", "any_of", "all_of", "the_other", "it", "them"

ALWAYS: Mapping[str, Word] = {
    word.name: word
    for word in (
        Word("say(value)", "answer a question"),
        Word("ask(question, options=[])", "ask back, if it is not clear which of several is meant"),
        Word("note(text)", "remember what was told; nothing is to be done"),
        Word("cannot(reason)", "there is no such thing or skill here, or it must not be"),
        Word("keep(things)", "leave these things alone; alone in a program: from now on"),
        Word("allow(things)", "these may be touched again"),
        Word("undo(count=1)", "take back what was done last"),
        Word("previous()", "go on with what was under way before"),
        Word("stop(when='now')", "leave off; stop('after this') when the step at hand is over"),
        Word("unclear(why='')", "it cannot be understood"),
        Word("before(expression)", "the value that an expression had before the latest request"),
        Word("at_start(expression)", "the value that it had at the very beginning"),
        Word("done()", "what was done, as sentences"),
        Word("todo()", "what will be done next, as sentences"),
        Word("why()", "the reasons for what was done, or was not"),
        Word("abilities()", "what the robot can do, as sentences"),
        Word("the(words)", "the one that these words mean; it is asked which, if several could be meant"),
        Word("any_of(words, n=1)", "one of those that these words mean, whichever"),
        Word("all_of(words)", "all that these words mean"),
        Word("the_other(words)", "the one of them that was not spoken of last"),
        Word("it()", "what was spoken of last"),
        Word("them()", "all that was spoken of last"),
    )
}
"""The functions that every robot's language has, in the order in which they are explained."""
_LONGEST = 40
"""Statements of a program; who wants more wants to be asked again."""
_TAKEN = re.compile(r"(?m)^(\s*)(assert|break|continue|del|from|global|import|pass|raise|return|try|with|yield)\(")
"""Statements of Python that are verbs, too."""


def spelled(word: str, lexicon: Lexicon) -> str:
    """What one of our functions is called beside those of a robot: a robot's own names go first."""
    taken = {*lexicon.skills, *lexicon.relations, *lexicon.measures, *lexicon.named}
    return f"{word}_" if word in taken else word


@dataclass(frozen=True)
class Prepared:
    """A program as it is run: its lists given values, and what it asks about the past under names of its own."""

    code: str
    calls: frozenset[str]
    """The names of all functions that are called, as they were written."""
    offset: int
    """Lines that were put before it."""
    listed: frozenset[str] = frozenset()
    """The names that are written in a list, one by one: each of them was meant itself."""
    excepted: frozenset[str] = frozenset()
    """The names that something is not to be: `p != "fern"`."""


def prepare(program: str, lexicon: Lexicon) -> Prepared:
    """A program ready for the sandbox; CodeRefused where it is none."""
    tree = _parsed(program)
    if tree is None:
        return Prepared(program, frozenset(), 0)  # the sandbox says what is wrong with it, and where
    nodes = list(ast.walk(tree))
    if sum(isinstance(node, ast.stmt) for node in nodes) > _LONGEST:
        raise CodeRefused(
            f"The program has more than {_LONGEST} statements; write a shorter one.", program, "understanding"
        )
    read = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
    calls = frozenset(n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name))
    stored = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    past = {spelled(BEFORE, lexicon): BEFORE, spelled(AT_START, lexicon): AT_START}
    if calls & past.keys():
        program = ast.unparse(ast.fix_missing_locations(_Past(past, lexicon).visit(tree)))
    spelled_out = [each for n in nodes if isinstance(n, ast.List | ast.Tuple | ast.Set) for each in n.elts]
    listed = frozenset(n.value for n in spelled_out if isinstance(n, ast.Constant) and isinstance(n.value, str))
    excepted = frozenset(n.value for node in nodes for n in _excepted(node) if isinstance(n.value, str))
    lists = sorted(name for name in lexicon.named if name in read - stored)
    if not lists:
        return Prepared(program, calls, 0, listed, excepted)
    given = "; ".join(f"{name} = {name}()" for name in lists)
    return Prepared(f"{given}\n{program}", calls, 1, listed, excepted)


def _parsed(program: str) -> ast.Module | None:
    """A program as Python reads it; None for what it cannot read."""
    try:
        return ast.parse(program)
    except (SyntaxError, ValueError, RecursionError, MemoryError, SystemError):
        return None


@switchable()
def with_own_verbs(program: str, lexicon: Lexicon) -> str:
    """A program that calls skills by their names, where a verb stands for one: that with which its sentence begins.

    `raise("curtain")`, of a skill `hoist` that says "Raise the {curtain}.", is `hoist("curtain")`. What Python has
    taken (`raise`, `import`) is a verb all the same, and no statement: the robot can say that it has no such skill.
    """
    program = _TAKEN.sub(r"\1\2_(", program)
    verbs: dict[str, list[str]] = {}
    for name, signature in lexicon.skills.items():
        verbs.setdefault(signature.says.split(" ")[0].lower(), []).append(name)
    ours = [*ALWAYS, *([ORDER, CHANGE] if lexicon.guidelines else [])]
    known = {*lexicon.skills, *lexicon.relations, *lexicon.measures, *(spelled(each, lexicon) for each in ours)}
    tree = _parsed(program)
    calls = [n.value for n in ast.walk(tree) if isinstance(n, ast.Expr)] if tree is not None else []
    for call in calls:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id in known:
            continue
        named = verbs.get(call.func.id.strip("_"), [])
        if len(named) == 1 and len(lexicon.skills[named[0]].parameters) == len(call.args) + len(call.keywords):
            program = re.sub(rf"(?m)^(\s*){call.func.id}(?=\()", rf"\1{named[0]}", program)
    return program


def with_name(program: str, noun: str, thing: str) -> str:
    """A program in which a noun that several things share is one of them."""
    tree = _parsed(program)
    if tree is None:
        return program
    found = [n for n in ast.walk(tree) if isinstance(n, ast.Constant) and n.value == noun]
    for node in found:
        node.value = thing
    return ast.unparse(tree) if found else program


def _excepted(node: ast.AST) -> Iterator[ast.Constant]:
    """What a comparison leaves out: `!= "fern"`, `not in ["fern", "rose"]`."""
    match node:
        case ast.Compare(ops=[ast.NotEq()], comparators=[ast.Constant() as one]):
            yield one
        case ast.Compare(ops=[ast.NotIn()], comparators=[ast.List(elts) | ast.Tuple(elts) | ast.Set(elts)]):
            yield from (each for each in elts if isinstance(each, ast.Constant))


def then_name(name: str, when: str) -> str:
    """What a relation or a measure is called where it is asked about the past."""
    return f"{name}_{when}"


class _Past(ast.NodeTransformer):
    """Has what is asked inside `before(…)` and `at_start(…)` asked of the past."""

    def __init__(self, past: Mapping[str, str], lexicon: Lexicon) -> None:
        self._past, self._asked = past, {*lexicon.relations, *lexicon.measures}
        self._when = ""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name in self._past and len(node.args) == 1 and not node.keywords:
            outside, self._when = self._when, self._past[name]
            inside: ast.AST = self.visit(node.args[0])
            self._when = outside
            return inside
        self.generic_visit(node)
        if self._when and name in self._asked:
            node.func = ast.Name(then_name(name, self._when), ast.Load())
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if self._when and node.id in self._asked:  # as a key: sorted(blocks, key=height)
            return ast.Name(then_name(node.id, self._when), node.ctx)
        return node


def callable_of(signature: Signature, body: Callable[..., Any]) -> Callable[..., Any]:
    """A function of a robot as programs call it: with its own parameters, each of which may be given a list."""
    parameters = [
        inspect.Parameter(
            p.name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=inspect.Parameter.empty if p.default is None else p.default,
        )
        for p in signature.parameters
    ]
    names = [p.name for p in signature.parameters]

    def call(*given: Any, **named: Any) -> Any:
        return body(dict(zip(names, given, strict=False)) | named)

    call.__signature__ = inspect.Signature(_defaults_last(parameters))  # type: ignore[attr-defined]
    return call


def _defaults_last(parameters: Iterable[inspect.Parameter]) -> list[inspect.Parameter]:
    """Python's own rule holds for a robot's functions already; a default in the middle is dropped."""
    found: list[inspect.Parameter] = []
    for parameter in reversed([*parameters]):
        needed = found and found[0].default is inspect.Parameter.empty
        found.insert(0, parameter.replace(default=inspect.Parameter.empty) if needed else parameter)
    return found
