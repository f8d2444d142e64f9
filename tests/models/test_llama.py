from __future__ import annotations

import asyncio
import time
from pathlib import Path

import httpx
import pytest

from thinkaloud.errors import ContextOverflow, ModelError, ModelMissing, ModelRefused
from thinkaloud.models import Model, ModelSettings, Turn, open_model
from thinkaloud.models.contract import complete_weighed, following_reading, read_ahead
from thinkaloud.models.llama import Llama
from thinkaloud.models.weight_files import embedded_weights


def test_the_event_loop_stays_alive_while_the_model_thinks(embedded_base: Model) -> None:
    async def both() -> int:
        ticks = 0
        thinking = asyncio.create_task(embedded_base.complete("Once upon a time", most=16))
        while not thinking.done():
            ticks += 1
            await asyncio.sleep(0)
        return ticks

    assert asyncio.run(both()) > 3  # a call that blocked would leave no turn


def test_a_cancelled_answer_stops_and_harms_no_other(embedded_base: Model) -> None:
    async def cancel_and_ask() -> tuple[str, float]:
        heard = asyncio.Event()
        story = embedded_base.complete("Once upon a time", most=3000, listener=lambda _: heard.set())
        telling = asyncio.create_task(story)
        await heard.wait()
        telling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await telling
        start = time.monotonic()
        answers = [embedded_base.complete("One, two, three,", stop=[","], most=8) for _ in range(6)]
        texts = {answer.text for answer in await asyncio.gather(*answers)}
        assert len(texts) == 1
        return texts.pop(), time.monotonic() - start

    text, seconds = asyncio.run(cancel_and_ask())
    assert text == " four"
    assert seconds < 20  # 3000 tokens would take a minute


def test_a_prompt_that_does_not_fit_is_refused_with_the_numbers(embedded_base: Model) -> None:
    with pytest.raises(ContextOverflow, match=r"5001 tokens.*4096"):
        asyncio.run(embedded_base.complete("a " * 5000))


def test_who_follows_is_told_how_much_of_a_prompt_is_read(embedded_base: Model) -> None:
    read: list[tuple[int, int]] = []

    async def ask() -> None:
        with following_reading(lambda *told: read.append(told)):
            await read_ahead(embedded_base, "one two three four " * 200)
        await embedded_base.complete("five six seven " * 30, most=2)  # nobody follows that

    asyncio.run(ask())
    assert {total for _, total in read} == {801} and read == sorted(read)
    assert read[-1][0] == 801 and len(read) > 1


def test_a_broken_grammar_is_an_error_and_the_model_lives_on(embedded_base: Model) -> None:
    with pytest.raises(ModelError, match="grammar"):
        asyncio.run(embedded_base.complete("Hello", grammar="root ::= ((("))
    assert asyncio.run(embedded_base.complete("One, two, three,", stop=[","], most=8)).text == " four"


def test_an_empty_answer_is_refused(embedded_base: Model) -> None:
    with pytest.raises(ModelRefused, match="nothing to add"):
        asyncio.run(embedded_base.complete("One, two, three,", stop=[" four"]))


def test_json_cut_off_by_the_limit_is_refused(embedded_base: Model) -> None:
    schema = {"type": "object", "properties": {"story": {"type": "string", "minLength": 200}}, "required": ["story"]}
    with pytest.raises(ModelRefused, match="limit of 8 tokens"):
        asyncio.run(embedded_base.chat([Turn("user", "Tell me a story.")], schema=schema, most=8))


def test_text_that_is_no_unicode_does_not_hurt(embedded_base: Model) -> None:
    assert asyncio.run(embedded_base.complete("caf\udce9 \x00 is", most=3)).usage.generated == 3


def test_options_with_a_shared_beginning_cost_each_token_once(embedded_base: Model) -> None:
    prompt = "Human: bring me something to drink.\nRobot: I would"
    options = [f" go to the kitchen and pick up the {thing}" for thing in ("coke", "tea", "sponge", "water bottle")]
    scores = asyncio.run(embedded_base.score(prompt, options))
    again = asyncio.run(embedded_base.score(prompt, options))
    assert again.values == pytest.approx(scores.values, rel=0.02)  # on ARM, parts of a batch are not rounded alike
    assert again.usage.generated <= 9 + 8


