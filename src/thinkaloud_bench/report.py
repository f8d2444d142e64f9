"""The results of a benchmark: a table for people, and files for programs."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path

import msgspec
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from thinkaloud.errors import BadInput
from thinkaloud_bench.contract import Bench, Row, Shown
from thinkaloud_bench.rows import FALSE_SUCCESS, LOST, MEAN, groups_of, mean_paper, same_preset


@dataclass(frozen=True)
class Report:
    """The numbers. `seconds` is the sum over all episodes, even if several ran at the same time."""

    bench: Bench
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

    @property
    def title(self) -> str:
        """The benchmark and the model."""
        return f"{self.bench.name}, {self.model}, seed {self.seed}"

    def table(self) -> Group:
        """One table for each metric that the benchmark shows; missing episodes and notes follow the last one."""
        shown = self._shown()
        tables = [self._table(each, each is shown[-1]) for each in shown]
        return Group(*tables, *(self._list(title, lines) for title, lines in self._lists().items()))

    def _lists(self) -> dict[str, Sequence[Sequence[str]]]:
        """The tables of another form: the benchmark's own, and where episodes were lost, over all tasks."""
        found = dict(self.bench.lists(self.rows))
        lost = {(row.metric, row.preset): row for row in self.rows if row.metric.startswith(LOST) and row.task == MEAN}
        presets = list(dict.fromkeys(preset for _, preset in lost))
        if presets:
            places = dict.fromkeys(metric for metric, _ in lost)
            shown = Shown(LOST)
            lines = [[m.removeprefix(LOST), *(_cell(shown, lost.get((m, each))) for each in presets)] for m in places]
            found["where episodes were lost, in % of all [95 % interval]"] = [["lost at", *presets], *lines]
        return found

    def _shown(self) -> list[Shown]:
        """The metrics that have results."""
        there = {row.metric for row in self.rows}
        wanted = (*self.bench.shown, Shown(FALSE_SUCCESS))
        found = [shown for shown in wanted if shown.metric in there]
        return found if found or self.bench.lists(self.rows) else list(self.bench.shown[:1])

    def _list(self, title: str, lines: Sequence[Sequence[str]]) -> Table:
        """A table of another form."""
        head, *others = lines
        table = Table(title=Text(f"{self.title}: {title}"))
        for at, name in enumerate(head):
            table.add_column(Text(name), justify="right" if at else "left")
        for line in others:
            table.add_row(*map(Text, line))
        return table

    def _table(self, shown: Shown, last: bool) -> Table:
        """Tasks down, presets across: ours [interval] (the paper's)."""
        head, *lines = self.grid(shown)
        caption = ". ".join([self._meaning(shown), *self.remarks()]) if last else self._meaning(shown)
        title = self.title if len(self.bench.shown) == 1 else f"{self.title}: {shown.title}"
        table = Table(title=Text(title), caption=Text(caption))
        for at, name in enumerate(head):
            table.add_column(Text(name.replace(":", "\n").replace(";", "\n")), justify="right" if at else "left")
        for at, line in enumerate(lines):
            to_means = at + 1 < len(lines) and lines[at + 1][0].startswith(MEAN)
            table.add_row(*map(Text, line), end_section=to_means and not line[0].startswith(MEAN))
        return table

    def remarks(self) -> list[str]:
        """The missing episodes, and the notes."""
        missing = [] if self.complete else [f"Only {self.played} of {self.planned} episodes were played"]
        return [*missing, *self.notes]

    def _meaning(self, shown: Shown) -> str:
        beside = " (paper)" if self.bench.paper.get(shown.metric) else ""
        return f"{shown.title}{' in %' if shown.percent else ''} [95 % interval]{beside}"

    def grid(self, shown: Shown) -> list[list[str]]:
        """The table of a metric as text, its heading first."""
        bench, published = self.bench, self.bench.paper.get(shown.metric, {})
        cells = {(row.preset, row.task): row for row in self.rows if row.metric == shown.metric}
        presets = list(dict.fromkeys(preset for preset, _ in cells))
        present = {task for _, task in cells}
        tasks = [task for task in bench.tasks if task in present]
        others = {name: paper for name, paper in published.items() if not any(same_preset(name, p) for p in presets)}
        groups = {name: members for name, members in groups_of(bench, tasks).items() if name in present}
        lines = [["task", *(f"{name} (paper)" for name in others), *presets]]
        for task in (*tasks, *groups):
            beside = [_number(shown, mean_paper(paper, groups.get(task, [task]))) for paper in others.values()]
            title = bench.tasks[task].title if task in bench.tasks else task
            lines.append([title, *beside, *(_cell(shown, cells.get((preset, task))) for preset in presets)])
        return lines

    def write(self, out: Path) -> None:
        """results.json, results.csv, table.txt, table.md and, with matplotlib, the plots."""
        data = {
            "bench": self.bench.name,
            **{name: getattr(self, name) for name in ("model", "seed", "seconds", "rows")},
        }
        try:
            out.mkdir(parents=True, exist_ok=True)
            (out / "results.json").write_bytes(msgspec.json.format(msgspec.json.encode(data), indent=1) + b"\n")
            (out / "results.csv").write_text(self._csv(), encoding="utf-8")
            (out / "table.txt").write_text(self._text(), encoding="utf-8")
            (out / "table.md").write_text(self._markdown(), encoding="utf-8")
            self.notes.extend(self.draw(out))
        except OSError as error:
            raise BadInput(f"The results cannot be written to {out}: {error.strerror or error}.") from None

    def draw(self, out: Path) -> list[str]:
        """Draw the plots into a folder; return what the user should know, such as that matplotlib is missing."""
        return self.bench.draw(self.bench, self.rows, self.title, out)

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
        parts = []
        for shown in self._shown():
            said = [self._meaning(shown), *(self.remarks() if shown is self._shown()[-1] else [])]
            parts.append(f"{_as_markdown(self.grid(shown))}\n\n{self.title}: {'. '.join(said)}.\n")
        for title, lines in self._lists().items():
            parts.append(f"{_as_markdown(lines)}\n\n{self.title}: {title}.\n")
        return "\n".join(parts)


def _as_markdown(lines: Sequence[Sequence[str]]) -> str:
    head, *others = lines
    rule = ["---", *("---:" for _ in head[1:])]
    return "\n".join("| " + " | ".join(line) + " |" for line in (head, rule, *others))


def _number(shown: Shown, value: float | None) -> str:
    if value is None:
        return "–"
    return f"{100 * value:.0f}" if shown.percent else f"{value:.2f}" if value < 10 else f"{value:.0f}"


def _cell(shown: Shown, row: Row | None) -> str:
    if row is None:
        return "–"
    paper = "" if row.paper is None else f" ({_number(shown, row.paper)})"
    return f"{_number(shown, row.value)} [{_number(shown, row.low)}–{_number(shown, row.high)}]{paper}"
