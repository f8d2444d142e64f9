"""Run a benchmark: choose the episodes, have them played, and keep the results."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from thinkaloud.errors import BadInput, ThinkaloudError, UnknownName
from thinkaloud.models import ModelSettings
from thinkaloud.models import open_model as by_name
from thinkaloud.models.weight_digest import digest_model
from thinkaloud.presets import PRESETS, is_known, preset_name, read_preset
from thinkaloud.settings import Settings
from thinkaloud.worlds.hands import open_hands
from thinkaloud.worlds.success_senses import open_senses
from thinkaloud.worlds.vision import open_eyes
from thinkaloud_bench.benches import BENCHES
from thinkaloud_bench.contract import CEILING, Bench, Item, OpenModel, Played
from thinkaloud_bench.episode_log import EpisodeLog, LogHeading, read_log
from thinkaloud_bench.learned_weights import PARTS, digest_learned, learned_in
from thinkaloud_bench.report import Report
from thinkaloud_bench.rows import FALSE_SUCCESS, by_preset, false_success, fractions, lost_rows
from thinkaloud_bench.shards import digest_code, items_in, read_shards, shard_folder, shard_of, write_merged
from thinkaloud_bench.worker_processes import Player, play_alone, play_in_processes

_DIGITS = 12
"""Of the digest of the program that each episode keeps."""
Progress = Callable[[int, int, str], None]
"""(done, total, what)"""
PROCESSES, RAY = "processes", "ray"
ENGINES = (PROCESSES, RAY)
"""Where episodes are played: by processes of this machine, or on a Ray cluster."""


def run_bench(
    bench: str | Bench,
    *,
    presets: Sequence[str] | None,
    model: str,
    episodes: int | None,
    seed: int,
    jobs: int,
    episodes_file: Path | None,
    out: Path | None,
    settings: Settings,
    progress: Progress,
    tasks: Sequence[str] | None = None,
    eyes: str = "",
    hands: str = "",
    senses: str = "",
    shard: tuple[int, int] | None = None,
    open_model: OpenModel = by_name,
    engine: str = PROCESSES,
) -> Report:
    """Run a benchmark, or continue the one in `out`; None means all presets, all tasks, the paper's episodes.

    `bench` is a name, or a benchmark of your own; `eyes` is what the robots see with, such as `camera`, `hands` what
    says where they pick and place, and `senses` what says whether a step worked. Episodes that were already played are
    skipped. Ctrl-C ends the run; what was played so far is reported in any case. `shard` is a part of the run, such as
    the third of 64: only its episodes are played, and kept in a folder of its own in `out`, until `merge_shards` makes
    the report. `engine` says where the `jobs` are: in processes here, or on a Ray cluster.
    """
    bench = BENCHES.find(bench) if isinstance(bench, str) else bench
    if engine not in ENGINES:
        raise UnknownName("engine", engine, ENGINES)
    given, digest = (None, "") if episodes_file is None else _read_file(bench, episodes_file)
    items = items_of(bench, presets or bench.presets, tasks, episodes, seed, given)
    parts: dict[str, Any] = {name: part for name, part in zip(PARTS, (eyes, hands, senses), strict=True) if part}
    if parts:
        _check_parts(bench, parts)
        items = [replace(item, **parts) for item in items]
    identity = {**_identity(model, settings), **parts}
    code = "" if out is None else digest_code()[:_DIGITS]
    weights = "" if out is None or shard is not None else _weights(model, settings)
    files = learned_in(bench, dict.fromkeys(item.preset for item in items), parts)
    learned = digest_learned({} if out is None else files)
    heading = LogHeading(bench.name, model, seed, identity, episodes_file=digest, weights=weights, learned=learned)
    if shard is not None:
        part = shard_of(items, shard, model, settings.for_model())
        heading, items = msgspec.structs.replace(heading, shard=part), items_in(items, part)
        if out is None:
            raise BadInput("A shard needs --out DIR, the folder that all shards share.")
        out = shard_folder(out, part)
    with closing(EpisodeLog(out, heading)) as log:
        had = {(p.preset, p.task, p.index): p for p in log.played}
        missing = [item for item in items if (item.preset, item.task, item.index) not in had]
        done = len(items) - len(missing)
        progress(done, len(items), "beginning" if not done else f"{done} episodes were there already")
        stopped = False
        try:
            player = bench, open_model, model, _model_settings(settings, 1 if engine == RAY else jobs)
            with closing(_playing(missing, jobs, player, engine, files)) as playing:
                for played in playing:
                    log.add(msgspec.structs.replace(played, code=code))
                    done += 1
                    progress(done, len(items), f"{played.preset}, {played.task}")
        except KeyboardInterrupt:
            stopped = True
        finally:
            report = report_of(bench, items, log.played, model, seed)
            if out is not None and shard is None:
                report.write(out)
    if stopped:
        goes_on = (
            "nothing was kept; with --out DIR it could go on"
            if out is None
            else f"the same command with --out {out} goes on"
        )
        report.notes.append(f"Interrupted; {goes_on}")
    return report


def merge_shards(out: Path, bench: Bench | None = None) -> Report:
    """Join the shards in a folder, and write the report on all of them there; BadInput unless they fit together."""
    bench, heading, played = read_shards(out, bench)
    items = [Item(each.preset, each.task, each.index, each.seed) for each in played]
    write_merged(out, heading, played)
    report = report_of(bench, items, played, heading.model, heading.seed)
    report.write(out)
    return report


def recount(out: Path, bench: Bench | None = None) -> Report:
    """Compute the report on the episodes in a folder again, and write it there; nothing is played."""
    try:
        heading, played = read_log(out)
    except (OSError, ValueError, msgspec.MsgspecError) as error:
        raise BadInput(f"{out} has no episodes of a benchmark ({error}).") from None
    bench = bench or BENCHES.find(heading.bench)
    there = dict.fromkeys(each.preset for each in played)
    presets = dict.fromkeys([*(name for name in bench.presets if name in there), *there])
    items = [Item(each.preset, each.task, each.index, each.seed) for each in played]
    if not heading.episodes_file:  # what is missing between them is said below the table
        items = items_of(bench, presets, {each.task for each in played}, 1 + max(p.index for p in played), heading.seed)
    report = report_of(bench, items, played, heading.model, heading.seed)
    report.write(out)
    return report


def _weights(model: str, settings: Settings) -> str:
    """Return what identifies the model's weights; empty if there are none, as for a run of experts alone."""
    try:
        return digest_model(model, settings.for_model())
    except ThinkaloudError:
        return ""


