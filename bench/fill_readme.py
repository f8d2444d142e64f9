"""Puts the figures of a finished benchmark into README.md, between `<!-- table:NAME -->` and `<!-- end -->`.

    python bench/fill_readme.py [README.md]

For every region it reads bench/NAME/embedded-base/results.json beside this file; a region without results stays as it
is.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
MODEL = "embedded-base"
REGION = re.compile(r"(<!-- table:(?P<name>[\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def table(results: Mapping[str, Any]) -> str:
    """The success rates as Markdown: tasks down, presets across, `ours [95 % interval] (the paper's)`."""
    cells = {(row["task"], row["preset"]): row for row in results["rows"] if row["metric"] == "success"}
    tasks, presets = (list(dict.fromkeys(key[at] for key in cells)) for at in (0, 1))
    tasks.sort(key=lambda task: task.startswith("mean"))
    lines = [["task", *(f"`{preset}`" for preset in presets)], ["---", *("---:" for _ in presets)]]
    lines += [[task, *(_cell(cells.get((task, preset))) for preset in presets)] for task in tasks]
    per_task = max((row["n"] for (task, _), row in cells.items() if not task.startswith("mean")), default=0)
    body = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    note = f"Success in % [95 % interval] (the paper's figure); {results['model']}, seed {results['seed']}"
    return f"{body}\n\n{note}, {per_task} episodes per task.\n"


def _cell(row: Mapping[str, Any] | None) -> str:
    if row is None:
        return "–"
    value, low, high = (f"{100 * row[name]:.0f}" for name in ("value", "low", "high"))
    paper = "" if row["paper"] is None else f" ({100 * row['paper']:.0f})"
    return f"{value} [{low}–{high}]{paper}"


def filled(text: str, bench: Path = HERE) -> str:
    """The text with every region rewritten for which there are results."""

    def rewrite(region: re.Match[str]) -> str:
        results = bench / region["name"] / MODEL / "results.json"
        return region[1] + table(json.loads(results.read_text())) + region[3] if results.is_file() else region[0]

    return REGION.sub(rewrite, text)


def main(readme: Path) -> None:
    """Rewrite the file."""
    readme.write_text(filled(readme.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else HERE.parent / "README.md")
