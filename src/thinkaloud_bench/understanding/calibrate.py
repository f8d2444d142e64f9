"""How sure a reading has to be: thresholds from requests that nobody trained on and that no test uses.

    python -m thinkaloud_bench.understanding.calibrate --model embedded --out calibration
    python -m thinkaloud_bench.understanding.calibrate --model embedded --source results/promise --source mine=results/x

It takes, for each share of silent errors that one may be ready to accept, the smallest threshold that keeps it: of the
n requests k end as silent errors at this threshold, and (k + 1) / (n + 1) is no more than the share. That is conformal
risk control (Angelopoulos et al. 2022): errors only get fewer as the threshold rises, so the share is kept, on average,
for requests of the same kind. Where no threshold does, it is above 1: the robot always asks.

Requests are of several kinds, and some are harder than others. Each kind is a source. The threshold for a share is that
of the hardest source, so the share is kept on each of them. There is one table for all languages. With `--out` the
requests in `calibration/` and `calibration_languages/` are played with a robot that never asks: two sources. `--source`
adds those of a finished run: `NAME=FOLDER`, or `FOLDER` alone for a source for each folder of requests that it played.
The table goes to a file of the stage `understand`, beside those of other models. With it goes the share that is the
model's default: the most careful one that leaves it with few questions in vain (`IN_VAIN`).
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping, Sequence
from functools import partial
from importlib import resources
from pathlib import Path

import click

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud.settings import load
from thinkaloud_bench import run_bench
from thinkaloud_bench.contract import Played
from thinkaloud_bench.episode_log import read_played
from thinkaloud_bench.intervals import wilson
from thinkaloud_bench.understanding import bench_of
from thinkaloud_bench.understanding.curve import Reading, is_measured, readings_of
from thinkaloud_bench.understanding.material import CALIBRATION, CALIBRATION_LANGUAGES, FOLDERS, PROMISE, shipped

ACCEPTED = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.5, 1.0)
"""The shares of silent errors, of all requests, that a threshold is looked for."""
IN_VAIN = 0.1
"""What a robot may by default ask in vain, of all requests, on the mean of the sources."""
ALWAYS = 1.01
"""A threshold that nothing reaches."""
DEFAULT = "default"
TABLE = "models"
"""The table of the file."""
PRESET = "thinkaloud:confirm=never"
_HEADING = """\
# How sure a reading has to be, for each share of silent errors that is accepted: [share, threshold].
# Measured on requests that nobody trained on: python -m thinkaloud_bench.understanding.calibrate --model M
# Each threshold is that of the hardest kind of requests. `default` is for models that were not measured: the most
# careful of the others. `accept` is the share by default: the smallest with few questions in vain.
"""
Thresholds = Mapping[str, Sequence[tuple[float, float]]]
"""By the name of the model: accepted shares, each with its threshold."""
Sources = Mapping[str, Sequence[Reading]]
"""By the name of a source of requests: what came of them."""

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


def choose_thresholds(sources: Sources, usual: float) -> list[tuple[float, float]]:
    """A threshold for each share, and for the default: that of the hardest source."""
    return [
        (accepted, max(choose_threshold(readings, accepted) for readings in sources.values()))
        for accepted in sorted({*ACCEPTED, usual})
    ]


def choose_share(sources: Sources) -> float:
    """The smallest share of silent errors, in whole percents, at which few questions are asked in vain."""
    for percent in range(1, 100):
        threshold = max(choose_threshold(readings, percent / 100) for readings in sources.values())
        if sum(map(partial(_in_vain, threshold=threshold), sources.values())) / len(sources) <= IN_VAIN:
            return percent / 100
    return 1.0


def _in_vain(readings: Sequence[Reading], threshold: float) -> float:
    """The share of requests that are read rightly and asked about all the same."""
    return sum(each.outcome == "right" != each.outcome_at(threshold) for each in readings) / max(1, len(readings))


def find_hardest(sources: Sources, accepted: float) -> str:
    """The source that needs the highest threshold to keep a share; of several, that with most silent errors."""
    return max(
        sources,
        key=lambda name: (
            choose_threshold(sources[name], accepted),
            _errors(sources[name], 0.0) / max(1, len(sources[name])),
        ),
    )


def sources_in(played: Sequence[Played]) -> dict[str, list[Reading]]:
    """What was played, by the folder of requests that it is from."""
    folders = (*PROMISE, *FOLDERS, CALIBRATION, CALIBRATION_LANGUAGES)
    places = {task: folder for folder in folders for task in shipped(folder)}
    found: dict[str, list[Played]] = {}
    for each in played:
        found.setdefault(places.get(each.task, "others"), []).append(each)
    return {name: readings_of(some) for name, some in found.items()}


# The file -------------------------------------------------------------------------------------------------------------


def thresholds_file() -> Path:
    """Where the stage `understand` reads them."""
    return Path(str(resources.files("thinkaloud.understand.checking").joinpath("thresholds.toml")))


def read_thresholds(text: str) -> dict[str, list[tuple[float, float]]]:
    """The table in a file, by model."""
    models = tomllib.loads(text).get(TABLE, {})
    return {name: [(float(share), float(at)) for share, at in each["accepts"]] for name, each in models.items()}


def read_shares(text: str) -> dict[str, float]:
    """The share that each model in a file accepts by default."""
    return {
        name: float(each["accept"]) for name, each in tomllib.loads(text).get(TABLE, {}).items() if "accept" in each
    }


def with_thresholds(text: str, model: str, chosen: Sequence[tuple[float, float]], usual: float) -> str:
    """The text of the file with those of one model, and its default share, put in or replaced."""
    shares = {**read_shares(text), model: usual}
    least = min(share for name, share in shares.items() if name != DEFAULT)
    return _HEADING + _render(_with_default({**read_thresholds(text), model: list(chosen)}), {**shares, DEFAULT: least})


def _with_default(found: Thresholds) -> Thresholds:
    """The same with those of any other model: of each share the highest of all that were measured.

    Where a model was not measured at a share, it is held to the next smaller one, as the stage does.
    """
    measured = [each for name, each in found.items() if name != DEFAULT]
    shares = sorted({share for each in measured for share, _ in each})
    most = [
        (share, max(next((at for own, at in sorted(each, reverse=True) if own <= share), 1.0) for each in measured))
        for share in shares
    ]
    return {**found, DEFAULT: most} if measured else {}


def _render(found: Thresholds, shares: Mapping[str, float]) -> str:
    lines = []
    for name in sorted(found, key=lambda name: (name != DEFAULT, name)):
        key = name if name.replace("-", "").replace("_", "").isalnum() else '"' + name.replace('"', "'") + '"'
        pairs = ", ".join(f"[{share:g}, {at:g}]" for share, at in found[name])
        usual = f"accept = {shares[name]:g}\n" if name in shares else ""
        lines.append(f"\n[{TABLE}.{key}]\n{usual}accepts = [{pairs}]\n")
    return "".join(lines)


def describe_sources(sources: Sources, chosen: Sequence[tuple[float, float]]) -> str:
    """What the thresholds come to on each source, and which of them is the hardest."""
    parts = [f"{name}: {len(each)} requests\n{describe_thresholds(each, chosen)}" for name, each in sources.items()]
    hardest = ", ".join(f"{share:g}: {find_hardest(sources, share)}" for share, _ in chosen)
    return "\n\n".join([*parts, f"hardest source for each share: {hardest}"])


def describe_thresholds(readings: Sequence[Reading], chosen: Sequence[tuple[float, float]]) -> str:
    """A small table: what is accepted, from where on it is acted on, and what that comes to on these requests.

    `in vain`: right readings that are asked about, although nothing was to be asked. `own`: the threshold that these
    requests alone would need.
    """
    lines = ["accepted  sure from  acted on  silent  right  asked  in vain  silent, 95 % interval      own"]
    for share, threshold in chosen:
        above = [each for each in readings if each.acted and each.sure >= threshold]
        outcomes = [each.outcome_at(threshold) for each in readings]
        vain = sum(each.outcome == "right" != end for each, end in zip(readings, outcomes, strict=True))
        counts = f"{outcomes.count('silent'):6}  {outcomes.count('right'):5}  {outcomes.count('asked'):5}  {vain:7}"
        around = wilson(outcomes.count("silent"), len(readings))
        interval = f"{100 * around.value:.1f} % [{100 * around.low:.1f}, {100 * around.high:.1f}]"
        own = _told(choose_threshold(readings, share))
        lines.append(f"{share:8.2f}  {_told(threshold):>9}  {len(above):8}  {counts}  {interval:>21}  {own:>11}")
    told = tell_apart(readings)
    return "\n".join([*lines, "" if told is None else f"a right one is surer than a wrong one: {told:.3f}"]).rstrip()


def _told(threshold: float) -> str:
    return "always asks" if threshold > 1 else f"{threshold:.4f}"


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
@click.option("--out", type=Path, help="Play the requests for calibration; a folder to which the same command goes on.")
@click.option(
    "--source", "folders", multiple=True, help="A finished run: NAME=FOLDER, or FOLDER. As often as you like."
)
@click.option("--file", type=Path, help="The table to write to, if not that of the stage `understand`.")
def main(
    model: str,
    preset: str,
    name: str | None,
    episodes: int | None,
    jobs: int,
    out: Path | None,
    folders: tuple[str, ...],
    file: Path | None,
) -> None:
    """Choose thresholds that keep their promise on every source of requests, and write them to the table."""
    if out is None and not folders:
        raise click.UsageError("There is nothing to choose by: give --out to play requests, or --source, or both.")
    complete = True
    try:
        sources = _read_sources(folders, preset)
        if out is not None:
            played, complete = _play(model, preset, episodes, jobs, out)
            sources |= sources_in(_measured(played, preset))
    except ThinkaloudError as error:
        raise click.ClickException(str(error)) from None
    usual = choose_share(sources)
    chosen = choose_thresholds(sources, usual)
    click.echo(describe_sources(sources, chosen))
    if not complete:
        raise click.ClickException("Not all of them were played; the same command goes on. Nothing was written.")
    path = file or thresholds_file()
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    path.write_text(with_thresholds(text, name or load({"model": model}).model, chosen, usual), encoding="utf-8")
    click.echo(f"Accepted by default: {usual:g}.")
    click.echo(f"Written to {path}.")


def _play(model: str, preset: str, episodes: int | None, jobs: int, out: Path) -> tuple[list[Played], bool]:
    """The requests for calibration as they were played, and whether that is all of them."""
    settings = load({"model": model})
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
    return read_played(out), report.complete


def _read_sources(folders: Sequence[str], preset: str) -> dict[str, list[Reading]]:
    """The readings of finished runs, by source."""
    found: dict[str, list[Reading]] = {}
    for each in folders:
        name, named, folder = each.rpartition("=")
        if not (Path(folder) / "episodes.jsonl").is_file():
            raise BadInput(f"{folder} is no folder of results: it has no episodes.jsonl.")
        played = _measured(read_played(Path(folder)), preset)
        found |= {name: readings_of(played)} if named else sources_in(played)
    return found


def _measured(played: Sequence[Played], preset: str) -> list[Played]:
    own = [each for each in played if each.preset == preset]
    if not is_measured(own):
        raise BadInput(f"{preset} does not tell how sure it is: there is nothing to choose by.")
    return own


if __name__ == "__main__":
    main()
