"""Older texts of the corpus choose what a person left open: a writer is to keep the description, and code chooses.

with_pronouns('open("left vent")', "open it", ("left vent",), lexicon)     # 'open(it())'
with_any_of('open(vents[:1])', lexicon)                                    # 'open(any_of(vents))'
chooses('open("left vent")', "some air, please", lexicon)                  # True: nothing says which
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence
from dataclasses import replace

from thinkaloud.errors import ThinkaloudError
from thinkaloud.language.words import stems
from thinkaloud.program import tree
from thinkaloud.program.lexicon import Lexicon
from thinkaloud.program.parsing import parse_program, read_program
from thinkaloud.program.words import IT, spelled
from thinkaloud.understand.prompting.prompt import SO
from training.samples import Sample

_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')
_ASKS_WHICH = re.compile(r'\bask\("[^"]*", ')
_PRONOUN = re.compile(r"\b(?:it|him|her|this|that|he|she|one)\b", re.IGNORECASE)


def with_pronouns(program: str, words: str, spoken: Sequence[str], lexicon: Lexicon) -> str:
    """The program with `it()` for what a pronoun means and nothing else says; only where it can mean nothing else."""
    if not spoken or not _PRONOUN.search(words):
        return program
    try:
        tree = ast.parse(program)
    except SyntaxError:
        return program
    functions, changed = lexicon.functions, False
    for call in ast.walk(tree):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name) or call.func.id not in functions:
            continue
        for place, (given, parameter) in enumerate(zip(call.args, functions[call.func.id].parameters, strict=False)):
            options = lexicon.named.get(lexicon.list_of(parameter) or "", ())
            if not isinstance(given, ast.Constant) or [each for each in spoken if each in options] != [given.value]:
                continue
            if not stems(str(given.value)) & stems(words):
                call.args[place] = ast.Call(ast.Name(spelled(IT, lexicon), ast.Load()), [], [])
                changed = True
    return ast.unparse(ast.fix_missing_locations(tree)) if changed else program


def has_descriptions(program: str, lexicon: Lexicon) -> bool:
    """Whether a program refers to anything by a description."""
    read = read_program(program, lexicon)
    return read is not None and any(isinstance(node, tree.Describe) for node in read.nodes)


def with_any_of(program: str, lexicon: Lexicon) -> str:
    """The program with `any_of(vents)` for `vents[:1]`: the first of a list is whichever."""
    if "[:" not in program:
        return program
    try:
        parsed = parse_program(program, lexicon)
    except ThinkaloudError:
        return program

    def change(node: object) -> object:
        if isinstance(node, tree.Do):
            return replace(node, call=tree.changed(node.call, _any_of))
        return node

    return str(parsed.changed(change))


def _any_of(node: object) -> object:
    match node:
        case tree.Part(of=tree.Things() | tree.Each() as among, start=None, end=tree.Number(int(count))) if count > 0:
            return tree.Describe("any_of", among=(among,), count=count)
    return node


def chooses(program: str, said: str, lexicon: Lexicon) -> bool:
    """Whether a program names a thing of which no word was said, or asks which of several: both are for code to do."""
    try:
        parsed = parse_program(program, lexicon)
    except ThinkaloudError:
        return False
    spoken = stems(said)
    named = [text for text in parsed.texts() if text in lexicon.things]
    asks = any(isinstance(node, tree.Ask) and node.options != tree.Row(()) for node in parsed.nodes)
    return asks or any(not stems(name) & spoken for name in named)


def without_choices(sample: Sample) -> Sample | None:
    """A sample of our own worlds in which no choice is learnt; None where nothing else was in it."""
    head = [line for line in sample.parts[0][0].splitlines() if " = [" in line]
    things = {name for line in head for name in _QUOTED.findall(line)}
    said, unlearnt = set[str](), ""
    parts: list[tuple[str, str]] = []
    for prompt, answer in sample.parts:
        lines = prompt.splitlines()
        said |= stems(" ".join(line for line in lines if line.startswith('# "')))
        judged = "\n".join(line for line in lines if not line.startswith("#")) if prompt.endswith(SO) else ""
        named = [name for name in _QUOTED.findall(judged or answer) if name in things]
        if _ASKS_WHICH.search(judged or answer) or any(not stems(name) & said for name in named):
            unlearnt += prompt + answer
            continue
        parts.append((unlearnt + prompt, answer))
        unlearnt = ""
    return replace(sample, parts=tuple(parts)) if parts else None
