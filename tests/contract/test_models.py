"""What every model keeps to, whether it is a script, runs in this process, or answers over HTTP."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from thinkaloud.errors import ModelError
from thinkaloud.models import Model, ModelSettings, Recorded, Scripted, Turn, is_trained, open_model
from thinkaloud.models.embedded import Embedded
from thinkaloud.models.gbnf import accepts
from thinkaloud.models.grammar import grammar, literal, one_of, sequence
from thinkaloud.models.llama import Llama

T = TypeVar("T")

FRANCE = "The capital of Germany is Berlin.\nThe capital of France is"
LONG = (
    "Scene: There is a red block and a green bowl.\nHuman: put the red block in the bowl.\nRobot action: pick it up.\n"
    * 2
)
NUMBER = {"type": "object", "properties": {"answer": {"type": "integer"}}, "required": ["answer"]}


def tool(name: str, about: str) -> dict[str, Any]:
    thing = {"type": "string", "enum": ["sponge", "cup"]}
    parameters = {"type": "object", "properties": {"thing": thing}, "required": ["thing"]}
    return {"type": "function", "function": {"name": name, "description": about, "parameters": parameters}}


def script(prompt: str) -> str:
    if "sum" in prompt:
        return '{"answer": 4}'
    if "then the cup" in prompt:
        return '[{"name": "pick", "arguments": {"thing": "sponge"}}, {"name": "pick", "arguments": {"thing": "cup"}}]'
    return '{"name": "pick", "arguments": {"thing": "sponge"}}' if "sponge" in prompt else " Paris.\nThe capital of"


OPENED = {"embedded": "embedded", "embedded-base": "embedded_base"}
REAL = [*OPENED, "openai"]
EACH_KIND = pytest.mark.parametrize("model", ["scripted", "embedded", "openai"], indirect=True)
"""A script, a model in this process, and one over HTTP: for what takes long, and is the same for models of one kind."""
GRAMMARS = {
    "a choice": grammar(sequence(one_of([" Rome", " Paris"]), '"."')),
    "mostly forced": grammar(sequence(literal(" the town of "), one_of(["Rome", "Paris"]), literal(", I think.\n"))),
    "one sentence": grammar(literal(" nothing but this.\n")),
    "an end that is open": grammar(sequence(one_of([" Rome", " Paris"]), '(", " ("France" | "Italy"))?')),
    "a number": grammar(sequence(literal(" at 0."), "[0-9]{1,3}", literal(";"))),
}


@pytest.fixture(params=["scripted", *OPENED, "openai"])
def model(request: pytest.FixtureRequest) -> Model:
    if request.param == "scripted":
        return Scripted(script, scores=lambda _, option: -float(len(option)))
    if request.param == "openai":
        address = request.getfixturevalue("llama_server").listening_address
        return open_model("openai:smollm2", ModelSettings(base_url=f"{address}/v1", api_key="sk-test"))
    opened: Model = request.getfixturevalue(OPENED[request.param])
    return opened


def ask(model: Model, question: Coroutine[Any, Any, T]) -> T:
    """The answer; a connection is given back before its event loop ends."""

    async def answer() -> T:
        try:
            return await question
        finally:
            if model.name.startswith("openai"):
                await model.close()

    return asyncio.run(answer())


def test_an_answer_ends_before_the_stop_text(model: Model) -> None:
    answer = ask(model, model.complete(FRANCE, stop=["."], most=30))
    assert "." not in answer.text
    assert answer.text == " Paris" or is_trained(model)  # in other things
    assert answer.usage.generated >= 1
    assert answer.usage.evaluated + answer.usage.cached >= 10


def test_an_answer_keeps_to_its_grammar(model: Model) -> None:
    only = grammar(sequence(one_of([" Rome", " Paris"]), '"."'))
    answer = ask(model, model.complete(FRANCE, grammar=only, stop=["\n"], most=30))
    assert answer.text in (" Rome.", " Paris.")


@pytest.mark.parametrize("model", REAL, indirect=True)  # a script goes by none
@pytest.mark.parametrize("name", GRAMMARS)
def test_an_answer_is_exactly_what_its_grammar_accepts(model: Model, name: str) -> None:
    heard: list[str] = []
    answer = ask(model, model.complete(FRANCE, grammar=GRAMMARS[name], most=30, listener=heard.append))
    assert accepts(GRAMMARS[name], answer.text), answer.text
    assert "".join(heard) == answer.text


def test_only_the_model_with_the_adapter_is_trained_in_our_prompts(model: Model) -> None:
    assert is_trained(model) is (model.name == "embedded")
    assert is_trained(Recorded(model, emit=lambda call: None).as_role("planner")) is is_trained(model)


def test_what_a_listener_hears_is_the_answer(model: Model) -> None:
    heard: list[str] = []
    answer = ask(model, model.complete(FRANCE, stop=["\n"], most=12, listener=heard.append))
    assert "".join(heard) == answer.text != ""


@pytest.mark.sampled(2)
def test_an_answer_in_a_schema_parses(model: Model) -> None:
    reply = ask(model, model.chat([Turn("user", "What is the sum of 2 and 2?")], schema=NUMBER, most=40))
    assert isinstance(json.loads(reply.text)["answer"], int)


@pytest.mark.parametrize("model", ["scripted", "embedded-base"], indirect=True)
def test_an_answer_with_tools_is_a_call_of_one_of_them(model: Model) -> None:
    tools = [tool("pick", "Pick a thing up."), tool("wipe", "Wipe the table with a thing.")]
    reply = ask(model, model.chat([Turn("user", "Pick up the sponge.")], tools=tools, most=80))
    assert reply.calls[0].name in ("pick", "wipe")
    assert reply.calls[0].arguments["thing"] in ("sponge", "cup")


@pytest.mark.sampled(2)
@EACH_KIND
def test_an_answer_with_tools_may_be_several_calls(model: Model) -> None:
    turns, tools = [Turn("user", "Pick up the sponge, then the cup.")], [tool("pick", "Pick a thing up.")]
    calls = ask(model, model.chat(turns, tools=tools, calls=2, most=120)).calls
    assert 1 <= len(calls) <= 2
    assert {call.name for call in calls} == {"pick"}
    assert {call.arguments["thing"] for call in calls} <= {"sponge", "cup"}


def test_the_likelier_option_scores_higher(model: Model) -> None:
    scores = ask(model, model.score(FRANCE, [" Paris", " a sponge on the table"]))
    assert scores.values[1] < scores.values[0] < 0


@EACH_KIND
def test_the_best_by_likelihood_times_worth_is_the_best_of_all(model: Model) -> None:
    options, worth = [" Paris", " Rome", " Paris in the north", " London"], [0.01, 1.0, 1.0, 0.5]
    exact = ask(model, model.score(FRANCE, options)).values
    bounds = ask(model, model.score(FRANCE, options, worth=worth)).values
    best = [max(range(4), key=lambda at: values[at] + math.log(worth[at])) for values in (exact, bounds)]
    assert best[0] == best[1]
    assert bounds[best[0]] == pytest.approx(exact[best[0]], abs=0.05)
    assert all(bound > value - 0.05 for bound, value in zip(bounds, exact, strict=True))


@pytest.mark.sampled(2)
@EACH_KIND
def test_the_same_prompt_gives_the_same_answer(model: Model) -> None:
    first, second = (ask(model, model.complete(LONG + "Human:", stop=["\n"], most=20)) for _ in range(2))
    assert first.text == second.text


def test_a_file_that_is_opened_by_its_path_says_what_the_same_weights_say(
    gguf_model: Model, embedded_base: Model
) -> None:
    for name in ("a choice", "a number"):
        by_path, by_name = (
            ask(model, model.complete(FRANCE, grammar=GRAMMARS[name], most=30)).text
            for model in (gguf_model, embedded_base)
        )
        assert by_path == by_name
    scores = [ask(model, model.score(FRANCE, [" Paris", " Rome"])).values for model in (gguf_model, embedded_base)]
    assert scores[0] == pytest.approx(scores[1], abs=0.05)


@pytest.mark.parametrize("model", REAL, indirect=True)
def test_scores_are_the_sums_of_the_tokens_log_likelihoods(model: Model, llama_server: Any) -> None:
    body = {"prompt": FRANCE, "n_predict": 6, "n_probs": 1, "temperature": 0, "seed": 0}
    inside = asyncio.run(model._loaded()) if isinstance(model, Embedded) else model
    server = inside._server if isinstance(inside, Llama) else llama_server
    choice = server.handle_completions(body)["choices"][0]
    straight = sum(token["logprob"] for token in choice["logprobs"]["content"])
    scores = ask(model, model.score(FRANCE, [choice["text"], " a sponge", choice["text"] + " and"]))
    assert scores.values[0] == pytest.approx(straight, abs=0.05)
    assert scores.values[2] < scores.values[0]


@pytest.mark.parametrize("model", ["embedded", "openai"], indirect=True)
def test_a_longer_prompt_costs_only_what_is_new(model: Model) -> None:
    first = ask(model, model.complete(LONG + "Human: hello.\nRobot", stop=["\n"], most=8))
    second = ask(
        model, model.complete(LONG + "Human: hello.\nRobot" + first.text + "\nHuman: go.\nRobot", stop=["\n"], most=8)
    )
    assert second.usage.evaluated <= 10 < second.usage.cached  # the second request, and where the answer begins


@pytest.mark.sampled(2)
@pytest.mark.parametrize("model", ["embedded", "openai"], indirect=True)
def test_two_roles_that_take_turns_keep_both_caches(model: Model) -> None:
    planner, reader = "You plan.\n" + LONG, "You read the state of the world and answer questions about it.\n" + LONG
    for prompt in (planner, reader):
        ask(model, model.complete(prompt, stop=["\n"], most=4))
    for prompt in (planner, reader):
        usage = ask(model, model.complete(prompt + "Scene: all is", stop=["\n"], most=4)).usage
        assert usage.cached >= 0.9 * (usage.cached + usage.evaluated)


@pytest.fixture(params=["embedded", "embedded_base"])
def here(request: pytest.FixtureRequest) -> Llama | Embedded:
    """A model in this process."""
    opened = request.getfixturevalue(request.param)
    assert isinstance(opened, Llama | Embedded)
    return opened


def test_what_a_grammar_forces_is_not_generated(here: Llama | Embedded) -> None:
    answer = ask(here, here.complete(FRANCE, grammar=GRAMMARS["mostly forced"], most=30))
    assert answer.usage.generated <= 4  # the name of a town, of a dozen tokens
    assert ask(here, here.complete(FRANCE, grammar=GRAMMARS["one sentence"], most=30)).usage.generated == 0


def test_a_cancelled_answer_leaves_the_model_as_it_was(here: Llama | Embedded) -> None:
    only = grammar("[a-z ]{2000}")
    asked = {"grammar": GRAMMARS["mostly forced"], "most": 30}

    async def cancel_and_ask() -> tuple[str, str]:
        before = await here.complete(FRANCE, **asked)  # type: ignore[arg-type]
        heard = asyncio.Event()
        telling = asyncio.create_task(
            here.complete("Once upon a time", grammar=only, most=2000, listener=lambda _: heard.set())
        )
        await heard.wait()
        telling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await telling
        return before.text, (await asyncio.wait_for(here.complete(FRANCE, **asked), 20)).text  # type: ignore[arg-type]

    before, after = asyncio.run(cancel_and_ask())
    assert before == after


def test_a_broken_grammar_is_an_error_in_words(here: Llama | Embedded) -> None:
    with pytest.raises(ModelError, match="grammar"):
        ask(here, here.complete(FRANCE, grammar="root ::= (((", most=4))
