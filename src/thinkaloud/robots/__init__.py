"""Open a robot by its name: an installed world, a text file, or a Python class of your own."""

from __future__ import annotations

from thinkaloud.errors import BadInput, BadScene, BadSettings, ThinkaloudError, describe_fault
from thinkaloud.worlds import WORLDS
from thinkaloud.worlds.contract import (
    Disturbable,
    Handed,
    SeenFromAbove,
    SeenInPlace,
    Slippery,
    Viewed,
    World,
    describe_incomplete,
    find_ability,
    find_missing_members,
)
from thinkaloud.worlds.disturbance import parse_disturbance


def _opened(name: str, scene: str | None) -> World:
    if is_robot_file(name):
        return _opened_file(name, scene)
    if is_own_robot(name):
        from thinkaloud.robots.python_class import open_python_class

        return open_python_class(name, scene)
    opener = WORLDS.find(name)
    if name not in WORLDS.from_plugins():
        return opener(scene)
    try:
        world = opener(scene)
    except ThinkaloudError:
        raise
    except Exception as error:  # a plugin's code may raise anything; the message names it
        raise BadInput(f"The world {name!r} cannot be opened: {describe_fault(error)}") from error
    if missing := find_missing_members(world):
        raise BadInput(describe_incomplete(name, missing))
    return world


def _opened_file(name: str, scene: str | None) -> World:
    """The robot of a text file: imagined, unless the file names the server that carries out its skills."""
    from thinkaloud.robots.mcp_robot import McpRobot, read_tool_table
    from thinkaloud.robots.ros_robot import RosRobot, read_ros_table
    from thinkaloud.robots.text_file import TextFileWorld, parse_robot, read_robot_text

    text = read_robot_text(name) if scene is None else scene
    robot = parse_robot(text, name)
    tools, ros = read_tool_table(robot, text), read_ros_table(robot, text)
    if tools is not None and ros is not None:
        raise BadScene(f"{name}: a robot has [mcp], or [rosbridge] or [zenoh], not both.")
    if ros is not None:
        return RosRobot(robot, ros)
    return TextFileWorld(robot) if tools is None else McpRobot(robot, tools)


def open_to_check(name: str) -> World:
    """Open a world by name, even one of your own whose declarations are wrong."""
    if not is_own_robot(name) or is_robot_file(name):
        return open_world(name)
    from thinkaloud.robots.python_class import open_python_class

    return open_python_class(name, None, to_check=True)


def is_robot_file(name: str) -> bool:
    """Whether a name is a text file that describes a robot."""
    return name.lower().endswith(".toml")


def is_own_robot(name: str) -> bool:
    """Whether a name is a class of your own: `my_robot:Robot`, `my_robot.py[:Robot]`."""
    module, colon, attribute = name.partition(":")
    if module.endswith(".py"):
        return attribute.isidentifier() if colon else True
    return bool(colon) and all(part.isidentifier() for part in module.split(".")) and attribute.isidentifier()


def open_world(
    name: str, *, scene: str | None = None, disturbance: str = "none", eyes: str = "", hands: str = "", senses: str = ""
) -> World:
    """Open a world by name, with a scene (as `Scene.to_json` writes it) and noise (as `parse_disturbance` reads it).

    A name that ends in `.toml` is a file that describes a robot; its scene is the text of that file. `my_robot:Robot`
    is a class or function in a module that can be imported from here, and returns the world. `robots/my_robot.py:Robot`
    is one in a file; leave `:Robot` out if the file has only one world. `eyes`, such as `camera`, are what the robot
    sees with; by default it sees what the world reports. `hands`, such as `learned:FILE.onnx`, say where the arm picks
    and places; by default that is scripted. `senses`, named alike, judge by pictures whether a step worked.
    """
    world, by = _opened(name, scene), parse_disturbance(disturbance)
    give_eyes(world, eyes)
    give_hands(world, hands)
    if by.noisy:
        if (disturbable := find_ability(world, Disturbable)) is None:
            raise BadSettings(f"The world {name!r} has no senses to disturb; leave --disturb out.")
        world = disturbable.with_noise(by)
    if by.slip:
        if (slippery := find_ability(world, Slippery)) is None:
            raise BadSettings(f"The hand cannot slip in the world {name!r}; leave slip out of --disturb.")
        world = slippery.with_slips(by.slip)
    if by.misjudges or by.missees:
        from thinkaloud.worlds.faulty_detectors import FaultyDetectors

        world = FaultyDetectors(world, by)
    return with_senses(world, senses)


def with_senses(world: World, senses: str) -> World:
    """The world in which senses with this name (`learned:FILE.onnx`) say whether steps worked; itself without one."""
    if not senses:
        return world
    from thinkaloud.worlds.success_senses import SensedSuccess, open_senses

    in_place = find_ability(world, SeenFromAbove) is None and find_ability(world, SeenInPlace) is not None
    return SensedSuccess(world, open_senses(senses, in_place=in_place))


def give_eyes(world: World, eyes: str) -> None:
    """Give a robot eyes by name (`camera`, `owlv2:FOLDER`); raises BadSettings if it has no camera."""
    if not eyes:
        return
    if (viewed := find_ability(world, Viewed)) is None:
        raise BadSettings(f"The world {world.name!r} has no camera to see through; leave --eyes out.")
    from thinkaloud.worlds.vision import open_eyes

    viewed.see_with(open_eyes(eyes))


def give_hands(world: World, hands: str) -> None:
    """Give a robot hands by name (`learned:FILE.onnx`); raises BadSettings if there is nothing for them to do."""
    if not hands:
        return
    if (handed := find_ability(world, Handed)) is None:
        raise BadSettings(
            f"The world {world.name!r} has no picture of a table to pick and place in; leave --hands out."
        )
    from thinkaloud.worlds.hands import open_hands

    handed.pick_with(open_hands(hands))
