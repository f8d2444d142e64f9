"""One model for many robots: nothing is lost on the way, nothing is exchanged, and a stop does not wait."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Sequence
from typing import Any

import httpx
import pytest

from thinkaloud.agent import Agent
from thinkaloud.errors import ContextOverflow, ModelError, ModelMissing, ModelUnreachable
from thinkaloud.models import Call, Completion, Model, ModelSettings, Reply, Turn, Usage
from thinkaloud.models.contract import (
    Scores,
    Token,
    complete_weighed,
    find_reading_progress,
    following_reading,
    in_role,
    is_judge,
    read_ahead,
)
from thinkaloud.models.served import Served
from thinkaloud.robots import open_world
from thinkaloud.web.access import AccessRules, Guard
from thinkaloud.web.model_server import ModelServer, _Uvicorn
from thinkaloud.web.server import bind

TOKEN = "a-token-of-sixteen-letters"
CALL = Call("pick", {"thing": "Tasse ☕"})
TOKENS = (Token(" yes", 0.75, ((" no", 0.25),)), Token(".", 1.0, ()))
PICK = {"type": "function", "function": {"name": "pick", "parameters": {"type": "object", "properties": {}}}}


class Shared:
    """A model with everything that a local one offers. While `gate` is closed, its answers wait."""

    name, trained, fluent, judges = "embedded", True, False, False

    def __init__(self) -> None:
        self.read: list[str] = []
        self.asking = 0
        self.gate: asyncio.Event | None = None

    def in_role(self, role: str) -> Shared:
        other = Shared()
        other.fluent, other.judges = role == "listener", role == "judge"
        other.__dict__.update({"read": self.read})
        return other

    async def complete(self, prompt: str, **given: Any) -> Completion:
        if prompt == "too long":
            raise ContextOverflow("The prompt has 9 tokens.")
        if prompt == "broken":
            raise ZeroDivisionError
        self.asking += 1
        if self.gate is not None:
            await self.gate.wait()
        for piece in (" ☕ ", prompt, "!"):
            if given["listener"] is not None:
                given["listener"](piece)
        return Completion(f" ☕ {prompt}", Usage(5, 7, 2))

    async def complete_weighed(self, prompt: str, **given: Any) -> Completion:
        return Completion(" yes.", Usage(1, 2, 3), TOKENS)

    async def chat(self, turns: Sequence[Turn], **given: Any) -> Reply:
        return Reply("", (CALL,)) if given["tools"] else Reply(f"{turns[-1].text} {given['schema']}")

    async def score(self, prompt: str, options: Sequence[str], *, worth: Sequence[float] = ()) -> Scores:
        return Scores(tuple(-float(len(each)) for each in options), Usage(4))

    async def read_ahead(self, prompt: str) -> None:
        self.read.append(prompt)
        if (tell := find_reading_progress()) is not None:
            tell(512, 700)
            tell(700, 700)

    async def close(self) -> None:
        """Nothing is open."""


def robot(server: ModelServer) -> Served:
    """A robot's model that asks a server without a network between them."""
    settings = ModelSettings(model_url="http://robot.test", retries=0)
    return Served("embedded", settings, httpx.ASGITransport(server), server._models())


@pytest.fixture
def server() -> ModelServer:
    made = ModelServer(Shared(), 2)
    made.get_ready()
    return made


def test_everything_that_a_model_can_do_comes_through(server: ModelServer) -> None:
    async def ask() -> None:
        model, heard = robot(server), list[str]()
        answer = await model.complete("Guten Tag", stop=["!"], grammar='root ::= "x"', listener=heard.append)
        assert answer.text == " ☕ Guten Tag" and "".join(heard).startswith(" ☕ Guten Tag")
        assert (answer.usage.evaluated, answer.usage.cached, answer.usage.generated) == (5, 7, 2)
        weighed = await complete_weighed(model, "sure?")
        assert weighed.text == " yes." and [each.text for each in weighed.tokens] == [" yes", "."]
        assert weighed.tokens[0].likelihood == pytest.approx(0.75)
        ((other, likelihood),) = weighed.tokens[0].others
        assert other == " no" and likelihood == pytest.approx(0.25)
        assert (await model.chat([Turn("user", "go")], tools=[PICK])).calls == (CALL,)
        assert (await model.chat([Turn("user", "go")])).text == "go None"
        assert (await model.score("a", ["b", "cc"])).values == (-1.0, -2.0)
        await read_ahead(in_role(model, "listener"), "def light")

    asyncio.run(ask())
    assert server._model.read == ["def light"]  # type: ignore[attr-defined]


def test_a_robot_hears_how_far_the_served_model_has_read_and_other_clients_do_not(server: ModelServer) -> None:
    heard: list[tuple[int, int]] = []

    async def ask() -> str:
        with following_reading(lambda read, total: heard.append((read, total))):
            await read_ahead(robot(server), "def light")
        body = {"model": "embedded", "prompt": "def light", "stream": True}
        async with httpx.AsyncClient(transport=httpx.ASGITransport(server), base_url="http://robot.test") as client:
            return (await client.post("/v1/read_ahead", json=body)).text

    assert "700" not in asyncio.run(ask())
    assert heard == [(512, 700), (700, 700)]


