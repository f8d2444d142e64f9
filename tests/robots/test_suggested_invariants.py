"""`thinkaloud check` names what skills do near people that no line of `never` speaks of."""

from __future__ import annotations

import pytest

from thinkaloud.robots.checking import check_robot
from thinkaloud.robots.text_file import TextFileWorld

HOME = """
name = "home"
about = "A robot in a home."
people = ["guest"]
NEVER
[kinds]
guest = ["Ada", "Bert"]
room = ["garden", "hall"]
zork = ["blip", "blop"]
gate = ["front gate"]
[skills.lead]
says = "Lead {guest} to the {room}."
doc = "Lead somebody."
parameters = { guest = "guest", room = "room" }
makes = ["inside({guest}, {room})"]
[skills.frob]
says = "Frob {guest} with the {zork}."
doc = "Do something."
parameters = { guest = "guest", zork = "zork" }
makes = ["frobbed({guest}, {zork})"]
[skills.quux]
says = "Quux the {gate}."
doc = "Do something."
parameters = { gate = "gate" }
makes = ["quuxed({gate})"]
[skills.unquux]
says = "Unquux the {gate}."
doc = "Do something."
parameters = { gate = "gate" }
ends = ["quuxed({gate})"]
[relations.inside]
says = "{guest} is in the {room}."
doc = "Where somebody is."
parameters = { guest = "guest", room = "room" }
single = true
[relations.frobbed]
says = "{guest} is frobbed with {zork}."
doc = "Frobbed."
parameters = { guest = "guest", zork = "zork" }
[relations.fit]
says = "{guest} is fit for {zork}."
doc = "Fit."
parameters = { guest = "guest", zork = "zork" }
[relations.quuxed]
says = "The {gate} is quuxed."
doc = "Quuxed."
parameters = { gate = "gate" }
"""
FIT, GATE = '"frobbed(guest, zork) and not fit(guest, zork)"', '"quuxed(gate) and inside(guest, garden)"'


def notes(never: str = "", people: bool = True) -> str:
    text = HOME.replace("NEVER", f"never = [{never}]" if never else "")
    checked = check_robot(TextFileWorld(text if people else text.replace('people = ["guest"]', "")))
    assert checked.faults == []
    return "\n".join(checked.notes)


def test_a_line_is_suggested_for_what_is_given_to_people_and_for_what_may_shut_them_in() -> None:
    told = notes()
    assert "frob makes frobbed so for people, and no line of `never` says for whom it must not be." in told
    assert f"If fit decides that, add: never = [{FIT}]." in told
    assert "quuxed (quux and unquux). If one of them can shut somebody in or out" in told
    assert f"say where nobody may be then, such as never = [{GATE}]." in told


@pytest.mark.parametrize("line", [FIT, GATE])
def test_each_suggested_line_can_be_read_and_is_then_not_suggested_again(line: str) -> None:
    assert f"never = [{line}]" in notes()
    assert line not in notes(line)


def test_nothing_is_suggested_where_nobody_is_a_person() -> None:
    assert "`never`" not in notes(people=False)
