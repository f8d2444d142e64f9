"""HiCRISP (Ming et al., 2023): a whole plan; errors are put right within the step, by fixes, then by a stack.

In reading order:

    planner                a whole plan up front, in sentences
    correction_stack       what is to be done first, so that what failed works when it is tried again
    cases                  what failed and what was tried about it, read off the monologue
    plan_examples, correction_examples (and the files of the same names, which hold them)
    preset                 each of the two levels of correction can be left out
"""
