"""Write one table of the embedded model's targets, and of what each model reached.

    python -m thinkaloud_bench.summary [FOLDER] [--out FILE]

Reads FOLDER/BENCH/MODEL/results.json (FOLDER defaults to bench) for every model that has results, and writes a Markdown
table: one line per target, one column per model. A dash means not measured; a `*` marks the targets that the first
column misses.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_FIRST = ("embedded", "embedded-large", "embedded-base")
_NONE = "no model"
_Rows = Mapping[tuple[str, str, str], Mapping[str, Any]]
"""preset, task, metric → row"""
_IM = "inner_monologue:feedback=object+scene"
_IM_DEFAULT = "inner_monologue"
_STATLER = "statler"
_IM_TASKS = {
    "pick-and-place": "pick and place",
    "stack": "stack all the blocks",
    "corner-or-side": "all on a corner or side",
    "bowl": "all in a bowl",
    "different-corners": "different corners (unseen)",
    "matching-bowls": "matching bowls (unseen)",
    "mismatched-bowls": "mismatched bowls (unseen)",
    "stack-on-place": "stack on a place (unseen)",
}
_ROBUST = {
    "bowl": (_IM_DEFAULT, "all blocks in a bowl, 20 phrasings"),
    "onto": (_IM_DEFAULT, "a block onto another, 20 phrasings"),
    "command": (_STATLER, "from bowl to bowl, 20 phrasings"),
    "yes-no": (_STATLER, "is it in the bowl, 20 phrasings"),
    "lookup": (_STATLER, "what is in the bowl, 20 phrasings"),
    "home": ("hicrisp", "into a closed container, 20 phrasings"),
    "drink": ("itp", "a drink by guidelines, 20 phrasings"),
    "bowl-scene": (_IM_DEFAULT, "all blocks in a bowl, scene in 20 orders"),
    "lookup-scene": (_STATLER, "what is in the bowl, state in 20 orders"),
    "home-scene": ("hicrisp", "into a closed container, scene in 20 orders"),
    "bowl-feedback": (_IM_DEFAULT, "all blocks in a bowl, feedback in 20 orders"),
}
_DOMAINS = {"pick_and_place": "pick and place", "disinfection": "disinfection", "weight": "relative weight"}


@dataclass(frozen=True)
class Line:
    """A figure and its target. `value` extracts the figure from the rows; `wanted` may depend on them, too."""

    bench: str
    what: str
    value: Callable[[_Rows], float | None]
    wanted: Callable[[_Rows], float | None] = lambda rows: None
    less: bool = False
    """Whether the target is an upper bound, not a lower one."""
    above: bool = False
    """Whether the figure must exceed the target, not just reach it."""
    plain: bool = False
    """Whether it is a plain number, not a share."""
    key: tuple[str, str, str] | None = None

    def met(self, rows: _Rows) -> bool | None:
        """Whether the target is met; None if it was not measured, or there is no target."""
        value, wanted = self.value(rows), self.wanted(rows)
        if value is None or wanted is None:
            return None
        if self.above:
            return value > wanted
        return value <= wanted + 1e-9 if self.less else value >= wanted - 1e-9

    def shown(self, rows: _Rows) -> str:
        """The figure, with its interval and the number of episodes behind it."""
        value = self.value(rows)
        if value is None:
            return "–"
        row = rows.get(self.key) if self.key else None
        text = f"{value:.2f}" if self.plain else f"{100 * value:.0f} %"
        if row is None or self.plain:
            return text
        return f"{text} [{100 * row['low']:.0f}–{100 * row['high']:.0f}], {row['n']}"


def _of(preset: str, task: str, metric: str = "success") -> Callable[[_Rows], float | None]:
    def value(rows: _Rows) -> float | None:
        row = rows.get((preset, task, metric))
        return None if row is None else float(row["value"])

    return value


def _line(
    bench: str, what: str, preset: str, task: str, wanted: float | None = None, metric: str = "success", **more: bool
) -> Line:
    return Line(bench, what, _of(preset, task, metric), lambda rows: wanted, key=(preset, task, metric), **more)


def _share_of_ceiling(task: str) -> Callable[[_Rows], float | None]:
    def wanted(rows: _Rows) -> float | None:
        ceiling = _of("ceiling", task)(rows)
        return None if ceiling is None else 0.95 * ceiling

    return wanted


def _above_paper(task: str) -> Callable[[_Rows], float | None]:
    def wanted(rows: _Rows) -> float | None:
        row = rows.get(("hicrisp", task, "recall"))
        return None if row is None or row["paper"] is None else float(row["paper"])

    return wanted


def _above_baseline(task: str) -> Callable[[_Rows], float | None]:
    def wanted(rows: _Rows) -> float | None:
        row = rows.get(("code_as_policies", task, "episode_success"))
        return None if row is None else float(row["value"])

    return wanted


def _targets(home: tuple[str, ...]) -> list[Line]:
    """All targets; `home` are the tasks of HiCRISP's first table."""
    im, found = "inner-monologue-tabletop", list[Line]()
    for task, words in _IM_TASKS.items():
        key = (_IM, task, "success")
        found.append(
            Line(im, f"Inner Monologue, {words}: 95 % of the ceiling", _of(*key), _share_of_ceiling(task), key=key)
        )
        found.append(_line(im, f"— the ceiling: {words}", "ceiling", task))
    for task, words in _DOMAINS.items():
        key = (_STATLER, task, "episode_success")
        what = f"Statler, {words}: above code as policies"
        found.append(Line("statler", what, _of(*key), _above_baseline(task), above=True, key=key))
        found.append(
            _line("statler", f"— code as policies: {words}", "code_as_policies", task, None, "episode_success")
        )
    for swaps in ("4", "8", "12", "16", "20"):
        found.append(_line("shell-game", f"Shell game, {swaps} swaps, with a state", "state", swaps, 1.0))
        found.append(_line("shell-game", "— without", "plain", swaps))
    for table in ("Table I", "Table II", "Table III"):
        found.append(_line("itp", f"ITP, {table}", "itp", f"mean {table}", 1.0))
    found.append(_line("itp", "ITP, random guidelines", "itp", "random", 0.9))
    found.append(_line("multitalk", "MultiTalk, all tasks", "multitalk", "mean", 0.85))
    found.append(_line("multitalk", "— collisions", "multitalk", "mean", 0.0, "collisions", less=True, plain=True))
    for task in home:
        key = ("hicrisp", task, "recall")
        words = f"HiCRISP, Table I, recall, {task.replace('_', ' ')}: above the paper"
        found.append(Line("hicrisp", words, _of(*key), _above_paper(task), above=True, key=key))
    found.append(_line("hicrisp", "— Exec, Table I", "hicrisp", "mean household", 1.0, "exec"))
    found.append(_line("hicrisp", "— success, Table II", "hicrisp", "mean table"))
    found.append(_line("hicrisp", "— success, AGV", "hicrisp", "mean course"))
    found.append(_line("virtualhome", "VirtualHome, goals met, `hicrisp`", "hicrisp", "mean"))
    found.append(_line("virtualhome", "— `progprompt`", "progprompt", "mean"))
    for task, (preset, words) in _ROBUST.items():
        found.append(_line("robustness", f"Robustness, {words}: success", preset, task))
        found.append(_line("robustness", "— the same outcome", preset, task, None, "agreement"))
    found.append(
        _line("speed", "Median decision, seconds", "short", "mean", 0.6, "median_seconds", less=True, plain=True)
    )
    found.append(
        _line("speed", "Time over what the engine needs", "short", "mean", 1.15, "ratio", less=True, plain=True)
    )
    return found


