"""Programs against the sandbox: known attacks, and mixtures of them.

Each runs in a separate process with a secret within reach of the host, and must be refused or have no effect.
"""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from campaign.children import Bounds as Limits
from campaign.children import in_child
from campaign.contract import Attempt, Finding, Stage
from campaign.escaping import NO_LANGUAGE, SMALL, USED_UP, Host
from campaign.judging import judge_command
from campaign.mutating import PIECES
from thinkaloud.errors import CodeRefused
from thinkaloud.execute.sandbox import Sandbox

_REFUSED, _RAN, _REACHED, _CHANGED = 10, 11, 12, 13
"""Exit statuses of the process that runs a program."""
_LIMITS = Limits(seconds=20.0, memory=2 * 2**30)
_CALLING = (
    "show('a')",
    "for i in [1, 2, 3]: show(i)",
    "def f():\n    return show(1)\nf()",
    "x = [show(i) for i in [1, 2]]",
)
_WRAPPERS = (
    "if True:\n{}",
    "for _x in [1]:\n{}",
    "while True:\n{}\n    break",
    "def f(n=1):\n{}\nf()",
    "x = [i for i in [1]]\n{}",
    "try:\n{}\nexcept Exception:\n    reached()",
)


class Escapes:
    """Programs against the sandbox."""

    def __init__(self, stage: Stage) -> None:
        self._folder = stage.folder

    def attempts(self, seed: int) -> Iterator[Attempt]:
        """All known programs, then mixtures without end."""
        known = [*NO_LANGUAGE, *USED_UP]
        for number, code in enumerate(known):
            yield Attempt("escapes", f"known {number}", {"code": code, "known": True})
        rng, number = random.Random(f"escapes {seed}"), 0
        while True:
            number += 1
            dies = number % 20 == 0
            code = rng.choice(_CALLING) if dies else _mix(rng, known)
            name = f"dead worker {number}" if dies else f"mixed {number}"
            yield Attempt("escapes", name, {"code": code, "known": False, "dies": dies})

    def try_one(self, attempt: Attempt) -> Finding | None:
        """Run the program. A known one must be refused; a mixture may also run without effect."""
        code = str(attempt.data["code"])
        host = DeadlyHost() if attempt.data.get("dies") else Host()
        ended = in_child(lambda: _run(f"{code}\nreached()", host), self._folder / "empty", _LIMITS)
        if ended.status == _REACHED and not attempt.data["known"]:
            return None  # a mixture may be a valid program, which runs to its last line
        if ended.status in (_REACHED, _RAN):
            return Finding("silent", f"a program ran that should have been refused: {code[:200]!a}")
        if ended.status == _CHANGED:
            return Finding("moved", f"something of the host was changed: {ended.err[:200]}")
        return judge_command(ended, (_REFUSED,))


class DeadlyHost(Host):
    """A host that kills the interpreter's process when a program calls one of its functions."""

    def show(self, value: Any) -> Any:
        """Kill every process that this one has started, then return the value."""
        for task in Path("/proc/self/task").iterdir():
            for child in (task / "children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
        return super().show(value)


def _run(code: str, host: Host) -> int:
    before, environ = _listed(), dict(os.environ)
    try:
        Sandbox(SMALL).run(code, host.functions())
        refused = False
    except CodeRefused:
        refused = True
    if host.secret != ["untouched"] or _listed() != before or dict(os.environ) != environ:
        return _CHANGED
    return _REACHED if host.was_reached else _REFUSED if refused else _RAN


def _listed() -> list[str]:
    return sorted(path.name for path in Path.cwd().iterdir())


def _mix(rng: random.Random, known: list[str]) -> str:
    """Two or three known programs, nested, with a fragment in between."""
    short = [code for code in known if len(code) < 200]
    code = rng.choice(short)
    for _ in range(rng.randrange(1, 4)):
        wrapper = rng.choice(_WRAPPERS)
        code = rng.choice(
            (
                f"{code}\n{rng.choice(short)}",
                wrapper.format("\n".join(f"    {line}" for line in code.splitlines())),
                _inserted(code, rng.choice(PIECES[:24]), rng),
                code.replace("'", '"') if rng.random() < 0.5 else code.replace("reached", "show"),
            )
        )
    return code


def _inserted(code: str, piece: str, rng: random.Random) -> str:
    at = rng.randrange(len(code) + 1)
    return code[:at] + piece + code[at:]
