"""What the page offers to try first: only what this robot can do now."""

from __future__ import annotations

from thinkaloud.robots.text_file import TextFileWorld
from thinkaloud.web.suggestions import suggest_requests
from thinkaloud.worlds import World
from thinkaloud.worlds.contract import Twinned, find_ability
from web.conftest import Serve

OVEN = """
name = "oven"
about = "A robot bakes."
never = ["hot(oven) and open(oven)"]
[kinds]
oven = ["small oven", "large oven"]
[skills.heat]
says = "Heat the {oven}."
doc = "Switch an oven on."
parameters = { oven = "oven" }
makes = ["hot({oven})"]
[skills.bake]
says = "Bake bread in the {oven}."
doc = "Bake."
parameters = { oven = "oven" }
needs = ["hot({oven})"]
makes = ["baked({oven})"]
[skills.wipe]
says = "Wipe the {oven}."
doc = "Wipe an oven."
parameters = { oven = "oven" }
makes = ["clean({oven})"]
[relations.hot]
says = "The {oven} is hot."
doc = "Whether it is hot."
parameters = { oven = "oven" }
[relations.baked]
says = "The {oven} holds bread."
doc = "Whether there is bread."
parameters = { oven = "oven" }
[relations.clean]
says = "The {oven} is clean."
doc = "Whether it is clean."
parameters = { oven = "oven" }
[relations.open]
says = "The {oven} is open."
doc = "Whether its door is open."
parameters = { oven = "oven" }
[start]
facts = ["open(small oven)", "open(large oven)"]
"""


BOTH_OPEN = 'facts = ["open(small oven)", "open(large oven)"]'


def test_only_what_breaks_nothing_is_suggested() -> None:
    both = ("Wipe the small oven.", "Wipe the large oven.", "Wipe the small oven, then wipe the large oven.")
    assert suggest_requests(TextFileWorld(OVEN)) == both
    closed = TextFileWorld(OVEN.replace(BOTH_OPEN, "facts = []"))
    assert suggest_requests(closed)[0] == "Heat the small oven."


def test_the_second_of_two_things_in_a_row_undoes_the_first_nowhere() -> None:
    wipe = OVEN.index("[skills.wipe]")
    soiled = OVEN[:wipe] + OVEN[wipe:].replace(
        'makes = ["clean({oven})"]', 'makes = ["clean({oven})"]\nends = ["hot({oven})"]', 1
    )
    last = suggest_requests(TextFileWorld(soiled.replace(BOTH_OPEN, "facts = []")))[-1]
    assert last == "Heat the small oven, then heat the large oven."


class _Untwinned(TextFileWorld):
    """An oven that nobody can copy."""

    twin = None  # type: ignore[assignment]


def test_without_a_twin_single_steps_are_suggested() -> None:
    world: World = _Untwinned(OVEN.replace(BOTH_OPEN, "facts = []"))
    assert find_ability(world, Twinned) is None
    assert suggest_requests(world)[0] == "Heat the small oven." and not any(
        "then" in each for each in suggest_requests(world)
    )


def test_the_page_offers_what_was_measured_or_what_can_be_done(serve: Serve) -> None:
    served = serve()
    assert served.get("/api/examples?world=kitchen") == ["Open the top drawer."]
    assert served.get("/api/examples?world=walkworld:Walker") == served.get("/api/examples?world=by_hand") == []
    assert served.client.get("/api/examples?world=moon").status_code == 404


def test_only_guidelines_whose_steps_a_robot_can_do_are_offered_and_some_where_they_are_needed(serve: Serve) -> None:
    served = serve()
    worlds = {each["name"]: each for each in served.get("/api/choices")["worlds"]}
    assert (worlds["warehouse"]["guidelines"], worlds["drinks"]["guidelines"]) == ([], ["drinks"])
    assert worlds["by_hand"]["needs_guidelines"] and not worlds["drinks"]["needs_guidelines"]
    id = served.start(world="by_hand", preset=None)
    begun = served.get(f"/api/sessions/{id}/events")[0]
    assert begun["preset"].startswith("itp") and "Options:" in begun["options"]["guidelines"]
