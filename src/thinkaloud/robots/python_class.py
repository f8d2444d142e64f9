"""Open your own robot by the name of its class: `my_robot:Robot`, importable from the working folder.

Or by its file: `robots/my_robot.py`, followed by `:Robot` if the file has several worlds.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, cast

from thinkaloud.errors import BadInput, BadScene, ThinkaloudError, describe_fault
from thinkaloud.skills.declaration_check import refuse_undeclared
from thinkaloud.worlds.contract import World, describe_incomplete, find_missing_members, find_missing_methods

PYTHON = ".py"


def open_python_class(name: str, scene: str | None, *, to_check: bool = False) -> World:
    """The world that your class or function returns. It gets the scene as it is, if it takes one.

    One that is opened `to_check` may declare what does not exist.
    """
    made = find_robot(name)
    try:
        takes_scene = "scene" in inspect.signature(made).parameters
        if scene and not takes_scene:
            raise BadScene(f"{name} takes no scene; leave --scene out.")
        world = made(scene=scene) if takes_scene else made()
    except ThinkaloudError:
        raise
    except Exception as error:  # the robot's own code may raise anything; the message names it
        raise BadInput(f"{name} cannot be opened: {describe_fault(error)}") from error
    if missing := find_missing_members(world):
        raise BadInput(describe_incomplete(name, missing))
    if to_check:
        return cast(World, world)
    try:
        vocabulary = world.observe().vocabulary
    except Exception:  # it may need a reset first; then it is checked at the first request
        vocabulary = {}
    refuse_undeclared(world.skills, world.relations, vocabulary)
    return cast(World, world)


def find_robot(name: str) -> Any:
    """The class or function that a name refers to, not called. Raises BadInput if there is none."""
    module, _, attribute = name.partition(":")
    found = _imported(module)
    if not attribute:
        return _only_world(name, found)
    made = getattr(found, attribute, None)
    if not callable(made):
        raise BadInput(f"{module} has no class or function {attribute!r}.")
    return made


def _imported(module: str) -> ModuleType:
    """Import a module by its name or its file."""
    path = Path(module) if module.endswith(PYTHON) else None
    if path is not None and not path.is_file():
        raise BadInput(f"There is no file {module}.")
    here = str(Path.cwd() if path is None else path.resolve().parent)
    if here not in sys.path:  # an installed command does not search the working folder
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module) if path is None else _loaded(path.resolve())
    except ModuleNotFoundError as error:
        if path is not None or (error.name != module.partition(".")[0] and error.name != module):
            raise BadInput(f"{module} cannot be imported: {describe_fault(error)}") from error
        raise BadInput(f"There is no module {module!r}. Is {module}.py in this folder?") from None
    except Exception as error:
        raise BadInput(f"{module} cannot be imported: {describe_fault(error)}") from error


def _loaded(path: Path) -> ModuleType:
    """Import a file as a module, once; under another name if a different module has its name."""
    for name in (path.stem, f"robot_{path.stem}"):
        known = sys.modules.get(name)
        if known is not None and getattr(known, "__file__", None) == str(path):
            return known
    name = path.stem if path.stem not in sys.modules else f"robot_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None  # the name ends in .py
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _only_world(name: str, module: ModuleType) -> Any:
    """The world class in a file; raises BadInput if there is none, or several to choose from."""
    classes = [each for each in vars(module).values() if inspect.isclass(each) and each.__module__ == module.__name__]
    worlds = [each.__name__ for each in classes if not find_missing_methods(each) and not each.__name__.startswith("_")]
    if not worlds:
        raise BadInput(f"{name} has no world class. A world needs {', '.join(find_missing_methods(object))}.")
    if len(worlds) > 1:
        raise BadInput(f"{name} has several worlds. Choose one: {', '.join(f'{name}:{each}' for each in worlds)}.")
    return getattr(module, worlds[0])
