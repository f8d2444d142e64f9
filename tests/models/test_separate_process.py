"""A model in a process of its own: the same answers as here, and nothing is lost when that process is."""

from __future__ import annotations

import asyncio
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest

from thinkaloud.errors import ContextOverflow, ModelError, ModelMissing
from thinkaloud.models import Model, ModelSettings, Turn
from thinkaloud.models.contract import following_reading
from thinkaloud.models.separate_process import Apart
from thinkaloud.models.weight_files import embedded_weights

FRANCE = "The capital of Germany is Berlin.\nThe capital of France is"
SMALL = ModelSettings(threads=1, context=512, slots=2)


@pytest.fixture(scope="module")
def apart() -> Iterator[Apart]:
    model = Apart("embedded-base", SMALL)
    yield model
    asyncio.run(model.close())


def process_of(model: Apart) -> int:
    return model._home._process.popen.pid


def test_it_answers_as_the_same_model_does_here(apart: Apart, embedded_base: Model) -> None:
    async def answers(model: Model) -> list[object]:
        heard: list[str] = []
        text = (await model.complete(FRANCE, stop=["."], most=8, listener=heard.append)).text
        scores = await model.score(FRANCE, [" Paris", " a sponge"])
        reply = await model.chat([Turn("user", "Say yes.")], most=4)
        return [text, "".join(heard), scores.values[1] < scores.values[0], reply.text]

    assert process_of(apart) != os.getpid()
    assert asyncio.run(answers(apart)) == asyncio.run(answers(embedded_base))
    assert (apart.name, apart.trained, apart.fluent) == ("embedded-base", False, False)
    weighed = asyncio.run(apart.complete_weighed(FRANCE, most=4))
    assert 0 < weighed.tokens[0].likelihood <= 1


def test_how_far_it_has_read_comes_through(apart: Apart) -> None:
    read: list[tuple[int, int]] = []

    async def ask() -> None:
        with following_reading(lambda *told: read.append(told)):
            await apart.read_ahead("one two three four " * 20)
        await apart.complete("one two three four five", most=1)

    asyncio.run(ask())
    assert read and read[-1] == (81, 81)


def test_what_is_refused_there_is_refused_here(apart: Apart) -> None:
    with pytest.raises(ContextOverflow, match="512"):
        asyncio.run(apart.complete("word " * 600))
    with pytest.raises(ModelMissing, match="no-such"):
        Apart("gguf:/no-such.gguf", SMALL)


def test_who_no_longer_waits_leaves_the_model_to_others(apart: Apart) -> None:
    async def leave() -> str:
        heard = asyncio.Event()
        long = asyncio.create_task(apart.complete("Once upon a time", most=400, listener=lambda piece: heard.set()))
        await heard.wait()
        long.cancel()
        return (await apart.complete(FRANCE, stop=["."], most=8)).text

    assert asyncio.run(leave()) == " Paris"
    assert not apart._home._process.asked


def test_a_process_that_crashes_takes_one_answer_with_it_and_nothing_else(apart: Apart) -> None:
    async def crash() -> str:
        first = process_of(apart)

        def kill(piece: str) -> None:
            if process_of(apart) == first:
                os.kill(first, signal.SIGKILL)

        with pytest.raises(ModelError, match="ended unexpectedly"):
            await apart.complete("Once upon a time", most=400, listener=kill)
        return (await apart.complete(FRANCE, stop=["."], most=8)).text

    assert asyncio.run(crash()) == " Paris"


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="there is no waiting for a process of others here")
def test_the_process_ends_with_whoever_started_it() -> None:
    code = (
        "import os; from thinkaloud.models.separate_process import Apart; from thinkaloud.models import ModelSettings\n"
        f"model = Apart('gguf:{embedded_weights()}', ModelSettings(threads=1, context=64, slots=1))\n"
        "print(model._home._process.popen.pid, flush=True)\nos.kill(os.getpid(), 9)"
    )
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | path, capture_output=True, text=True)
    with suppress(ProcessLookupError):  # it has gone already
        watched = os.pidfd_open(int(done.stdout))
        assert select.select([watched], [], [], 60)[0]
        os.close(watched)


def test_a_process_that_does_not_listen_is_closed_within_half_a_second() -> None:
    model = Apart("embedded-base", replace(SMALL, context=64, slots=1))
    os.kill(process_of(model), signal.SIGSTOP)
    began = time.monotonic()
    asyncio.run(model.close())
    assert time.monotonic() - began < 0.5


def test_a_model_that_is_closed_says_so() -> None:
    model = Apart("embedded-base", replace(SMALL, context=64, slots=1))
    asyncio.run(model.close())
    with pytest.raises(ModelError, match="was closed"):
        asyncio.run(model.complete("x"))
