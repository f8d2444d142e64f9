"""Episode files of others: what is read, what is refused and with which words, and how such an episode is scored."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from counterworld import CHECKS, checked
from thinkaloud.errors import BadInput
from thinkaloud.guidelines import shipped_text
from thinkaloud.models import Scripted
from thinkaloud.settings import Settings
from thinkaloud_bench import BENCHES, run_bench
from thinkaloud_bench.contract import Item, Played
from thinkaloud_bench.itp.episodes import OrderEpisode
from thinkaloud_bench.itp.reading import EXPECT_FIELDS, ORDER_FIELDS, read_orders

TEA = """\
Options: Plain tea, Mint tea
Instructions:
Plain tea
Material: tea
Steps:
0) warm the pot
1) add tea to the pot
2) bring the pot to the guest
Mint tea
Material: tea, mint
Steps:
0) warm the pot
1) add tea to the pot
2) add mint to the pot
3) bring the pot to the guest
Available material we have now: tea, mint, honey
"""
STEPS = ["warm the pot", "add tea to the pot", "add honey to the pot", "bring the pot to the guest"]


def episode(**changes: Any) -> dict[str, Any]:
    data: dict[str, Any] = {"guidelines": TEA, "request": "Tea with honey, please.", "expect": {"steps": STEPS}}
    return {**data, **changes}


def read(*episodes: Any, folder: Path | None = None) -> list[OrderEpisode]:
    return read_orders(json.dumps(list(episodes)), "f.json", folder)


def test_the_form_of_the_issue_is_read() -> None:
    (first, second) = read(
        episode(new_request=None, before_step=None),
        episode(new_request="Honey as well.", before_step=2, expect={"declined": True}),
    )
    assert (first.id, first.world, first.steps, first.declined) == ("1", "by_hand", tuple(STEPS), False)
    assert (second.new_request, second.before_step, second.declined) == ("Honey as well.", 2, True)


def test_a_path_begins_where_the_file_is(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text(TEA)
    (found,) = read(episode(guidelines="tea.txt"), folder=tmp_path)
    assert found.guidelines == TEA


def test_shipped_guidelines_have_their_robot() -> None:
    dishes, same = read(
        episode(guidelines="dishwashing"), episode(guidelines=shipped_text("dishwashing"), world="by_hand")
    )
    assert (dishes.world, same.world) == ("dishwasher", "by_hand")


def test_a_scene_may_be_an_object_or_a_file(tmp_path: Path) -> None:
    scene = {"compartments": ["shelf"], "additives": ["glaze"], "items": [{"kind": "vase", "belongs": "shelf"}]}
    (tmp_path / "kiln.json").write_text(json.dumps(scene))
    found = read(
        episode(world="dishwasher", scene=scene), episode(world="dishwasher", scene="kiln.json"), folder=tmp_path
    )
    assert [json.loads(each.scene) for each in found] == [scene, scene]


def test_a_list_may_stand_under_episodes() -> None:
    assert len(read_orders(json.dumps({"episodes": [episode()]}))) == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"guidelines": "nowhere.txt"}, "episode 1: nowhere.txt: cannot be read"),
        ({"guidelines": "no\noptions"}, "episode 1: guidelines: it has no options"),
        ({"guidelines": 3}, "'guidelines' has to be a path or the text itself, not 3"),
        ({"request": " "}, "'request' has to be a text that is not empty"),
        ({"request": 1}, "'request' has to be a text, not a number"),
        ({"new_request": ["x"]}, "'new_request' has to be a text, not a list"),
        ({"new_request": "x"}, "'before_step' has to say how many steps are finished"),
        ({"before_step": 1}, "there is no new_request"),
        ({"new_request": "x", "before_step": -1}, "'before_step' has to be a whole number, 0 or more"),
        ({"new_request": "x", "before_step": True}, "'before_step' has to be a whole number, 0 or more"),
        ({"expect": {}}, "either steps or declined: true"),
        ({"expect": {"declined": False}}, "either steps or declined: true"),
        ({"expect": {"declined": "yes"}}, "'declined' has to be true or false, not a text"),
        ({"expect": {"steps": STEPS, "declined": True}}, "either steps or declined: true"),
        ({"expect": {"steps": []}}, "'steps' has 0 steps; there have to be 1 to 200"),
        ({"expect": {"steps": ["a", ""]}}, "'steps' has to be a list of texts"),
        ({"expect": ["a"]}, "'expect' has to be an object, not a list"),
        ({"expect": {"step": ["a"]}}, "'expect' has no field 'step'; did you mean 'steps'?"),
        ({"world": "dishwaser"}, "there is no world \"dishwaser\" (did you mean 'dishwasher'?)"),
        ({"world": "dishwasher", "scene": {"items": []}}, "episode 1: scene:1:"),
        ({"scene": "gone.json"}, "the scene gone.json cannot be read"),
        ({"scene": 5}, "'scene' has to be an object"),
        ({"id": True}, "'id' has to be a text or a number"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(BadInput) as error:
        read(episode(**changes))
    assert str(error.value).startswith("f.json: episode 1: ")
    assert words in str(error.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[", "is not JSON"),
        ("{}", "has to be a list of episodes, not an object"),
        ("[]", "has no episodes"),
        ("[3]", "an episode has to be an object, not a number"),
        ('[{"request": "x", "expect": {"declined": true}}]', "has to have a field 'guidelines'"),
        ('[{"guideline": "x", "request": "x", "expect": {}}]', "did you mean 'guidelines'?"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_episode_file_is_refused(text: str, words: str) -> None:
    with pytest.raises(BadInput, match=words.replace("?", r"\?")):
        read_orders(text, "f.json")


_PLAIN = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
_KEYS = st.sampled_from([*ORDER_FIELDS, *EXPECT_FIELDS])
_NESTED = st.lists(_PLAIN, max_size=3) | st.dictionaries(_KEYS, _PLAIN, max_size=4)
_JSON = _PLAIN | st.lists(_PLAIN | _NESTED, max_size=3) | st.dictionaries(_KEYS, _PLAIN | _NESTED, max_size=4)


@given(st.dictionaries(st.sampled_from(ORDER_FIELDS), _JSON))
def test_anything_is_read_or_refused(changes: dict[str, Any]) -> None:
    try:
        read(episode(**changes))
    except BadInput as error:
        assert "f.json: episode 1: " in str(error) or "more than 64 bits" in str(error)


# Scoring --------------------------------------------------------------------------------------------------------------


def planned(steps: Sequence[str], *, material: str = "tea, honey", **changes: Any) -> Played:
    """What comes of an episode when the planner says these steps."""
    (found,) = read(episode(**changes))
    lines = "\n".join(f"{number}) {step}" for number, step in enumerate(steps))
    return said(f"Material: {material}\nSteps:\n{lines}\n", found)


def said(words: str, found: OrderEpisode) -> Played:
    """What comes of an episode when the planner says this."""
    model = Scripted([words] * 9)
    return asyncio.run(BENCHES["itp"].play(Item("itp", "file", 0, 1, found), lambda: model))


def test_the_expected_steps_are_right() -> None:
    played = planned(STEPS)
    assert played.success
    assert (played.scores["right"], played.scores["steps"], played.scores["extra"]) == (4, 4, 0)


def test_materials_may_be_swapped_and_words_be_others() -> None:
    played = planned(["warm the pot", "put honey in the pot", "add some tea to the pot", "take the pot to the guest"])
    assert played.success
    assert played.scores["right"] == 4


def test_other_steps_may_not_be_swapped() -> None:
    played = planned([STEPS[1], STEPS[0], *STEPS[2:]])
    assert not played.success
    assert played.scores["right"] == 3
    assert "1 of 4 steps are missing or at the wrong place" in played.because


def test_a_harmless_step_is_extra_and_a_harmful_one_a_failure() -> None:
    stirred = planned([*STEPS[:3], "stir the pot well", STEPS[3]])
    assert (stirred.success, stirred.scores["right"], stirred.scores["extra"]) == (True, 4, 1)
    minty = planned([*STEPS[:3], "add mint to the pot", STEPS[3]], material="tea, mint, honey")
    assert (minty.success, minty.scores["right"], minty.scores["extra"]) == (False, 4, 1)
    twice = planned([*STEPS[:3], STEPS[2], STEPS[3]])
    assert (twice.success, twice.scores["extra"]) == (False, 1)


def test_what_is_not_available_has_to_be_declined() -> None:
    (found,) = read(episode(expect={"declined": True}))
    refused = said("Thought: Wanted: ginger (not available).\nNot available: ginger\n", found)
    assert refused.success
    assert "ginger" in refused.because
    made = planned(STEPS, expect={"declined": True})
    assert not made.success


def test_the_new_request_comes_when_so_many_steps_are_finished() -> None:
    changed = {
        "request": "Tea, please.",
        "new_request": "And mint.",
        "before_step": 2,
        "expect": {"steps": ["add mint to the pot", STEPS[3]]},
    }
    (found,) = read(episode(**changed))
    plain = "Material: tea\nSteps:\n0) warm the pot\n1) add tea to the pot\n2) bring the pot to the guest\n"
    minty = "Material: tea, mint\nSteps:\n2) add mint to the pot\n3) bring the pot to the guest\n"
    model = checked(plain, minty, read={"Tea, please.": 'order("Plain tea")', "And mint.": 'change("mint")'})
    played = asyncio.run(BENCHES["itp"].play(Item("itp", "file", 0, 1, found), lambda: model))
    assert played.success, played
    assert (played.scores["right"], played.scores["steps"]) == (2, 2)
    assert played.steps == 4
    assert "New request: And mint." in [prompt for prompt in model.prompts if CHECKS not in prompt][-1]


def test_a_file_is_played_from_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "tea.txt").write_text(TEA)
    path = tmp_path / "episodes.json"
    path.write_text(
        json.dumps([episode(guidelines="tea.txt"), episode(guidelines="tea.txt", expect={"declined": True})])
    )
    report = run_bench(
        "itp",
        presets=["ceiling"],
        model="none",
        episodes=None,
        seed=1000,
        jobs=1,
        episodes_file=path,
        out=tmp_path / "out",
        settings=Settings(home=tmp_path),
        progress=lambda done, total, what: None,
    )
    assert (report.played, report.planned) == (2, 2)
    success = next(row for row in report.rows if (row.task, row.metric) == ("file", "success"))
    assert (success.value, success.n) == (1.0, 2)


def test_a_task_of_files_needs_one(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="give it --episodes-file"):
        run_bench(
            "itp",
            presets=["ceiling"],
            model="none",
            episodes=1,
            seed=1000,
            jobs=1,
            episodes_file=None,
            out=None,
            settings=Settings(home=tmp_path),
            progress=lambda done, total, what: None,
            tasks=["file"],
        )
