"""The results of a campaign: a table for people, and JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from campaign.contract import KINDS
from campaign.running import Tally


def render_table(tallies: Sequence[Tally]) -> str:
    """A Markdown table of families, attempts and failures by kind, with a total."""
    rows = [_row(tally.family, tally.attempts, tally.failed, _by_kind([tally]), tally.figures) for tally in tallies]
    total = sum(tally.attempts for tally in tallies), sum(tally.failed for tally in tallies)
    head = ["| family | attempts | failures | by kind | measured |", "| --- | ---: | ---: | --- | --- |"]
    return "\n".join([*head, *rows, _row("all", *total, _by_kind(tallies), {})])


def _row(name: str, attempts: int, failed: int, kinds: dict[str, int], figures: dict[str, float]) -> str:
    said = ", ".join(f"{kind} {number}" for kind, number in kinds.items()) or "–"
    measured = ", ".join(f"{name} {value:g}" for name, value in figures.items())
    return f"| {name} | {attempts} | {failed} | {said} | {measured} |"


def _by_kind(tallies: Sequence[Tally]) -> dict[str, int]:
    sums = {kind: sum(tally.failures.get(kind, 0) for tally in tallies) for kind in KINDS}
    return {kind: number for kind, number in sums.items() if number}


def write_report(out: Path, tallies: Sequence[Tally], about: dict[str, Any]) -> None:
    """Write campaign.json and table.md to a folder."""
    out.mkdir(parents=True, exist_ok=True)
    content = about | {"families": [asdict(tally) for tally in tallies]}
    (out / "campaign.json").write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    (out / "table.md").write_text(render_table(tallies) + "\n")


def explain_kinds(tallies: Sequence[Tally]) -> list[str]:
    """The meaning of each kind of failure that was found."""
    return [f"{kind}: {KINDS[kind]}" for kind in KINDS if any(kind in tally.failures for tally in tallies)]
