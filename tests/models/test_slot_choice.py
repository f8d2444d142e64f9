from __future__ import annotations

import threading

from thinkaloud.models.slot_choice import Slots


def take(slots: Slots, prompt: str) -> int:
    with slots.hold(prompt) as slot:
        slot.text = prompt
        return slot.number


def test_a_prompt_that_continues_another_gets_its_slot() -> None:
    slots = Slots(3)
    planner, reader = take(slots, "You plan. A"), take(slots, "Read this. A")
    assert planner != reader
    assert take(slots, "You plan. A B") == planner
    assert take(slots, "Read this. A B C") == reader


def test_a_few_shared_words_do_not_push_a_prompt_out() -> None:
    slots = Slots(2)
    first = take(slots, "Human: " + "x" * 100)
    assert take(slots, "Human: " + "y" * 100) != first


def test_the_prompt_that_waited_longest_makes_room() -> None:
    slots = Slots(2)
    first, second = take(slots, "one"), take(slots, "two")
    take(slots, "one more")
    assert take(slots, "three") == second
    assert take(slots, "one more time") == first


def test_a_busy_slot_is_not_given_twice() -> None:
    slots = Slots(2)
    with slots.hold("same") as one, slots.hold("same") as other:
        assert one.number != other.number


def test_a_prompt_waits_for_its_own_slot_when_nobody_wants_what_it_is_busy_with() -> None:
    slots = Slots(2)
    mine = take(slots, "You plan. A long story, and so on")
    wanted, taken = [True], list[int]()
    busy, again = threading.Event(), threading.Event()

    def abandoned() -> None:
        with slots.hold("You plan. A long story, and so on: B", lambda: wanted[0]):
            busy.set()
            assert again.wait(20)

    first = threading.Thread(target=abandoned)
    first.start()
    assert busy.wait(20)
    wanted[0] = False
    second = threading.Thread(target=lambda: taken.append(take(slots, "You plan. A long story, and so on: B D")))
    second.start()
    again.set()
    first.join(20)
    second.join(20)
    assert taken == [mine]
