"""A robot that speaks ROS 2 over Zenoh: driven, read, stopped and never trusted, at a cart of `zenoh-ros2-sdk`.

The SDK is others' implementation of ROS 2 over Zenoh. No ROS 2 node takes part.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("zenoh", reason="a robot that speaks ROS 2 over Zenoh needs the extra `zenoh`")
pytest.importorskip("rosbags", reason="a robot that speaks ROS 2 over Zenoh needs the extra `zenoh`")

from thinkaloud.agent import Agent
from thinkaloud.errors import BadInput, BadScene, DidNotWork
from thinkaloud.models import Scripted
from thinkaloud.records import End, Outcome
from thinkaloud.robots.ros_robot import RosRobot, connection, proof, read_ros_table, stopping, zenoh_link
from thinkaloud.robots.ros_robot.ros_types import RosTypes
from thinkaloud.robots.ros_robot.zenoh_graph import Graph
from thinkaloud.robots.text_file import parse_robot

PATH = Path(__file__).parents[2] / "examples" / "robots" / "zenoh_cart.toml"
FILE = PATH.read_text()
URL = "tcp/127.0.0.1:7447"
INTERFACES = Path(__file__).parents[2] / "src" / "thinkaloud_bench" / "zenoh_cart" / "interfaces"


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No time is given to what nobody here needs it for."""
    monkeypatch.setattr(stopping, "AGAIN", 0.05)
    monkeypatch.setattr(proof, "STARTING", 0.05)
    monkeypatch.setattr(connection, "SETTLING", 0.05)
    monkeypatch.setattr(connection, "AFTER_MOVING", 0.1)
    monkeypatch.setattr(zenoh_link, "CONNECTING", 0.5)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """What never comes is not waited for long."""
    monkeypatch.setattr(stopping, "STOPPING", 0.5)
    monkeypatch.setattr(proof, "STOPPING", 0.5)


_opened: list[RosRobot] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    yield
    while _opened:
        _opened.pop().connection.close()


def robot(url: str, text: str = FILE) -> RosRobot:
    """The robot of the file, at a router."""
    text = text.replace(URL, url)
    described = parse_robot(text, str(PATH))
    table = read_ros_table(described, text)
    assert table is not None and table.wire == "zenoh"
    _opened.append(RosRobot(described, table))
    return _opened[-1]


def agent_of(world: RosRobot, program: str = 'drive("kitchen")') -> Agent:
    return Agent(world, Scripted(lambda prompt: program), "thinkaloud:confirm=never")


def ask(world: RosRobot, program: str = 'drive("kitchen")') -> tuple[End, list[str]]:
    """Have the robot do something; how it ended, and what its skills reported."""
    agent = agent_of(world, program)
    end = asyncio.run(agent.run("Drive to the kitchen."))
    return end, [event.record.report for event in agent.monologue if isinstance(event.record, Outcome)]


# What it knows of types: no network ----------------------------------------------------------------------------------


def test_hashes_are_those_of_ros_2() -> None:
    """The first is from a real ROS 2 (ZettaScaleLabs/hiroz, pull request 354), the second from rmw_zenoh's design."""
    types = RosTypes()
    cancel = "RIHS01_573d8b0a534451d7bc2ac8c5ffde8ac14b8593b7001175d0cd6516dcbeb8689a"
    text = "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18"
    assert types.hash("action_msgs/srv/CancelGoal") == cancel
    assert types.hash("std_msgs/msg/String") == text


def test_an_action_is_known_with_its_services_and_what_is_left_out_is_zero() -> None:
    types, kind = RosTypes(INTERFACES), "practice_msgs/action/Drive_SendGoal_Request"
    given = {"goal_id": {"uuid": [*range(16)]}, "goal": {"target": {"x": 1}}}
    assert types.unpack(kind, types.pack(kind, given)) == {
        "goal_id": {"uuid": [*range(16)]},
        "goal": {"target": {"x": 1.0, "y": 0.0, "z": 0.0}, "seconds": 0.0},
    }


@pytest.mark.parametrize(
    "data", [b"", b"\0\1\0\0", b"\xff" * 90, b"\0\1\0\0" + b"\xff" * 90], ids=["none", "head", "no head", "long"]
)
def test_bytes_that_are_no_message_are_refused(data: bytes) -> None:
    with pytest.raises(DidNotWork, match="What came is no"):
        RosTypes().unpack("geometry_msgs/msg/PoseStamped", data)


def test_what_cannot_be_sent_is_refused() -> None:
    with pytest.raises(DidNotWork, match="cannot be sent"):
        RosTypes().pack("std_msgs/msg/UInt8", {"data": 300})
    with pytest.raises(DidNotWork, match="there is no field 'datum'"):
        RosTypes().pack("std_msgs/msg/UInt8", {"datum": 3})


