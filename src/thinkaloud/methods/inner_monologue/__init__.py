"""Inner Monologue (Huang et al., 2022): the next step from everything said so far, with feedback after each step.

In reading order:

    planner            the next step from the transcript (`plan.transcript`), as in the paper's Listing 1
    listing2_planner   the same planner in the form of Listing 2: visible and occluded objects, and calls
    preset             with the feedback of your choice
"""
