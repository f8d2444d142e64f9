"""The judge: how likely a reading is what was said, by a model that was trained for this question alone.

    # "A hot drink for Leni." pour(any_of("hot drink"), "Leni") = mountain tea
    # "and the other one for Paolo"
    # drinks: hot cider, mountain tea, cold beer
    # guests: Paolo, Leni
    # other skills: serve, carry
    pour(the_other("hot drink"), "Paolo")
    # I will pour hot cider for Paolo.
    # so?

The writer reads the whole robot. The judge reads only this: what was said last and just before, the reading as a
program, what it comes to in plain words, and the names that might have been meant instead. What all readings of a
request share stands first, so that a model's cache keeps it. The judge answers yes or no; the odds of yes count.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from thinkaloud.errors import ContextOverflow, ModelRefused
from thinkaloud.language.words import stems
from thinkaloud.models.contract import Model, Token, complete_weighed
from thinkaloud.program.lexicon import THINGS, Lexicon
from thinkaloud.program.parsing import read_program
from thinkaloud.program.tree import Call, Describe, Function, Node, Text, Things, walk_by_level
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.prompting.prompt import NO, SO, YES, PastTurn
from thinkaloud.untrusted.text import one_line, quoted

_MOST_TURNS = 2
_MOST_NAMES = 12
_FEWEST_NAMES = 3
"""Names of each list that are shown even if there are many lists."""
_MOST_LISTS = 4
_MOST_SKILLS = 5
_MOST_FUNCTIONS = 3
_LONGEST_NAME, _LONGEST_ABOUT, _LONGEST_TURN, _LONGEST_PROGRAM, _LONGEST_WORDS = 40, 60, 120, 500, 300
"""Letters of a name, of what a function is about, of an earlier turn, of the program, and of what it comes to."""


@dataclass(frozen=True)
class Judge:
    """A model that judges the readings of one request."""

    model: Model
    request: str
    lexicon: Lexicon
    tell: Callable[[str], str | None]
    """What a program comes to, in plain words; None if it cannot be run."""
    earlier: Sequence[PastTurn] = ()
    """What was said before, the latest last."""

    async def judge(self, program: str) -> float | None:
        """How likely a program is what was said, from 0 to 1; None if it cannot be run or the model does not tell."""
        words = self.tell(program)
        if words is None:
            return None
        prompt = render_judgement(self.request, self.lexicon, self.earlier, program, words)
        try:
            answer = await complete_weighed(self.model, prompt, stop=("\n",), most=1)
        except (ContextOverflow, ModelRefused):  # nothing can be said of this reading; the model itself is there
            return None
        return odds_of_yes(answer.tokens)


def odds_of_yes(tokens: Sequence[Token]) -> float | None:
    """How likely yes is beside no in the first token of an answer; None if it is neither."""
    told = {text.strip(): likelihood for token in tokens[:1] for text, likelihood in token.others}
    told |= {token.text.strip(): token.likelihood for token in tokens[:1]}
    yes, no = told.get(YES.strip(), 0.0), told.get(NO.strip(), 0.0)
    return yes / (yes + no) if yes + no > 0 else None


# The prompt -----------------------------------------------------------------------------------------------------------


def render_judgement(request: str, lexicon: Lexicon, earlier: Sequence[PastTurn], program: str, words: str) -> str:
    """The question whether a program, which comes to these words, is what was said."""
    read = read_program(program, lexicon)
    nodes = [] if read is None else [*walk_by_level(read.statements)]
    text = program if read is None or "'" not in program else str(read)
    lines = [*map(_render_turn, earlier[-_MOST_TURNS:]), f"# {quoted(request)}"]
    lines += _render_lists(nodes, lexicon, request, words)
    lines += _render_functions(nodes, lexicon)
    lines += _render_skills(nodes, lexicon)
    lines += [text if len(text) <= _LONGEST_PROGRAM else text[:_LONGEST_PROGRAM] + "…"]
    lines += [f"# {one_line(words, _LONGEST_WORDS)}", SO]
    return "\n".join(lines)


def _render_turn(turn: PastTurn) -> str:
    programs = turn.offered or (turn.program,)
    meant = " or ".join("; ".join(each.split("\n")) for each in programs)
    came = " (asked)" if turn.offered else f" ({one_line(turn.came, _LONGEST_NAME)})" if turn.came else ""
    things = f" = {', '.join(one_line(each, _LONGEST_NAME) for each in turn.meant[:4])}" if turn.meant else ""
    return f"# {quoted(turn.request, _LONGEST_TURN)} {one_line(meant, _LONGEST_TURN)}{things}{came}"


def _render_lists(nodes: Sequence[Node], lexicon: Lexicon, request: str, words: str) -> Iterator[str]:
    """The lists that a reading takes its things from: first those in it, then those that the request may name."""
    lists = find_lists(nodes, lexicon)
    named, said, told = _texts(nodes), stems(request), words.lower()

    def order(name: str) -> tuple[bool, bool]:
        return name not in named and name.lower() not in told, not stems(name) & said

    most = max(_FEWEST_NAMES, _MOST_NAMES // max(1, len(lists)))
    for title, names in lists.items():
        shown = [one_line(each, _LONGEST_NAME) for each in sorted(names, key=order)[:most]]
        more = ["..."] if len(names) > most else []
        yield f"# {title}: {', '.join([*shown, *more])}"


def find_lists(nodes: Sequence[Node], lexicon: Lexicon) -> dict[str, Sequence[str]]:
    """The lists, and the choices of parameters, that a program takes its things from, in its order."""
    found: dict[str, Sequence[str]] = {}
    for node in nodes:
        match node:
            case Things(name) if name != THINGS:
                found[name] = lexicon.named[name]
            case Call(name, given=given, named=named) if name in lexicon.functions:
                for parameter in lexicon.functions[name].parameters[: len(given) + len(named)]:
                    found |= _options(parameter, lexicon)
    listed = {name for names in found.values() for name in names}
    for text in _texts(nodes):
        if text in lexicon.things and text not in listed:
            found |= next(({k: v} for k, v in lexicon.kinds.items() if text in v and k != THINGS), {})
    return dict([(title, names) for title, names in found.items() if names][:_MOST_LISTS])


def _options(parameter: Parameter, lexicon: Lexicon) -> dict[str, Sequence[str]]:
    if parameter.choices is not None:
        return {parameter.name: [str(each) for each in parameter.choices]}
    title = lexicon.list_of(parameter)
    return {} if title is None or title == THINGS else {title: lexicon.named.get(title, ())}


def _render_functions(nodes: Sequence[Node], lexicon: Lexicon) -> list[str]:
    """What the functions of a program are about, where what it comes to does not tell that."""
    known: dict[str, Signature] = {**lexicon.relations, **lexicon.measures}
    known |= {name: each for name, each in lexicon.skills.items() if each.says.startswith(f"{name}(")}
    about = {name: re.sub(r"\{(\w+)\}", r"\1", each.says) for name, each in known.items()}
    about = {name: known[name].about if says.startswith(f"{name}(") else says for name, says in about.items()}
    called = [name for name in _names(nodes) if name in about][:_MOST_FUNCTIONS]
    return [f"# {name}: {one_line(about[name].split(chr(10))[0], _LONGEST_ABOUT)}" for name in called]


def _names(nodes: Sequence[Node]) -> list[str]:
    """The functions of a program."""
    return list(dict.fromkeys(node.name for node in nodes if isinstance(node, Call | Function)))


def _render_skills(nodes: Sequence[Node], lexicon: Lexicon) -> list[str]:
    """What else the robot can do, first what it does with things of the same kinds."""
    called = _names(nodes)
    lists = {*find_lists(nodes, lexicon)}

    def is_apart(name: str) -> bool:
        return not lists & {lexicon.list_of(each) for each in lexicon.skills[name].parameters}

    others = sorted((name for name in lexicon.skills if name not in called), key=is_apart)
    return [f"# other skills: {', '.join(others[:_MOST_SKILLS])}"] if others else []


def _texts(nodes: Sequence[Node]) -> list[str]:
    texts = [
        node.value if isinstance(node, Text) else node.words if isinstance(node, Describe) else "" for node in nodes
    ]
    return [each for each in texts if each]
