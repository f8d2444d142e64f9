"""Serve a robot over standard input and output, or over HTTP with the page's rules for hosts, origins and tokens."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable

from mcp.server.transport_security import TransportSecuritySettings

from thinkaloud.episode.interrupts import ending_signals, leave
from thinkaloud.web.access import LARGEST_BODY, AccessRules, Guard
from thinkaloud.web.hub import ENDING, Hub
from thinkaloud.web.mcp_server.gone_clients import TellsGone
from thinkaloud.web.mcp_server.shared_robot import SharedRobot
from thinkaloud.web.mcp_server.tools import build_server
from thinkaloud.web.messages import SessionRequest
from thinkaloud.web.server import HubServer, Serving, address_of, bind, clean_logs

PATH = "/mcp"


def serve_stdio(hub: Hub, wanted: SessionRequest) -> None:
    """Serve the program that started this one, until it closes our input; then the robot stops."""
    clean_logs()
    asyncio.run(_serve_stdio(hub, wanted))


async def _serve_stdio(hub: Hub, wanted: SessionRequest) -> None:
    robot, ended = SharedRobot(hub, wanted), asyncio.Event()

    def end() -> None:
        hub.stop_all(ENDING)
        ended.set()

    for each in ending_signals():
        asyncio.get_running_loop().add_signal_handler(each, end)
    serving = asyncio.ensure_future(build_server(robot).run_stdio_async())
    ending = asyncio.ensure_future(ended.wait())
    try:
        await asyncio.wait((serving, ending), return_when=asyncio.FIRST_COMPLETED)
        if not ended.is_set():
            going_on = asyncio.ensure_future(robot.until_idle())
            await asyncio.wait((going_on, ending), return_when=asyncio.FIRST_COMPLETED)
    finally:
        await robot.close()
    if ended.is_set():
        leave(0)  # the SDK's thread still waits for a line, and nobody will write one


def serve_http(hub: Hub, wanted: SessionRequest, serving: Serving, tell: Callable[[str], None]) -> None:
    """Serve over HTTP until Ctrl-C. `tell` gets the address, and the token where one is needed."""
    serving = serving.guarded()
    with contextlib.closing(bind(serving.host, serving.port)) as bound:
        address = address_of(serving, bound).partition("?")[0].rstrip("/") + PATH
        rules = AccessRules.for_host(serving.host, serving.token, serving.names)
        clean_logs()

        async def serve() -> None:
            robot = SharedRobot(hub, wanted)
            try:
                await robot.open()
                server = HubServer(hub, build_app(robot, rules), lambda: tell(address))
                await server.serve(sockets=[bound])
            finally:
                await robot.close()

        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(serve())


def build_app(robot: SharedRobot, rules: AccessRules) -> Guard:
    """The server of an open robot as an application, behind the guard that the page has, too."""
    app = build_server(robot).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=LARGEST_BODY,
        transport_security=TransportSecuritySettings(enable_dns_rebinding_protection=False),  # the guard does that
    )
    return Guard(TellsGone(app), rules)
