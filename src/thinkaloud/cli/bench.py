"""`thinkaloud bench`: run a paper's own tasks and print a table beside the paper's figures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import SpokenText, WholeNumber, to_path
from thinkaloud.untrusted.output import write_line

if TYPE_CHECKING:
    from thinkaloud_bench.report import Report

_MERGE, _RECOUNT = "merge", "recount"
"""In place of a benchmark's name: join the shards in a folder, or count the episodes in it again."""
_Progress = Callable[[int, int, str], None]
"""(done, total, what)"""


@click.command(short_help="Run a paper's tasks and print our figures beside the paper's.")
@click.argument("name", type=SpokenText())
@click.argument("folder", type=to_path, required=False, metavar="[DIR]")
@click.option("--preset", metavar="P,…", type=SpokenText(), help="Columns to run, separated by commas; default: all.")
@click.option("--model", metavar="M", type=SpokenText(), help="The language model; see `thinkaloud models`.")
@click.option("--episodes", metavar="N", type=WholeNumber(1), help="Episodes of each task.")
@click.option("--seed", metavar="N", type=WholeNumber(), default=0, help="The first seed.")
@click.option("--jobs", metavar="N", type=WholeNumber(1, 256), default=1, help="Number of parallel jobs.")
@click.option(
    "--episodes-file", metavar="FILE", type=to_path, help="Episodes from a file, for benchmarks that take one."
)
@click.option("--out", metavar="DIR", type=to_path, help="A folder for results.json, a CSV and plots.")
@click.option(
    "--eyes", metavar="E", type=SpokenText(), default="", help="What the robots see with; see `thinkaloud run --help`."
)
@click.option(
    "--hands", metavar="H", type=SpokenText(), default="", help="What says where they pick and place; see there."
)
@click.option("--senses", metavar="S", type=SpokenText(), default="", help="What says whether steps worked; see there.")
@click.option(
    "--tasks", metavar="T,…", type=SpokenText(), help="Only these tasks or groups of tasks, separated by commas."
)
@click.option(
    "--engine", metavar="E", type=SpokenText(), default="processes", help="Where the jobs are: processes, or ray."
)
@click.option("--shard", metavar="K/N", type=SpokenText(), help="Play only the K-th of N parts; needs --out.")
def bench(
    name: str,
    folder: Path | None,
    preset: str | None,
    model: str | None,
    tasks: str | None,
    shard: str | None,
    **given: Any,
) -> None:
    """Run benchmark NAME and print its tables, with 95 % intervals beside the paper's figures.

    With --out, every finished episode is saved, and the same command plays what is missing and nothing else: after
    Ctrl-C or SIGTERM, or with more --episodes. `thinkaloud bench recount DIR` makes the tables of DIR again and plays
    nothing. With --shard, many machines play parts of it into the same DIR; `thinkaloud bench merge DIR` joins them.
    With --engine ray, the jobs are workers of a Ray cluster.

    \b
    Benchmarks:
      inner-monologue-tabletop  requests under disturbances (Inner Monologue, Table 1)
      inner-monologue-real      stacking and sorting by what the camera at the wrist sees (Inner Monologue, Table 2)
      detectors                 what eyes find in pictures (Inner Monologue, Table 5); its columns are eyes: camera,
                                learned, learned:FILE.onnx, owlv2:FOLDER, grounding_dino:FOLDER
      random-tables             what eyes find by words among patterns and clutter, and in kitchens; its columns are
                                eyes, too
      single-steps              single steps of pick-and-place by learned hands, beside the expert; its columns are
                                expert, learned, learned:FILE.onnx
      success-senses            what learned success detectors say of steps, by pictures before and after; its columns
                                are always, both, foresight, hindsight; with :FILE.onnx for other weights
      inner-monologue-kitchen   a robot on wheels fetches and carries, with SayCan (Inner Monologue, Table 3)
      statler                   queries about what cannot be seen, in four domains (Statler, Tables I-III);
                                takes an --episodes-file
      shell-game                where the ball is after some swaps (Statler, Fig. 2); its columns
                                are its own: plain, chain_of_thought, state
      itp                       orders by guidelines, changed half-way (ITP, Tables I-III), and orders by random
                                guidelines, apart; takes an --episodes-file
      multitalk                 requests to an arm at a table, some of them ambiguous, blocked or impossible, with
                                a person who can be asked (MultiTalk); takes an --episodes-file
      hicrisp                   errors corrected within the step: requests in a home (Table I), at a table (Table II)
                                and to an AGV (HiCRISP)
      virtualhome               338 goals in VirtualHome's homes, with their own start graphs; long
      robustness                the same request in 20 phrasings, and scenes and feedback in 20 orders: how much the
                                results change; every task has its own preset
      understanding             requests to small robots and in the worlds, in people's own words and in five
                                languages: right, asked, declined, silent; takes an --episodes-file with a robot
                                of your own
      promise                   seven kinds of requests by strangers: how many are silently wrong?
      certify                   six kinds by new authors, written after all else was done
      disturbances              simple requests at a table while things are moved, dropped, taken away, misjudged, or
                                asked for differently; thinkaloud also with each part left out
      erring-senses             the same with detectors that err more and more often: how much of its success a preset
                                keeps
      capabilities              a goal changed during a task, "finish the previous task", stop in other words, hints,
                                other languages, emoji, typos, each in 20 wordings (Inner Monologue, Sec. 4.4)
      metaworld                 twenty requests over Meta-World's scenes, with its own policies and its judgement
      frankakitchen             twenty requests in FrankaKitchen, judged by its completion of each task
      speed                     seconds per decision, and how much of that the engine itself needs; its columns
                                are its own: examples, short, parts of a request, steps beside other frameworks

    \b
    Examples:
      thinkaloud bench inner-monologue-tabletop --episodes 10
      thinkaloud bench inner-monologue-tabletop --preset inner_monologue,open_loop --jobs 4 --out results
      thinkaloud bench inner-monologue-tabletop --eyes camera --preset inner_monologue --episodes 5
      thinkaloud bench inner-monologue-real --preset inner_monologue:feedback=object+success,ceiling --episodes 5
      thinkaloud bench detectors --preset camera --out results
      thinkaloud bench random-tables --preset camera --out results
      thinkaloud bench single-steps --preset expert,learned:steps.onnx --out results
      thinkaloud bench success-senses --preset always,both:judge.onnx --out results
      thinkaloud bench inner-monologue-kitchen --preset saycan,saycan:feedback=object+success --episodes 2
      thinkaloud bench statler --preset statler,code_as_policies --tasks disinfection --episodes 5
      thinkaloud bench statler --episodes-file episodes.json --out results
      thinkaloud bench shell-game --preset plain,state --tasks 1,2,4,8 --episodes 20
      thinkaloud bench itp --preset itp,code_as_policies --tasks random --episodes 20 --out results
      thinkaloud bench multitalk --preset multitalk,ceiling --tasks ambiguous,blocked --jobs 4 --out results
      thinkaloud bench hicrisp --preset progprompt,hicrisp --tasks watch_tv,two_in_bowl,course --episodes 5
      thinkaloud bench virtualhome --preset hicrisp --tasks watch_tv,drink --jobs 2 --out results
      thinkaloud bench robustness --tasks bowl,lookup,home --seed 1000 --out results
      thinkaloud bench understanding --preset thinkaloud --episodes-file my_robot.toml --out results
      thinkaloud bench promise --preset thinkaloud --episodes 2 --out results
      thinkaloud bench certify --preset thinkaloud --jobs 2 --out results
      thinkaloud bench disturbances --preset "thinkaloud:confirm=never,hicrisp" --episodes 5
      thinkaloud bench erring-senses --preset "thinkaloud:confirm=never,inner_monologue" --tasks steps_0,steps_20
      thinkaloud bench capabilities --preset inner_monologue --tasks stop,typos --episodes 5 --out results
      thinkaloud bench metaworld --preset thinkaloud,ceiling --episodes 1
      thinkaloud bench frankakitchen --preset thinkaloud,ceiling --episodes 1
      thinkaloud bench speed --model embedded --tasks itp,hicrisp --episodes 3
      thinkaloud bench statler --shard 3/64 --out results
      thinkaloud bench merge results
      thinkaloud bench statler --engine ray --jobs 64 --out results
      thinkaloud bench recount results
    """
    from thinkaloud.episode.interrupts import as_ctrl_c
    from thinkaloud.errors import BadInput
    from thinkaloud.settings import load

    if name in (_MERGE, _RECOUNT):
        _report_on(name, folder)
        return
    if folder is not None:
        raise BadInput(f"{name} takes no folder; give one with --out {folder}.")
    found, run_bench = _found(name)
    for option, given_names in (("--preset", preset), ("--tasks", tasks)):
        if given_names is not None and not _split(given_names):
            raise BadInput(f"{option} is empty; leave it out to run all of them.")
    _not_of_another_program(given["out"])
    settings = load({"model": model})
    with as_ctrl_c() as status, _progress_bar() as progress:
        report = run_bench(
            found,
            presets=None if preset is None else _split(preset),
            model=settings.model,
            settings=settings,
            progress=progress,
            tasks=None if tasks is None else _split(tasks),
            shard=None if shard is None else _read_shard(shard),
            **given,
        )
    if shard is None:
        _print_tables(report)
    else:
        done = f"Shard {shard}: {report.played} of {report.planned} episodes are in {given['out']}."
        write_line(f"{done} When all shards are there: thinkaloud bench merge {given['out']}")
    if not report.complete:
        sys.exit(status())  # finished episodes are saved; the same command continues from there


