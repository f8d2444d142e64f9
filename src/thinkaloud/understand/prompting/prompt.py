"""The prompt: what a model is shown so that it writes what a person means as a program; up to where that begins.

One language, two forms. A model that was trained for it gets the robot and the request, as short as can be. Any other
gets an explanation and examples first, of other robots than the one at hand, so that no example is taken for an order.

What stays the same stands first (a model's cache keeps it), what changes last: explanation, examples, the robot, what
it was told, what was said before, the request. What is so just now is not shown: the model translates, code looks up.
Names, notes and people's words are untrusted: each stands in quotes, on one line, so that none of them can pass for a
line of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from thinkaloud.language.words import plural, stems
from thinkaloud.program.lexicon import THINGS, Lexicon, identifier
from thinkaloud.program.words import ALWAYS, CHANGE, ORDER, spelled
from thinkaloud.skills.signatures import Parameter, Signature
from thinkaloud.understand.prompting.examples import Example, load_examples
from thinkaloud.untrusted.text import one_line, quoted

STOPS = ("\n\n", "\n#")
"""Where a program is over, for a model that is held to no grammar."""
YES, NO = " yes", " no"
"""What a judge may answer."""
SO = "# so?"
"""The question whether a reading is what was said."""
ASKED = "asked"
"""What came of something that was said where the robot asked back: nothing was done."""
_MOST_EXAMPLES = 3
_MOST_NAMES = 80
"""Names of one list that are shown; the others stay sayable."""
_MOST_THINGS = 250
"""The same for the list of everything."""
_MOST_FACTS = 60
_LONGEST = 300
"""Letters of one piece of people's words."""
_LONGEST_RULE = 600
"""The same for what is written down about the place and its tasks."""


_ORDERING = {
    ORDER: "(wanted, ..., no = []): \"Make or do this: an option, material, '2 hat'; without what is in no.\"",
    CHANGE: '(wanted, ..., no = [], exactly = []): "What was ordered last, with this, without that, or so many."',
}
"""How orders are written where there are guidelines."""


@dataclass(frozen=True, slots=True)
class PastTurn:
    """What was said before, the program that it meant, and what came of that, in a word or two: `failed`, `asked`."""

    request: str
    program: str
    came: str = ""
    offered: tuple[str, ...] = ()
    """The programs that a person was asked about in place of it: nothing was done."""
    meant: tuple[str, ...] = ()
    """The things that its descriptions came to."""


def render_prompt(lexicon: Lexicon, conversation: Sequence[PastTurn], request: str, *, explained: bool) -> str:
    """The prompt for a request, up to where its program begins."""
    return render_beginning(lexicon, explained=explained) + render_turns(conversation) + f"# {quoted(request)}\n"


def render_beginning(lexicon: Lexicon, *, explained: bool) -> str:
    """What a prompt begins with, whatever is said: the robot, and first what has to be explained to some models."""
    if not explained:
        return render_robot(lexicon, short=True)
    return _introduction(frozenset(words_of(lexicon))) + render_robot(lexicon, short=False)


def render_knowledge(prompt: str, program: str, words: str) -> str:
    """The prompt for what a model knows: which of the things here these words of the program may name."""
    return f"{prompt}{program}\n# which {quoted(words)}?"


def render_trouble(prompt: str, program: str, trouble: str) -> str:
    """The prompt for one call that may help where the program for what was said last ran into trouble."""
    return f"{prompt}{program}\n# failed: {quoted(trouble)}\n# next:"


# The explanation and the examples -------------------------------------------------------------------------------------


@cache
def _explanation() -> str:
    return resources.files(__package__).joinpath("explanation.txt").read_text(encoding="utf-8")


@cache
def _introduction(taken: frozenset[str]) -> str:
    """The explanation, and examples that have none of these words for their lists and skills."""
    parts = [_explanation()]
    for example in choose_examples(taken):
        robot = render_robot(example.lexicon, short=False)
        parts.append(robot + render_turns([PastTurn(*turn) for turn in example.turns]))
    return "\n".join(parts) + "\n"


def choose_examples(taken: frozenset[str]) -> list[Example]:
    """The examples least like a robot with these names for its lists and skills; in the order of their file."""
    examples = load_examples()
    shared = [len(taken.intersection(words_of(example.lexicon))) for example in examples]
    apart = sorted(range(len(examples)), key=lambda place: (shared[place], -place))[:_MOST_EXAMPLES]
    chosen = [place for place in apart if not shared[place]] or apart[:2]
    return [examples[place] for place in sorted(chosen)]


def words_of(lexicon: Lexicon) -> Iterable[str]:
    """The names of a robot's lists and skills."""
    yield from (name for name in lexicon.kinds if name != THINGS)
    yield from lexicon.skills


# The robot ------------------------------------------------------------------------------------------------------------


