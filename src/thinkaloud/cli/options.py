"""The options that `run`, `chat` and `plan` share, and the types of their values."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from thinkaloud.records import Speaker

_F = TypeVar("_F", bound=Callable[..., Any])
_LARGEST = 2**63 - 1


class Speed(click.ParamType[float]):
    """A speed factor."""

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
    """What a person says, as text that can be stored."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The text; bytes that are not valid text become question marks."""
        from thinkaloud.records import writable

        return writable(value)


class SpeakerName(click.ParamType["Speaker"]):
    """A person who talks to the robot, with a role: `Anna:nurse`."""

    name = "speaker"

    def convert(self, value: str | Speaker, param: click.Parameter | None, ctx: click.Context | None) -> Speaker:
        """The person."""
        from thinkaloud.records import Speaker
        from thinkaloud.untrusted.text import is_name

        found = value if isinstance(value, Speaker) else Speaker.read(value)
        if not all(is_name(each) for each in (found.name, found.role or found.name)):
            raise click.UsageError(f"--speaker has to be a name, or NAME:ROLE, not {str(value)[:40]!r}.", ctx)
        return found


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
    """A path as typed; `~` is the user's home folder."""
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
                help="The world; see `thinkaloud worlds`. Or your own: FILE.toml, FILE.py, MODULE:CLASS.",
            ),
            click.option(
                "--preset",
                metavar="P",
                type=SpokenText(),
                help="How it thinks; see `thinkaloud presets`. Default: thinkaloud, or what the world names.",
            ),
            click.option(
                "--model", metavar="M", type=SpokenText(), help="The language model; see `thinkaloud models`."
            ),
            click.option(
                "--seed",
                metavar="N",
                type=WholeNumber(),
                default=0,
                help="Which episode; default: 0.",
            ),
            click.option("--scene", metavar="FILE", type=to_path, help="What is in the world: a TOML or JSON file."),
            click.option(
                "--guidelines",
                metavar="FILE",
                type=SpokenText(),
                help="How the task is done: a text file, `drinks` or `dishwashing`; preset itp unless you name one.",
            ),
            click.option(
                "--confirm",
                type=click.Choice(["never", "unsure", "always"]),
                help="When to ask whether it understood you: never, if unsure, or always (preset thinkaloud).",
            ),
            click.option(
                "--disturb",
                metavar="NOISE",
                default="none",
                type=SpokenText(),
                help="Noise: none, paper, or values such as place=0.01; detector errors: lies=0.2.",
            ),
            click.option(
                "--eyes",
                metavar="E",
                default="",
                type=SpokenText(),
                help="What it sees with: camera, learned, owlv2:FOLDER … Default: the world's own.",
            ),
            click.option(
                "--hands",
                metavar="H",
                default="",
                type=SpokenText(),
                help="What says where to pick and place: learned, learned:FILE.onnx. Default: the world's own.",
            ),
            click.option(
                "--senses",
                metavar="S",
                default="",
                type=SpokenText(),
                help="What judges by pictures whether a step worked: learned, learned:FILE. Default: the world's own.",
            ),
            click.option(
                "--steps",
                metavar="N",
                type=WholeNumber(1, 10_000),
                help="The most steps; default: what the preset allows (15, or more for longer plans).",
            ),
            click.option(
                "--json", "as_json", is_flag=True, help="Print events on standard output as JSON, one per line."
            ),
        ],
    )


def output_options(function: _F) -> _F:
    """Speed, film, timings and journal."""
    forget = click.option("--no-journal", is_flag=True, help="Record no session; nothing to resume or replay.")
    pace = click.option(
        "--speed",
        metavar="X",
        type=Speed(),
        help="Run the world at X times real time; default: as fast as possible (`chat` in a terminal: 1).",
    )
    return pace(film_options(forget(function)))


def speaker_option(function: _F) -> _F:
    """Who talks to the robot."""
    return click.option(
        "--speaker",
        "speakers",
        metavar="NAME:ROLE",
        multiple=True,
        type=SpeakerName(),
        help="Who talks, such as Anna:nurse; some skills are only for some people. In `chat`, /as NAME changes it.",
    )(function)


def film_options(function: _F) -> _F:
    """Film and timings."""
    return _all(
        function,
        [
            click.option(
                "--film",
                metavar="FILE",
                type=to_path,
                help="Where to save the film; default: runs/SESSION/film.gif.",
            ),
            click.option("--no-film", is_flag=True, help="Save no film and no picture."),
            click.option(
                "--timings",
                is_flag=True,
                help="Also show seconds and tokens for each decision, which depend on this machine.",
            ),
        ],
    )
