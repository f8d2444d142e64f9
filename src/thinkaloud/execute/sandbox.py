"""The sandbox: runs a model's program without access to the host.

There are two barriers. `thinkaloud.execute.program_language` lets only a small language through. `pydantic-monty`, a
Python interpreter of its own, runs that in a worker process under limits of time, memory, depth and calls. A program
can reach only the functions it is given; plain values go in and out, never objects.

    Sandbox().run("for block in ['red block', 'blue block']: put_first_on_second(block, 'bowl')", functions)

`run` is synchronous: it adds about a millisecond to the functions' own time, so an event loop may call it directly. The
worker is started at the first run, shared by all sandboxes and threads of a process, and replaced if it dies. The same
program with the same answers makes the same calls.
"""

from __future__ import annotations

import inspect
import math
import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic_monty import (
    FunctionSnapshot,
    Monty,
    MontyComplete,
    MontyCrashedError,
    MontyError,
    MontyRuntimeError,
    MontySession,
    MontySyntaxError,
    NameLookupSnapshot,
    ResourceLimits,
)
from pydantic_monty import SyncSnapshot as Pause

from thinkaloud.errors import CodeRefused, SkillError, ThinkaloudError, UnknownName, Unparseable
from thinkaloud.execute.program_language import GIVEN, LARGEST_INTEGER, PRELUDE, SafeProgram, read_program
from thinkaloud.language.calls import BUILTINS

LONGEST_TEXT = 2000
"""The most characters of a text that a program may pass to a function."""
_MOST_VALUES = 1000
"""The most values that a program may pass to a function at once, counting those inside lists."""
_LONGEST_SHOWN = 60
_WORKERS = 16
_GRACE = 0.5
"""Seconds after its time limit until a worker that does not stop is killed."""


@dataclass(frozen=True)
class Bounds:
    """The resources a program may use."""

    seconds: float = 2.0
    """For the program itself; the time of the given functions does not count."""
    memory: int = 32 * 2**20
    """Bytes."""
    depth: int = 60
    """The depth of nested function calls."""
    calls: int = 200
    """Calls of the given functions."""
    length: int = 8000
    """Characters of source."""


@dataclass(frozen=True)
class Sandbox:
    """Runs programs; see the module's description."""

    bounds: Bounds = Bounds()

    def run(self, code: str, functions: Mapping[str, Callable[..., Any]]) -> None:
        """Run a program that may call these functions.

        CodeRefused says what is wrong with it, and in which line: it is not in the language, fails, exceeds a limit, or
        a function refused a call (SkillError, Unparseable, UnknownName). Calls made before that are not undone. Any
        other exception from a function is passed on.
        """
        if taken := sorted(BUILTINS & set(functions)):
            raise ValueError(f"These names are Python's own: {', '.join(taken)}.")
        program = read_program(code, functions, self.bounds.length)
        try:
            self._attempt(program, functions)
        except _Died:  # before the program had called anything, so it can be run again
            try:
                self._attempt(program, functions)
            except _Died:
                raise CodeRefused("The program broke the interpreter; write it in simpler steps.", code) from None

    def _attempt(self, program: SafeProgram, functions: Mapping[str, Callable[..., Any]]) -> None:
        calls = 0
        limits: ResourceLimits = {
            "max_feed_duration_secs": self.bounds.seconds,
            "max_memory": self.bounds.memory,
            "max_recursion_depth": self.bounds.depth,
            "max_suspensions": 2 * self.bounds.calls + 100,
        }
        with _lent_session(limits) as session:
            pause = self._next(program, calls, partial(_started, session, program))
            while not isinstance(pause, MontyComplete):
                if isinstance(pause, FunctionSnapshot):
                    calls += 1
                    result = _plain(self._call(program, functions, pause, calls))
                    pause = self._next(program, calls, partial(pause.resume, {"return_value": result}))
                elif isinstance(pause, NameLookupSnapshot):  # read before it was assigned
                    pause = self._next(program, calls, pause.resume)
                else:
                    raise CodeRefused("The program waits for something that never comes.", program.code)

    def _next(self, program: SafeProgram, calls: int, go_on: Callable[[], Pause]) -> Pause:
        """Run the program up to its next call or its end."""
        try:
            return go_on()
        except MontyCrashedError as error:
            if error.timed_out:
                raise CodeRefused(self._endless, program.code) from None
            if not calls:
                raise _Died from None
            raise CodeRefused("The program broke the interpreter; write it in simpler steps.", program.code) from None
        except (MontyRuntimeError, MontySyntaxError) as error:
            script = f"<python-input-{int(program.helped)}>"  # by the order in which a session is fed
            frames = [frame.line for frame in error.traceback() if frame.filename == script]
            where = f"Line {program.line(frames[-1])}: " if frames else ""
            fault = type(error.exception()).__name__
            raise CodeRefused(where + self._reason(error), program.code, fault=fault) from None
        except (MontyError, ValueError):
            raise CodeRefused("A value is too large or too strange to leave the program.", program.code) from None

    @property
    def _endless(self) -> str:
        return f"The program ran for more than {self.bounds.seconds:g} seconds; a loop that never ends?"

    def _reason(self, error: MontyRuntimeError | MontySyntaxError) -> str:
        match error.exception():
            case TimeoutError():
                return self._endless
            case MemoryError():
                return (
                    f"The program used more than {self.bounds.memory / 2**20:g} MiB of memory; keep its values small."
                )
            case RecursionError():
                return f"Functions call each other more than {self.bounds.depth} deep; use a loop."
            case KeyError():
                return f"there is no entry {error.display('msg')!r}."
            case cause:
                return f"{error.display('msg').replace(GIVEN, '')} ({type(cause).__name__})."

    def _call(
        self, program: SafeProgram, functions: Mapping[str, Callable[..., Any]], pause: FunctionSnapshot, calls: int
    ) -> object:
        """The result of the function call that the program waits for."""
        line, name = program.line_at(pause.position.start), pause.function_name.removeprefix(GIVEN)
        if pause.is_os_function or name not in functions or not pause.function_name.startswith(GIVEN):
            raise CodeRefused(f"Line {line}: {name} is out of reach.", program.code)
        if calls > self.bounds.calls:
            raise CodeRefused(
                f"Line {line}: more than {self.bounds.calls} calls; do fewer things at once.", program.code
            )
        try:
            places, names = _handed(pause.args, pause.kwargs)
            _texts(functions[name], places, names)
        except ValueError as error:
            raise CodeRefused(f"Line {line}: {name} cannot take {error}.", program.code) from None
        try:
            return functions[name](*places, **names)
        except (SkillError, Unparseable, UnknownName) as error:
            raise CodeRefused(f"Line {line}: {error}", program.code) from error


