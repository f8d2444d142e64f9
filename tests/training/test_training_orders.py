"""Who orders in a demonstration and the robot that is told mean the same order, whatever was said in between."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from sampling import how_many
from thinkaloud.language.name_matching import head_noun
from thinkaloud.language.words import IDLE, NUMBERS
from training import words
from training.demonstrators.itp.asking import Worker
from training.demonstrators.itp.menus import draw_works
from training.demonstrators.meanings import shops, sorting
from training.demonstrators.meanings.machines import machine
from training.demonstrators.meanings.shops import Ordering
from training.demonstrators.meanings.talking import Said, Talk


def machines(count: int) -> Iterator[tuple[Ordering, Talk]]:
    """Somebody at a machine, and what they say."""
    rng = np.random.default_rng(11)
    for _ in range(count):
        works = draw_works(rng)
        made = machine(rng, works)
        orders = Ordering(rng, Worker(rng, works), made.guidelines, made.belongs)
        yield orders, Talk("x", made.world, made.guidelines, homes=made.belongs)


def test_an_order_for_all_of_a_kind_is_what_a_change_changes() -> None:
    """Each is taken by the robot: Wrong where that has another order in mind."""
    changed = 0
    for orders, talk in machines(how_many(5, of=9)):
        seen = talk.world.observe()
        for kind in orders.person.works.kinds:  # type: ignore[union-attr]
            count = sum(each.rpartition(" ")[0] == kind for each in seen.objects)
            said = [orders.first(), orders.every(kind, count, f"All the {kind}s.") if count > 1 else None]
            if said[1] is None:
                continue
            assert said[1].program == f'order("all {kind}")'
            said.append(orders.changed())
            for each in said:
                list(talk.take(each) if each is not None else ())
            changed += said[2] is not None and said[2].program.startswith("change(")
    assert changed > how_many(1, of=3)


def test_what_is_held_out_is_not_what_a_later_change_is_of(monkeypatch: pytest.MonkeyPatch) -> None:
    (orders, _), *_ = machines(1)
    while orders.before is None:
        orders.first()
    before, wants = orders.before, orders.wants
    monkeypatch.setattr(shops, "is_held_out", lambda said: isinstance(said, Said))
    assert all(orders.first() is None or orders.before is before for _ in range(10))
    assert orders.wants is wants


def test_nothing_is_sorted_into_what_is_called_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = list[tuple[list[str], list[str]]]()

    def converse(rng: object, talk: object, ways: list[tuple[object, float]]) -> Iterator[object]:
        clutter = ways[0][0].__self__  # type: ignore[attr-defined]
        drawn.append((clutter.things, clutter.holders))
        yield from ()

    monkeypatch.setattr(sorting, "converse", converse)
    rng = np.random.default_rng(5)
    for _ in range(400):
        list(sorting.samples(rng))
    assert len(drawn) > 100
    for things, holders in drawn:
        assert not {*map(head_noun, things)} & {*map(head_noun, holders)}
    assert any(head_noun(each) == "cup" for things, _ in drawn for each in things)
    assert any(head_noun(each) == "cup" for _, holders in drawn for each in holders)


def test_a_made_up_word_is_none_that_says_how_many() -> None:
    rng = np.random.default_rng(1)
    assert not {words.made_up(rng) for _ in range(how_many(5_000, of=20_000))} & {*IDLE, *NUMBERS}
