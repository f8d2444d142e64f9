"""A machine that is loaded, filled, started and waited for: a dishwasher, or a kiln, an oven, a washing machine."""

from thinkaloud_worlds.dishwasher.scene import ItemKind, MachineScene, read_machine_scene
from thinkaloud_worlds.dishwasher.world import Dishwasher, open_dishwasher

__all__ = ["Dishwasher", "ItemKind", "MachineScene", "open_dishwasher", "read_machine_scene"]
