"""Find things by name: our own, and those that other packages announce through entry points.

A package announces what it has in its `pyproject.toml`. Nothing is loaded before it is asked for by name:

    [project.entry-points."thinkaloud.worlds"]
    greenhouse = "greenhouse:open_greenhouse"
"""

from __future__ import annotations

import importlib
import importlib.metadata
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from importlib.metadata import Distribution, EntryPoint
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from thinkaloud.errors import BadInput, MissingExtra, UnknownName, describe_fault


class _Named(Protocol):
    @property
    def name(self) -> str: ...


_T = TypeVar("_T")
_N = TypeVar("_N", bound=_Named)
_OURS = "thinkaloud"
_EXTRAS = {"mujoco": "sim", "networkx": "sim", "numpy": "sim", "PIL": "sim", "matplotlib": "plots"}
"""Which of our extras installs a module."""


class Registry(Mapping[str, _T], Generic[_T]):
    """All entries of one kind, by name. An entry is loaded when it is asked for.

    `built_in` says where some of ours are, as `module:attribute`; our distribution announces the others through entry
    points, as other packages do. `check` raises ValueError for an entry of another kind. Other packages cannot replace
    our entries. `available` skips entries that cannot be loaded; `broken` lists them.
    """

    def __init__(self, kind: str, built_in: Mapping[str, str], check: Callable[[str, Any], _T]) -> None:
        self._kind, self._built_in, self._check = kind, dict(built_in), check
        self._loaded: dict[str, _T] = {}

    @property
    def _own(self) -> dict[str, str]:
        announced = {each.name: each.value for each in self._entry_points() if _package(each) == _OURS}
        return {**announced, **self._built_in}

    def __getitem__(self, name: str) -> _T:
        if name not in self._loaded:
            if name in self._own:
                self._loaded[name] = self._check(name, self._load(name))
            elif (announced := self._announced().get(name)) is not None:
                self._loaded[name] = self._from(announced)
            else:
                raise KeyError(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from sorted(self._announced())

    def __len__(self) -> int:
        return len(self._own) + len(self._announced())

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._announced()

    def find(self, name: str) -> _T:
        """The entry with this name. UnknownName says which names exist, BadInput what is wrong with a plugin."""
        if name not in self._loaded and name not in self:
            raise UnknownName(self._kind, name, self)
        return self[name]

    def from_plugins(self) -> list[str]:
        """The names that other packages announce."""
        return sorted(self._announced())

    def available(self) -> dict[str, _T]:
        """Everything that can be loaded."""
        found: dict[str, _T] = {}
        for name in self:
            try:
                found[name] = self[name]
            except BadInput as error:  # from another package, or an extra is not installed; `broken` names it
                if name in self._own and not isinstance(error, MissingExtra):
                    raise
        return found

    def missing(self) -> list[str]:
        """One line for each of our extras that is not installed, with the entries that need it."""
        names: dict[str, list[str]] = {}
        for name in self._own:
            try:
                self[name]
            except MissingExtra as error:
                names.setdefault(error.extra, []).append(name)
        return [str(MissingExtra(f"Each of {', '.join(found)}", extra)) for extra, found in names.items()]

    def broken(self) -> list[str]:
        """One line for each plugin that cannot be used, with the reason."""
        own = self._own
        lines = [
            f"The {self._kind} {each.name!r} of {_package(each)} is ignored: thinkaloud has one with that name."
            for each in self._entry_points()
            if each.name in own and _package(each) != _OURS
        ]
        for each in self._announced().values():
            try:
                self[each.name]
            except BadInput as error:
                lines.append(str(error))
        return lines

    def _load(self, name: str) -> Any:
        module, _, attribute = self._own[name].partition(":")
        try:
            return getattr(importlib.import_module(module), attribute)
        except ModuleNotFoundError as error:
            extra = _EXTRAS.get((error.name or "").partition(".")[0])
            if extra is None:
                raise
            raise MissingExtra(f"The {self._kind} {name!r}", extra) from error

    def _from(self, announced: EntryPoint) -> _T:
        try:
            return self._check(announced.name, announced.load())
        except Exception as error:  # a plugin's code may raise anything; the message names it
            package, why = _package(announced), describe_fault(error)
            raise BadInput(f"The {self._kind} {announced.name!r} of {package} cannot be used: {why}") from error

    def _announced(self) -> dict[str, EntryPoint]:
        own = self._own
        return {each.name: each for each in self._entry_points() if each.name not in own}

    def _entry_points(self) -> list[EntryPoint]:
        return sorted(entry_points(group=f"thinkaloud.{self._kind}s"), key=lambda each: (each.name, each.value))


def entry_points(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group, read again only after a package was installed or removed."""
    return _in_group(group, tuple((folder, _changed(folder)) for folder in sys.path))


@lru_cache(maxsize=64)
def _in_group(group: str, searched: tuple[tuple[str, int], ...]) -> tuple[EntryPoint, ...]:
    return tuple(_read(searched).select(group=group))


@lru_cache(maxsize=8)
def _read(searched: tuple[tuple[str, int], ...]) -> Any:
    """Return the entry points of all groups: each reading opens the files of every installed package."""
    return importlib.metadata.entry_points()


def _changed(folder: str) -> int:
    try:
        return Path(folder or ".").stat().st_mtime_ns
    except OSError:  # not every folder on the path exists
        return 0


def check_named(kind: type[_N]) -> Callable[[str, Any], _N]:
    """A registry check for entries that know their own name: the kind and the name must match."""

    def check(name: str, found: Any) -> _N:
        if not isinstance(found, kind):
            raise ValueError(f"expected a {kind.__name__}, not a {type(found).__name__}")
        if found.name != name:
            raise ValueError(f"its own name is {found.name!r}")
        return found

    return check


def _package(announced: EntryPoint) -> str:
    return announced.value.partition(":")[0] if announced.dist is None else _distribution_name(announced.dist)


@lru_cache(maxsize=64)
def _distribution_name(distribution: Distribution) -> str:
    """Return the name of an installed package; each lookup parses the package's whole metadata, README included."""
    return distribution.name
