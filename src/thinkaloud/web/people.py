"""The people who may use a server: each has a name, a role, and a token of which only a hash is kept.

    [people.Anna]
    role = "control"                # watch, speak, control or administer; each may do what those before it may
    as = "nurse"                    # optional: who she is to the robot, for skills that ask who wants them
    token = "sha256:…"              # made by `thinkaloud people add FILE Anna --role control`
    until = 2027-01-31              # optional: the last day on which it is good

A server reads the file again when it has changed: whoever is taken out of it is turned away at once. Tokens are random,
and long enough that a plain hash cannot be guessed back.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import Meta

from thinkaloud.errors import BadInput, UnknownName
from thinkaloud.records import Speaker
from thinkaloud.untrusted.files import FileMissing, Malformed, read_file, read_toml, write_private
from thinkaloud.untrusted.output import complain

Role = Literal["watch", "speak", "control", "administer"]
ROLES: tuple[Role, ...] = get_args(Role)
"""Each may do what those before it may."""
MAY: Mapping[Role, str] = {
    "watch": "see everything, and stop any robot",
    "speak": "also talk to a robot, and answer it",
    "control": "also start robots, pause them, move their things and approve steps",
    "administer": "also add robots and models, and take control from others",
}
_NAME = re.compile(r"[^\W_][\w .'-]{0,39}")
_HASH = re.compile(r"sha256:[0-9a-f]{64}")


class NotAllowed(BadInput):
    """Somebody's role does not go so far."""


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may use the server."""

    name: str
    role: Role
    hash: str = field(default="", repr=False)
    known_as: str = ""
    until: date | None = None

    def may(self, role: Role) -> bool:
        """Whether this person may do what this role may."""
        return ROLES.index(self.role) >= ROLES.index(role)

    @property
    def speaker(self) -> Speaker:
        """This person, as the robot knows them."""
        return Speaker(self.name, self.known_as)


class _Entry(msgspec.Struct, forbid_unknown_fields=True, rename={"known_as": "as"}):
    role: Role
    token: Annotated[str, Meta(pattern=_HASH.pattern + r"\Z")]
    known_as: Annotated[str, Meta(max_length=40)] = ""
    until: date | None = None


def hash_token(token: str) -> str:
    """What is kept of a token."""
    return f"sha256:{hashlib.sha256(token.encode('utf-8', 'replace')).hexdigest()}"


def make_token() -> str:
    """A new token: 192 random bits."""
    return secrets.token_urlsafe(24)


class People:
    """Those who may use a server; from a file, if it has one, which is read again when it has changed."""

    def __init__(
        self, people: Iterable[Person] = (), path: Path | None = None, today: Callable[[], date] = date.today
    ) -> None:
        self._people = {person.name: person for person in people}
        self._path, self._today = path, today
        self._read: tuple[int, int] | None = None
        self._lock = threading.Lock()

    @classmethod
    def of_file(cls, path: Path, today: Callable[[], date] = date.today) -> People:
        """Those in a file; BadInput where it cannot be used, or nobody is in it."""
        found = cls(read_people(path).values(), path, today)
        if not found._people:
            raise BadInput(
                f"{path} has nobody in it. Add somebody: thinkaloud people add {path} NAME --role administer"
            )
        found._read = _state(path)
        return found

    def __bool__(self) -> bool:
        return bool(self._people) or self._path is not None

    def everybody(self) -> tuple[Person, ...]:
        """All of them, also those whose time is over."""
        return tuple(self._now().values())

    def find(self, name: str) -> Person | None:
        """Somebody by name, if they are let in today."""
        person = self._now().get(name)
        return person if person is not None and self._is_good(person) else None

    def with_token(self, token: str) -> Person | None:
        """Whose token this is, even if their time is over; every hash is compared, so the time taken tells nothing."""
        given, found = hash_token(token), None
        for person in self._now().values():
            if person.hash and hmac.compare_digest(given, person.hash):
                found = person
        return found

    def is_over(self, person: Person) -> bool:
        """Whether somebody's last day has passed."""
        return not self._is_good(person)

    def _is_good(self, person: Person) -> bool:
        return person.until is None or self._today() <= person.until

    def _now(self) -> Mapping[str, Person]:
        if self._path is None:
            return self._people
        with self._lock:
            state = _state(self._path)
            if state != self._read:
                self._read = state
                try:
                    self._people = read_people(self._path)
                except BadInput as error:  # whoever cannot be read is not let in
                    self._people = {}
                    complain(f"thinkaloud: {error} Until it is mended, nobody is let in.")
            return self._people


