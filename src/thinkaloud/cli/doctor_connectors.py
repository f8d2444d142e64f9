"""The checks of `thinkaloud doctor` for what connects thinkaloud with something else. All of it is optional."""

from __future__ import annotations

import asyncio
import io
import queue
import tempfile
import time
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from thinkaloud.cli.diagnosis import Diagnosis

if TYPE_CHECKING:
    from thinkaloud.settings import Settings


def _mcp(settings: Settings) -> Diagnosis:
    """One question to an MCP server in this process, if the SDK is installed; it is optional."""
    from thinkaloud.errors import MissingExtra

    try:
        from mcp import Client
        from mcp.server.mcpserver import MCPServer
    except ModuleNotFoundError as error:
        raise MissingExtra("`thinkaloud mcp`, and a robot that is an MCP server,", "mcp") from error

    async def ask() -> str:
        server = MCPServer("doctor", log_level="ERROR")
        server.add_tool(lambda: "well", name="feel", description="How it is.", structured_output=False)
        async with Client(server) as client:
            return str((await client.call_tool("feel", {})).content[0].text)  # type: ignore[union-attr]

    began = time.monotonic()
    said = asyncio.run(ask())
    found = f"mcp {metadata.version('mcp')}: a client and a server talked in {time.monotonic() - began:.1f} s"
    return Diagnosis("mcp", found if said == "well" else f"said {said!r}", "" if said == "well" else "reinstall mcp")


def _ros(settings: Settings) -> Diagnosis:
    """One message to a WebSocket server in this process and back, if robots that speak ROS are installed."""
    from thinkaloud.errors import MissingExtra
    from thinkaloud.robots.ros_robot.link import Link

    try:
        from websockets.asyncio.server import ServerConnection, serve
    except ModuleNotFoundError as error:
        raise MissingExtra("A robot that speaks ROS", "ros") from error

    heard: queue.SimpleQueue[object] = queue.SimpleQueue()

    async def echo(socket: ServerConnection) -> None:
        async for text in socket:
            await socket.send(text)

    async def ask() -> object:
        async with serve(echo, "127.0.0.1", 0) as server:
            address = f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"
            link = await asyncio.to_thread(Link, address, "doctor", heard.put, lambda: None)
            link.send({"op": "status"})
            try:
                return await asyncio.to_thread(heard.get, timeout=5)
            finally:
                link.close()

    began = time.monotonic()
    try:
        asyncio.run(ask())
    except queue.Empty:
        return Diagnosis("ros", "a message was not heard in 5 s", "reinstall websockets")
    found = f"websockets {metadata.version('websockets')}: a message went to a server and back"
    return Diagnosis("ros", f"{found} in {time.monotonic() - began:.1f} s; no ROS is needed on this machine")


def _gymnasium(settings: Settings) -> Diagnosis:
    """A step in an environment, and back to the state before it, if Gymnasium is installed; it is optional."""
    from thinkaloud.errors import MissingExtra

    try:
        import gymnasium
    except ModuleNotFoundError as error:
        raise MissingExtra("A Gymnasium environment as a robot", "gymnasium") from error
    from thinkaloud.robots.gymnasium.saved_state import baseline_of, restore_state, save_state

    env = gymnasium.make("FrozenLake-v1", is_slippery=False)
    env.reset(seed=0)
    usual = baseline_of(env)
    before = save_state(env, usual)
    steps = [env.step(2)[0]]
    restore_state(env, before, usual)
    steps.append(env.step(2)[0])
    found = f"gymnasium {metadata.version('gymnasium')}: took a step in an environment, went back and took it again"
    return Diagnosis("gymnasium", found, "" if steps == [1, 1] else f"reinstall gymnasium: steps led to {steps}")


def _traces(settings: Settings) -> Diagnosis:
    """Whether the collector of traces takes an empty message, if the settings name one."""
    if not settings.traces:
        return Diagnosis("traces", "none are sent (the setting `traces` names a collector)")
    from thinkaloud.logs.spans import open_tracing
    from thinkaloud.monologue import Event
    from thinkaloud.records import End, Request
    from thinkaloud.untrusted.secrets import hide_credentials

    tracing = open_tracing(settings.traces, "doctor")
    tracing.hear(Event(0, 0.0, Request("doctor")))
    tracing.hear(Event(1, 0.0, End("answered", "doctor")))
    if lost := tracing.close():
        return Diagnosis("traces", lost, "start the collector, or change `traces`; the robot works without it")
    return Diagnosis("traces", f"{hide_credentials(settings.traces)} took one span")


