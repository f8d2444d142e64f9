"""How sure a reading has to be: thresholds from requests that nobody trained on and that no test uses.

    python -m thinkaloud_bench.understanding.calibrate --model embedded --out calibration

It plays the requests in `calibration/` with a robot that never asks, and takes, for each share of silent errors that
one may be ready to accept, the smallest threshold that keeps it: of the n requests k end as silent errors at this
threshold, and (k + 1) / (n + 1) is no more than the share. That is conformal risk control (Angelopoulos et al. 2022):
errors only get fewer as the threshold rises, so the share is kept, on average, for requests of the same kind. Where no
threshold does, it is above 1: the robot always asks. What is said in another language than English has thresholds of
its own, from requests in `calibration_languages` and those among the others. The tables go to a file of the stage
`understand`, beside those of other models.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path

import click

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.settings import load
from thinkaloud_bench import run_bench
from thinkaloud_bench.episode_log import read_played
from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.curve import Reading, is_measured, readings_of
from thinkaloud_bench.understanding.material import CALIBRATION, CALIBRATION_LANGUAGES

ACCEPTED = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0)
"""The shares of silent errors, of all requests, that a threshold is looked for."""
ALWAYS = 1.01
"""A threshold that nothing reaches."""
DEFAULT = "default"
ENGLISH, OTHERS = "models", "languages"
"""The tables of the file: for what is said in English, and in other languages."""
PRESET = "thinkaloud:confirm=never"
_HEADING = """\
# How sure a reading has to be, for each share of silent errors that is accepted: [share, threshold].
# Measured on requests that nobody trained on: python -m thinkaloud_bench.understanding.calibrate --model M
# `default` is for models that were not measured: the most careful of the others. In `languages` are those from
# requests in other languages than English; the stricter of the two tables counts.
"""
Thresholds = Mapping[str, Sequence[tuple[float, float]]]
"""By the name of the model: accepted shares, each with its threshold."""

BENCH = bench_of(
    "calibration",
    "Requests by which thresholds are chosen; no others are tested on",
    CALIBRATION,
    CALIBRATION_LANGUAGES,
)


# Choosing -------------------------------------------------------------------------------------------------------------


def choose_threshold(readings: Sequence[Reading], accepted: float) -> float:
    """The smallest threshold at which no more than this share of the requests ends as a silent error."""
    for threshold in sorted({0.0, *(math.ceil(each.sure * 10_000) / 10_000 for each in readings if each.acted)}):
        if (_errors(readings, threshold) + 1) / (len(readings) + 1) <= accepted:
            return threshold
    return ALWAYS


def _errors(readings: Sequence[Reading], threshold: float) -> int:
    return sum(each.outcome_at(threshold) == "silent" for each in readings)


def choose_thresholds(readings: Sequence[Reading]) -> list[tuple[float, float]]:
    """A threshold for each share."""
    return [(accepted, choose_threshold(readings, accepted)) for accepted in ACCEPTED]


def by_language(readings: Sequence[Reading]) -> dict[str, list[Reading]]:
    """What was said in English, and what in other languages."""
    return {table: [each for each in readings if each.foreign is (table == OTHERS)] for table in (ENGLISH, OTHERS)}


# The file -------------------------------------------------------------------------------------------------------------


def thresholds_file() -> Path:
    """Where the stage `understand` reads them."""
    return Path(str(resources.files("thinkaloud.understand.checking").joinpath("thresholds.toml")))


def read_thresholds(text: str, table: str = ENGLISH) -> dict[str, list[tuple[float, float]]]:
    """A table in a file, by model."""
    models = tomllib.loads(text).get(table, {})
    return {name: [(float(share), float(at)) for share, at in each["accepts"]] for name, each in models.items()}


def with_thresholds(text: str, model: str, chosen: Sequence[tuple[float, float]], table: str = ENGLISH) -> str:
    """The text of the file with those of one model put in or replaced."""
    tables = {name: read_thresholds(text, name) for name in (ENGLISH, OTHERS)}
    tables[table][model] = list(chosen)
    return _HEADING + "".join(_render(name, _with_default(found)) for name, found in tables.items())


def _with_default(found: Thresholds) -> Thresholds:
    """The same with those of any other model: of each share the highest of all that were measured."""
    measured = [each for name, each in found.items() if name != DEFAULT]
    shares = sorted({share for each in measured for share, _ in each})
    most = [(share, max(at for each in measured for own, at in each if own == share)) for share in shares]
    return {**found, DEFAULT: most} if measured else {}


def _render(table: str, found: Thresholds) -> str:
    lines = []
    for name in sorted(found, key=lambda name: (name != DEFAULT, name)):
        key = name if name.replace("-", "").replace("_", "").isalnum() else '"' + name.replace('"', "'") + '"'
        pairs = ", ".join(f"[{share:g}, {at:g}]" for share, at in found[name])
        lines.append(f"\n[{table}.{key}]\naccepts = [{pairs}]\n")
    return "".join(lines)


def describe_thresholds(readings: Sequence[Reading], chosen: Sequence[tuple[float, float]]) -> str:
    """A small table: what is accepted, from where on it is acted on, and what that comes to on these requests.

    `in vain`: right readings that are asked about, although nothing was to be asked.
    """
    lines = ["accepted  sure from  acted on  silent  right  asked  in vain"]
    for share, threshold in chosen:
        above = [each for each in readings if each.acted and each.sure >= threshold]
        outcomes = [each.outcome_at(threshold) for each in readings]
        vain = sum(each.outcome == "right" != end for each, end in zip(readings, outcomes, strict=True))
        at = "always asks" if threshold > 1 else f"{threshold:.4f}"
        counts = f"{outcomes.count('silent'):6}  {outcomes.count('right'):5}  {outcomes.count('asked'):5}  {vain:7}"
        lines.append(f"{share:8.2f}  {at:>9}  {len(above):8}  {counts}")
    told = tell_apart(readings)
    return "\n".join([*lines, "" if told is None else f"a right one is surer than a wrong one: {told:.3f}"]).rstrip()


def tell_apart(readings: Sequence[Reading]) -> float | None:
    """How often a right reading is surer than one that would be a silent error, of those that are acted on."""
    right = [each.sure for each in readings if each.acted and each.outcome == "right"]
    wrong = [each.sure for each in readings if each.acted and each.outcome == "silent"]
    pairs = [(a > b) + (a == b) / 2 for a in right for b in wrong]
    return sum(pairs) / len(pairs) if pairs else None


# The command ----------------------------------------------------------------------------------------------------------


@click.command()
@click.option("--model", required=True, help="What it thinks with; see `thinkaloud models`.")
@click.option("--preset", default=PRESET, show_default=True, help="Who plays; it must not ask because it is unsure.")
@click.option("--name", help="The model's name in the file, if not its own.")
@click.option("--episodes", type=int, help="Requests of each robot; all if not given.")
@click.option("--jobs", type=int, default=1, help="How many at the same time.")
@click.option("--out", type=Path, required=True, help="A folder for what was played; the same command goes on there.")
@click.option("--file", type=Path, help="The table to write to, if not that of the stage `understand`.")
def main(
    model: str, preset: str, name: str | None, episodes: int | None, jobs: int, out: Path, file: Path | None
) -> None:
    """Play the requests for calibration, choose thresholds, and write them to the table."""
    settings = load({"model": model})
    try:
        report = run_bench(
            BENCH,
            presets=[preset],
            model=settings.model,
            episodes=episodes,
            seed=0,
            jobs=jobs,
            episodes_file=None,
            out=out,
            settings=settings,
            progress=lambda done, total, what: click.echo(f"{done} of {total}: {what}", err=True),
        )
        played = [each for each in read_played(out) if each.preset == preset]
        if not is_measured(played):
            raise BadInput(f"{preset} does not tell how sure it is: there is nothing to choose by.")
    except ThinkaloudError as error:
        raise click.ClickException(str(error)) from None
    path = file or thresholds_file()
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for table, readings in by_language(readings_of(played)).items():
        chosen = choose_thresholds(readings)
        click.echo(f"{table}\n{describe_thresholds(readings, chosen)}")
        text = with_thresholds(text, name or report.model, chosen, table)
    if not report.complete:
        raise click.ClickException("Not all of them were played; the same command goes on. Nothing was written.")
    path.write_text(text, encoding="utf-8")
    click.echo(f"Written to {path}.")


if __name__ == "__main__":
    main()
