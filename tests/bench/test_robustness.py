"""The same request in other words, the same scene in another order: what is played, and how the spread is counted."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from string import Formatter
from typing import Any

import pytest

from thinkaloud.errors import BadInput
from thinkaloud.models import Model, ModelSettings, Scripted
from thinkaloud.monologue import Monologue
from thinkaloud.perceive.when_to_look import WatchProgress
from thinkaloud.records import Observation, Plan, WorldState
from thinkaloud.settings import Settings
from thinkaloud.state.edits import lies_on, supports
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Twinned, briefing_of, find_ability
from thinkaloud_bench import run_bench
from thinkaloud_bench.contract import CEILING, Item, Played
from thinkaloud_bench.inner_monologue_tabletop import TABLETOP_TASKS as TABLETOP
from thinkaloud_bench.playing import play_episode, played_as
from thinkaloud_bench.robustness import BENCH, agreement, of_variants
from thinkaloud_bench.robustness import setups as robust
from thinkaloud_bench.robustness.phrasings import FRAMES, PHRASINGS, REQUEST_KINDS, frame_of
from thinkaloud_bench.robustness.setups import HICRISP, INNER_MONOLOGUE, ITP, ROBUSTNESS_TASKS, STATLER, Variant
from thinkaloud_bench.robustness.shuffling import Shuffle, Shuffled, ShuffledProgress
from thinkaloud_bench.running import items_of
from thinkaloud_bench.statler.episodes import Query
from thinkaloud_bench.tabletop_goals import BlocksPlaced
from thinkaloud_worlds.household.virtualhome_package import is_there
from thinkaloud_worlds.tabletop import Scene, Tabletop
from thinkaloud_worlds.tabletop.statler_worlds import DomainWorld

QUICK = ("onto", "command", "yes-no", "lookup", "lookup-scene", *(["home", "home-scene"] if is_there() else []))


def expertly(task: str, index: int, seed: int = 1000) -> Played:
    return asyncio.run(BENCH.play(Item(CEILING, task, index, seed), lambda: Scripted()))


# Phrasings ------------------------------------------------------------------------------------------------------------


def slots(frame: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(frame) if name}


@pytest.mark.parametrize("kind", REQUEST_KINDS)
def test_a_kind_of_request_has_twenty_phrasings_about_the_same_things(kind: str) -> None:
    frames = REQUEST_KINDS[kind]
    assert len({frame.lower().strip(" .?!") for frame in frames}) == len(frames) == PHRASINGS
    assert {frozenset(slots(frame)) for frame in frames} == {frozenset(slots(frames[0]))}
    assert any(frame.endswith("?") for frame in frames)
    assert any(frame == frame.lower() for frame in frames)


def test_a_phrasing_is_recognised_whatever_it_is_about() -> None:
    assert len(set(FRAMES)) == len(FRAMES) == PHRASINGS * len(REQUEST_KINDS)
    for frame in FRAMES:
        said = frame.format(**dict.fromkeys(slots(frame), "light green bowl"))
        assert frame_of(said) is not None
        assert frame_of(f"  {said.upper().rstrip('.')}!") is not None
    assert frame_of("put every block into the pale pink bowl") == "Put every block into the {bowl}."
    assert frame_of("Sort the blocks by colour.") is None


def test_they_are_not_the_requests_of_other_benchmarks() -> None:
    for task in TABLETOP.values():
        assert frame_of(task.set_up(1000).request) is None


# Which episodes -------------------------------------------------------------------------------------------------------


def test_all_variants_of_a_task_have_one_seed_and_a_task_has_the_preset_that_it_is_about() -> None:
    items = items_of(BENCH, BENCH.presets, None, None, 1000)
    assert len(items) == 2 * PHRASINGS * len(ROBUSTNESS_TASKS)
    assert all(len({item.seed for item in items if item.task == task}) == 1 for task in ROBUSTNESS_TASKS)
    assert len({item.seed for item in items}) == len(ROBUSTNESS_TASKS)
    for preset in (INNER_MONOLOGUE, STATLER, HICRISP, ITP):
        own = {item.task for item in items if item.preset == preset}
        assert own == {name for name, task in ROBUSTNESS_TASKS.items() if task.presets == (preset,)} != set()
    assert {item.task for item in items if item.preset == CEILING} == {*ROBUSTNESS_TASKS}


def test_a_preset_that_no_task_is_about_is_played_on_all() -> None:
    assert {item.task for item in items_of(BENCH, ["code_as_policies"], None, 1, 0)} == {*ROBUSTNESS_TASKS}
    assert {item.task for item in items_of(BENCH, [STATLER], ["bowl", "lookup"], 1, 0)} == {"lookup"}
    with pytest.raises(BadInput, match="bowl: not played with hicrisp"):
        items_of(BENCH, ["hicrisp"], ["bowl"], 1, 0)


# Playing --------------------------------------------------------------------------------------------------------------


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", QUICK)
def test_the_expert_does_not_care_how_it_is_said(task: str) -> None:
    played = [expertly(task, index) for index in (0, 7)]
    assert all(each.success for each in played), played
    assert len({each.details[0]["outcome"] for each in played}) == 1
    assert len({each.request for each in played}) == (2 if ROBUSTNESS_TASKS[task].varied == "phrasings" else 1)
    assert all(frame_of(each.request) for each in played)
    assert len({each.seed for each in played}) == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("task", ["drink", "bowl-feedback"])
def test_longer_ones_succeed_too(task: str) -> None:
    assert expertly(task, 3).success


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], tuple[Query, WorldState]]:
    """What would be asked in an episode, and in which state, without asking it."""

    def only_say(item: Item, variant: Variant, state: WorldState, query: Query) -> Any:
        return query, state

    monkeypatch.setattr(robust, "_remembering", only_say)

    def ask(task: str, index: int) -> tuple[Query, WorldState]:
        found: Any = robust.set_up_variant(robust.in_scene(Item(STATLER, task, index, 1000)))
        return found[0], found[1]

    return ask


def test_the_next_twenty_are_in_another_scene(asked: Callable[[str, int], tuple[Query, WorldState]]) -> None:
    first, same, other = (asked("lookup", index) for index in (4, 7, 24))
    assert first[0].text != same[0].text
    assert (first[0].say, first[1]) == (same[0].say, same[1])
    assert first[1] != other[1]


def test_yes_is_as_right_as_no(asked: Callable[[str, int], tuple[Query, WorldState]]) -> None:
    for scene in range(12):
        query, state = asked("yes-no", PHRASINGS * scene)
        thing, bowl = (str(name) for name in re.findall(r"\w+ (?:block|bowl)", query.text))
        assert query.say == ("yes" if supports(state)[thing] == bowl else "no")
    assert {asked("yes-no", PHRASINGS * scene)[0].say for scene in range(12)} == {"yes", "no"}


def only_questions_with_which(prompt: str) -> str:
    query = prompt.rpartition("# query: ")[2].partition("\n")[0]
    bowl = re.search(r"(\w+ bowl)", query)
    assert bowl is not None
    held = re.findall(rf'"{bowl[1]}": {{"contains": \["([^"]+)"', prompt)
    return f'say("{held[-1]}")' if query.startswith("Which") else 'say("I do not know")'


def open_picky(name: str, settings: ModelSettings) -> Model:
    return Scripted(only_questions_with_which, name=name)


@pytest.mark.draws
def test_a_model_that_understands_one_phrasing_only_agrees_with_itself_less(tmp_path: Any) -> None:
    report = run_bench(
        "robustness",
        presets=[STATLER],
        model="picky",
        episodes=3,
        seed=1000,
        jobs=1,
        tasks=["lookup", "lookup-scene"],
        episodes_file=None,
        out=tmp_path / "out",
        settings=Settings(home=tmp_path),
        progress=lambda done, total, what: None,
        open_model=open_picky,
    )
    found = {(row.task, row.metric): row.value for row in report.rows}
    assert found["lookup", "success"] == pytest.approx(1 / 3, abs=1e-5)
    assert found["lookup", "agreement"] == pytest.approx(2 / 3, abs=1e-5)
    assert found["lookup-scene", "success"] == found["lookup-scene", "agreement"] == 1
    assert ("lookup", "worst") not in found
    assert "lookup: 2 of 3 failed, such as “Name the block" in report.notes[0]
    assert {"agreement.png", "success.png", "table.md", "results.csv"} <= {p.name for p in (tmp_path / "out").iterdir()}


def test_what_is_refused_before_anything_is_planned_has_failed() -> None:
    table = Tabletop(Scene.random(1000, blocks=3, bowls=2))
    block, variant = table.blocks[0], Variant("phrasings", 0, 1000)
    item, goal = Item(INNER_MONOLOGUE, "onto", 0, 1), BlocksPlaced({block: (table.blocks[1],)})
    request = f"Put the {block} on the mauve block."
    setup = robust._at_table(variant, table, request, goal)
    played = asyncio.run(play_episode(item, lambda: Scripted(), setup))
    assert (played.success, played.result, played.calls) == (False, "declined", 0)
    assert "mauve block" in played.because
    assert played.details[0]["outcome"].startswith(f"{block}: table; ")


# Shuffling ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def world() -> DomainWorld:
    world = DomainWorld("pick_and_place")
    world.reset(1000)
    return world


def test_a_shuffled_world_is_the_same_world_in_another_order(world: DomainWorld) -> None:
    plain, other = world.observe(), Shuffled(world, 3).observe()
    assert other.objects != plain.objects
    assert sorted(other.objects) == sorted(plain.objects)
    assert plain.vocabulary.keys() == other.vocabulary.keys()
    assert all(sorted(names) == sorted(other.vocabulary[kind]) for kind, names in plain.vocabulary.items())
    assert plain.state is not None
    assert other.state is not None
    assert sorted(other.state.objects) == sorted(plain.state.objects)
    assert Shuffled(world, 3).observe() == other != Shuffled(world, 4).observe()
    assert Shuffled(world, 0).observe() == plain


def test_a_shuffled_world_is_a_world_with_all_that_its_own_has(world: DomainWorld) -> None:
    shuffled = Shuffled(world, 3)
    assert isinstance(shuffled, World)
    assert find_ability(shuffled, Twinned) is not None
    assert briefing_of(shuffled) == world.briefing
    snapshot = shuffled.snapshot()
    shuffled.reset(1001)
    assert world.snapshot() != snapshot
    shuffled.restore(snapshot)
    assert world.snapshot() == snapshot
    assert shuffled.holds(lies_on(world.blocks[0], world.bowls[0])) is False


def test_a_state_is_told_in_another_order_and_stays_the_same(world: DomainWorld) -> None:
    state = world.observe().state
    assert state is not None
    known = {name: {"dirty": True} for name in state.objects}
    relations = tuple(lies_on(one, other) for one, other in zip(state.objects, state.objects[1:], strict=False))
    state = replace(state, relations=relations, attributes=known)
    told = Shuffle(5).state(state)
    assert told.relations != relations
    assert sorted(r.words for r in told.relations) == sorted(r.words for r in relations)
    assert told.attributes == known
    assert [*told.attributes] != [*known]
    assert Shuffle(0).state(state) == state


def test_progress_is_told_in_another_order_at_every_look() -> None:
    wanted = tuple(lies_on(f"{colour} block", "red bowl") for colour in ("red", "blue", "green", "pink", "gray"))

    class Everything(WatchProgress):
        async def perceive(self, monologue: Monologue) -> Observation | None:
            return Observation((), {}, achieved=wanted)

    table = Tabletop(Scene.random(1000, blocks=2, bowls=1))
    monologue = Monologue(table.clock)
    monologue.append(Plan("", wanted, ()))
    own, other = (ShuffledProgress(Everything(table), number) for number in (0, 2))
    seen = [asyncio.run(other.perceive(monologue)) for _ in range(3)]
    orders = {tuple(c.words for c in each.achieved or ()) for each in seen if each is not None}
    assert len(orders) > 1
    assert {frozenset(order) for order in orders} == {frozenset(c.words for c in wanted)}
    unchanged = asyncio.run(own.perceive(monologue))
    assert unchanged is not None
    assert unchanged.achieved == wanted


# Counting -------------------------------------------------------------------------------------------------------------


def came(index: int, success: bool, outcome: str, task: str = "onto") -> Played:
    item = Item(INNER_MONOLOGUE, task, index, 1)
    details = [{"outcome": outcome}]
    return played_as(item, [], success=success, seconds=1.0, model="m", request=f"say {index % 20}", details=details)


def test_agreement_is_with_the_most_frequent_outcome_of_the_scene() -> None:
    first = [came(0, True, "a"), came(1, True, "a"), came(2, False, "a"), came(3, True, "b")]
    second = [came(20, False, "c"), came(21, False, "c")]
    found = agreement([*first, *second])
    assert found is not None
    assert (found.value, found.n) == (4 / 6, 6)
    assert agreement(first[:1]) is None


def test_worst_and_best_are_of_variants_in_several_scenes() -> None:
    played = [came(20 * scene + variant, variant != 1 or not scene, "x") for scene in (0, 1) for variant in (0, 1, 2)]
    assert of_variants(min)(played[:3]) is None
    found = {(row.task, row.metric): row.value for row in BENCH.rows(BENCH, [INNER_MONOLOGUE], played)}
    assert (found["onto", "worst"], found["onto", "best"]) == (0.5, 1.0)
    assert BENCH.notes(played) == ["onto: 1 of 6 failed, such as “say 1”"]
    assert BENCH.notes([each for each in played if each.success]) == []
