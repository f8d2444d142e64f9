"""Large problems: give the same steps and goals to a dedicated planner (the extra `planning`).

The planner is Fast Downward. Two packages ship it, each with binaries for certain machines. It runs in a separate
process and gets the problem in its own notation of variables and operators, because everything is already grounded.
What a skill only says in code (preconditions, what is remembered) is not included, so the caller must check the answer
against it.
"""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from thinkaloud.plan.search.best_first import MARK, Numbered, bits
from thinkaloud.plan.search.facts import Atom, Literal
from thinkaloud.plan.search.situations import Act, Situation

EXTRA = "planning"
_SECONDS = 60.0
"""Seconds it may take, on a machine that is busy with other things."""
_OFTEN = 0.02
_TRUE, _FALSE = 0, 1
_SEARCH = (
    "iterated([lazy_wastar([h],preferred=[h],w=5,max_time=3),lazy_greedy([h],preferred=[h],max_time=9)],"
    "continue_on_solve=false,continue_on_fail=true)"
)
"""First look for plans that are not too long; after a few seconds, accept any plan."""


@dataclass(frozen=True)
class _Package:
    """A package with the binary: where the binary is, and how its version takes the search configuration."""

    name: str
    binary: str
    search: tuple[str, ...]


_PACKAGES = (
    _Package("up_fast_downward", "downward/builds/release/bin/downward", ("--search", f"let(h,ff(),{_SEARCH})")),
    _Package("kstar_planner", "builds/release/bin/downward", ("--evaluator", "h=ff()", "--search", _SEARCH)),
)


def _command() -> list[str] | None:
    """Return the command that starts it, from the first package that is installed."""
    for package in _PACKAGES:
        found = importlib.util.find_spec(package.name)
        for folder in () if found is None else found.submodule_search_locations or ():
            for binary in (Path(folder, package.binary), Path(folder, f"{package.binary}.exe")):
                if binary.exists():
                    return [str(binary), *package.search, "--internal-plan-file", "plan"]
    return None


def is_installed() -> bool:
    """Whether it is installed."""
    return _command() is not None


def solve(
    acts: Sequence[Act],
    goals: Sequence[Literal],
    start: Situation,
    *,
    go_on: Callable[[], None] = lambda: None,
    seconds: float = _SECONDS,
) -> tuple[Act, ...] | None:
    """Return the steps to where all goals hold, by declared effects alone; None if none were found in time.

    `go_on` is called regularly; an exception from it ends the process.
    """
    command = _command()
    if command is None:
        return None
    with tempfile.TemporaryDirectory(prefix="thinkaloud-") as name:
        folder = Path(name)
        (folder / "problem.sas").write_text(render_problem(acts, goals, start))
        (folder / "found_plans").mkdir()  # one of the packages writes its plans there
        try:
            _run(command, folder, go_on, seconds)
        except OSError:
            return None
        plans = sorted(folder.rglob("plan*.*"))  # `plan.1`
        return tuple(read_plan(plans[0].read_text(), acts)) if plans else None


def _run(command: Sequence[str], folder: Path, go_on: Callable[[], None], seconds: float) -> None:
    """Wait for the process, and end it if it takes too long or its result is no longer wanted."""
    until = time.monotonic() + seconds
    silent = subprocess.DEVNULL
    with (folder / "problem.sas").open() as problem:
        process = subprocess.Popen(command, cwd=folder, stdin=problem, stdout=silent, stderr=silent)
    try:
        while process.poll() is None and time.monotonic() < until:
            go_on()
            time.sleep(_OFTEN)
    finally:
        process.kill()
        process.wait()


def read_plan(text: str, acts: Sequence[Act]) -> Iterator[Act]:
    """Return the steps of a plan, which names them by number: `(a12)`."""
    for line in text.splitlines():
        if line.startswith("(a"):
            yield acts[int(line.strip("()").removeprefix("a"))]


def render_problem(acts: Sequence[Act], goals: Sequence[Literal], start: Situation) -> str:
    """Write the problem in Fast Downward's notation: a two-valued variable per fact, an operator per step."""
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
    """Return what a step makes true and false, among all relevant atoms."""
    found: dict[Atom, bool] = {}
    for mask, kept in ((numbered.breaks[a], False), (numbered.makes[a], True)):
        for i in bits(mask):
            literal = numbered.literals[i]
            found[literal.atom] = literal.so is kept
    return found
