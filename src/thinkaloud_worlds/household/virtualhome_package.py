"""Access to the package eai-eval: VirtualHome's graph simulator, programs and data; imported when a home is opened."""

from __future__ import annotations

import importlib
import importlib.util
from functools import lru_cache
from pathlib import Path
from typing import Any

import msgspec

from thinkaloud.errors import BadInput, BadSettings, MissingExtra, UnknownName

_MODULE = "virtualhome_eval"
HINT = (
    "The world 'household' needs VirtualHome's graph simulator: pip install \"thinkaloud[virtualhome]\" "
    "(or, which is enough: pip install --no-deps eai-eval==1.0.5)."
)
_PROGRAMS = "dataset/programs_processed_precond_nograb_morepreconds"
_SCENE = "TrimmedTestScene1_graph"


def is_there() -> bool:
    """Whether the package is installed."""
    return importlib.util.find_spec(_MODULE) is not None


class VirtualHomeMissing(MissingExtra):
    """VirtualHome's graph simulator is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__("The world 'household'", "virtualhome")
        self.args = (HINT,)


@lru_cache(maxsize=1)
def folder() -> Path:
    """The folder with the package's data. Raises VirtualHomeMissing if the package is not installed."""
    found = importlib.util.find_spec(_MODULE)
    if found is None or not found.submodule_search_locations:
        raise VirtualHomeMissing
    return Path(next(iter(found.submodule_search_locations)))


@lru_cache(maxsize=8)
def simulator(part: str) -> Any:
    """A module of the graph simulator: `environment`, `scripts`, `execution` or `common`."""
    folder()
    try:
        return importlib.import_module(f"{_MODULE}.simulation.evolving_graph.{part}")
    except ImportError as error:
        raise BadSettings(f"{HINT} It is installed, but cannot be imported: {error}.") from None


@lru_cache(maxsize=8)
def resource(name: str) -> Any:
    """A data file of the package, such as `properties_data.json`."""
    path = folder() / "resources" / name
    try:
        return msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise BadInput(f"{path} cannot be read: {error}. {HINT}") from None


@lru_cache(maxsize=1)
def program_files() -> dict[str, Path]:
    """The start and end graphs of every program, by its id (such as `27_2`), in order."""
    found = {path.stem.removeprefix("file"): path for path in (_root() / _SCENE).glob("*/file*.json")}
    return {name: found[name] for name in sorted(found, key=_numbers)}


def program_text(program: str) -> str:
    """A program as it was written: its title, its description, and the lines of the script."""
    graph = graph_file(program)
    return (graph.parents[3] / "executable_programs" / _SCENE / graph.parent.name / f"file{program}.txt").read_text()


def graph_file(program: str) -> Path:
    """The file with the graphs of a program."""
    files = program_files()
    if program not in files:
        raise UnknownName("program of VirtualHome", program, files)
    return files[program]


def _root() -> Path:
    return folder() / _PROGRAMS / "init_and_final_graphs"


def _numbers(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split("_") if part.isdigit())
