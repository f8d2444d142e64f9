"""The options that `run`, `chat` and `plan` share, and the words that people type, cleaned."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])
_LARGEST = 2**63 - 1


class Speed(click.ParamType[float]):
    """How many times as fast as it happened."""

    name = "speed"

    def convert(self, value: str | float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        try:
            speed = float(value)
        except ValueError:
            speed = 0.0
        if not 0.01 <= speed <= 1000:
            raise click.UsageError(f"--speed has to be a number from 0.01 to 1000, not {str(value)[:40]!r}.", ctx)
        return speed


class SpokenText(click.ParamType[str]):
    """What somebody says, as text that can be written down."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text; bytes of an argument that were none are question marks."""
        from thinkaloud.records import writable

        return writable(value)


class WholeNumber(click.ParamType[int]):
    """A whole number between two others."""

    name = "number"

    def __init__(self, least: int = 0, most: int = _LARGEST) -> None:
        self._least, self._most = least, most

    def convert(self, value: str | int, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number."""
        try:
            number = int(value)
        except ValueError:
            number = self._least - 1
        if not self._least <= number <= self._most:
            above = " or more" if self._most == _LARGEST and number < self._least else f" to {self._most}"
            name = param.opts[-1] if param else "it"
            raise click.UsageError(
                f"{name} has to be a whole number, {self._least}{above}, not {str(value)[:40]!r}.", ctx
            )
        return number


def to_path(value: str) -> Path:
    """A path as it is typed; `~` is one's own folder."""
    from thinkaloud.untrusted.files import expand

    return expand(value)


def _all(function: _F, options: list[Callable[[_F], _F]]) -> _F:
    for option in reversed(options):
        function = option(function)
    return function


def episode_options(function: _F) -> _F:
    """World, preset, model, seed, scene, guidelines, disturbance and eyes."""
    return _all(
        function,
        [
            click.option(
                "--world",
                metavar="W",
                type=SpokenText(),
                help="Where the robot is; see `thinkaloud worlds`. Or your own: FILE.toml, FILE.py, MODULE:CLASS.",
            ),
            click.option(
                "--preset",
                metavar="P",
                type=SpokenText(),
                help="How it thinks; see `thinkaloud presets`. Else thinkaloud, or what the world names.",
            ),
            click.option(
                "--model", metavar="M", type=SpokenText(), help="What it thinks with; see `thinkaloud models`."
            ),
            click.option(
                "--seed",
                metavar="N",
                type=WholeNumber(),
                default=0,
                help="Which episode; 0 if not given.",
            ),
            click.option(
                "--scene", metavar="FILE", type=to_path, help="What the world has in it, from a TOML or JSON file."
            ),
            click.option(
                "--guidelines",
                metavar="FILE",
                type=SpokenText(),
                help="How the task is done, from a text file, or `drinks` or `dishwashing`; chooses the preset itp.",
            ),
            click.option(
                "--confirm",
                type=click.Choice(["never", "unsure", "always"]),
                help="When it asks if it understood you: never, where it is unsure, or always (preset thinkaloud).",
            ),
            click.option(
                "--disturb",
                metavar="NOISE",
                default="none",
                type=SpokenText(),
                help="Noise: none, paper, or values such as place=0.01; and errors in what it is told: lies=0.2.",
            ),
            click.option(
                "--eyes",
                metavar="E",
                default="",
                type=SpokenText(),
                help="What it sees with: camera, owlv2:FOLDER or grounding_dino:FOLDER; else as the world has it.",
            ),
            click.option(
                "--steps",
                metavar="N",
                type=WholeNumber(1, 10_000),
                help="The most steps; if not given, as many as the preset allows (15, or more for longer plans).",
            ),
            click.option("--json", "as_json", is_flag=True, help="One event per line on standard output, as JSON."),
        ],
    )


def output_options(function: _F) -> _F:
    """Speed, film, timings and journal."""
    forget = click.option("--no-journal", is_flag=True, help="Leave no session behind; nothing to resume or replay.")
    pace = click.option(
        "--speed",
        metavar="X",
        type=Speed(),
        help="The world at X times real time; as fast as it goes if not given (`chat` in a terminal: 1).",
    )
    return pace(film_options(forget(function)))


def film_options(function: _F) -> _F:
    """Film and timings."""
    return _all(
        function,
        [
            click.option(
                "--film",
                metavar="FILE",
                type=to_path,
                help="Where the film goes; runs/SESSION/film.gif if not given.",
            ),
            click.option("--no-film", is_flag=True, help="No film and no picture."),
            click.option(
                "--timings",
                is_flag=True,
                help="Also what depends on this machine: seconds, and the tokens of each decision.",
            ),
        ],
    )