def test_an_option_may_melt_into_the_prompts_last_token(embedded_base: Model) -> None:
    whole = asyncio.run(embedded_base.score("The sky is", [" blue", " blu"]))
    melted = asyncio.run(embedded_base.score("The sky is bl", ["ue", "u", ""]))
    assert melted.values[0] == pytest.approx(whole.values[0], abs=0.05)
    assert melted.values[0] > melted.values[1]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelMissing, match=r"no file .*nothing\.gguf"):
        open_model(f"gguf:{tmp_path}/nothing.gguf")


def test_a_file_that_is_no_gguf_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.gguf"
    path.write_text("not weights at all")
    with pytest.raises(ModelMissing, match="not a GGUF file"):
        open_model(f"gguf:{path}")


def test_a_file_cut_short_is_refused_in_silence(damaged_weights: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ModelMissing, match="cut short"):
        open_model(f"gguf:{damaged_weights}")
    assert capfd.readouterr() == ("", "")


def test_nothing_listens_beyond_loopback_and_strangers_have_no_key(embedded_base: Model) -> None:
    assert isinstance(embedded_base, Llama)
    address = embedded_base.address
    assert httpx.URL(address).host == "127.0.0.1"
    answer = httpx.post(f"{address}/v1/completions", json={"prompt": "Hello", "max_tokens": 1}, trust_env=False)
    assert answer.status_code == 401


def test_closing_ends_what_is_being_said_and_what_waits_and_the_event_loop_stays_alive() -> None:
    async def close_while_thinking() -> tuple[tuple[object, ...], int]:
        model = Llama("small", embedded_weights(), ModelSettings(context=512, slots=1, threads=1))
        heard = asyncio.Event()
        telling = asyncio.create_task(model.complete("Once upon a time", most=400, listener=lambda _: heard.set()))
        waiting = asyncio.create_task(model.complete("One, two, three,", most=4))
        await heard.wait()
        closing, turns = asyncio.create_task(model.close()), 0
        while not closing.done():
            turns += 1
            await asyncio.sleep(0)
        await model.close()
        answers = await asyncio.gather(
            telling,
            waiting,
            model.complete("x"),
            model.chat([Turn("user", "x")]),
            model.score("x", ["y"]),
            return_exceptions=True,
        )
        return answers, turns

    answers, turns = asyncio.run(close_while_thinking())
    assert [type(answer) for answer in answers] == [ModelError] * 5
    assert all("was closed" in str(answer) for answer in answers)
    assert turns >= 1


def test_text_that_is_no_text_is_a_question_mark_wherever_it_stands(embedded_base: Model) -> None:
    async def say() -> str:
        only = 'root ::= " lone \ud800"'
        return (await embedded_base.complete("half \udfff", grammar=only, stop=["\ud800"], most=20)).text

    assert asyncio.run(say()) in (" lone ?", " lone ")
    tools = [{"name": "pick", "parameters": {"type": "object", "properties": {"thing": {"enum": ["a\ud800"]}}}}]
    reply = asyncio.run(embedded_base.chat([Turn("user", "Pick \ud800.")], tools=tools, most=60))
    assert reply.calls[0].name == "pick"


def test_a_text_can_be_weighed_while_it_is_written(embedded_base: Model) -> None:
    plain, weighed = (
        asyncio.run(ask)
        for ask in (
            embedded_base.complete("One, two, three,", stop=["\n"], most=8),
            complete_weighed(embedded_base, "One, two, three,", stop=["\n"], most=8),
        )
    )
    assert plain.text == weighed.text == "".join(token.text for token in weighed.tokens)
    assert plain.tokens == ()
    for token in weighed.tokens:
        assert 0 < token.likelihood <= 1 and all(likelihood <= token.likelihood for _, likelihood in token.others)
