"""The errors, as types. Every message says what to do next.

ThinkaloudError
├── BadInput                 the user gave something that cannot be used (exit status 2)
│   ├── UnknownName          no such world, preset, model, task, skill or object
│   ├── MissingExtra         a part of thinkaloud that is installed only if asked for
│   ├── BadScene             a scene file that is malformed or physically impossible
│   ├── BadRobot             a robot's own code: a declaration, a relation or a vocabulary that cannot be used
│   └── BadSettings          thinkaloud.toml, THINKALOUD_* or a flag
├── ModelError               a language model did not give a usable answer
│   ├── ModelMissing         no weights, no file, not a GGUF, no such name at the endpoint
│   ├── ModelUnreachable     endpoint down, refused, timed out or rate limited, after the retries
│   ├── ModelCut             the stream ended in the middle of an answer
│   ├── ContextOverflow      the prompt does not fit into the model's context
│   └── ModelRefused         an answer came, but empty or unusable
├── Unparseable              the model's words do not parse as the expected record (goes back to the model as feedback)
│   ├── RefusedBefore        a plan that begins as one that was refused
│   ├── StateRefused         a world state that does not parse, loses an object or contradicts itself
│   └── CodeRefused          a program that is not in the sandbox's language, or breaks its limits
├── SkillError               a skill cannot be done as asked: not tried again as things are (the model reads why)
│   ├── DidNotWork           a skill was tried and did not work: the same may work next time
│   ├── Missing              something was named that is not here, or not for this
│   └── WhichOne             a name that may be several things
└── JournalError             the journal is locked, corrupt or has no such session
    └── SessionDamaged       a session in the journal was changed or damaged
"""

from __future__ import annotations

import difflib
import logging
from collections.abc import Iterable, Sequence
from functools import cache

from thinkaloud.language.name_matching import find_nearest
from thinkaloud.records import RefusalKind

LISTED_WHOLE, _CLOSEST = 30, 12
"""A list longer than the first number is shortened to the second."""


def list_closest_names(names: Sequence[str], wanted: str) -> str:
    """Names for a message: all of them, or, if there are very many, those closest to `name` and how many more."""
    if len(names) <= LISTED_WHOLE:
        return ", ".join(names)
    near = difflib.get_close_matches(wanted.lower()[:80], names, n=_CLOSEST, cutoff=0.0)
    return f"{', '.join(near)} … and {len(names) - len(near)} more"


class ThinkaloudError(Exception):
    """Anything that thinkaloud itself raises."""


class BadInput(ThinkaloudError):
    """The user gave something that cannot be used."""


_LONGEST_NAME = 200
"""Letters shown of a name that nobody knows."""


class UnknownName(BadInput):
    """There is no such thing. The message says which there are, and which one was probably meant."""

    def __init__(self, kind: str, name: str, known: Iterable[str]) -> None:
        names = sorted(known)
        near = find_nearest(name, names)
        hint = f" Did you mean {near!r}?" if near else ""
        name = name if len(name) <= _LONGEST_NAME else f"{name[:_LONGEST_NAME]} …"
        super().__init__(f"There is no {kind} {name!r}.{hint} Known: {list_closest_names(names, name) or 'none'}.")


class MissingExtra(BadInput):
    """An optional part of thinkaloud is not installed. The message says how to install it."""

    def __init__(self, what: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f'{what} needs the extra {extra!r}: pip install "thinkaloud[{extra}]"')


class BadScene(BadInput):
    """A scene file that is malformed or physically impossible."""


class BadParts(BadScene):
    """Several parts of a file are malformed; the message is that of the first, `faults` are those of all."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(faults[0])
        self.faults = tuple(faults)


class BadRobot(BadInput):
    """A robot's own code cannot be used. The message names the skill or relation, the part of it, and what to do."""


class BadSettings(BadInput):
    """A setting that cannot be used."""


class ModelError(ThinkaloudError):
    """A language model did not give a usable answer."""


class ModelMissing(ModelError, BadInput):
    """The model does not exist here."""


class ModelUnreachable(ModelError):
    """The endpoint did not answer, after the retries."""


class ModelCut(ModelError):
    """The stream ended in the middle of an answer."""


class ContextOverflow(ModelError):
    """The prompt does not fit into the model's context."""


class ModelRefused(ModelError):
    """An answer came, but empty or unusable."""


class Unparseable(ThinkaloudError):
    """Model text that does not parse as the expected record; `words` is that text, `role` who said it."""

    def __init__(self, why: str, words: str = "", role: str = "planner") -> None:
        super().__init__(why)
        self.words, self.role = words, role


class RefusedBefore(Unparseable):
    """A plan that begins as one that was refused: as things are, it would be refused again."""


class StateRefused(Unparseable):
    """A world state that does not parse, loses an object or contradicts itself."""


class CodeRefused(Unparseable):
    """A program that is not in the sandbox's language, fails, or breaks the sandbox's limits.

    `fault` is the kind of error the program itself raised ("IndexError"), if it did.
    """

    def __init__(self, why: str, words: str = "", role: str = "planner", *, fault: str = "") -> None:
        super().__init__(why, words, role)
        self.fault = fault


def describe_fault(error: Exception) -> str:
    """An error from code outside thinkaloud, in one line: its type and its message."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]


def tell_fault(where: str, error: Exception, so: str) -> None:
    """Warn once that code outside thinkaloud failed, and what happens instead; it may be called thousands of times.

    `where` is told unless the error itself names the part that failed.
    """
    told = str(error).rstrip(".") if isinstance(error, BadRobot) else f"{where} failed ({describe_fault(error)})"
    _warn_once(f"{told}; {so}.")


@cache
def _warn_once(text: str) -> None:
    logging.getLogger("thinkaloud").warning("%s", text)


class SkillError(ThinkaloudError):
    """A skill cannot be done as asked. As things are, it is not tried again."""


class DidNotWork(SkillError):
    """A skill was tried and did not work, for example because something slipped. It may be tried again."""


class Missing(SkillError):
    """Something is spoken of that is not here, or not for this; says so in words for people.

    `missing`: what was named and is not here; it may come, or be found by looking again.
    """

    def __init__(self, why: str, kind: RefusalKind = "not possible", missing: str = "") -> None:
        super().__init__(why)
        self.kind, self.missing = kind, missing


class Unfit(Missing):
    """Something is here, but it cannot be done with that, or told of it: with what was `given` as a `parameter`."""

    def __init__(self, why: str, given: object = None, parameter: str = "") -> None:
        super().__init__(why)
        self.given, self.parameter = given, parameter


def no_such_thing(name: str, hint: str = "") -> Missing:
    """That nothing here is called so."""
    return Missing(f"There is no {name} here.{hint}", "no such thing", name)


class WhichOne(SkillError):
    """A name that may be several things."""

    def __init__(self, name: str, things: Sequence[str]) -> None:
        super().__init__(f"Which {name} do you mean?")
        self.name, self.things = name, tuple(things)


class JournalError(BadInput):
    """The journal is locked, corrupt or has no such session."""


class SessionDamaged(JournalError):
    """A session was changed or damaged. The message names the damage, what is lost, and how to save the rest."""

    def __init__(self, session: str, what: str, lost: str = "") -> None:
        told = f" {lost}" if lost else ""
        super().__init__(
            f"Session {session} is damaged: {what}.{told} To see or save what came before: "
            f"thinkaloud replay {session} --salvage, thinkaloud export {session} --salvage"
        )
        self.session, self.what = session, what