def render_robot(lexicon: Lexicon, *, short: bool) -> str:
    """The robot: its lists, its functions, and what it was told; `short`: without what it is for."""
    lines = [f"# robot: {quoted(lexicon.about)}" if lexicon.about and not short else "# robot"]
    listed = {name for kind, names in lexicon.kinds.items() if kind != THINGS for name in names}
    for kinds, names in _lists(lexicon):
        more = [...] if lexicon.partial.intersection(kinds) else []
        lines.append(f"{' = '.join(kinds)} = [{_names([*names, *more])}]")
    alone = [name for name in lexicon.things if name not in listed]
    if alone:
        more = [...] if listed else []
        lines.append(f"{THINGS} = [{_names([*alone, *more], _MOST_THINGS)}]")
    for signatures, gives in ((lexicon.skills, ""), (lexicon.relations, " -> bool"), (lexicon.measures, " -> value")):
        for signature in signatures.values():
            head = f"{render_head(signature, lexicon)}{f' -> {signature.unit}' if signature.unit else gives}"
            lines.append(f"def {head}: {quoted(_about(signature, deed=not gives), 120)}")
    if renamed := [word for word in ALWAYS if spelled(word, lexicon) != word]:
        lines.append("# here " + ", ".join(f"our {word}(...) is {spelled(word, lexicon)}(...)" for word in renamed))
    if lexicon.rules:
        lines.append(f"# rules: {quoted(lexicon.rules, _LONGEST_RULE)}")
    if lexicon.guidelines:
        lines += [f"def {spelled(word, lexicon)}{about}" for word, about in _ORDERING.items()]
        lines += ["# what can be ordered:", *(f"# {quoted(each, _LONGEST_RULE)}" for each in lexicon.guidelines)]
    if facts := _facts(lexicon):
        lines.append(f"# now: {', '.join(facts)}")
    if lexicon.notes:
        lines.append(f"# told: {', '.join(map(quoted, lexicon.notes))}")
    if lexicon.kept:
        lines.append(f"# kept: {', '.join(map(quoted, lexicon.kept))}")
    return "\n".join(lines) + "\n"


def _lists(lexicon: Lexicon) -> Iterable[tuple[list[str], tuple[str, ...]]]:
    """The lists, each with all names that it has: where everything that can be moved is a block, that is said once."""
    same: dict[tuple[frozenset[str], bool], list[str]] = {}
    for kind, names in lexicon.kinds.items():
        if kind != THINGS:
            same.setdefault((frozenset(names), kind in lexicon.partial), []).append(kind)
    for kinds in same.values():
        yield kinds, lexicon.kinds[kinds[0]]


def render_head(signature: Signature, lexicon: Lexicon) -> str:
    """How a function is called: `switch(lamp, state: "on" | "off")`; a list is named where the parameter is not."""
    return f"{signature.name}({', '.join(_parameter(p, lexicon) for p in signature.parameters)})"


def _parameter(parameter: Parameter, lexicon: Lexicon) -> str:
    kind = lexicon.list_of(parameter)
    text = parameter.name
    if parameter.choices is not None:
        text += ": " + " | ".join(quoted(each) if parameter.type is str else each for each in parameter.choices)
    elif kind is not None:
        text += "" if kind == identifier(plural(parameter.name)) else f": {kind}"
    elif parameter.type is bool:
        text += ": bool"
    else:
        unit = f" {parameter.amount.unit}" if parameter.amount is not None and parameter.amount.unit else ""
        text += ": text" if parameter.type is str else f": number{unit}"
    return text if parameter.default is None else f"{text} = {parameter.default!r}"


def _about(signature: Signature, *, deed: bool) -> str:
    """What a function is for: what its documentation says; its sentence, too, where that tells what is what of two."""
    about = one_line(signature.about.split("\n\n")[0], _LONGEST)
    sentence = re.sub(r"\{(\w+)\}", r"\1", signature.says)
    if signature.says.startswith(f"{signature.name}(") or (deed and len(signature.parameters) < 2):
        return about
    new = stems(about) - stems(sentence) - {"whether"}
    return f"{sentence.rstrip('.')}. {about}" if new else sentence


def _names(names: Sequence[object], most: int = _MOST_NAMES) -> str:
    shown = [quoted(name, 80) if isinstance(name, str) else "..." for name in names[:most]]
    return ", ".join([*shown, "..."] if len(names) > most else shown)


def _facts(lexicon: Lexicon) -> list[str]:
    """What a model has to know to find its words: values that are words (`colour("ball") == 'red'`), and no others.

    What is true of which thing is for code to look up: a model that sees it names the things that it takes to be meant,
    and is wrong more often. Left out, the robot also stays the same text, which the cache keeps, whatever is done.
    """
    worded = [" ".join(fact.split()) for fact in lexicon.facts if re.search(r"== ['\"].*['\"]$", fact)]
    return [*worded[:_MOST_FACTS], "..."] if len(worded) > _MOST_FACTS else worded


# What was said --------------------------------------------------------------------------------------------------------


def render_turns(turns: Iterable[PastTurn]) -> str:
    """What was said, each with what it meant and what came of it."""
    return "\n" + "".join(_render_turn(turn) for turn in turns)


def _render_turn(turn: PastTurn) -> str:
    programs = "\n# or\n".join(_without_remarks(each) for each in turn.offered or (turn.program,))
    came = ASKED if turn.offered else one_line(turn.came, _LONGEST)
    said = "\n".join([f"# {quoted(turn.request)}", programs, *([f"# -> {came}"] if came else [])]) + "\n\n"
    return said + (f"# that was {', '.join(map(quoted, turn.meant))}\n" if turn.meant else "")


def _without_remarks(program: str) -> str:
    return "\n".join(line for line in program.splitlines() if line.strip() and not line.startswith("#"))
