"""Inner Monologue (Huang et al., 2022): the next step from everything said so far, with feedback after each step.

In reading order:

    planner        the next step from the transcript (`plan.transcript`), as the paper's Listing 1 has it
    short_goals    the goal in a few words, for a model that was trained to say it
    next_steps     which steps bring such a goal about from where things are
    calls          the same planner in the form of Listing 2: visible and occluded objects, and calls
    preset         with the feedback of your choice
"""
