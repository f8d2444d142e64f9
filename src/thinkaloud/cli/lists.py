"""Commands that list worlds, their skills, and presets. Models have their own file."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import click

from thinkaloud.cli.options import SpokenText
from thinkaloud.untrusted.output import complain, printable, write_json, write_line

if TYPE_CHECKING:
    from thinkaloud.plugins import Registry
    from thinkaloud.skills.signatures import Parameter


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table on standard output: fitted to a terminal, otherwise with whole cells."""
    from rich.table import Table
    from rich.text import Text

    from thinkaloud.cli.terminal import console

    screen = console()
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for number, head in enumerate(heads):
        last = number == len(heads) - 1
        grid.add_column(head, no_wrap=not last, overflow="fold" if last else "ellipsis")
    for row in rows:
        grid.add_row(*(Text(" " * (len(cell) - len(cell.lstrip(" "))) + printable(cell)) for cell in row))
    if not screen.is_terminal:
        screen.width = 10_000  # lines that other programs read are not wrapped
    with screen.capture() as written:
        screen.print(grid)
    screen.file.write("".join(f"{line.rstrip()}\n" for line in written.get().splitlines()))


def tell_broken(registry: Registry[Any]) -> None:
    """Print a line on standard error for each plugin that cannot be used."""
    for line in registry.broken():
        complain(line)


@click.command()
def worlds() -> None:
    """List the worlds."""
    from thinkaloud.errors import BadInput
    from thinkaloud.presets import preset_for
    from thinkaloud.robots import open_world
    from thinkaloud.worlds import WORLDS
    from thinkaloud.worlds.contract import briefing_of

    rows, broken = [], [*WORLDS.missing(), *WORLDS.broken()]
    for name in WORLDS.available():
        try:
            world = open_world(name)
        except BadInput as error:  # a plugin's world, or one whose extra is not installed
            broken.append(str(error))
            continue
        about = (inspect.getdoc(type(world)) or briefing_of(world).about).splitlines() or [""]
        examples = " ".join(briefing_of(world).examples)
        rows.append((name, preset_for(world), about[0], examples, ", ".join(world.skills)))
    table(("world", "preset", "about", "try", "skills"), rows)
    for line in broken:
        complain(line)


@click.command(short_help="List what the robot can do in a WORLD.")
@click.argument("world", type=SpokenText())
@click.option("--json", "as_json", is_flag=True, help="As function descriptions in JSON, one per line.")
def skills(world: str, as_json: bool) -> None:
    """List what the robot can do in WORLD, and what can be checked and measured there.

    WORLD is one of `thinkaloud worlds`, or a robot of your own: FILE.toml, FILE.py, FILE.py:CLASS, MODULE:CLASS.
    """
    from thinkaloud.robots import open_world
    from thinkaloud.worlds.contract import Measured, find_ability

    opened = open_world(world)
    vocabulary = opened.observe().vocabulary if as_json else {}
    if as_json:
        for skill in opened.skills.values():
            write_json(json.dumps({**skill.signature.schema(vocabulary), "says": skill.signature.says}))
        return
    measured = find_ability(opened, Measured)
    measures = measured.measures.values() if measured else ()
    for kind, signatures in (
        ("Skills", [skill.signature for skill in opened.skills.values()]),
        ("Relations that can be checked", [relation.signature for relation in opened.relations.values()]),
        ("Values that can be measured", [measure.signature for measure in measures]),
    ):
        if signatures:
            write_line(f"{kind}:")
        for signature in signatures:
            write_line(signature.text(), indent=2)
            write_line(f"says: {signature.says}", indent=6)
            for parameter in signature.parameters:
                write_line(f"{parameter.name}: {_describe(parameter)}", indent=6)
            if signature.unit:
                write_line(f"in {signature.unit}", indent=6)


def _describe(parameter: Parameter) -> str:
    """What an argument may be, with the unit, range and step of an amount."""
    possible = parameter.amount.range if parameter.amount is not None else ""
    return f"{parameter.about.rstrip('.')}: {possible}." if possible else parameter.about


@click.command()
def presets() -> None:
    """List the presets: ours, the papers' methods, and the baselines."""
    from thinkaloud.presets import DEFAULT, PRESETS

    rows: list[Any] = []
    for preset in PRESETS.available().values():
        usual = "; the default" if preset.name == DEFAULT else ""
        rows.append((preset.name, f"{preset.about}{usual}"))
        rows += [
            (f"  :{option}=", f"{' | '.join(values)}  (default: the first)")
            for option, values in preset.all_options().items()
        ]
    table(("preset", "about"), rows)
    tell_broken(PRESETS)
