"""Our own method: what is said is understood first, as a program over the robot's own skills; then code finds the way.

Read in this order: `current_requests` (what is to be done now), `planner` (from that to steps), `model_proposals` (the
next step, where nothing declared helps), `preset`.
"""
