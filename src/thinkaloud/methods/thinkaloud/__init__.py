"""Our own method: it first understands a request as a program over the robot's skills; then code finds the way.

Read in this order: `current_requests` (what to do now), `planner` (from that to steps), `model_proposals` (the next
step, if no declared effect helps), `preset`.
"""
