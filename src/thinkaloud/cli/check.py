"""`thinkaloud check`: find what is wrong with a robot before anybody speaks to it, and show what to say to it."""

from __future__ import annotations

import click

from thinkaloud.cli.options import SpokenText
from thinkaloud.untrusted.output import write_line


@click.command(short_help="Check a robot of your own, and show what to say to it.")
@click.argument("robot", type=SpokenText())
def check(robot: str) -> int:
    """Check ROBOT: FILE.toml, FILE.py, FILE.py:CLASS, MODULE:CLASS or a world.

    Calls every declaration, relation and value with a few things of each kind, and compares what each skill declares:
    what it needs, brings about, ends and remembers. No skill runs, and no model is needed. Then lists what no skill can
    bring about or undo, and ten requests to try. Exits with 1 if there is something to mend, and with 2 if the robot
    cannot be opened.
    """
    from thinkaloud.robots import open_to_check
    from thinkaloud.robots.checking import check_robot
    from thinkaloud.robots.example_requests import example_requests
    from thinkaloud.worlds.contract import Measured, find_ability

    world = open_to_check(robot)
    found = check_robot(world)
    measured = find_ability(world, Measured)
    counts = [_count(len(world.skills), "skill"), _count(len(world.relations), "relation")]
    write_line(f"{world.name}: {', '.join([*counts, _count(len(measured.measures) if measured else 0, 'value')])}.")
    for title, lines in (("To mend", found.faults), ("To know", found.notes)):
        _write_list(title, lines)
    if not found.faults:
        write_line("Nothing to mend.")
        _write_list("To try", example_requests(world))
    return int(bool(found.faults))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _write_list(title: str, lines: list[str]) -> None:
    if lines:
        write_line(f"{title}:")
    for line in lines:
        write_line(line, indent=2)