class _Died(Exception):
    """The worker died before the program had called anything, so the program may not be to blame."""


def _started(session: MontySession, program: SafeProgram) -> Pause:
    if program.helped:
        session.feed_run(PRELUDE)
    return session.feed_start(program.source + "\nNone")  # so that no value is left over to be handed out


@contextmanager
def _lent_session(limits: ResourceLimits) -> Iterator[MontySession]:
    """A session of a live worker. If the worker dies when it is given back, the program is not affected."""
    try:
        lent = _session(limits)
        session = lent.__enter__()
    except MontyCrashedError:
        raise _Died from None
    try:
        yield session
    finally:
        with suppress(MontyCrashedError):
            lent.__exit__(None, None, None)


_pools: dict[int, Monty] = {}
"""The interpreter's workers, by the process that started them: at most one."""
_lock = threading.Lock()


def _session(limits: ResourceLimits) -> MontySession:
    """A session of this process's interpreter."""
    me = os.getpid()
    with _lock:
        if (
            _pools and me not in _pools
        ):  # the threads that serve the workers did not survive the fork: it would wait forever
            raise ThinkaloudError("A forked process cannot use the sandbox of its parent; spawn the process instead.")
        if not _pools:
            workers = Monty(max_processes=_WORKERS, checkout_timeout=60.0, feed_duration_limit_grace=_GRACE)
            try:
                _pools[me] = workers.__enter__()
            except (OSError, RuntimeError) as error:
                raise ThinkaloudError(f"The sandbox does not start; reinstall pydantic-monty. {error}") from error
        return _pools[me].checkout(limits=limits)


def _handed(places: tuple[Any, ...], names: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """A call's arguments, if they are plain and small; ValueError names what is not."""
    left = _MOST_VALUES

    def checked(value: object) -> Any:
        nonlocal left
        left -= 1
        if left < 0:
            raise ValueError(f"more than {_MOST_VALUES} values at once")
        match value:
            case None | bool():
                return value
            case str():
                if len(value) > LONGEST_TEXT:
                    raise ValueError(f"a text of {len(value)} characters, more than {LONGEST_TEXT}")
                return value
            case int() | float():
                if not -LARGEST_INTEGER < value < LARGEST_INTEGER:
                    raise ValueError("a number that is infinite or too large")
                return value
            case list():
                return [checked(each) for each in value]
            case tuple():
                return tuple(checked(each) for each in value)
            case set() | frozenset():
                return [checked(each) for each in sorted(value, key=repr)]  # their order is another in every process
            case dict():
                return {checked(key): checked(each) for key, each in value.items()}
        raise ValueError("anything but text, numbers, True, False, None and lists of them")

    return [checked(each) for each in places], {name: checked(each) for name, each in names.items()}


def _texts(function: Callable[..., Any], places: list[Any], names: dict[str, Any]) -> None:
    """Raise ValueError if an argument declared as text is not text: the most common mistake of models."""
    taken = inspect.signature(function)
    for name, value in taken.bind(*places, **names).arguments.items():
        if taken.parameters[name].annotation in (str, "str") and not isinstance(value, str):
            raise ValueError(f"{str(value)[:_LONGEST_SHOWN]} as its {name}, which is a text")


def _plain(value: object) -> Any:
    """A function's result, as values that the program can use."""
    match value:
        case None | bool() | int() | str():
            return value
        case float() if math.isfinite(value):
            return value
        case list() | tuple():
            return [_plain(each) for each in value]
        case set() | frozenset():
            return [_plain(each) for each in sorted(value, key=repr)]
        case Mapping():
            return {_plain(key): _plain(each) for key, each in value.items()}
    raise TypeError(f"A function given to the sandbox returned {value!r}, which is no plain value.")
