"""A robot by rosbridge: its actions, services and topics are carried out, read, stopped and never trusted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("websockets", reason="a robot that speaks ROS needs the extra `ros`")

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput, BadScene, DidNotWork
from thinkaloud.models import Scripted
from thinkaloud.records import End, Outcome, Stop
from thinkaloud.robots.ros_robot import RosRobot, connection, link, proof, read_ros_table, stopping
from thinkaloud.robots.ros_robot.practice_server import PracticeRosbridge
from thinkaloud.robots.text_file import parse_robot

PRESET = "thinkaloud:confirm=never"
FILE = (Path(__file__).parents[2] / "examples" / "robots" / "ros_cart.toml").read_text()
URL = "ws://127.0.0.1:9090"
GRIPPER = FILE[FILE.index("[skills.grip]") : FILE.index("[relations.at]")]
GRIPPERS_ROW = FILE[FILE.index("[rosbridge.skills.grip]") : FILE.index("[rosbridge.relations]")]
DRIVING = FILE.replace(GRIPPER, "").replace(GRIPPERS_ROW, "")
"""The cart without its gripper: a cancel is its only stop."""
HALTING = DRIVING.replace('stop = "cancel" ', GRIPPERS_ROW[GRIPPERS_ROW.index("stop = ") :].strip() + " ")
"""The cart with a stop of its own."""


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is given to what nobody here needs it for."""
    monkeypatch.setattr(stopping, "AGAIN", 0.05)
    monkeypatch.setattr(proof, "STARTING", 0.02)
    monkeypatch.setattr(connection, "SETTLING", 0.02)
    monkeypatch.setattr(connection, "AFTER_MOVING", 0.1)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never comes is not waited for long."""
    monkeypatch.setattr(stopping, "STOPPING", 0.3)
    monkeypatch.setattr(proof, "STOPPING", 0.3)


_opened: list[RosRobot] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().connection.close()


def robot(server: PracticeRosbridge | None, text: str = FILE) -> RosRobot:
    """The robot of a file, at a server."""
    text = text.replace(URL, server.url if server is not None else "ws://127.0.0.1:1")
    described = parse_robot(text, "cart.toml")
    table = read_ros_table(described, text)
    assert table is not None
    _opened.append(RosRobot(described, table))
    return _opened[-1]


def agent_of(world: RosRobot, program: str = 'drive("kitchen")') -> Agent:
    return Agent(world, Scripted(lambda prompt: program), PRESET)


def ask(world: RosRobot, program: str = 'drive("kitchen")') -> tuple[End, Agent]:
    """Have the robot do something."""
    agent = agent_of(world, program)
    return asyncio.run(agent.run("Drive to the kitchen.")), agent


def outcomes(agent: Agent) -> list[Outcome]:
    return [event.record for event in agent.monologue if isinstance(event.record, Outcome)]


def goals(server: PracticeRosbridge) -> list[dict[str, Any]]:
    """The goals that were sent, without those that do nothing."""
    return [each for each in server.asked("send_action_goal") if not each["args"].get("seconds")]


# What it does ---------------------------------------------------------------------------------------------------------


def test_an_action_is_carried_out_once_and_a_topic_tells_that_it_was() -> None:
    with PracticeRosbridge() as server:
        end, agent = ask(robot(server))
    assert end.result == "goal met", end
    assert server.cart.at == (4.0, 1.0) and server.cart.motions == len(goals(server)) == 1
    (goal,) = goals(server)
    assert goal["action_type"] == "practice_msgs/action/Drive" and goal["args"]["target"]["x"] == 4.0
    assert outcomes(agent)[0].ending == "completed"


def test_a_service_is_called() -> None:
    with PracticeRosbridge() as server:
        _, agent = ask(robot(server), "grip()")
    assert server.cart.gripped and server.cart.motions == 1
    assert outcomes(agent)[0].report == "Gripped."


def test_messages_are_published_until_a_topic_shows_what_they_are_for() -> None:
    row = '[rosbridge.skills.drive]\ntopic = "/push"\nmessage = { x = 1.0, y = 0.25 }\nevery = 0.001\n'
    row += 'until = { topic = "/pose", field = "pose.position", near = "{room}" }\n\n'
    begin, over = FILE.index("[rosbridge.skills.drive]"), FILE.index("[rosbridge.skills.grip]")
    with PracticeRosbridge() as server:
        end, _ = ask(robot(server, HALTING.replace(FILE[begin:over], row)))
        assert end.result == "goal met" and server.cart.motions == 4
        assert server.cart.halted  # what is kept moving is stopped at the end


def test_places_fields_and_thresholds_become_relations_and_values() -> None:
    with PracticeRosbridge() as server:
        server.cart.at = (3.8, 1.2)
        world = robot(server)
        world.observe()
        assert world.facts() == {"at(kitchen)", "charged()"}
        assert world.measures["battery"].read() == 0.8


@pytest.mark.parametrize(("at", "so"), [((4.0, 1.29), True), ((4.0, 1.31), False), ((4.25, 1.2), False)])
def test_near_is_within_thirty_centimetres(at: tuple[float, float], so: bool) -> None:
    with PracticeRosbridge() as server:
        server.cart.at = at
        world = robot(server)
        world.observe()
        assert ("at(kitchen)" in world.facts()) is so


def test_a_plan_is_tried_in_what_the_file_says_and_never_at_the_robot() -> None:
    with PracticeRosbridge() as server:
        world = robot(server)
        twin = world.twin()
        asyncio.run(twin.skills["drive"].run({"room": "kitchen"}))
        assert "at(kitchen)" in twin.facts() and not server.heard


# Stopping -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", [DRIVING, HALTING], ids=["cancel", "a stop of its own"])
def test_a_stop_reaches_the_robot_within_a_tick_and_is_seen_to_work(text: str) -> None:
    with PracticeRosbridge(slow=True) as server:
        world = robot(server, text)
        agent = agent_of(world)
        ticks: list[str] = []

        def tick() -> None:
            ticks.append("tick")
            if goals(server) and "said" not in ticks:
                agent.stop()
                ticks.append("said")

        agent.loop.ticking.append(tick)
        end = asyncio.run(agent.run("Drive to the kitchen."))
        assert end.result == "stopped" and outcomes(agent)[-1].ending == "interrupted"
        assert len(ticks[ticks.index("said") + 1 :]) <= 1
        assert any(isinstance(event.record, Stop) for event in agent.monologue)
        assert not server.cart.moving and server.cart.motions == 1
        cancels = [each for each in server.asked("cancel_action_goal") if each["id"] == goals(server)[0]["id"]]
        assert len(cancels) >= 2  # over the link of the goal, and over the link of stops
        assert server.cart.halted is (text is HALTING)


def test_a_robot_that_was_halted_is_released_before_it_moves_again() -> None:
    with PracticeRosbridge(slow=True) as server:
        world = robot(server, HALTING)
        agent = agent_of(world)
        agent.loop.ticking.append(lambda: agent.stop() if goals(server) else None)
        asyncio.run(agent.run("Drive to the kitchen."))
        assert server.cart.halted
        server.slow = False
        end, _ = ask(world)
        assert end.result == "goal met" and not server.cart.halted


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("text", "fault", "line"),
    [
        (DRIVING, "ignores cancels", "the goal did not end"),
        (DRIVING, "cancels late", "send_action_goals_in_new_thread"),
        (DRIVING, "succeeds when cancelled", "ended as succeeded, not as cancelled"),
        (HALTING, "halts only in words", "/halt has shown nothing"),
    ],
)
def test_a_robot_whose_stop_cannot_be_proven_is_refused_and_never_moves(text: str, fault: str, line: str) -> None:
    with PracticeRosbridge({fault}) as server:
        with pytest.raises(BadInput, match=line) as error:
            robot(server, text).observe()
        assert "\n" not in str(error.value) and "person_with_emergency_stop" in str(error.value)
        assert server.cart.motions == 0 and goals(server) == []


@pytest.mark.usefixtures("impatient")
def test_it_is_used_all_the_same_where_a_person_stands_beside_it_and_that_is_told() -> None:
    beside = DRIVING.replace("[rosbridge.places]", "person_with_emergency_stop = true\n\n[rosbridge.places]")
    with PracticeRosbridge({"ignores cancels"}) as server:
        end, agent = ask(robot(server, beside))
    assert end.result == "goal met"
    assert "Stay beside the robot" in outcomes(agent)[0].report


@pytest.mark.usefixtures("impatient")
def test_a_stop_that_is_not_confirmed_is_told_and_nothing_new_begins() -> None:
    with PracticeRosbridge(slow=True) as server:
        world = robot(server, DRIVING)
        agent = agent_of(world)

        def tick() -> None:
            if goals(server):
                server.faults.add("ignores cancels")
                agent.stop()

        agent.loop.ticking.append(tick)
        assert asyncio.run(agent.run("Drive to the kitchen.")).result == "stopped"
        assert "may still move" in outcomes(agent)[-1].report
        end, again = ask(world)
        assert end.result != "goal met" and "nothing new begins" in outcomes(again)[0].report
        assert len(goals(server)) == 1


def test_an_answer_after_the_stop_is_not_read() -> None:
    with PracticeRosbridge({"answers late"}, slow=True) as server:
        agent = agent_of(robot(server, DRIVING))
        agent.loop.ticking.append(lambda: agent.stop() if goals(server) else None)
        end = asyncio.run(agent.run("Drive to the kitchen."))
        assert end.result == "stopped" and outcomes(agent)[-1].ending == "interrupted"
        assert server.cart.at == (0.0, 0.0)


def test_a_goal_that_takes_too_long_is_cancelled() -> None:
    with PracticeRosbridge(slow=True) as server:
        end, agent = ask(robot(server, DRIVING.replace("timeout = 120", "timeout = 0.05")))
        assert end.result != "goal met" and not server.cart.moving
    assert "has not ended in 0.05 s" in outcomes(agent)[0].report and "left" in outcomes(agent)[0].report


def test_a_robot_that_somebody_else_stopped_is_neither_released_nor_moved() -> None:
    with PracticeRosbridge() as server:
        server.cart.halted = True
        with pytest.raises(BadInput, match="shows already that the robot is stopped, and not by us"):
            robot(server, HALTING).observe()
        assert server.cart.halted and server.cart.motions == 0 and server.asked("send_action_goal") == []


def test_over_a_new_connection_a_look_does_not_release_what_we_stopped() -> None:
    with PracticeRosbridge(slow=True) as server:
        world = robot(server, HALTING)
        agent = agent_of(world)
        agent.loop.ticking.append(lambda: agent.stop() if goals(server) else None)
        asyncio.run(agent.run("Drive to the kitchen."))
        server.hang_up()
        while world.connection.lost() is None:
            pass
        world.observe()
        assert server.cart.halted
        server.slow = False
        end, _ = ask(world)
        assert end.result == "goal met" and not server.cart.halted


def test_a_service_that_rosbridge_gave_up_waiting_for_is_stopped() -> None:
    with PracticeRosbridge({"gives up waiting"}) as server:
        end, agent = ask(robot(server), "grip()")
        assert end.result != "goal met" and not server.cart.moving
        assert "Timeout exceeded" in outcomes(agent)[0].report


@pytest.mark.parametrize("text", [DRIVING, HALTING], ids=["cancel", "a stop of its own"])
def test_a_goal_of_which_nobody_knows_the_end_is_stopped(text: str) -> None:
    with PracticeRosbridge({"loses track"}, slow=True) as server:
        end, agent = ask(robot(server, text))
        assert end.result != "goal met"
        while server.cart.moving:
            pass
        assert ("may still move" in outcomes(agent)[0].report) is (text is DRIVING)
        assert server.cart.motions == 1 or text is HALTING


# Faulty and hostile servers -------------------------------------------------------------------------------------------


def test_a_robot_that_says_yes_and_does_not_move_is_not_said_to_have_done_it() -> None:
    with PracticeRosbridge({"stays"}) as server:
        end, _ = ask(robot(server))
    assert end.result not in ("goal met", "answered", "unconfirmed")


def test_an_action_that_vanishes_is_one_line_and_nothing_else_is_sent() -> None:
    with PracticeRosbridge({"loses its action"}) as server:
        end, agent = ask(robot(server))
        assert end.result != "goal met" and server.cart.motions == 0
    assert "No action server available" in outcomes(agent)[0].report


def test_a_message_of_fifty_megabytes_ends_the_connection_and_is_told() -> None:
    with PracticeRosbridge({"sends 50 MB"}) as server:
        with pytest.raises((BadInput, DidNotWork), match=r"more than 1,000 KB came"):
            robot(server, DRIVING).observe()
        assert server.cart.motions == 0


@pytest.mark.parametrize("fault", ["floods", "talks nonsense", "speaks to models"])
def test_what_a_server_says_beside_that_changes_nothing(fault: str) -> None:
    with PracticeRosbridge({fault}) as server:
        end, agent = ask(robot(server, DRIVING))
        assert end.result == "goal met", end
        assert server.cart.motions == 1
    report = outcomes(agent)[0].report
    assert report.isprintable() and "Robot action:" not in report and "<|" not in report


def test_a_robot_whose_clock_differs_and_jumps_is_seen_driven_and_stopped_as_any_other() -> None:
    with PracticeRosbridge({"has another clock"}) as server:
        world = robot(server, DRIVING)
        agent = agent_of(world, 'drive("kitchen")\ndrive("storeroom")')
        end = asyncio.run(agent.run("Drive to the kitchen and then to the storeroom."))
        assert end.result == "goal met", end
        assert server.cart.motions == 2
    assert max(server.stamped) - min(server.stamped) > 3 * 3600 - 60
    assert [outcome.ending for outcome in outcomes(agent)] == ["completed", "completed"]


@pytest.mark.usefixtures("impatient")
def test_a_lost_connection_is_told_made_again_and_nothing_is_repeated() -> None:
    with PracticeRosbridge({"hangs up"}, slow=True) as server:
        world = robot(server, DRIVING)
        end, agent = ask(world)
        told = " ".join(outcome.report for outcome in outcomes(agent))
        assert "was lost" in told and "may still move" in told
        assert end.result != "goal met" and len(goals(server)) == 1


def test_a_connection_that_was_lost_while_nothing_moved_is_made_again_and_its_stops_proven_again() -> None:
    with PracticeRosbridge() as server:
        world = robot(server, DRIVING)
        world.observe()
        proofs = len(server.asked("cancel_action_goal"))
        server.hang_up()
        while world.connection.lost() is None:
            pass
        end, agent = ask(world)
        assert end.result == "goal met" and server.cart.motions == 1
        assert len(server.asked("cancel_action_goal")) >= 2 * proofs
        assert "was made again" in outcomes(agent)[0].report


@pytest.mark.usefixtures("impatient")
def test_a_server_that_is_gone_for_good_is_one_line() -> None:
    with PracticeRosbridge({"hangs up for good"}, slow=True) as server:
        end, agent = ask(robot(server, DRIVING))
        assert "cannot be made again" in outcomes(agent)[0].report and end.result != "goal met"


def test_a_wrong_address_is_one_line() -> None:
    with pytest.raises(BadInput, match=r"127\.0\.0\.1:1 cannot be used as rosbridge") as error:
        robot(None).observe()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ('action = "/drive"', 'action = "/fly"', "no action /fly; if this is ROS 1"),
        ('service = "/grip"', 'service = "/grab"', "no service /grab"),
        ('topic = "/pose"', 'topic = "/poses"', "no topic /poses"),
        ('topic = "/pose"', 'topic = "/push"', "Nobody publishes /push"),
        ('topic = "/halt", message = { data = true }', 'topic = "/pose", message = {}', "Nobody listens to /pose"),
        ("goal = { target", "goal = { aim", "has no field 'aim'; it has target, seconds"),
        ("idle = { seconds = 30 }", 'idle = { seconds = "30" }', "takes 'seconds' as float64"),
        ("arguments = { data = true }", "arguments = { data = 1 }", "takes 'data' as bool"),
        ('"pose.position"', '"pose.place"', "has no 'pose.place'"),
        ('"pose.position"', '"pose"', "is not a position"),
        ('feedback = "left"', 'feedback = "right"', "has no 'right'"),
        ('topic = "/battery", field = "data", at_l', 'topic = "/halted", field = "data", at_l', "not a number"),
    ],
)
def test_what_does_not_fit_the_types_at_the_robot_is_refused_at_connecting(before: str, after: str, line: str) -> None:
    text = FILE.replace(before, after)
    assert text != FILE
    with PracticeRosbridge() as server:
        with pytest.raises(BadInput, match=line):
            robot(server, text).observe()
        assert server.cart.motions == 0 and server.asked("send_action_goal") == []


@pytest.mark.parametrize(("fault", "line"), [("has no rosapi", "Is rosapi started"), ("changes a type", "as string")])
def test_a_server_without_types_or_with_others_is_refused_at_connecting(fault: str, line: str) -> None:
    with PracticeRosbridge({fault}) as server:
        with pytest.raises(BadInput, match=line):
            robot(server).observe()
        assert server.asked("send_action_goal") == []


def test_a_pose_in_another_frame_is_refused() -> None:
    with PracticeRosbridge() as server:
        world = robot(server, FILE.replace('frame = "map"', 'frame = "odom"'))
        with pytest.raises(DidNotWork, match="is in the frame 'map', not 'odom'"):
            world.observe()


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ('stop = "cancel" ', "", "how is the robot stopped"),
        (URL, "http://127.0.0.1", "is not an address"),
        ("idle = { seconds = 30 }", "", "so that cancelling can be tried"),
        (", shows = { topic", ', release = { topic = "/halt" } }\n# {', "what shows that the stop works"),
        ("{room.position}", "{room.colour}", "has no part 'colour'"),
        ("{room.position}", "{place}", "there is no parameter 'place'"),
        ("kitchen = [4.0, 1.0] ", "cellar = [4.0, 1.0] ", "there is no 'cellar'"),
        ("kitchen = [4.0, 1.0] ", "", "has no part 'position'|where is 'kitchen'"),
        ('action = "/drive"', 'action = "/drive"\nservice = "/grip"', "write one of action, service and topic"),
        ('near = "{room}"', 'near = "{room}", is = 3', "write near, or one of"),
        ('action = "/drive"', 'action = "drive; rm"', "is not a name in ROS"),
        ('stop = "cancel" ', 'stop = "cancel"\nros = 3 ', "expected 1 or 2"),
    ],
)
def test_a_faulty_table_is_refused_with_its_line(before: str, after: str, line: str) -> None:
    text = FILE.replace(before, after, 1)
    assert text != FILE
    with pytest.raises(BadScene, match=line) as error:
        read_ros_table(parse_robot(text, "cart.toml"), text)
    assert "\n" not in str(error.value) and str(error.value).startswith("cart.toml:")


def test_an_unheard_of_address_does_not_keep_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A port that takes connections and says nothing."""
    import socket

    monkeypatch.setattr(link, "CONNECTING", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        text = FILE.replace(URL, f"ws://127.0.0.1:{silent.getsockname()[1]}")
        described = parse_robot(text, "cart.toml")
        table = read_ros_table(described, text)
        assert table is not None
        with pytest.raises(BadInput, match=r"cannot be used as rosbridge|has not answered"):
            RosRobot(described, table).observe()


def test_the_tables_in_the_documentation_are_right() -> None:
    page = (Path(__file__).parents[2] / "docs" / "ros.md").read_text()
    tables = [block.partition("```")[0] for block in page.split("```toml\n")[1:]]
    head = DRIVING[: DRIVING.index("[rosbridge]")].replace(', "storeroom"', "")
    assert len(tables) == 2
    for table in tables:
        assert read_ros_table(parse_robot(head + table), head + table) is not None
