"""A request beside the program that it was read as: what signs of doubt and checks look at, worked out once."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import resources

from thinkaloud.language.words import singular, stem, words_of
from thinkaloud.records import Meaning
from thinkaloud.understand.language import CHANGE, ORDER
from thinkaloud.understand.lexicon import Lexicon

_LISTS = tomllib.loads(resources.files(__package__).joinpath("doubts.toml").read_text(encoding="utf-8"))
WORD_SORTS = {name: frozenset(words.split()) for name, words in _LISTS.items()}
"""Words by what they do in a sentence, whatever it is about: see the file."""


@dataclass(frozen=True)
class Said:
    """A request beside the program that it was read as, and what that comes to."""

    request: str
    lexicon: Lexicon
    meaning: Meaning
    earlier: Sequence[str] = ()
    """What was said before in this conversation, and the programs that it meant."""

    @property
    def acts(self) -> bool:
        """Whether something is done."""
        return self.meaning.sort == "deeds"

    @cached_property
    def spoken(self) -> list[str]:
        """The words of the request, `don't` as one."""
        return re.findall(r"[^\W_]+(?:['’][^\W\d_]+)?", self.request.lower().replace("’", "'"))

    @cached_property
    def guided(self) -> list[str]:
        """The guidelines for what the request names."""
        own = roots_of(self.request) - WORD_SORTS["small"]
        return [line for line in self.lexicon.guidelines if own & roots_of(line.partition(":")[0])]

    @cached_property
    def roots(self) -> set[str]:
        """The stems of all words of the request, and of the guidelines for what it names."""
        return roots_of(self.request) | roots_of(" ".join(self.guided))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """The program, as far as it can be read."""
        try:
            return list(ast.walk(ast.parse(self.meaning.program)))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return []

    @cached_property
    def literals(self) -> list[str]:
        """The texts that are written out in the program."""
        return [n.value for n in self.nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)]

    @cached_property
    def called(self) -> set[str]:
        """The functions that it calls."""
        return {n.func.id for n in self.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}

    @cached_property
    def ordered(self) -> bool:
        """Whether it is an order by guidelines: what it takes to do that nobody has to say."""
        return bool({ORDER, CHANGE} & {name.strip("_") for name in self.called})

    @cached_property
    def touched(self) -> list[str]:
        """The things that something is done with; of an order, what was ordered."""
        return [re.sub(r"^(\d+|all) ", "", text) for text in self.literals] if self.ordered else self.handled

    @cached_property
    def handled(self) -> list[str]:
        """The things that the deeds are done with."""
        things = {*self.lexicon.things}
        given = (value for step in self.meaning.deeds for value in step.arguments.values())
        return [value for value in dict.fromkeys(given) if isinstance(value, str) and value in things]

    def has(self, kind: str) -> bool:
        """Whether one of the words of a kind is spoken."""
        return not WORD_SORTS[kind].isdisjoint(self.spoken)

    def uses(self, *kinds: type[ast.AST]) -> bool:
        """Whether there is such a thing in the program."""
        return any(isinstance(node, kinds) for node in self.nodes)


def is_foreign(said: Said) -> bool:
    """Whether a request is in another language than English."""
    return is_in_other_language(said.request)


def is_in_other_language(request: str) -> bool:
    """The same, of the words alone: by the small ones among them, or by their writing."""
    if sum(ord(letter) > 0x2E7F for letter in request) > 1:
        return True
    words = re.findall(r"[^\W\d_]+(?:['’](?=[^\W\d_]))?", request.lower().replace("’", "'"))
    other = sum(word in WORD_SORTS["foreign"] for word in words)
    own = sum(
        word in WORD_SORTS["small"] or word in WORD_SORTS["asking"] or word in WORD_SORTS["doing"] for word in words
    )
    return other > own


def roots_of(text: str) -> set[str]:
    """The stems of all words of a text, those of names in programs as well."""
    words = words_of(text.replace("_", " "))
    return {stem(word) for word in words} | {stem(singular(word)) for word in words if word.endswith("ves")}
