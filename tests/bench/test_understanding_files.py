"""Files of requests: what is read of them, what is refused, and that those which are shipped make sense."""

from __future__ import annotations

from pathlib import Path

import pytest

from thinkaloud.errors import BadInput, ThinkaloudError
from thinkaloud_bench.understanding import BENCH, OWN
from thinkaloud_bench.understanding.checking import check_material
from thinkaloud_bench.understanding.facts import Fact, read_fact
from thinkaloud_bench.understanding.material import CALIBRATION, FOLDERS, read_material, shipped

DATA = Path(__file__).parent.parent / "data" / "understanding"
WORKSHOP, TABLE = ((DATA / f"{name}.toml").read_text(encoding="utf-8") for name in ("workshop", "small_table"))


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("wet(fern)", Fact("wet", ("fern",))),
        ("not on( red block ,blue bowl )", Fact("on", ("red block", "blue bowl"), False)),
        ("open()", Fact("open")),
        ("nothing(left)", Fact("nothing", ("left",))),
    ],
)
def test_a_fact_is_read_as_it_is_written(text: str, fact: Fact) -> None:
    assert read_fact(text) == fact
    assert read_fact(str(fact)) == fact


def test_a_robot_and_its_requests() -> None:
    found = read_material(WORKSHOP, "workshop.toml")
    assert (found.name, found.world, len(found.requests)) == ("workshop", "", 11)
    deed, count, *_ = found.requests
    assert deed.exact == ((Fact("stored", ("saw", "right drawer")),),)
    assert count.answer == ("1",)
    assert count.tags == ("question", "count")
    assert found.requests[3].accepted == ("do", "ask")
    assert found.requests[3].exact == ((Fact("lit", ("ceiling lamp",)),), ())
    assert found.requests[7].text == "Put the file away. / In the left one."
    check_material(found)


def test_requests_to_a_world() -> None:
    found = read_material(TABLE, "small_table.toml")
    assert (found.world, found.seed) == ("tabletop", 0)
    assert found.requests[1].touched == ("green block",)
    assert found.requests[2].holds is not None
    assert len(found.requests[2].holds) == 2
    check_material(found)


REQUEST = '\n[[request]]\nsay = "Go."\n'


@pytest.mark.parametrize(
    ("added", "why"),
    [
        (REQUEST, "'expect' has to be one of do, answer"),
        ("\n[[request]]\nexpect = 'do'\n", "either 'say' or 'turns'"),
        (f"{REQUEST}expect = 'doo'\n", "'expect' has to be one of"),
        (f"{REQUEST}expect = 'do'\nchange = ['lit(saw)']\n", "did you mean 'changes'"),
        (f"{REQUEST}expect = 'do'\ncolour = 'red'\n", "no field 'colour'"),
        (f"{REQUEST}expect = 'do'\nchanges = ['lit']\n", "not written as relation"),
        (f"{REQUEST}expect = 'do'\nchanges = ['lit(desk lamp)']\nor = [[]]\n", "only one of"),
        (f"{REQUEST}expect = 'answer'\n", "an answer has to be given"),
        (f"{REQUEST}expect = 'do'\ntouched = ['saw']\n", "for requests to a world only"),
        (f"{REQUEST}expect = 'do'\nchanges = ['lit(saw)']\n", "saw"),
        (f"{REQUEST}expect = 'do'\nchanges = ['shut(saw)']\n", "shut"),
        (f"{REQUEST}expect = 'do'\nchanges = ['lit(desk lamp)']\n", "is so at the start already"),
        (f"{REQUEST}expect = 'do'\ncalls = ['dance()']\n", "no skill 'dance'"),
        ("\n[[request", "is not TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(added: str, why: str) -> None:
    with pytest.raises(BadInput, match=r"mine\.toml") as caught:
        assert BENCH.read is not None
        BENCH.read((WORKSHOP + added).encode(), "mine.toml")
    assert why in str(caught.value)
    assert "request 12" in str(caught.value) or "TOML" in str(caught.value)


def test_a_file_without_a_robot_or_without_requests() -> None:
    with pytest.raises(BadInput, match="has no"):
        read_material('world = "tabletop"', "a.toml")
    with pytest.raises(BadInput, match="describes no robot"):
        read_material(REQUEST, "a.toml")
    with pytest.raises(BadInput, match="no scene file"):
        read_material(f'world = "tabletop"\nscene = "none.toml"{REQUEST}expect = "do"\n', "a.toml")


def test_a_file_of_ones_own_is_a_task_of_its_own() -> None:
    assert BENCH.read is not None
    found = BENCH.read(WORKSHOP.encode(), "workshop.toml")
    assert [episode.spoken.expect for episode in found[OWN]][:3] == ["do", "answer", "decline"]


def test_what_is_shipped_makes_sense() -> None:
    robots = shipped("robots")
    assert len(robots) >= 12
    assert all(len(material.requests) >= 20 for material in robots.values())
    assert not {*shipped(*FOLDERS)} & {*shipped(CALIBRATION)}
    for name, material in shipped(*FOLDERS, CALIBRATION).items():
        assert name.replace("_", "").isalnum()
        assert all(spoken.tags for spoken in material.requests), name
        if not material.world:
            check_material(material)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", shipped("worlds"))
def test_requests_to_the_worlds_make_sense(name: str) -> None:
    try:
        check_material(shipped("worlds")[name])
    except ThinkaloudError as error:
        pytest.fail(f"{name}: {error}")


def test_nothing_is_said_both_when_testing_and_when_calibrating() -> None:
    def said(*folders: str) -> set[str]:
        return {
            turn.lower() for each in shipped(*folders).values() for spoken in each.requests for turn in spoken.turns
        }

    assert len(said(*FOLDERS) & said(CALIBRATION)) <= 5  # "Stop." and the like