def _report_on(name: str, folder: Path | None) -> None:
    from thinkaloud.errors import BadInput

    if folder is None:
        holding = "the folder that the shards share" if name == _MERGE else "a folder with episodes"
        raise BadInput(f"{name} needs {holding}: thinkaloud bench {name} DIR")
    from thinkaloud_bench import merge_shards, recount

    _print_tables((merge_shards if name == _MERGE else recount)(folder))


def _read_shard(text: str) -> tuple[int, int]:
    from thinkaloud_bench.shards import read_shard

    return read_shard(text)


def _print_tables(report: Report) -> None:
    from thinkaloud.cli.terminal import console

    screen = console()
    if not screen.is_terminal:
        screen.width = max(screen.width, 200)
    screen.print(report.table())


def _found(name: str) -> tuple[Any, Any]:
    """The benchmark with this name and its runner; if a package is missing, the error says what to install."""
    from thinkaloud.errors import MissingExtra

    try:
        from thinkaloud_bench import BENCHES, run_bench

        return BENCHES.find(name), run_bench
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("thinkaloud.", "thinkaloud_bench.")):
            raise  # a bug of ours: installing something would not help
        raise MissingExtra(f"A benchmark (missing: {error.name})", "bench") from error


def _not_of_another_program(out: Path | None) -> None:
    from thinkaloud.errors import BadInput

    if out is not None and (out / "results.json").exists() and not (out / "episodes.jsonl").exists():
        raise BadInput(f"{out}/results.json is from another benchmark and would be overwritten; choose another --out.")


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


@contextmanager
def _progress_bar() -> Iterator[_Progress]:
    """Progress on standard error: a bar on a terminal, otherwise a line now and then."""
    from thinkaloud.cli.terminal import console
    from thinkaloud.untrusted.output import printable

    screen = console(stderr=True)
    if not screen.is_terminal:
        yield _every_tenth(lambda text: screen.print(printable(text), soft_wrap=True))
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Bar(*columns, console=screen, transient=True) as bar:
        task = bar.add_task("", total=None)

        def show(done: int, total: int, what: str) -> None:
            bar.update(task, completed=done, total=total, description=printable(what).replace("[", r"\["))

        yield show


def _every_tenth(write: Callable[[str], None]) -> _Progress:
    told = -1

    def show(done: int, total: int, what: str) -> None:
        nonlocal told
        tenth = 10 * done // max(total, 1)
        if tenth != told:
            told = tenth
            write(f"{done} of {total}: {what}")

    return show