def test_a_folder_that_is_not_there_or_wrong_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="There is no folder"):
        RosTypes(tmp_path / "none")
    (tmp_path / "p" / "action").mkdir(parents=True)
    (tmp_path / "p" / "action" / "Go.action").write_text("float64 x\n")
    with pytest.raises(BadInput, match=r"p/action/Go cannot be read: .*1 parts, not 3"):
        RosTypes(tmp_path)


def test_tokens_that_are_not_as_they_should_be_are_passed_over() -> None:
    graph = Graph("here", RosTypes())
    bad = ["@ros2_lv/0/z/1", "@ros2_lv/0/z/0/1/MP/%/%/n/%t/std_msgs::msg::Bool/h/q", "x/0/z/0/1/MP/%/%/n/%t/a/b/c"]
    for token in bad:
        graph.hear(token, there=True)
    assert graph.tell("topic_type", {"topic": "/t"}) == {"type": ""}
    hashed = RosTypes().hash("std_msgs/msg/Bool")
    token = f"@ros2_lv/0/z/0/1/MP/%/%/n/%t/std_msgs::msg::dds_::Bool_/{hashed}/::,10:,:,:,,"
    graph.hear(token, there=True)
    assert graph.tell("topic_type", {"topic": "/t"}) == {"type": "std_msgs/msg/Bool"}
    graph.hear(token.replace(hashed, "RIHS01_0").replace("/1/MP", "/2/MP"), there=True)
    with pytest.raises(DidNotWork, match="do not agree"):
        graph.tell("topic_type", {"topic": "/t"})
    graph.hear(token, there=False)
    with pytest.raises(DidNotWork, match="another definition"):
        graph.tell("topic_type", {"topic": "/t"})


def test_two_nodes_that_offer_one_service_are_refused() -> None:
    types = RosTypes()
    graph, hashed = Graph("here", types), types.hash("std_srvs/srv/SetBool")
    for number in (1, 2):
        wire = f"%grip/std_srvs::srv::dds_::SetBool_/{hashed}/::,10:,:,:,,"
        graph.hear(f"@ros2_lv/0/z/0/{number}/SS/%/%/n/{wire}", there=True)
    with pytest.raises(DidNotWork, match="2 nodes at here offer /grip"):
        graph.tell("service_type", {"service": "/grip"})


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        (URL, "ws://127.0.0.1:9090", "is not an address such as tcp/127.0.0.1:7447"),
        ("stop = ", "ros = 1\nstop = ", "ros: there is no such key"),
        ("stop = ", "domain = -1\nstop = ", "expected a number from 0 to 232"),
        ("[zenoh]", '[rosbridge]\nurl = "ws://x"\n\n[zenoh]', "not both"),
    ],
)
def test_a_faulty_table_is_refused_with_its_line(before: str, after: str, line: str) -> None:
    text = FILE.replace(before, after, 1)
    with pytest.raises(BadScene, match=line):
        read_ros_table(parse_robot(text, str(PATH)), text)


def test_no_router_is_one_line() -> None:
    with pytest.raises(BadInput, match=r"tcp/127\.0\.0\.1:1 cannot be used as a router of Zenoh") as error:
        robot("tcp/127.0.0.1:1").observe()
    assert "\n" not in str(error.value)


# At a cart that others' implementation of ROS 2 over Zenoh carries ----------------------------------------------------


@pytest.fixture(scope="module")
def carts() -> Iterator[type]:
    pytest.importorskip("zenoh_ros2_sdk", reason="the cart is made of zenoh-ros2-sdk")
    from thinkaloud_bench.zenoh_cart import Cart

    yield Cart


@pytest.fixture
def router(carts: type) -> Iterator[str]:
    from thinkaloud_bench.zenoh_cart import Router

    with Router() as url:
        yield url


def test_an_action_a_service_and_a_topic_work_and_a_stop_is_proven_at_connecting(carts: type, router: str) -> None:
    with carts(router) as cart:
        world = robot(router)
        world.observe()
        assert {*world.connection.proven} == {"/halt", "cancelling /drive"} and cart.motions == 0
        assert world.measures["battery"].read() == 0.8
        end, _ = ask(world)
        assert end.result == "goal met" and cart.at == (4.0, 1.0) and cart.motions == 1
        _, reports = ask(world, "grip()")
        assert cart.gripped and reports == ["Gripped."]


def test_a_stop_reaches_the_cart_within_a_tick_and_is_seen_to_work(carts: type, router: str) -> None:
    with carts(router, slow=True) as cart:
        world, ticks = robot(router), list[str]()
        agent = agent_of(world)

        def tick() -> None:
            ticks.append("tick")
            if cart.moving and "said" not in ticks:
                agent.stop()
                ticks.append("said")

        agent.loop.ticking.append(tick)
        end = asyncio.run(agent.run("Drive to the kitchen."))
        assert end.result == "stopped" and not cart.moving and cart.motions == 1
        assert len(ticks[ticks.index("said") + 1 :]) <= 1
        assert cart.at == (0.0, 0.0)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("fault", "line"),
    [
        ("ignores cancels", "the goal did not end in 0.5 s. Mend that"),
        ("succeeds when cancelled", "ended as succeeded, not as cancelled"),
        ("halts only in words", "/halt has shown nothing"),
        ("changes a type", "another definition of practice_msgs/action/Drive_SendGoal"),
    ],
)
def test_a_cart_whose_stop_or_type_cannot_be_proven_is_refused(carts: type, router: str, fault: str, line: str) -> None:
    with carts(router, {fault}) as cart:
        with pytest.raises(BadInput, match=line) as error:
            robot(router).observe()
        assert cart.motions == 0 and "\n" not in str(error.value)


