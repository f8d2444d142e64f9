"""A Gymnasium environment as a robot: policies become skills, and predicates become relations.

policies.py     a policy as a skill: it runs until it is so, or until its steps are used up
world.py        the world: the environment with its clock, its episodes, and its snapshots
saved_state.py  everything that an environment goes on from, as bytes: MuJoCo's state, and its plain attributes
"""

from __future__ import annotations

from thinkaloud.robots.gymnasium.policies import Policy as Policy
from thinkaloud.robots.gymnasium.policies import policy as policy
from thinkaloud.robots.gymnasium.world import GymnasiumWorld as GymnasiumWorld