def read_results(folder: Path) -> dict[str, dict[str, _Rows]]:
    """The rows of every model, by bench."""
    found: dict[str, dict[str, _Rows]] = {}
    for path in sorted(folder.glob("*/*/results.json")):
        results = json.loads(path.read_text())
        if results["model"] == _NONE:  # eyes alone
            continue
        by_key = {(row["preset"], row["task"], row["metric"]): row for row in results["rows"]}
        # A shipped model may have been measured in several folders; all others go by the name of theirs.
        model = results["model"] if results["model"] in _FIRST else path.parent.name
        of_model = found.setdefault(model, {})
        of_model[path.parent.parent.name] = {**by_key, **of_model.get(path.parent.parent.name, {})}
    models = [model for model in _FIRST if model in found] + [model for model in found if model not in _FIRST]
    return {model: found[model] for model in models}


def render_summary(results: Mapping[str, Mapping[str, _Rows]]) -> str:
    """The table as Markdown."""
    models = [model for model in results if len(results[model]) > 1]
    homes = (rows for each in results.values() for rows in [each.get("hicrisp", {})])
    home = tuple(
        dict.fromkeys(key[1] for rows in homes for key in rows if key[2] == "recall" and rows[key]["paper"] is not None)
    )
    head = ["target", "wanted", *(f"`{model}`" for model in models)]
    written = [head, ["---", "---:", *("---:" for _ in models)]]
    for line in _targets(home):
        each = [results[model].get(line.bench, {}) for model in models]
        wanted = next((value for rows in each if (value := line.wanted(rows)) is not None), None)
        sign = ">" if line.above else "≤" if line.less else "≥"
        asked = "" if wanted is None else f"{sign} {wanted:.2f}" if line.plain else f"{sign} {100 * wanted:.0f} %"
        missed = bool(each) and line.met(each[0]) is False
        written.append([line.what + (" *" if missed else ""), asked, *(line.shown(rows) for rows in each)])
    body = "\n".join(f"| {' | '.join(cells)} |" for cells in written)
    if not models:
        return "No results.\n"
    older = "Where a figure comes from earlier code or adapters, its benchmark's page says so."
    return f"{body}\n\nShare [95 % interval], episodes. {older} `*`: missed by `{models[0]}`.\n"


def main() -> None:
    """The command."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path, nargs="?", default=Path("bench"))
    options.add_argument("--out", type=Path, help="the file to write (FOLDER/summary.md)")
    given = options.parse_args()
    out = given.out or given.folder / "summary.md"
    out.write_text(render_summary(read_results(given.folder)), encoding="utf-8")


if __name__ == "__main__":
    main()