def test_a_role_has_the_traits_of_the_served_model(server: ModelServer) -> None:
    model = robot(server)
    assert (model.name, model.trained, model.fluent) == ("embedded", True, False)
    listener, judge = in_role(model, "listener"), in_role(model, "judge")
    assert isinstance(listener, Served) and listener.fluent and is_judge(judge) and listener.name == "embedded"
    assert not in_role(listener, "planner").fluent  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "prompt, kind, message", [("too long", ContextOverflow, "9 tokens"), ("broken", ModelError, "ZeroDivisionError")]
)
def test_an_error_of_the_model_is_the_same_error_at_the_robot(
    server: ModelServer, prompt: str, kind: type[ModelError], message: str
) -> None:
    with pytest.raises(kind, match=message):
        asyncio.run(robot(server).complete(prompt))


@pytest.mark.parametrize(
    "body, why",
    [
        ("[", "not JSON"),
        ("[]", "JSON object"),
        ('{"model": "other"}', "no model 'other'"),
        ('{"model": "embedded"}', "prompt has to be a text"),
        ('{"model": "embedded", "prompt": "a", "max_tokens": -1}', "whole number from 1"),
        ('{"model": "embedded", "prompt": "a", "stop": [3]}', "stop has to be a text"),
    ],
)
def test_a_question_that_is_none_is_refused_in_one_line(server: ModelServer, body: str, why: str) -> None:
    async def ask() -> httpx.Response:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(server), base_url="http://robot.test") as client:
            return await client.post("/v1/completions", content=body)

    answer = asyncio.run(ask())
    assert answer.status_code == 400 and why in answer.json()["error"]["message"]


@contextlib.asynccontextmanager
async def listening(model: Model, slots: int, token: str = "") -> AsyncIterator[tuple[ModelServer, str]]:
    """A real server on a port of this machine."""
    app, ready = ModelServer(model, slots), asyncio.Event()
    app.get_ready()
    with contextlib.closing(bind("127.0.0.1", 0)) as bound:
        server = _Uvicorn(Guard(app, AccessRules.for_host("127.0.0.1", token)), ready.set)
        serving = asyncio.create_task(server.serve(sockets=[bound]))
        await ready.wait()
        try:
            yield app, f"http://127.0.0.1:{bound.getsockname()[1]}"
        finally:
            server.should_exit = True
            await serving


async def until(what: Any) -> None:
    async with asyncio.timeout(20):
        while not what():  # noqa: ASYNC110  what is waited for is in the server
            await asyncio.sleep(0)


def test_a_robot_that_is_stopped_leaves_the_queue_and_the_call_of_the_other_goes_on() -> None:
    async def stop_one() -> None:
        shared = Shared()
        shared.gate = asyncio.Event()
        async with listening(shared, 1) as (app, address):
            settings = ModelSettings(model_url=address, retries=0)
            one, two = [await asyncio.to_thread(Served, "embedded", settings) for _ in range(2)]
            busy = asyncio.create_task(one.complete("one"))
            await until(lambda: app.turns.running == 1)
            agent = Agent(open_world("by_hand"), two, "inner_monologue")
            working = asyncio.create_task(agent.run("Tidy up."))
            await until(lambda: app.turns.waiting == 1)
            agent.stop()
            assert (await working).result == "stopped"
            assert not busy.done()
            await until(lambda: app.turns.waiting == 0)
            shared.gate.set()
            assert (await busy).text == " ☕ one"
            for each in (one, two):
                await each.close()

    asyncio.run(stop_one())


def test_answers_of_many_robots_are_not_exchanged() -> None:
    async def ask_all() -> None:
        async with listening(Shared(), 3) as (app, address):
            settings = ModelSettings(model_url=address)
            first = await asyncio.to_thread(Served, "embedded", settings)
            told = app._models()
            robots = [first, *(Served("embedded", settings, models=told) for _ in range(11))]

            async def ask(at: int, model: Served) -> None:
                for number in range(4):
                    assert (await model.complete(f"robot {at}, {number}")).text == f" ☕ robot {at}, {number}"
                await model.close()

            await asyncio.gather(*(ask(at, model) for at, model in enumerate(robots)))
            assert app.turns.running == app.turns.waiting == 0 and app.turns.robots == 12

    asyncio.run(ask_all())


def test_other_machines_need_the_token_and_no_page_may_ask() -> None:
    async def knock() -> list[int]:
        async with listening(Shared(), 1, TOKEN) as (_, address), httpx.AsyncClient(base_url=address) as client:
            with pytest.raises(ModelMissing, match="refused the key"):
                await asyncio.to_thread(Served, "embedded", ModelSettings(model_url=address))
            model = await asyncio.to_thread(Served, "embedded", ModelSettings(model_url=address, api_key=TOKEN))
            assert (await model.complete("in")).text == " ☕ in"
            await model.close()
            page = {"origin": "http://evil.test", "authorization": f"Bearer {TOKEN}"}
            asked = [client.get("/v1/models"), client.get("/v1/models", headers=page)]
            return [(await each).status_code for each in asked]

    assert asyncio.run(knock()) == [401, 403]


def test_a_wrong_address_is_told_in_one_line() -> None:
    with pytest.raises(ModelUnreachable, match="thinkaloud models serve"):
        Served("embedded", ModelSettings(model_url="http://127.0.0.1:9"))
    with pytest.raises(ModelMissing, match="no model server of thinkaloud"):
        Served("embedded", ModelSettings(model_url="http://robot.test"), models={"data": [3]})
    with pytest.raises(ModelMissing, match=r"does not serve 'embedded-large'\. It serves: embedded"):
        made = ModelServer(Shared(), 1)
        made.get_ready()
        Served("embedded-large", ModelSettings(model_url="http://robot.test"), models=made._models())
