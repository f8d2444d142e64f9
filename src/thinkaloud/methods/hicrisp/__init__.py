"""HiCRISP (Ming et al., 2023): a whole plan; errors are corrected within the step, by fixes, then by a stack.

In reading order:

    planner                a whole plan up front: every action, and the state that it leads to
    answers                what is said in place of a first step: an answer, or that it cannot be done
    expected_states        whether the observed state is the planned one
    correction_stack       what to do first, so that a failed step works when it is tried again
    failure_history        what failed and what was tried about it, read from the monologue
    skill_list             what the robot can do, as prompts tell it
    plan_examples, correction_examples (and the files of the same names, which hold them)
    preset                 each of the two levels of correction can be left out
"""
