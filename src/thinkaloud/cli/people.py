"""`thinkaloud people`: who may use the page, and as what."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import click

from thinkaloud.cli.options import SpokenText, WholeNumber, to_path
from thinkaloud.untrusted.output import complain, write_line

_ROLES = ("watch", "speak", "control", "administer")


@click.group(short_help="Say who may use the page, and as what.")
def people() -> None:
    """Keep a FILE of the people who may use `thinkaloud serve --people FILE`.

    \b
    A role may do what those before it may:
      watch       see everything, and stop any robot
      speak       also talk to a robot, and answer it
      control     also start robots, pause them, move their things and approve steps
      administer  also add robots and models, and take control from others
    """


@people.command("add")
@click.argument("file", type=to_path)
@click.argument("name", type=SpokenText())
@click.option("--role", type=click.Choice(_ROLES), required=True, help="What they may do.")
@click.option(
    "--as", "known_as", metavar="WHO", type=SpokenText(), default="", help="Who they are to the robot: nurse."
)
@click.option(
    "--days", metavar="N", type=WholeNumber(1, 3650), help="The token is good for so many days; default: always."
)
def add(file: Path, name: str, role: str, known_as: str, days: int | None) -> None:
    """Add NAME to FILE, and print their token. It is shown this once; FILE keeps only a hash of it."""
    from thinkaloud.web.people import ROLES, Person, add_person

    until = date.today() + timedelta(days=days) if days is not None else None
    token = add_person(file, Person(name, ROLES[_ROLES.index(role)], known_as=known_as, until=until))
    write_line(token)
    complain(f"This is the token of {name}. It is not shown again. Give it to them in a safe way.")


@people.command("list")
@click.argument("file", type=to_path)
def list_people(file: Path) -> None:
    """List who is in FILE."""
    from thinkaloud.web.people import read_people

    for person in read_people(file).values():
        more = [f"to the robot: {person.known_as}"] if person.known_as else []
        more += [f"until {person.until}"] if person.until else []
        write_line(", ".join([f"{person.name}: {person.role}", *more]))


@people.command("remove")
@click.argument("file", type=to_path)
@click.argument("name", type=SpokenText())
def remove(file: Path, name: str) -> None:
    """Take NAME out of FILE. A server that uses FILE turns them away at once."""
    from thinkaloud.web.people import remove_person

    remove_person(file, name)
    write_line(f"{name} is out. Their token and their browsers are not let in any more.")
