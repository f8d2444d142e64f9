"""Demonstrations for Inner Monologue, SayCan and the open loop: many things, and many ways to ask for the same.

Nothing here speaks of different corners, of bowls that match or do not, or of a stack on a corner or a side: those
tasks are measured without having been shown.
"""

from __future__ import annotations

from functools import partial

from thinkaloud_worlds.kitchen import ITEMS
from training.demonstrators.inner_monologue.calls import call_episode
from training.demonstrators.inner_monologue.episodes import episode
from training.demonstrators.inner_monologue.kitchen import kitchen_episode
from training.samples import Demonstrator

DEMONSTRATORS = (
    Demonstrator(
        "inner_monologue_scene",
        partial(episode, preset="inner_monologue:feedback=object+scene", told=True, fails=0.35, upsets=0.08),
        0.09,
    ),
    Demonstrator(
        "inner_monologue_success",
        partial(episode, preset="inner_monologue:feedback=object+success", told=False, fails=0.3),
        0.02,
    ),
    Demonstrator(
        "inner_monologue_object",
        partial(episode, preset="inner_monologue:feedback=object", told=False, fails=0.0),
        0.015,
    ),
    Demonstrator("inner_monologue_calls", call_episode, 0.01),
    Demonstrator("saycan", partial(kitchen_episode, feedback="none"), 0.002),
    Demonstrator("saycan_success", partial(kitchen_episode, feedback="success"), 0.003),
    Demonstrator("saycan_object", partial(kitchen_episode, feedback="object+success"), 0.005),
    Demonstrator("open_loop", partial(episode, preset="open_loop", told=False, fails=0.0), 0.015),
)

HELD_OUT = (
    # the requests of the paper's tasks
    r"Human: pick the [a-z ]+ and place it on the",
    r"Human: stack all the blocks",
    r"Human: put all the blocks (on|in) the ",
    r"Human: put the blocks (in|on) ",
    # the tasks that are to be unseen, in whatever words
    r"Human:[^\n.]*\b(different|separate|distinct|various|own)\b[^\n.]*\bcorners?\b",
    r"Human:[^\n.]*\bcorners?\b[^\n.]* (each|no two)\b",
    r"\ba different corner\b",
    r"match\w* (the )?bowls?\b",
    r"Human:[^\n.]*\bbowls? (of|with|in|that) (the same|its|their|another|a different|other|match|do)",
    r"one stack \w+ the [a-z ]*(corner|side)\b",
    # what is asked at the real table, and what lies there
    r"Task: stack all the blocks",
    r"Task:[^\n]*\b(fruits?\b[^\n]*\bbottles?|bottles?\b[^\n]*\bfruits?)\b",
    r'pick_place\("(apple|strawberry|plum|ketchup bottle|mustard bottle|soft drink bottle)"',
    # the kitchen's instructions, and its items
    r"Human: pick up (a soda|a snack|a caffeinated drink|the jalapeno)",
    r"Human:[^\n]*(soda on the table|spilled my|leave the top drawer|a coke in the top)",
    rf"\d\. (find|pick up|put down) the ({'|'.join(ITEMS)})(?=[\[\n]| and )",
)
