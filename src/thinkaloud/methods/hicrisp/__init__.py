"""HiCRISP (Ming et al., 2023): a whole plan; errors are put right within the step, by fixes, then by a stack.

In reading order:

    planner                a whole plan up front: every action, and the state that it leads to
    intermediate           whether the state that is observed is the one that was planned
    correction_stack       what is to be done first, so that what failed works when it is tried again
    cases                  what failed and what was tried about it, read off the monologue
    skills_shown           what the robot can do, as prompts tell it
    plan_examples, correction_examples (and the files of the same names, which hold them)
    preset                 each of the two levels of correction can be left out
"""