@pytest.mark.parametrize("fault", ["stays", "refuses goals"])
def test_yes_is_not_done_and_a_refusal_is_told(carts: type, router: str, fault: str) -> None:
    with carts(router, {fault}) as cart:
        end, reports = ask(robot(router))
        assert end.result == "failed" and cart.at == (0.0, 0.0)
        assert fault == "stays" or "The goal was refused" in reports[0]


def test_what_cannot_be_read_and_what_speaks_to_models_changes_nothing(carts: type, router: str) -> None:
    with carts(router, {"talks nonsense", "speaks to models", "clock of 1970"}) as cart:
        end, reports = ask(robot(router))
        assert end.result == "goal met" and cart.motions == 1
        assert reports[0].isprintable() and "Robot action:" not in reports[0] and "<|" not in reports[0]


@pytest.mark.usefixtures("impatient")
def test_a_cart_that_vanishes_in_mid_motion_may_still_move_and_nothing_is_repeated(carts: type, router: str) -> None:
    with carts(router, {"vanishes"}, slow=True) as cart:
        end, reports = ask(robot(router))
        assert end.result != "goal met" and "may still move" in " ".join(reports) and cart.motions == 1


@pytest.mark.parametrize(
    ("before", "after", "line"),
    [
        ('action = "/drive"', 'action = "/fly"', "no action /fly"),
        ('service = "/grip"', 'service = "/grab"', "no service /grab"),
        ('topic = "/pose"', 'topic = "/poses"', "no topic /poses"),
        ("goal = { target", "goal = { aim", "has no field 'aim'; it has target, seconds"),
        ("arguments = { data = true }", "arguments = { data = 1 }", "takes 'data' as bool"),
        ('types = "', 'domain = 7\ntypes = "', "no action /drive"),
        (FILE[FILE.index("types = ") : FILE.index("stop = ")], "", r"Copy practice_msgs/action/Drive\.action"),
    ],
)
def test_what_does_not_fit_the_robot_is_refused_at_connecting(
    carts: type, router: str, before: str, after: str, line: str
) -> None:
    assert before in FILE
    with carts(router) as cart:
        with pytest.raises(BadInput, match=line):
            robot(router, FILE.replace(before, after, 1)).observe()
        assert cart.motions == 0


def test_the_last_message_of_a_topic_that_keeps_it_is_read(router: str) -> None:
    """As `rmw_zenoh` publishes what is to last: with Zenoh's own publisher that keeps its last message."""
    import zenoh
    from zenoh import ext

    types = RosTypes()
    hashed, settings = types.hash("std_msgs/msg/Float64"), zenoh.Config()
    settings.insert_json5("mode", '"client"')
    settings.insert_json5("connect/endpoints", f'["{router}"]')
    settings.insert_json5("timestamping/enabled", "true")
    key = f"0/charge/std_msgs::msg::dds_::Float64_/{hashed}"
    token = f"@ros2_lv/0/z/0/1/MP/%/%/n/%charge/std_msgs::msg::dds_::Float64_/{hashed}/:1:,1:,:,:,,"
    heard: list[object] = []
    with zenoh.open(settings) as session:
        kept = ext.declare_advanced_publisher(
            session, key, cache=ext.CacheConfig(max_samples=1), publisher_detection=True
        )
        kept.put(types.pack("std_msgs/msg/Float64", {"data": 0.5}))
        declared = session.liveliness().declare_token(token)
        link = zenoh_link.ZenohLink(router, "test", heard.append, lambda: None, domain=0, types=types)
        link.send({"op": "subscribe", "topic": "/charge"})
        for _ in range(100):
            if heard:
                break
            link.join(0.02)
        link.close()
        link.join(2)
        declared.undeclare()
    assert heard == [{"op": "publish", "topic": "/charge", "msg": {"data": 0.5}}]


def test_the_table_in_the_documentation_is_right(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "ros.md").read_text()
    (table,) = [each.partition("```")[0] for each in page.split("```toml\n")[1:] if each.startswith("[zenoh]")]
    driving = FILE[: FILE.index("[zenoh]")].replace(', "storeroom"', "")
    grip = driving[driving.index("[skills.grip]") : driving.index("[relations.at]")]
    text = driving.replace(grip, "") + table
    found = read_ros_table(parse_robot(text, str(tmp_path / "robot.toml")), text)
    assert found is not None and found.types == tmp_path / "interfaces"
