"""Interactive Task Planning (Li et al., 2023): steps from task guidelines, each made into calls of functions.

In reading order; the guidelines themselves are `thinkaloud.guidelines`:

    forms        what the planner is asked and answers, and the example that a model without training is shown
    planner      guidelines and a request become a list of steps in words
    executor     one step becomes calls of the robot's functions
    preset
"""
