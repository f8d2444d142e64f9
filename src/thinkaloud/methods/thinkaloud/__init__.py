"""Our own method: what is said is understood first, as a program over the robot's own skills; then code finds the way.

Read in this order: `in_force` (which of the things said is at hand), `planner` (from that to steps), `proposing` (the
next step, where nothing declared helps), `preset`.
"""