def _read_file(bench: Bench, path: Path) -> tuple[Mapping[str, Sequence[Any]], str]:
    """The episodes in a file, by task, and its SHA-256."""
    if bench.read is None:
        raise BadInput(f"{bench.name} draws its episodes from the seed and takes no --episodes-file.")
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"--episodes-file {path} cannot be read: {error.strerror or error}.") from None
    found = bench.read(content, str(path))
    for task in found:
        if task not in bench.tasks:
            raise UnknownName(f"task of {bench.name}", task, bench.tasks)
    if not any(found.values()):
        raise BadInput(f"--episodes-file {path} has no episodes in it.")
    return {task: episodes for task, episodes in found.items() if episodes}, hashlib.sha256(content).hexdigest()


def items_of(
    bench: Bench,
    presets: Iterable[str],
    tasks: Iterable[str] | None,
    episodes: int | None,
    seed: int,
    given: Mapping[str, Sequence[Any]] | None = None,
) -> list[Item]:
    """List the episodes, grouped by preset; all names are checked here, before anything is played.

    `given` holds the episodes of a file, by task: these are played, or the first `episodes` of each task. The name of a
    group stands for all its tasks.
    """
    chosen, places = list(dict.fromkeys(presets)), list(bench.tasks)
    known = bench.tasks if given is None else given
    wanted = list(dict.fromkeys(tasks_named(bench, tasks) if tasks else known))
    for preset in chosen:
        _check_preset(bench, preset)
    for task in wanted:
        if task not in known:
            where = f"task of {bench.name}" if given is None else "task in the episodes file"
            raise UnknownName(where, task, known if given is not None else {*known, *groups_in(bench)})
        if tasks and given is None and bench.tasks[task].most == 0:
            raise BadInput(f"The task {task!r} of {bench.name} has no episodes of its own; give it --episodes-file.")
    if seed < 0:
        raise BadInput(f"A benchmark's seed is 0 or more, not {seed}.")

    def seeded(preset: str, task: str, index: int) -> Item:
        episode = None if given is None else given[task][index]
        number = 0 if bench.tasks[task].one_seed else index
        place = places.index(bench.tasks[task].like or task)
        return Item(preset, task, index, _seed_of(seed, place, number), episode)

    def count(task: str) -> int:
        if given is not None:
            return len(given[task]) if episodes is None else min(episodes, len(given[task]))
        own, most = bench.tasks[task].episodes, bench.tasks[task].most
        wanted = episodes if episodes is not None else own if own is not None else bench.episodes
        return wanted if most is None else min(wanted, most)

    meant = {preset for task in bench.tasks.values() for preset in task.presets}
    found = [
        seeded(preset, task, index)
        for preset in chosen
        for task in sorted(wanted, key=places.index)
        if preset not in meant or preset in bench.tasks[task].presets
        for index in range(count(task))
    ]
    if not found and meant.intersection(chosen):
        raise BadInput(f"{' and '.join(wanted)}: not played with {' and '.join(chosen)}, which other tasks are for.")
    return found


