"""Interactive Task Planning (Li et al., 2023): steps from task guidelines, each turned into function calls.

In reading order; the guidelines themselves are in `thinkaloud.guidelines`:

    planner_prompt  what the planner is asked and answers, and the example for a model without training
    planner         guidelines and a request become a list of steps in words
    order_check     whether the steps are what was ordered, by the guidelines
    executor        one step becomes calls of the robot's functions
    preset
"""