def _state(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size


# The file -------------------------------------------------------------------------------------------------------------


def read_people(path: Path) -> dict[str, Person]:
    """Those in a file, by name; BadInput for one that cannot be used."""
    try:
        data = read_toml(read_file(path))
    except FileMissing:
        raise BadInput(f"{path} is not there. Make it: thinkaloud people add {path} NAME --role administer") from None
    except Malformed as error:
        where = f" (at line {error.line})" if error.line else ""
        raise BadInput(f"{path} cannot be read: {error}{where}.") from None
    if set(data) - {"people"} or not isinstance(data.get("people", {}), dict):
        raise BadInput(f"{path} may only have tables such as [people.Anna].")
    return {name: _read_person(path, name, entry) for name, entry in data.get("people", {}).items()}


def _read_person(path: Path, name: str, entry: object) -> Person:
    check_name(name)
    try:
        read = msgspec.convert(entry, _Entry)
    except msgspec.ValidationError as error:
        raise BadInput(f"{path}: {name}: {str(error).partition(' - ')[0]}.") from None
    return Person(name, read.role, read.token, read.known_as, read.until)


def check_name(name: str) -> None:
    """BadInput for a name that others could mistake for something else."""
    if not _NAME.fullmatch(name) or name != " ".join(name.split()):
        raise BadInput(f"{name[:60]!r} cannot be a name: use 1 to 40 letters, digits, spaces and . ' - characters.")


def add_person(path: Path, person: Person) -> str:
    """Write somebody into a file, made where there is none; their token, which is nowhere else."""
    check_name(person.name)
    there = read_people(path) if path.exists() else {}
    if person.name in there:
        raise BadInput(f"{path} has a {person.name} already. Take them out first: thinkaloud people remove")
    token = make_token()
    added = Person(person.name, person.role, hash_token(token), person.known_as, person.until)
    _write(path, {**there, person.name: added})
    return token


def remove_person(path: Path, name: str) -> None:
    """Take somebody out of a file: their token and their browsers are turned away from now on."""
    there = read_people(path)
    if name not in there:
        raise UnknownName("person", name, there)
    _write(path, {each: person for each, person in there.items() if each != name})


def _write(path: Path, people: Mapping[str, Person]) -> None:
    head = "# Who may use the page. Made by `thinkaloud people`; tokens are kept as hashes only.\n"
    write_private(path, head + "\n".join(_entry(person) for person in people.values()))


def _entry(person: Person) -> str:
    lines = [f"[people.{_quoted(person.name)}]", f'role = "{person.role}"', f'token = "{person.hash}"']
    lines += [f"as = {_quoted(person.known_as)}"] if person.known_as else []
    lines += [f"until = {person.until}"] if person.until else []
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    return msgspec.json.encode(text).decode()


# Who comes ------------------------------------------------------------------------------------------------------------

_BOUND = "person"


class Visitors:
    """Who is behind a viewer: where people are named, a viewer's secret is bound to the person who came with it.

    Where nobody is named, whoever reaches the server may do everything.
    """

    def __init__(self, people: People | None = None) -> None:
        self.people = people or People()

    def bind(self, person: Person | None, secret: str) -> str:
        """By what the sessions know a viewer: nobody can come as somebody else by taking over their secret."""
        if person is None:
            return secret.replace("\0", "")
        mark = hashlib.sha256(f"{person.name}\0{secret}".encode("utf-8", "replace")).hexdigest()[:24]
        return f"{_BOUND}\0{person.name}\0{mark}"

    def is_known(self, person: Person) -> bool:
        """Whether somebody is still on the list, with the token that they came with."""
        now = self.people.find(person.name)
        return now is not None and now.hash == person.hash

    def person(self, viewer: str) -> Person | None:
        """The person behind a viewer, as things are now."""
        kind, _, rest = viewer.partition("\0")
        return self.people.find(rest.partition("\0")[0]) if kind == _BOUND else None

    def require(self, viewer: str, role: Role) -> Person | None:
        """Who it is; NotAllowed where their role does not go so far, or they are not known any more."""
        if not self.people:
            return None
        person = self.person(viewer)
        if person is None:
            raise NotAllowed("You are not on this server's list any more. Ask whoever runs it for a token.")
        if not person.may(role):
            raise NotAllowed(f"You may {MAY[person.role]}. For this, your role has to be “{role}”.")
        return person

    def speaker(self, viewer: str) -> Speaker | None:
        """Who says something, for the robot; None where nobody is named."""
        person = self.person(viewer)
        return None if person is None else person.speaker
