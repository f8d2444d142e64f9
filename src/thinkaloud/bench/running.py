"""Running a benchmark: which episodes, who plays them, what is kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import numpy as np

from thinkaloud.bench.contract import CEILING, Bench, Item, OpenModel, Played
from thinkaloud.bench.ledger import Heading, Ledger
from thinkaloud.bench.report import Report
from thinkaloud.bench.rows import rows_of
from thinkaloud.bench.workers import Player, alone, together
from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.models import Settings as ModelSettings
from thinkaloud.models import open_model as by_name
from thinkaloud.presets import PRESETS, read_preset
from thinkaloud.settings import Settings

Progress = Callable[[int, int, str], None]
"""(done, total, what)"""


def run(
    bench: Bench,
    *,
    presets: Sequence[str] | None,
    model: str,
    episodes: int | None,
    seed: int,
    jobs: int,
    out: Path | None,
    settings: Settings,
    progress: Progress,
    tasks: Sequence[str] | None,
    open_model: OpenModel = by_name,
) -> Report:
    """Play what has not been played yet; Ctrl-C ends that, and what has been played is reported in any case."""
    items = items_of(bench, presets or bench.presets, tasks or list(bench.tasks), episodes or bench.episodes, seed)
    ledger = Ledger(out, Heading(bench.name, model, seed, _identity(model, settings)))
    had = {(p.preset, p.task, p.index): p for p in ledger.played}
    missing = [item for item in items if (item.preset, item.task, item.index) not in had]
    done = len(items) - len(missing)
    progress(done, len(items), "beginning" if not done else f"{done} episodes were there already")
    stopped = False
    try:
        with closing(_playing(bench, missing, jobs, open_model, model, _model_settings(settings, jobs))) as playing:
            for played in playing:
                ledger.add(played)
                done += 1
                progress(done, len(items), f"{played.preset}, {played.task}")
    except KeyboardInterrupt:
        stopped = True
    finally:
        report = _report(bench, items, ledger.played, model, seed)
        if out is not None:
            report.write(out)
    if stopped and out is not None:
        report.notes.append(f"Interrupted; the same command with --out {out} goes on")
    return report


def items_of(bench: Bench, presets: Iterable[str], tasks: Iterable[str], episodes: int, seed: int) -> list[Item]:
    """The episodes, those of a preset together; names are checked here, before anything is played."""
    chosen, wanted, places = list(dict.fromkeys(presets)), list(dict.fromkeys(tasks)), list(bench.tasks)
    for preset in chosen:
        if preset != CEILING:
            if preset.partition(":")[0] not in PRESETS:
                raise UnknownName("preset", preset.partition(":")[0], [*PRESETS, CEILING])
            read_preset(preset)
    for task in wanted:
        if task not in bench.tasks:
            raise UnknownName(f"task of {bench.name}", task, bench.tasks)
    if seed < 0:
        raise BadInput(f"A benchmark's seed is 0 or more, not {seed}.")
    return [
        Item(preset, task, index, seed_of(seed, places.index(task), index))
        for preset in chosen
        for task in sorted(wanted, key=places.index)
        for index in range(episodes)
    ]


def seed_of(seed: int, task: int, index: int) -> int:
    """The seed of an episode: its own, and the same for every preset."""
    return int(np.random.SeedSequence([seed, task, index]).generate_state(1, np.uint32)[0])


def _playing(
    bench: Bench, items: list[Item], jobs: int, open_model: OpenModel, model: str, settings: ModelSettings
) -> Generator[Played, None, None]:
    if jobs > 1 and len(items) > 1:
        return together(items, jobs, (bench.name, open_model, model, settings))
    return alone(items, Player(bench, open_model, model, settings))


def _model_settings(settings: Settings, jobs: int) -> ModelSettings:
    """The processors are shared among the workers."""
    shared = ModelSettings(
        base_url=settings.base_url,
        api_key=settings.api_key,
        timeout=settings.timeout,
        retries=settings.retries,
        threads=settings.threads,
        context=settings.context,
    )
    if settings.threads or jobs == 1:
        return shared
    return replace(shared, threads=max(1, min(8, len(os.sched_getaffinity(0)) // jobs)))


def _identity(model: str, settings: Settings) -> Mapping[str, str | int]:
    """The settings that can change what a model says."""
    found: dict[str, str | int] = {"context": settings.context}
    if model.startswith("openai:"):
        found["base_url"] = settings.base_url
    return found


def _report(bench: Bench, items: list[Item], played: list[Played], model: str, seed: int) -> Report:
    wanted = {(item.preset, item.task, item.index) for item in items}
    own = [p for p in played if (p.preset, p.task, p.index) in wanted]
    presets = list(dict.fromkeys(item.preset for item in items))
    used = {p.model for p in own if p.preset != CEILING}  # `embedded` without its adapter is really `embedded-base`
    name = used.pop() if len(used) == 1 else model
    rows = tuple(rows_of(bench, presets, own))
    return Report(bench.name, name, seed, round(sum(p.seconds for p in own), 3), rows, len(own), len(items))
