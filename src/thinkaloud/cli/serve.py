"""`thinkaloud serve`: a page to talk to the robot, watch it think and stop it, and its API."""

from __future__ import annotations

from pathlib import Path

import click

from thinkaloud.cli.options import SpokenText, WholeNumber, to_path
from thinkaloud.untrusted.output import write_line

_PORT = 8765


@click.command(short_help="Serve a page to talk to robots, watch them think, and stop them.")
@click.argument("robots", nargs=-1, type=SpokenText(), metavar="[ROBOT]…")
@click.option(
    "--host", metavar="H", type=SpokenText(), default="127.0.0.1", help="Where to listen; default: only this machine."
)
@click.option(
    "--port", metavar="N", type=WholeNumber(0, 65535), default=_PORT, help=f"The port; default: {_PORT}; 0: any."
)
@click.option(
    "--token",
    metavar="T",
    type=SpokenText(),
    default="",
    help="The token visitors need, 16 characters or more; default: a random one.",
)
@click.option("--people", metavar="FILE", type=to_path, help="Who may use it, and as what: see `thinkaloud people`.")
@click.option("--certificate", metavar="FILE", type=to_path, help="Serve over TLS, with this certificate (PEM).")
@click.option("--key", metavar="FILE", type=to_path, help="The certificate's private key (PEM).")
@click.option("--name", "names", metavar="N", type=SpokenText(), multiple=True, help="Another name of this machine.")
@click.option("--no-open", is_flag=True, help="Do not open a browser.")
@click.option("--model", metavar="M", type=SpokenText(), help="The default language model.")
@click.option("--model-url", metavar="URL", type=SpokenText(), help="Where `thinkaloud models serve` runs.")
@click.option("--scenes", metavar="DIR", type=to_path, help="A folder of scene files to choose from.")
@click.option("--results", metavar="DIR", type=to_path, help="A folder of benchmark results to show.")
def serve(
    robots: tuple[str, ...],
    host: str,
    port: int,
    token: str,
    people: Path | None,
    certificate: Path | None,
    key: Path | None,
    names: tuple[str, ...],
    no_open: bool,
    model: str | None,
    model_url: str | None,
    scenes: Path | None,
    results: Path | None,
) -> None:
    """Serve a page, and an HTTP and WebSocket API, until Ctrl-C.

    ROBOT is a robot of your own: a class of a module in this folder (my_robot:Robot), a file that has one (FILE.py),
    or a text file (FILE.toml). Only this machine can reach it, unless --host says otherwise; then visitors need a
    token: one that is printed and lets its owner do everything, or with --people one for each, with a role.

    \b
    Examples:
      thinkaloud serve
      thinkaloud serve my_robot:Robot --model openai:gpt-4o
      thinkaloud serve --host 0.0.0.0 --no-open
      thinkaloud serve --host 0.0.0.0 --people people.toml --certificate cert.pem --key key.pem
    """
    import sys

    from thinkaloud.robots import is_own_robot, open_world
    from thinkaloud.robots.python_class import find_robot
    from thinkaloud.settings import load

    require_parts()
    from thinkaloud.web.hub import Hub
    from thinkaloud.web.people import People
    from thinkaloud.web.server import Serving
    from thinkaloud.web.server import serve_hub as serve_hub

    settings = load({"model": model, "model_url": model_url})
    for robot in robots:
        if is_own_robot(robot):
            find_robot(robot)  # not constructed yet: constructing a robot may move it
        else:
            open_world(robot)
    for folder in (scenes, results):
        _require_folder(folder)
    hub = Hub(
        settings,
        robots=robots,
        scenes=_or_here(scenes, "examples/scenes"),
        results=_or_here(results, "bench"),
        people=People.of_file(people) if people is not None else None,
    )
    opens = not no_open and sys.stdout.isatty() and people is None
    serving = Serving(host, port, token, names, opens, certificate, key)
    each = "" if people is None else " Everybody adds ?token=… with their own token, once."
    serve_hub(hub, serving, lambda address: write_line(f"Open {address} (Ctrl-C ends it){each}"))


def require_parts() -> None:
    """If a package is missing, raise a one-line error that says what to install."""
    from thinkaloud.errors import MissingExtra

    try:
        import nicegui  # noqa: F401

        import thinkaloud.web.server  # noqa: F401
    except ModuleNotFoundError as error:
        if str(error.name).startswith("thinkaloud."):
            raise  # a bug of ours: installing something would not help
        raise MissingExtra(f"thinkaloud serve (missing: {error.name})", "web") from error


def _require_folder(folder: Path | None) -> None:
    from thinkaloud.errors import BadInput

    if folder is not None and not folder.is_dir():
        raise BadInput(f"{folder} is not a folder.")


def _or_here(folder: Path | None, usual: str) -> Path | None:
    """The given folder, or the default one if it exists."""
    here = Path(usual)
    return folder or (here if here.is_dir() else None)