def _zenoh(settings: Settings) -> Diagnosis:
    """A message of ROS 2 packed, sent within this process and read again, if Zenoh is installed."""
    from thinkaloud.errors import MissingExtra
    from thinkaloud.robots.ros_robot.ros_types import RosTypes

    types, kind = RosTypes(), "std_msgs/msg/Bool"
    try:
        import zenoh
    except ModuleNotFoundError as error:
        raise MissingExtra("A robot that speaks ROS 2 over Zenoh", "zenoh") from error
    heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    alone = zenoh.Config()
    settings_of_zenoh = {"mode": '"peer"', "listen/endpoints": "[]", "scouting/multicast/enabled": "false"}
    for key, value in settings_of_zenoh.items():  # nothing listens, and nobody is looked for
        alone.insert_json5(key, value)
    with zenoh.open(alone) as session:
        session.declare_subscriber("doctor", lambda sample: heard.put(sample.payload.to_bytes()))
        session.put("doctor", types.pack(kind, {"data": True}))
        try:
            told = types.unpack(kind, heard.get(timeout=5))
        except queue.Empty:
            return Diagnosis("zenoh", "a message was not heard in 5 s", "reinstall eclipse-zenoh")
    found = f"eclipse-zenoh {metadata.version('eclipse-zenoh')}: a message of ROS 2 was sent and read again"
    return Diagnosis("zenoh", found, "" if told == {"data": True} else "reinstall rosbags")


def _mcap(settings: Settings) -> Diagnosis:
    """One message written to an MCAP file and read again, if it is installed."""
    from thinkaloud.errors import MissingExtra

    try:
        from mcap.reader import make_reader
        from mcap.writer import Writer
    except ModuleNotFoundError as error:
        raise MissingExtra("`export --to run.mcap`", "mcap") from error
    file = io.BytesIO()
    writer = Writer(file)
    writer.start(library="thinkaloud")
    channel = writer.register_channel("/doctor", "json", 0)
    writer.add_message(channel, 0, b"{}", 0)
    writer.finish()  # type: ignore[no-untyped-call]
    read = [message.data for _, _, message in make_reader(io.BytesIO(file.getvalue())).iter_messages()]
    found = f"mcap {metadata.version('mcap')}: wrote a message to a file and read it again"
    return Diagnosis("mcap", found, "" if read == [b"{}"] else "reinstall mcap")


def _rerun(settings: Settings) -> Diagnosis:
    """One word written to a Rerun recording, if it is installed; nothing is started."""
    from thinkaloud.errors import MissingExtra

    try:
        import rerun
    except ModuleNotFoundError as error:
        raise MissingExtra("`export --to run.rrd`", "rerun") from error
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "doctor.rrd"
        recording = rerun.RecordingStream("thinkaloud", recording_id="doctor")
        recording.save(file)
        recording.log("words", rerun.TextLog("well"))
        recording.flush()
        recording.disconnect()
        written = file.stat().st_size
    found = f"rerun-sdk {metadata.version('rerun-sdk')}: wrote a recording of {written} bytes"
    return Diagnosis("rerun", found, "" if written else "reinstall rerun-sdk")


def _trees(settings: Settings) -> Diagnosis:
    """One tick of a behaviour tree, if py_trees is installed."""
    from thinkaloud.errors import MissingExtra

    try:
        import py_trees
    except ModuleNotFoundError as error:
        raise MissingExtra("`export --to tree.py`", "trees") from error
    tree = py_trees.behaviours.Success(name="doctor")
    tree.tick_once()
    found = f"py_trees {metadata.version('py_trees')}: ticked a tree"
    return Diagnosis("trees", found, "" if tree.status == py_trees.common.Status.SUCCESS else "reinstall py_trees")


CONNECTORS: Mapping[str, Callable[[Settings], Diagnosis]] = {
    "mcp": _mcp,
    "ros": _ros,
    "zenoh": _zenoh,
    "gymnasium": _gymnasium,
    "traces": _traces,
    "mcap": _mcap,
    "rerun": _rerun,
    "trees": _trees,
}
"""The checks, by their names."""
