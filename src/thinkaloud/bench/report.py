"""What a benchmark found: a table for people, and files for programs."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field, fields
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from thinkaloud.bench.contract import Bench
from thinkaloud.bench.plots import draw
from thinkaloud.bench.rows import MEAN, Row, groups_of, same_preset
from thinkaloud.errors import BadInput


@dataclass(frozen=True)
class Report:
    """The numbers. `seconds` is the time of all the episodes together, however many ran at the same time."""

    bench: str
    model: str
    seed: int
    seconds: float
    rows: tuple[Row, ...]
    played: int = 0
    planned: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def complete(self) -> bool:
        """Whether every episode was played."""
        return self.played == self.planned

    def table(self) -> Table:
        """Tasks down, presets across: ours [interval] (the paper's)."""
        head, *lines = self.grid()
        table = Table(title=Text(f"{self.bench}, {self.model}, seed {self.seed}"), caption=Text(self.caption()))
        for at, name in enumerate(head):
            table.add_column(Text(name.replace(":", "\n").replace(";", "\n")), justify="right" if at else "left")
        for at, line in enumerate(lines):
            to_means = at + 1 < len(lines) and lines[at + 1][0].startswith(MEAN)
            table.add_row(*map(Text, line), end_section=to_means and not line[0].startswith(MEAN))
        return table

    def caption(self) -> str:
        """What the numbers mean, and what is missing."""
        said = "success in % [95 % interval] (paper)"
        if not self.complete:
            said += f"; only {self.played} of {self.planned} episodes were played"
        return ". ".join([said, *self.notes])

    def grid(self) -> list[list[str]]:
        """The table as text, its heading first."""
        bench = self._bench
        cells = {(row.preset, row.task): row for row in self.rows if row.metric == "success"}
        presets = list(dict.fromkeys(preset for preset, _ in cells))
        tasks = [task for task in bench.tasks if any((preset, task) in cells for preset in presets)]
        others = {name: paper for name, paper in bench.paper.items() if not any(same_preset(name, p) for p in presets)}
        groups = groups_of(bench, tasks)
        lines = [["task", *(f"{name} (paper)" for name in others), *presets]]
        for task in (*tasks, *groups):
            published = [
                _percent(sum(p[t] for t in groups.get(task, [task])) / len(groups.get(task, [task])))
                for p in others.values()
            ]
            title = bench.tasks[task].title if task in bench.tasks else task
            lines.append([title, *published, *(_cell(cells.get((preset, task))) for preset in presets)])
        return lines

    @property
    def _bench(self) -> Bench:
        from thinkaloud.bench import BENCHES

        return BENCHES[self.bench]

    def write(self, out: Path) -> None:
        """results.json, results.csv, table.txt, table.md and, with matplotlib, success.png."""
        data = {name: getattr(self, name) for name in ("bench", "model", "seed", "seconds", "rows")}
        try:
            out.mkdir(parents=True, exist_ok=True)
            (out / "results.json").write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n")
            (out / "results.csv").write_text(self._csv(), encoding="utf-8")
            (out / "table.txt").write_text(self._text(), encoding="utf-8")
            (out / "table.md").write_text(self._markdown(), encoding="utf-8")
            title = f"{self.bench}, {self.model}, seed {self.seed}"
            self.notes.extend(draw(self.rows, title, out / "success.png"))
        except OSError as error:
            raise BadInput(f"The results cannot be written to {out}: {error.strerror or error}.") from None

    def _csv(self) -> str:
        text = io.StringIO()
        names = [column.name for column in fields(Row)]
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(names)
        writer.writerows([getattr(row, name) for name in names] for row in self.rows)
        return text.getvalue()

    def _text(self) -> str:
        console = Console(file=io.StringIO(), width=200, color_system=None)
        with console.capture() as captured:
            console.print(self.table())
        return captured.get()

    def _markdown(self) -> str:
        head, *lines = self.grid()
        rule = ["---", *("---:" for _ in head[1:])]
        body = "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *lines))
        return f"{body}\n\n{self.bench}, {self.model}, seed {self.seed}: {self.caption()}.\n"


def _percent(value: float) -> str:
    return f"{100 * value:.0f}"


def _cell(row: Row | None) -> str:
    if row is None:
        return "–"
    paper = "" if row.paper is None else f" ({_percent(row.paper)})"
    return f"{_percent(row.value)} [{_percent(row.low)}–{_percent(row.high)}]{paper}"
