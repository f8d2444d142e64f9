"""Large problems: the same steps and wishes, given to a planning library (the extra `planning`).

Fast Downward solves them, as `up-fast-downward` brings it for Unified Planning. It gets the problem in its own notation
of variables and operators: there is nothing left to ground, and for that PDDL takes it ten times as long as the search.
What a skill only says in words (preconditions, what is remembered) is not in it: whoever asks holds the answer against
that.
"""

from __future__ import annotations

import importlib.util
import math
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from thinkaloud.plan.search.best_first import MARK, Numbered
from thinkaloud.plan.search.facts import Atom, Literal
from thinkaloud.plan.search.situations import Act, Situation

EXTRA = "planning"
_PACKAGE, _DRIVER, _ALIAS = "up_fast_downward", "downward/fast-downward.py", "lama-first"
_TRUE, _FALSE = 0, 1


def is_installed() -> bool:
    """Whether the planning library is here."""
    return importlib.util.find_spec(_PACKAGE) is not None


def solve_with_library(
    acts: Sequence[Act], goals: Sequence[Literal], start: Situation, seconds: float
) -> tuple[Act, ...] | None:
    """The steps to where all goals hold, by what is declared alone; None where none were found in time."""
    package = importlib.util.find_spec(_PACKAGE)
    if package is None or package.origin is None:
        return None
    with tempfile.TemporaryDirectory(prefix="thinkaloud-") as folder:
        problem, plan = Path(folder, "problem.sas"), Path(folder, "plan")
        problem.write_text(render_problem(acts, goals, start))
        limit = ["--search-time-limit", f"{max(math.ceil(seconds), 1)}s"]
        command = [sys.executable, Path(package.origin).parent / _DRIVER, "--plan-file", plan, *limit]
        try:
            subprocess.run(
                [*map(str, command), "--alias", _ALIAS, str(problem)],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds + 10,
                check=False,
            )
        except (OSError, subprocess.SubprocessError):
            return None
        return tuple(read_plan(plan.read_text(), acts)) if plan.exists() else None


def read_plan(text: str, acts: Sequence[Act]) -> Iterator[Act]:
    """The steps of a plan, which names them by their numbers: `(a12)`."""
    for line in text.splitlines():
        if line.startswith("(a"):
            yield acts[int(line.strip("()").removeprefix("a"))]


def render_problem(acts: Sequence[Act], goals: Sequence[Literal], start: Situation) -> str:
    """The problem in Fast Downward's notation: a variable of two values for each fact, an operator for each step."""
    numbered = Numbered(acts, goals)
    atoms = {atom: i for i, atom in enumerate(dict.fromkeys(literal.atom for literal in numbered.literals))}
    lines = ["begin_version", "3", "end_version", "begin_metric", "1", "end_metric", str(len(atoms))]
    for i in atoms.values():
        lines += ["begin_variable", f"var{i}", "-1", "2", f"Atom f{i}()", f"NegatedAtom f{i}()", "end_variable"]
    so = (atom.relation != MARK and start.is_so(atom) for atom in atoms)
    lines += ["0", "begin_state", *(str(_TRUE if each else _FALSE) for each in so), "end_state"]
    wanted = dict.fromkeys((atoms[goal.atom], _value(goal)) for goal in goals)
    lines += ["begin_goal", str(len(wanted)), *(f"{var} {value}" for var, value in wanted), "end_goal"]
    lines.append(str(len(acts)))
    for a, act in enumerate(acts):
        lines += _operator(a, act, _changes(numbered, a), atoms)
    return "\n".join([*lines, "0", ""])


def _operator(a: int, act: Act, changes: dict[Atom, bool], atoms: dict[Atom, int]) -> Iterator[str]:
    needs = {need.atom: _value(need) for need in act.needs}
    stays = [f"{atoms[atom]} {value}" for atom, value in needs.items() if atom not in changes]
    effects = [
        f"0 {atoms[atom]} {needs.get(atom, -1)} {_TRUE if so else _FALSE}"
        for atom, so in sorted(changes.items(), key=repr)
    ]
    yield from ("begin_operator", f"a{a}", str(len(stays)), *stays, str(len(effects)), *effects)
    yield from (str(round(100 * act.cost)), "end_operator")


def _value(literal: Literal) -> int:
    return _TRUE if literal.so else _FALSE


def _changes(numbered: Numbered, a: int) -> dict[Atom, bool]:
    """What a step makes so and not so, of all that matters."""
    found: dict[Atom, bool] = {}
    for mask, kept in ((numbered.breaks[a], False), (numbered.makes[a], True)):
        for i, literal in enumerate(numbered.literals):
            if mask >> i & 1:
                found[literal.atom] = literal.so is kept
    return found
