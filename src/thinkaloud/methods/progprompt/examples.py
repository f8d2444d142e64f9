"""Programs that ProgPrompt's planner is shown."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from thinkaloud.calls import render_call


def render_program_call(name: str, values: Iterable[object]) -> str:
    """A call as it stands in a program: values in single quotes, as they are."""
    return render_call(name, values, lambda value: f"'{value}'")


@dataclass(frozen=True)
class Program:
    """A task and its program. `skills`: the functions and relations that it needs."""

    task: str
    seen: tuple[str, ...]
    name: str
    takes: tuple[str, ...]
    lines: tuple[str, ...]
    skills: frozenset[str] = frozenset()

    def text(self) -> str:
        """The lines of a prompt."""
        head = [f"# Seen: {', '.join(self.seen)}.", f"# Task: {self.task}", f"def {self.name}():"]
        body = [f"    # takes: {', '.join(self.takes)}.", *(f"    {line}" for line in self.lines), "    # done"]
        return "\n".join([*head, *body])


_HOME = frozenset({"find", "grab", "put_in", "switch_on", "close_to", "opened"})
_TABLE = frozenset({"pick_and_place", "on"})
_HALL = frozenset({"drive_to", "at"})
_AROUND = frozenset({"locate", "pick_up", "place_around", "held"})

PROGRAMS = (
    Program(
        "Listen to the radio in the armchair",
        ("armchair", "lamp", "rug", "shelf"),
        "listen_to_the_radio_in_the_armchair",
        ("radio", "armchair"),
        (
            "find('radio')",
            "assert close_to('radio') else: find('radio')",
            "switch_on('radio')",
            "find('armchair')",
            "assert close_to('armchair') else: find('armchair')",
            "sit('armchair')",
        ),
        _HOME,
    ),
    Program(
        "Put the scarf in the wardrobe",
        ("bed", "mirror", "rug", "scarf"),
        "put_the_scarf_in_the_wardrobe",
        ("scarf", "wardrobe"),
        (
            "find('scarf')",
            "assert close_to('scarf') else: find('scarf')",
            "grab('scarf')",
            "find('wardrobe')",
            "assert opened('wardrobe') else: open('wardrobe')",
            "put_in('scarf', 'wardrobe')",
            "close('wardrobe')",
        ),
        _HOME,
    ),
    Program(
        "Scrub the boots",
        ("bench", "boots", "window"),
        "scrub_the_boots",
        ("boots", "brush", "tub", "tap"),
        (
            "find('boots')",
            "grab('boots')",
            "find('tub')",
            "assert close_to('tub') else: find('tub')",
            "put_back('boots', 'tub')",
            "find('tap')",
            "switch_on('tap')",
            "find('brush')",
            "grab('brush')",
            "assert close_to('boots') else: find('boots')",
            "scrub('boots')",
            "switch_off('tap')",
        ),
        _HOME,
    ),
    Program(
        "Put the brown block on the white block.",
        ("brown block", "white block", "gray block", "black bowl"),
        "put_the_brown_block_on_the_white_block",
        ("brown block", "white block"),
        (
            "pick_and_place('brown block', 'white block')",
            "assert on('brown block', 'white block') else: pick_and_place('brown block', 'white block')",
        ),
        _TABLE,
    ),
    Program(
        "A different bowl for every block.",
        ("white block", "gray block", "brown bowl", "black bowl"),
        "a_different_bowl_for_every_block",
        ("white block", "gray block", "brown bowl", "black bowl"),
        (
            "pick_and_place('white block', 'brown bowl')",
            "assert on('white block', 'brown bowl') else: pick_and_place('white block', 'brown bowl')",
            "pick_and_place('gray block', 'black bowl')",
            "assert on('gray block', 'black bowl') else: pick_and_place('gray block', 'black bowl')",
        ),
        _TABLE,
    ),
    Program(
        "First the bridge, then the fountain, and the kiosk last.",
        ("bridge", "fountain", "kiosk", "bench"),
        "first_the_bridge_then_the_fountain_and_the_kiosk_last",
        ("bridge", "fountain", "kiosk"),
        (
            "drive_to('bridge')",
            "assert at('bridge') else: drive_to('bridge')",
            "drive_to('fountain')",
            "assert at('fountain') else: drive_to('fountain')",
            "drive_to('kiosk')",
            "assert at('kiosk') else: drive_to('kiosk')",
        ),
        _HALL,
    ),
    Program(
        "Set the crate next to the pillar.",
        ("crate", "pillar"),
        "set_the_crate_next_to_the_pillar",
        ("crate", "pillar"),
        (
            "locate('crate')",
            "pick_up('crate')",
            "assert held('crate') else: pick_up('crate')",
            "locate('pillar')",
            "place_around('crate', 'pillar')",
        ),
        _AROUND,
    ),
)
