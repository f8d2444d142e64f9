"""What a model reads before the situation at hand: a file of the package, or a user's file with prompts of their own.

    --- planner for object+scene ---
    Scene: There is a cyan, yellow, red block, and a brown bowl.
    …
    --- executor ---
    …

A line between dashes begins a part. A part with words after `for` is shown only if all of them hold: the value of an
option, or a skill of the robot. Parts of the same name are joined. A file without such lines is one part, and stands
for whichever part comes first in this run; so a paper's listing works as it is printed. `<names>` stand for what only
the run knows; those that nothing stands for stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path

from thinkaloud.errors import BadInput
from thinkaloud.models.contract import is_trained

PROMPTS_OPTION = "prompts"
"""The option of a preset that names a file."""
_SHIPPED = "prompts.txt"
_HEADING = re.compile(r"--- ([a-z0-9 ]+?)(?: for ([^\n]+?))? ---")
_LARGEST = 1_000_000


@dataclass(frozen=True)
class _Part:
    name: str
    words: frozenset[str]
    text: str


@dataclass(frozen=True)
class PromptForm:
    """The parts that a preset reads, as in the file of its package.

    `needs` are the placeholders without which a part cannot be used, and `together` are parts of one conversation: a
    file that gives the first one has to give the others.
    """

    package: str
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    together: tuple[str, ...] = ()

    def open(self, file: str = "", only: str = "planner", words: Collection[str] | None = None) -> Prompts:
        """Return the prompts of a file, or the package's own; a file without headings is the part `only`.

        With `words`, the file has to hold that part for these words.
        """
        shipped = _shipped(self.package)
        if not file:
            return Prompts(shipped)
        text = _read(file)
        parts = _split(text) if _begins(text) else (_Part(only, frozenset(), _ended(text)),)
        self._check(parts, shipped, file)
        prompts = Prompts(shipped, parts, file)
        if words is not None:
            prompts.text(only, words)
        return prompts

    def _check(self, parts: tuple[_Part, ...], shipped: tuple[_Part, ...], file: str) -> None:
        """Raise an error that names the part or the placeholder that is wrong or missing."""
        known, found = dict.fromkeys(part.name for part in shipped), {part.name for part in parts}
        for part in parts:
            if part.name not in known:
                raise BadInput(f"{file}: {part.name!r} is no part of these prompts. The parts are: {', '.join(known)}.")
            if not part.text.strip():
                raise BadInput(f"{file}: the part {part.name!r} is empty.")
        for name in sorted(found):
            text = "".join(part.text for part in parts if part.name == name)
            for placeholder in self.needs.get(name, ()):
                if f"<{placeholder}>" not in text:
                    raise BadInput(f"{file}: the part {name!r} lacks the placeholder <{placeholder}>.")
        if self.together and self.together[0] in found:
            for name in self.together:
                if name not in found:
                    raise BadInput(f"{file}: the part {name!r} is missing (a line '--- {name} ---', then its text).")


@dataclass(frozen=True)
class Prompts:
    """The parts of a preset's prompts: the package's own, and those of a user's file in their place."""

    shipped: tuple[_Part, ...]
    given: tuple[_Part, ...] = ()
    file: str = ""

    def is_given(self, name: str) -> bool:
        """Whether the user's file has this part."""
        return any(part.name == name for part in self.given)

    def introduce(
        self, model: object, name: str, words: Collection[str] = (), values: Mapping[str, str] | None = None
    ) -> str:
        """Return what a prompt begins with; nothing for a model trained on our form, unless a user's file has it.

        The rest of the prompt, and how the answer is handled, is the same for every model.
        """
        return "" if is_trained(model) and not self.is_given(name) else self.text(name, words, values)

    def text(self, name: str, words: Collection[str] = (), values: Mapping[str, str] | None = None) -> str:
        """Return the text of a part, as far as its conditions hold, with these values for its placeholders."""
        parts = [part for part in (self.given if self.is_given(name) else self.shipped) if part.name == name]
        fitting = [part.text for part in parts if part.words <= {*words}]
        if not fitting and self.is_given(name):
            there = "; ".join(", ".join(sorted(part.words)) for part in parts)
            raise BadInput(f"{self.file}: the part {name!r} is for {there} only, and this run needs another one.")
        text, known = "".join(fitting), values or {}
        for placeholder in (each for each, value in known.items() if not value):  # a line of nothing else goes, too
            text = re.sub(rf"^<{re.escape(placeholder)}>\n", "", text, flags=re.MULTILINE)
        return re.sub(r"<([^<>\n]+)>", lambda found: known.get(found[1], found[0]), text)


@cache
def _shipped(package: str) -> tuple[_Part, ...]:
    return _split(resources.files(package).joinpath(_SHIPPED).read_text(encoding="utf-8"))


def _read(file: str) -> str:
    path = Path(file).expanduser()
    try:
        if path.stat().st_size > _LARGEST:
            raise BadInput(f"{file} is too large for prompts: more than {_LARGEST // 1_000_000} MB.")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"The prompts {file} cannot be read: {error.strerror or error}.") from None
    except UnicodeDecodeError:
        raise BadInput(f"The prompts {file} are not text in UTF-8.") from None
    if not text.strip():
        raise BadInput(f"{file} is empty; it has to hold what the model is shown first.")
    return text


def _begins(text: str) -> bool:
    """Whether a file has headings."""
    return any(map(_HEADING.fullmatch, text.splitlines()))


def _split(text: str) -> tuple[_Part, ...]:
    """Return the parts; what comes before the first heading is a note to people."""
    found: list[tuple[str, frozenset[str], list[str]]] = []
    for line in text.splitlines(keepends=True):
        if heading := _HEADING.fullmatch(line.rstrip("\n")):
            words = frozenset(word.strip() for word in (heading[2] or "").split(",") if word.strip())
            found.append((heading[1], words, []))
        elif found:
            found[-1][2].append(line)
    return tuple(_Part(name, words, "".join(lines)) for name, words, lines in found)


def _ended(text: str) -> str:
    """Return a text whose last line ends, so that what follows begins a line of its own."""
    return f"{text.rstrip()}\n"
