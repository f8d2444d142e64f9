"""The rules of the domains: what a move leads to, and what has to go first."""

import pytest

from thinkaloud.records import WorldState
from thinkaloud.state.edits import lies_on, supports, with_marked
from thinkaloud_worlds.tabletop.statler_rules import DOMAINS, above, after_put, must_go_first, spread_dirt, top_of

BLOCKS = ("red block", "blue block", "green block", "tan block")
PLAIN, DIRT, WEIGHT, CUPS = (DOMAINS[name] for name in ("pick_and_place", "disinfection", "weight", "cups"))


def state(*pairs: tuple[str, str], dirty: tuple[str, ...] = (), clean: tuple[str, ...] = ()) -> WorldState:
    things = (*BLOCKS, "pink bowl", "disinfector", "black cup", "white cup", "rubiks cube", "toy wheel")
    made = WorldState(things, tuple(lies_on(*pair) for pair in pairs))
    return with_marked(with_marked(made, dirty, "dirty"), clean, "clean")


def words(known: WorldState, thing: str) -> str:
    return " ".join(word for word, value in known.attributes.get(thing, {}).items() if value is True)


def test_there_are_four_domains_and_each_says_its_rules() -> None:
    assert list(DOMAINS) == ["pick_and_place", "disinfection", "weight", "cups"]
    assert [d.name for d in DOMAINS.values() if d.dirt] == ["disinfection"]
    assert [d.name for d in DOMAINS.values() if d.one_cover] == ["cups"]
    assert all(2 <= len(d.rules.splitlines()) <= 6 for d in DOMAINS.values())


def test_what_stands_on_a_thing_is_named_from_the_top() -> None:
    stack = state(("green block", "blue block"), ("blue block", "red block"), ("red block", "pink bowl"))
    assert above(stack, "red block") == ("green block", "blue block")
    assert above(stack, "pink bowl") == ("green block", "blue block", "red block")
    assert top_of(stack, "red block") == "green block"
    assert top_of(stack, "pink bowl") == "pink bowl"


def test_a_circle_is_followed_once() -> None:
    assert set(above(state(("red block", "blue block"), ("blue block", "red block")), "red block")) == {"blue block"}


@pytest.mark.parametrize("ground", ["table", "empty space"])
def test_on_the_table_is_on_nothing(ground: str) -> None:
    assert supports(after_put(PLAIN, state(("red block", "pink bowl")), "red block", ground)) == {}


def test_a_second_block_goes_on_top_of_the_stack() -> None:
    after = after_put(PLAIN, state(("blue block", "red block")), "green block", "red block")
    assert supports(after) == {"blue block": "red block", "green block": "blue block"}


def test_what_is_on_a_moved_block_is_set_aside() -> None:
    stack = state(("blue block", "red block"), ("green block", "blue block"))
    assert supports(after_put(WEIGHT, stack, "red block", "pink bowl")) == {"red block": "pink bowl"}
    assert supports(after_put(WEIGHT, stack, "red block", "green block")) == {"red block": "green block"}
    assert must_go_first(WEIGHT, stack, "red block", "pink bowl") == ()


def test_putting_a_thing_where_it_is_leaves_it_there() -> None:
    stack = state(("blue block", "red block"))
    assert supports(after_put(PLAIN, stack, "blue block", "red block")) == {"blue block": "red block"}
    assert after_put(PLAIN, stack, "red block", "red block") == stack


def test_a_bowl_holds_blocks_side_by_side() -> None:
    after = after_put(DIRT, state(("red block", "pink bowl"), dirty=("red block",)), "blue block", "pink bowl")
    assert supports(after) == {"red block": "pink bowl", "blue block": "pink bowl"}
    assert words(after, "blue block") == ""


def test_dirt_goes_up_and_down_a_stack() -> None:
    stack = state(("blue block", "red block"), ("green block", "blue block"), clean=("green block", "red block"))
    after = after_put(DIRT, with_marked(stack, ("tan block",), "dirty"), "tan block", "red block")
    assert [words(after, block) for block in BLOCKS] == ["dirty"] * 4
    assert words(after, "pink bowl") == ""


def test_clean_and_unknown_stay_what_they_are() -> None:
    after = after_put(DIRT, state(clean=("red block",)), "red block", "blue block")
    assert (words(after, "red block"), words(after, "blue block")) == ("clean", "")


def test_dirt_that_was_told_of_a_stack_had_spread_before_the_move() -> None:
    after = after_put(DIRT, state(("red block", "blue block"), dirty=("red block",)), "red block", "table")
    assert words(after, "blue block") == "dirty"


def test_the_disinfector_cleans_what_is_in_it_and_on_that() -> None:
    after = after_put(DIRT, state(dirty=("red block", "blue block")), "red block", "disinfector")
    assert (words(after, "red block"), words(after, "blue block")) == ("clean", "dirty")
    stacked = after_put(DIRT, after, "blue block", "red block")
    assert (words(stacked, "red block"), words(stacked, "blue block")) == ("clean", "clean")
    assert words(after_put(DIRT, after, "tan block", "disinfector"), "tan block") == "clean"


def test_spreading_again_changes_nothing() -> None:
    once = spread_dirt(
        state(("red block", "blue block"), ("tan block", "disinfector"), dirty=("blue block", "tan block"))
    )
    assert spread_dirt(once) == once
    assert words(once, "red block") == "dirty"


def test_only_disinfection_knows_dirt() -> None:
    after = after_put(PLAIN, state(dirty=("red block",)), "red block", "blue block")
    assert words(after, "blue block") == ""


def test_a_cup_over_a_thing_or_over_the_target_goes_first() -> None:
    covered = state(("black cup", "rubiks cube"))
    assert must_go_first(CUPS, covered, "rubiks cube", "table") == (("black cup", "empty space"),)
    assert must_go_first(CUPS, covered, "white cup", "rubiks cube") == (("black cup", "empty space"),)
    assert must_go_first(CUPS, covered, "black cup", "toy wheel") == ()
    assert must_go_first(CUPS, covered, "black cup", "rubiks cube") == ()
    assert supports(after_put(CUPS, covered, "black cup", "toy wheel")) == {"black cup": "toy wheel"}


def test_what_must_go_first_goes_from_the_top_and_each_once() -> None:
    pile = state(("black cup", "rubiks cube"), ("toy wheel", "black cup"))
    gone = (("toy wheel", "empty space"), ("black cup", "empty space"))
    assert must_go_first(CUPS, pile, "rubiks cube", "black cup") == gone
    assert must_go_first(CUPS, pile, "white cup", "rubiks cube") == gone
    assert must_go_first(CUPS, pile, "toy wheel", "rubiks cube") == gone
    assert supports(after_put(CUPS, pile, "toy wheel", "rubiks cube")) == {"toy wheel": "rubiks cube"}
