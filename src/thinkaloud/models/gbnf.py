"""Read GBNF, llama.cpp's grammar language: which texts a grammar accepts, what must come next, and what may.

    grammar = Grammar.parse('root ::= " pick up the " ("red" | "green") " block.\\n"\\n')
    grammar.accepts(" pick up the red block.\\n")     # True
    grammar.forced("")                               # " pick up the "
    grammar.forced(" pick up the r")                 # "ed block.\\n"
    grammar.residual(" pick up the red")             # 'root ::= " block.\\n"\\n'

A grammar is a set of states; each state is what may still follow. Rules are parsed and states are built when first
needed, and kept. A large grammar therefore costs little more than the path taken through it. Not supported: llama.cpp's
own tokens in a grammar (`<[1]>`), and left-recursive rules, which llama.cpp refuses too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache

from thinkaloud.models.gbnf_rules import (
    TOKEN,
    BadGrammar,
    Either,
    Letters,
    Literal,
    Named,
    Node,
    Repeated,
    Sequential,
    read,
)
from thinkaloud.models.grammar import literal

_DEEP = 10_000
"""If more pieces than this are expanded at one place of a text, a rule begins with itself."""


class _Rest:
    """A piece of the grammar and what comes after it. Each distinct pair exists once."""

    __slots__ = ("count", "node", "then")

    def __init__(self, node: Node, then: _Rest | None) -> None:
        self.node, self.then = node, then
        self.count: int = 1 + (then.count if then else 0)


_Head = tuple[Literal | Letters, int, _Rest | None]
"""What the next letter may belong to: a literal and how much of it has been read, or a class; and what comes after."""


class State:
    """A position in the texts of a grammar: everything that may still follow."""

    def __init__(self, grammar: Grammar, heads: Sequence[_Head], ends: bool) -> None:
        self.ends = ends
        """Whether the text may end here."""
        self._grammar, self._heads = grammar, heads
        self._classes = [head for head in heads if isinstance(head[0], Letters)]
        self._literals: dict[str, list[_Head]] = {}
        for head in heads:
            if isinstance(head[0], Literal):
                self._literals.setdefault(head[0].text[head[1]], []).append(head)
        self._after: dict[str, State | None] = {}
        self._allows: dict[str, bool] = {}

    @property
    def over(self) -> bool:
        """Nothing more can follow."""
        return not self._heads

    @property
    def letters(self) -> Collection[str] | None:
        """The letters that may follow; None if whole classes of letters may."""
        return None if self._classes else self._literals.keys()

    def allows(self, letter: str) -> bool:
        """Whether a letter may follow; cheaper than building the state after it."""
        if letter not in self._allows:
            held = any(node.holds(letter) for node, _, _ in self._classes)  # type: ignore[union-attr]
            self._allows[letter] = held or letter in self._literals
        return self._allows[letter]

    def after(self, text: str) -> State | None:
        """Return the state after some text; None if the grammar does not allow the text."""
        if len(text) == 1:
            return self._step(text)
        state: State | None = self
        at = 0
        while at < len(text) and state is not None:
            if (jump := state._whole()) is not None and text.startswith(jump[0], at):
                at, state = at + len(jump[0]), jump[1]
            else:
                at, state = at + 1, state._step(text[at])
        return state

    def forced(self) -> tuple[str, State]:
        """Return the text that must follow, up to the next choice or the end, and the state after it."""
        said: list[str] = []
        state = self
        while (jump := state._whole()) is not None:
            said.append(jump[0])
            state = jump[1]
        return "".join(said), state

    def residual(self) -> str:
        """Return the grammar of everything that may still follow."""
        return self._grammar.written(self._heads, self.ends)

    def _whole(self) -> tuple[str, State] | None:
        """Return some text that must follow, if a cheap check finds any, and the state after it."""
        if self.ends or self._classes or len(self._literals) != 1:
            return None
        letter, heads = next(iter(self._literals.items()))
        if len(heads) == 1:
            node, said, then = heads[0]
            assert isinstance(node, Literal)
            letter = node.text[said:]
        state = self._after.get(letter) or (self._grammar.state([], [then]) if len(heads) == 1 else self._step(letter))
        assert state is not None
        self._after[letter] = state
        return letter, state

    def _step(self, letter: str) -> State | None:
        if letter not in self._after:
            begun: list[_Head] = []
            done: list[_Rest | None] = [then for node, _, then in self._classes if node.holds(letter)]  # type: ignore[union-attr]
            for node, said, then in self._literals.get(letter, ()):
                if said + 1 < len(node.text):  # type: ignore[union-attr]
                    begun.append((node, said + 1, then))
                else:
                    done.append(then)
            self._after[letter] = self._grammar.state(begun, done) if begun or done else None
        return self._after[letter]


class Grammar:
    """A parsed grammar."""

    def __init__(self, bodies: dict[str, list[str]]) -> None:
        self._bodies = bodies
        self._rules: dict[str, Node] = {}
        self._rests: dict[tuple[Node, _Rest | None], _Rest] = {}
        self._fewer: dict[Repeated, Repeated] = {}
        self._states: dict[tuple[frozenset[_Head], bool], State] = {}
        self._start: State | None = None

    @classmethod
    def parse(cls, text: str) -> Grammar:
        """Parse GBNF; rules other than the root are parsed when they are needed."""
        tokens = [token for token in TOKEN.findall(text) if token[0] != "#"]
        starts = [at - 1 for at, token in enumerate(tokens) if token == "::="]
        if not starts or starts[0] != 0:
            raise BadGrammar("a grammar must consist of rules, for example: root ::= …")
        ends = [*starts[1:], len(tokens)]
        grammar = cls({tokens[start]: tokens[start + 2 : end] for start, end in zip(starts, ends, strict=True)})
        if any("root" in body for body in grammar._bodies.values()):
            raise BadGrammar("a rule of the grammar uses the root")  # `residual` could not be written then
        grammar.rule("root")
        return grammar

    @property
    def start(self) -> State:
        """The state before any text."""
        if self._start is None:
            self._start = self.state([], [self._rest(self.rule("root"), None)])
        return self._start

    def accepts(self, text: str) -> bool:
        """Whether the grammar accepts this whole text."""
        state = self.start.after(text)
        return state is not None and state.ends

    def forced(self, prefix: str) -> str:
        """Return the text that must follow a prefix, up to the next choice or the end."""
        return self._after(prefix).forced()[0]

    def residual(self, prefix: str) -> str:
        """Return the grammar of what may follow a prefix."""
        return self._after(prefix).residual()

    def _after(self, prefix: str) -> State:
        state = self.start.after(prefix)
        if state is None:
            raise ValueError(f"the grammar has no text that begins with {prefix!r}")
        return state

    def rule(self, name: str) -> Node:
        """Return the parsed body of a rule."""
        if name not in self._rules:
            if name not in self._bodies:
                raise BadGrammar(f"the grammar has no rule {name!r}")
            self._rules[name] = read(self._bodies[name])
        return self._rules[name]

    def state(self, begun: Iterable[_Head], rests: Iterable[_Rest | None]) -> State:
        """Return the state with these partly read literals, from which these pieces may also follow."""
        heads, ends = dict.fromkeys(begun), False
        waiting, seen = list(rests)[::-1], set[_Rest]()
        limit = _DEEP + max((rest.count for rest in waiting if rest), default=0)
        while waiting:
            rest = waiting.pop()
            if rest is None:
                ends = True
                continue
            if rest in seen:
                continue
            seen.add(rest)
            if rest.count > limit:
                raise BadGrammar("a rule of the grammar begins with itself")
            node, then = rest.node, rest.then
            match node:
                case Literal():
                    if node.text:
                        heads[node, 0, then] = None
                    else:
                        waiting.append(then)
                case Letters():
                    heads[node, 0, then] = None
                case Named():
                    waiting.append(self._rest(self.rule(node.name), then))
                case Sequential():
                    for item in reversed(node.items):
                        then = self._rest(item, then)
                    waiting.append(then)
                case Either():
                    waiting.extend(self._rest(option, then) for option in reversed(node.options))
                case Repeated():
                    waiting.extend(self._repeat(node, then))
        key = (frozenset(heads), ends)
        if key not in self._states:
            self._states[key] = State(self, list(heads), ends)
        return self._states[key]

    def _rest(self, node: Node, then: _Rest | None) -> _Rest:
        found = self._rests.get((node, then))
        if found is None:
            found = self._rests[node, then] = _Rest(node, then)
        return found

    def _repeat(self, node: Repeated, then: _Rest | None) -> list[_Rest | None]:
        if node.most == 0:
            return [then]
        fewer = self._fewer.get(node)
        if fewer is None:
            if node.least == 0 and node.most is None:
                fewer = node
            else:
                fewer = Repeated(node.item, max(0, node.least - 1), None if node.most is None else node.most - 1)
            self._fewer[node] = fewer
        more = self._rest(node.item, then if fewer.most == 0 else self._rest(fewer, then))
        return [more] if node.least else [then, more]

    def written(self, heads: Sequence[_Head], ends: bool) -> str:
        """Return GBNF for these heads and what follows each; with `ends`, the text may also end here."""
        groups: dict[_Rest | None, list[str]] = {}
        for node, said, then in heads:
            groups.setdefault(then, []).append(
                literal(node.text[said:]) if isinstance(node, Literal) else node.source()
            )
        coming: dict[_Rest, int] = {}
        for rest in groups:
            while rest is not None:
                coming[rest] = coming.get(rest, 0) + 1
                if coming[rest] > 1:
                    break
                rest = rest.then
        rules: dict[str, str] = {}

        def run(rest: _Rest | None) -> str:
            """Return the sequence that follows from here; where several paths meet, a new rule begins."""
            items: list[str] = []
            while rest is not None:
                if coming[rest] > 1:
                    name = names.get(rest)
                    if name is None:
                        name = names[rest] = self._new_name(len(names))
                        rules[name] = f"{rest.node.source()} {run(rest.then)}"
                    return " ".join([*items, name])
                items.append(rest.node.source())
                rest = rest.then
            return " ".join(items)

        names: dict[_Rest, str] = {}
        options = [
            f"({' | '.join(begun)}) {run(then)}" if begun[1:] else f"{begun[0]} {run(then)}"
            for then, begun in groups.items()
        ]
        root = " | ".join(options)
        if ends or not options:
            root = f"({root})?" if options else '""'
        rules = {"root": root, **rules}
        wanted = [word for body in rules.values() for word in _names_in(body)]
        while wanted:
            name = wanted.pop()
            if name not in rules:
                rules[name] = " ".join(self._bodies[name])
                wanted.extend(_names_in(rules[name]))
        return "".join(f"{name} ::= {body.strip()}\n" for name, body in rules.items())

    def _new_name(self, number: int) -> str:
        name = f"then-{number}"
        while name in self._bodies:
            name += "x"
        return name


def _names_in(body: str) -> list[str]:
    return [token for token in TOKEN.findall(body) if token[0].isalnum() or token[0] == "-"]


@lru_cache(64)
def read_grammar(text: str) -> Grammar:
    """Parse a grammar; each text is parsed once and cached."""
    return Grammar.parse(text)


def accepts(grammar: str, text: str) -> bool:
    """Whether a grammar accepts a text."""
    return read_grammar(grammar).accepts(text)
