"""`thinkaloud mcp`: let other programs make requests of the robot, by the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from thinkaloud.cli.options import Speed, SpokenText, WholeNumber, to_path
from thinkaloud.untrusted.output import complain


@click.command(short_help="Let other programs make requests of the robot, by MCP.")
@click.option("--world", metavar="W", type=SpokenText(), help="The world, or a robot of your own; as for `run`.")
@click.option("--preset", metavar="P", type=SpokenText(), help="How it thinks; see `thinkaloud presets`.")
@click.option("--model", metavar="M", type=SpokenText(), help="The language model; see `thinkaloud models`.")
@click.option("--seed", metavar="N", type=WholeNumber(), default=0, help="Which episode; default: 0.")
@click.option("--scene", metavar="FILE", type=to_path, help="What is in the world: a TOML or JSON file.")
@click.option("--guidelines", metavar="FILE", type=SpokenText(), help="How the task is done; as for `run`.")
@click.option(
    "--confirm",
    type=click.Choice(["never", "unsure", "always"]),
    help="When to ask whether it understood you (preset thinkaloud).",
)
@click.option(
    "--speed",
    metavar="X",
    type=Speed(),
    help="Run a simulated world at X times real time; default: as fast as it goes.",
)
@click.option("--http", "port", metavar="PORT", type=WholeNumber(0, 65535), help="Serve over HTTP; 0: any free port.")
@click.option(
    "--host", metavar="H", type=SpokenText(), default="127.0.0.1", help="Where to listen; default: only this machine."
)
@click.option(
    "--token",
    metavar="T",
    type=SpokenText(),
    default="",
    help="The token clients need, 16 characters or more; default: a random one.",
)
@click.option("--name", "names", metavar="N", type=SpokenText(), multiple=True, help="Another name of this machine.")
def mcp(
    world: str | None,
    preset: str | None,
    model: str | None,
    seed: int,
    scene: Path | None,
    guidelines: str | None,
    confirm: str | None,
    speed: float | None,
    port: int | None,
    host: str,
    token: str,
    names: tuple[str, ...],
) -> None:
    """Serve the robot to other programs as five tools: do, plan, answer, stop and what_can_it_do.

    Without --http, a client starts this command and talks to it over standard input and output; the robot stops when
    the client is gone. With --http, only this machine can reach it, unless --host says otherwise; then clients need a
    token, as `Authorization: Bearer …`.

    \b
    Examples:
      thinkaloud mcp --world tabletop
      thinkaloud mcp --world my_robot.toml --http 8766
    """
    from thinkaloud.errors import BadInput, MissingExtra
    from thinkaloud.robots import is_own_robot, open_world
    from thinkaloud.settings import load
    from thinkaloud.staging.guidelines import choose_by_guidelines
    from thinkaloud.web.hub import Hub
    from thinkaloud.web.messages import SessionRequest

    try:
        from thinkaloud.web.mcp_server.serving import serve_http, serve_stdio
    except ModuleNotFoundError as error:
        if str(error.name).startswith("thinkaloud."):
            raise  # a bug of ours: installing something would not help
        raise MissingExtra(f"thinkaloud mcp (missing: {error.name})", "mcp") from error
    from thinkaloud.web.server import Serving

    if port is None and (token or names or host != "127.0.0.1"):
        raise BadInput("--host, --token and --name are for --http PORT; add it, or leave them out.")
    settings = load(choose_by_guidelines({"world": world, "preset": preset, "model": model}, guidelines))
    robots = (settings.world,) if is_own_robot(settings.world) or settings.world.endswith(".toml") else ()
    if not robots:
        open_world(settings.world)
    wanted = SessionRequest(
        world=settings.world,
        preset=preset,
        model=settings.model,
        seed=seed,
        scene=_read(scene),
        guidelines=guidelines,
        confirm=confirm,  # type: ignore[arg-type]
        speed=speed,
    )
    hub = Hub(settings, robots=robots)
    if port is None:
        serve_stdio(hub, wanted)
    else:
        serving = Serving(host, port, token, names).guarded()
        serve_http(hub, wanted, serving, lambda address: _tell(address, serving.token))


def _read(scene: Path | None) -> str | None:
    """The text of a scene file."""
    from thinkaloud.errors import BadInput
    from thinkaloud.untrusted.files import Malformed, read_file

    try:
        return None if scene is None else read_file(scene)
    except Malformed as error:
        raise BadInput(f"{scene}: {error}.") from error


def _tell(address: str, token: str) -> None:
    complain(f"MCP server at {address} (Ctrl-C ends it)" + (f"; Authorization: Bearer {token}" if token else ""))
