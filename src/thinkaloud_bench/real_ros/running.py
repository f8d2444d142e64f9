"""A ROS 1 master, a cart and a bridge, as programs of their own, for as long as they are needed."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

PYTHON = "/usr/bin/python3"
"""Debian's, which has its packages."""
_HERE = Path(__file__).parent
_NEEDED = "import actionlib, move_base_msgs.msg, rosmaster, rospy, std_srvs.srv, websockets"
CART = """
name = "real_cart"
about = "A cart drives between the rooms of a laboratory."

[kinds]
room = ["kitchen", "office"]

[skills.drive]
says = "Drive to the {room}."
doc = "Drive to a room."
parameters = { room = "room" }
makes = ["at({room})"]

[relations.at]
says = "The cart is in the {room}."
doc = "Where the cart is."
parameters = { room = "room" }
single = true

[rosbridge]
url = "URL"
ros = 1
stop = "cancel"

[rosbridge.places]
kitchen = [4.0, 1.0, 90]
office = [0.0, 0.0]

[rosbridge.skills.drive]
action = "/move_base"
goal = { target_pose = { header = { frame_id = "map" }, pose = "{room.pose}" } }
idle = { target_pose = { header = { frame_id = "wait" } } }
feedback = "base_position.pose.position.x"

[rosbridge.relations]
at = { topic = "/amcl_pose", field = "pose.pose.position", near = "{room}", frame = "map" }
"""
"""The cart's file; URL stands for the address."""
BRAKE = (
    'stop = { service = "/halt", arguments = { data = true }, '
    'shows = { topic = "/halted", field = "data", is = true }, '
    'release = { service = "/halt", arguments = { data = false } } }'
)
"""Its other stop."""


@cache
def find_missing() -> str:
    """Why real ROS 1 cannot be run here; empty if it can."""
    if not Path(PYTHON).exists():
        return f"there is no {PYTHON}"
    tried = subprocess.run([PYTHON, "-c", _NEEDED], capture_output=True, text=True, check=False)
    return tried.stderr.strip().rpartition("\n")[2] if tried.returncode else ""


@contextmanager
def running_ros(*, deaf: bool = False) -> Iterator[str]:
    """The address of a bridge to a cart; everything ends with the block. `deaf`: the cart goes on after a cancel."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    env = {**os.environ, "ROS_MASTER_URI": f"http://127.0.0.1:{port}", "ROS_IP": "127.0.0.1"}
    env.pop("PYTHONPATH", None)
    with ExitStack() as stack:
        stack.enter_context(_program([PYTHON, "-c", _MASTER, str(port)], env))
        stack.enter_context(_program([PYTHON, str(_HERE / "cart.py"), *(["deaf"] if deaf else [])], env))
        yield stack.enter_context(_program([PYTHON, str(_HERE / "bridge.py")], env))


_MASTER = (
    "import sys, threading, rosmaster.master\n"
    "master = rosmaster.master.Master(int(sys.argv[1])); master.start(); print('ready', flush=True)\n"
    "threading.Event().wait()"
)


@contextmanager
def _program(command: Sequence[str], env: dict[str, str]) -> Iterator[str]:
    """A program, and the first line that it says."""
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as program:
        try:
            assert program.stdout is not None
            line = program.stdout.readline().strip()
            if not line:
                raise RuntimeError(f"{command[1]} has ended at once.")
            yield line
        finally:
            program.kill()
