"""A robot of one's own by the name of its class: `my_robot:Robot`, importable from the working folder.

Or by its file: `robots/my_robot.py`, with `:Robot` behind it where there are several worlds in it.
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
from thinkaloud.worlds.contract import World, find_missing_members, find_missing_methods

PYTHON = ".py"


def open_python_class(name: str, scene: str | None) -> World:
    """The world that a class or a function of one's own gives; its scene is its own affair, if it takes one."""
    made = find_robot(name)
    try:
        takes_scene = "scene" in inspect.signature(made).parameters
        if scene and not takes_scene:
            raise BadScene(f"{name} takes no scene; leave it out.")
        world = made(scene=scene) if takes_scene else made()
    except ThinkaloudError:
        raise
    except Exception as error:  # a stranger's code: whatever is wrong with it is its own affair, and is named
        raise BadInput(f"{name} cannot be opened: {describe_fault(error)}") from error
    if missing := find_missing_members(world):
        raise BadInput(f"{name} is no world yet: it has no {', no '.join(missing)}.")
    try:
        vocabulary = world.observe().vocabulary
    except Exception:  # it may have to be reset first; then it is looked at when something is asked of it
        vocabulary = {}
    refuse_undeclared(world.skills, world.relations, vocabulary)
    return cast(World, world)


def find_robot(name: str) -> Any:
    """The class or function that a name stands for; it is not called. BadInput where there is none."""
    module, _, attribute = name.partition(":")
    found = _imported(module)
    if not attribute:
        return _only_world(name, found)
    made = getattr(found, attribute, None)
    if not callable(made):
        raise BadInput(f"{module} has no class or function {attribute!r}.")
    return made


def _imported(module: str) -> ModuleType:
    """A module by its name or its file."""
    path = Path(module) if module.endswith(PYTHON) else None
    if path is not None and not path.is_file():
        raise BadInput(f"There is no file {module}.")
    here = str(Path.cwd() if path is None else path.resolve().parent)
    if here not in sys.path:  # a command does not look there by itself
        sys.path.insert(0, here)
    try:
        return importlib.import_module(module) if path is None else _loaded(path.resolve())
    except ModuleNotFoundError as error:
        if path is not None or (error.name != module.partition(".")[0] and error.name != module):
            raise BadInput(f"{module} cannot be imported: {describe_fault(error)}") from error
        raise BadInput(f"There is no module {module!r} here; is {module}.py in this folder?") from None
    except Exception as error:
        raise BadInput(f"{module} cannot be imported: {describe_fault(error)}") from error


def _loaded(path: Path) -> ModuleType:
    """The module of a file, once; under another name where a module of this name is something else."""
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
    """The class of a file that is a world; BadInput where there is none, or one has to say which."""
    classes = [each for each in vars(module).values() if inspect.isclass(each) and each.__module__ == module.__name__]
    worlds = [each.__name__ for each in classes if not find_missing_methods(each) and not each.__name__.startswith("_")]
    if not worlds:
        raise BadInput(f"{name} has no class that is a world: one with {', '.join(find_missing_methods(object))}.")
    if len(worlds) > 1:
        raise BadInput(f"{name} has several worlds; say which: {', '.join(f'{name}:{each}' for each in worlds)}.")
    return getattr(module, worlds[0])
