"""A robot of one's own by the name of its class: `my_robot:Robot`, importable from the working folder."""

from __future__ import annotations

import importlib
import inspect
import sys
from pathlib import Path
from typing import Any, cast

from thinkaloud.errors import BadInput, BadScene, ThinkaloudError, describe_fault
from thinkaloud.worlds.contract import World, find_missing_members


def open_own(name: str, scene: str | None) -> World:
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
    return cast(World, world)


def find_robot(name: str) -> Any:
    """The class or function that a name stands for; it is not called. BadInput where there is none."""
    module, _, attribute = name.partition(":")
    if (here := str(Path.cwd())) not in sys.path:  # a command does not look there by itself
        sys.path.insert(0, here)
    try:
        found = getattr(importlib.import_module(module), attribute, None)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0] and error.name != module:
            raise BadInput(f"{module} cannot be imported: {describe_fault(error)}") from error
        raise BadInput(f"There is no module {module!r} here; is {module}.py in this folder?") from None
    except Exception as error:
        raise BadInput(f"{module} cannot be imported: {describe_fault(error)}") from error
    if not callable(found):
        raise BadInput(f"{module} has no class or function {attribute!r}.")
    return found
