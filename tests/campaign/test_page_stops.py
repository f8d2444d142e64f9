"""Stops on the page behind a connection that fails: what is found, the proxy itself, and a few presses in a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import pytest

from campaign.contract import Attempt, NotTried, Stage
from campaign.families.page_stops import PageStops, Pressed
from campaign.unreliable import UnreliableProxy

CONFIRMED = [(0.01, "sending"), (0.1, "still")]
LATE = [(0.01, "sending"), (0.5, "unconfirmed"), (3.0, "received"), (3.1, "still")]
GENEROUS = 10.0
"""Seconds that a machine which does other things as well may take to show something."""


@pytest.mark.parametrize(
    ("kind", "said", "ticks"),
    [
        (None, CONFIRMED, [0.02]),
        (None, LATE, [0.02, 1.0, 2.0, 3.05]),
        (None, [(0.01, "sending"), (0.2, "asleep"), (4.0, "awake"), (4.1, "unconfirmed"), (4.2, "still")], [3.0]),
        ("silent", [(0.01, "sending"), (5.0, "still")], [2.0]),
        ("silent", [(0.01, "sending"), (0.5, "nothing"), (5.0, "still")], [2.0]),
        ("silent", [(0.5, "unconfirmed"), (1.0, "loading"), (5.0, "still")], [4.0]),
        ("silent", [(0.2, "asleep"), (1.0, "awake"), (5.0, "still")], [4.0]),
        ("moved", CONFIRMED, [0.9]),
        ("hang", [(0.01, "sending"), (0.5, "unconfirmed")], [0.4]),
    ],
)
def test_a_stop_that_is_lost_without_being_said_is_found(
    kind: str | None, said: list[tuple[float, str]], ticks: list[float]
) -> None:
    finding = Pressed(said, ticks).judge()
    assert (finding and finding.kind) == kind


# The proxy ------------------------------------------------------------------------------------------------------------

Talk = Callable[[UnreliableProxy, asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def talk(story: Talk) -> None:
    """Somebody talks to an echo through the proxy."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while heard := await reader.read(100):
                writer.write(heard)
        writer.close()

    async def play() -> None:
        server = await asyncio.start_server(echo, "127.0.0.1", 0)
        proxy = UnreliableProxy(server.sockets[0].getsockname()[1])
        await proxy.open()
        reader, writer = await asyncio.open_connection("127.0.0.1", proxy.port)
        try:
            writer.write(b"a")
            assert await reader.read(1) == b"a"
            await story(proxy, reader, writer)
        finally:
            writer.close()
            await proxy.close()
            server.close()

    asyncio.run(play())


def test_what_is_stalled_comes_later() -> None:
    async def story(proxy: UnreliableProxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        proxy.fail("stall")
        writer.write(b"b")
        reading = asyncio.ensure_future(reader.read(1))
        assert not (await asyncio.wait({reading}, timeout=0.2))[0]
        proxy.fail("none")
        assert await reading == b"b"

    talk(story)


def test_what_is_dead_stays_dead_and_a_new_connection_works() -> None:
    async def story(proxy: UnreliableProxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        proxy.fail("dead")
        proxy.fail("none")
        writer.write(b"b")
        reading = asyncio.ensure_future(reader.read(1))
        assert not (await asyncio.wait({reading}, timeout=0.2))[0]
        again, to = await asyncio.open_connection("127.0.0.1", proxy.port)
        to.write(b"c")
        assert await again.read(1) == b"c"
        to.close()
        await proxy.close()
        await asyncio.gather(reading, return_exceptions=True)

    talk(story)


@pytest.mark.parametrize("fault", ["cut", "refuse"])
def test_what_is_cut_is_reset_and_who_is_refused_does_not_get_in(fault: str) -> None:
    async def story(proxy: UnreliableProxy, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        proxy.fail("cut" if fault == "cut" else "refuse")
        with suppress(ConnectionError):
            assert await reader.read(1) == b""
        again, to = await asyncio.open_connection("127.0.0.1", proxy.port)
        heard = b""
        with suppress(ConnectionError):
            to.write(b"c")
            heard = await again.read(1)
        assert heard == (b"c" if fault == "cut" else b"")
        to.close()

    talk(story)


# A browser ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def presses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageStops]:
    """One server, proxy and browser; one line where there is no browser."""
    pytest.importorskip("playwright")
    family = PageStops(Stage(tmp_path_factory.mktemp("stops") / "stage", 60.0))
    yield family
    family.close()


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("fault", "begins", "by"),
    [
        ("none", 0.0, "button"),
        ("refuse", 0.5, "key"),
        ("stall", 0.3, "button"),
        ("sleep", 0.3, "key"),
        ("restart", 0.5, "button"),
    ],
)
def test_no_stop_is_lost_without_being_said(presses: PageStops, fault: str, begins: float, by: str) -> None:
    data = {"fault": fault, "begins": begins, "lasts": 1.5, "by": by, "slack": GENEROUS}
    try:
        assert presses.try_one(Attempt("page_stops", fault, data)) is None
    except NotTried as reason:
        pytest.skip(f"stops on the page are not tested: {reason}")