def tasks_named(bench: Bench, names: Iterable[str]) -> list[str]:
    """Return the tasks with these names; the name of a group stands for all its tasks."""
    found = list[str]()
    for name in names:
        is_group = name not in bench.tasks and name in groups_in(bench)
        found += [task for task, each in bench.tasks.items() if each.group == name] if is_group else [name]
    return found


def groups_in(bench: Bench) -> list[str]:
    """Return the names of the groups of tasks."""
    return list(dict.fromkeys(task.group for task in bench.tasks.values() if task.group))


def _check_preset(bench: Bench, preset: str) -> None:
    """Raise an error if the benchmark has no such column."""
    if bench.column is not None:
        try:
            bench.column(preset)
        except UnknownName:
            if not bench.only_own:
                _require_known(bench, preset)
            raise
        return
    if bench.only_own:
        if preset not in bench.presets:
            raise UnknownName(f"column of {bench.name}", preset, bench.presets)
        return
    if preset in bench.presets:
        return
    _require_known(bench, preset)
    read_preset(preset)


def _require_known(bench: Bench, preset: str) -> None:
    """Raise UnknownName, with the benchmark's own columns beside the presets, if there is no preset with this name."""
    if not is_known(preset):
        extra = [name for name in bench.presets if not is_known(name)]
        raise UnknownName("preset", preset_name(preset), [*PRESETS, *extra])


_OPENS: Mapping[str, Callable[[str], object]] = {"eyes": open_eyes, "hands": open_hands, "senses": open_senses}


def _check_parts(bench: Bench, parts: Mapping[str, str]) -> None:
    """Raise an error if there are no such parts, or no robots here that could use them; worlds check the rest."""
    for name, part in parts.items():
        if bench.only_own:
            raise BadInput(f"{bench.name} has no robot with a camera; leave --{name} out.")
        _OPENS[name](part)


def _seed_of(seed: int, task: int, index: int) -> int:
    """Return the seed of an episode: different for each episode, the same for every preset."""
    return int(np.random.SeedSequence([seed, task, index]).generate_state(1, np.uint32)[0])


def _playing(
    items: list[Item],
    jobs: int,
    player: tuple[Bench, OpenModel, str, ModelSettings],
    engine: str,
    learned: Mapping[str, Path],
) -> Generator[Played, None, None]:
    if engine == RAY and items:
        from thinkaloud_bench.ray_engine import play_on_ray

        return play_on_ray(items, jobs, player, learned)
    if jobs > 1 and len(items) > 1:
        return play_in_processes(items, jobs, player)
    return play_alone(items, Player(*player))


def _model_settings(settings: Settings, jobs: int) -> ModelSettings:
    """Divide the processors among the workers."""
    if settings.threads or jobs == 1:
        return settings.for_model()
    return settings.for_model(threads=max(1, min(8, len(os.sched_getaffinity(0)) // jobs)))


def _identity(model: str, settings: Settings) -> Mapping[str, str | int]:
    """Return the settings that can change a model's answers."""
    found: dict[str, str | int] = {"context": settings.context}
    if model.startswith("openai:"):
        found["base_url"] = settings.base_url
    return found


def report_of(bench: Bench, items: Sequence[Item], played: Sequence[Played], model: str, seed: int) -> Report:
    """Return the report on the items that have been played."""
    wanted = {(item.preset, item.task, item.index) for item in items}
    own = [p for p in played if (p.preset, p.task, p.index) in wanted]
    presets = list(dict.fromkeys(item.preset for item in items))
    used = {p.model for p in own if p.preset != CEILING}  # `embedded` without its adapter is really `embedded-base`
    name = used.pop() if len(used) == 1 else model
    rows, seconds = bench.rows(bench, presets, own), round(sum(p.seconds for p in own), 3)
    for preset, tasks in by_preset(presets, bench, own).items():
        rows += fractions(bench, preset, tasks, FALSE_SUCCESS, false_success)
        rows += lost_rows(bench, preset, tasks)
    notes = [*bench.notes(own), *_mixed(presets, own)]
    return Report(bench, name, seed, seconds, tuple(rows), len(own), len(items), notes)


def _mixed(presets: Sequence[str], played: Sequence[Played]) -> Iterator[str]:
    """Name the columns that several versions of the program have played."""
    for preset in presets:
        if (versions := len({each.code for each in played if each.preset == preset})) > 1:
            yield f"{preset}: {versions} versions of the program played its episodes"
