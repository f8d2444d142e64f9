"""Interactive Task Planning (Li et al., 2023): steps from task guidelines, each made into calls of functions.

In reading order; the guidelines themselves are `thinkaloud.guidelines`:

    planner           guidelines and a request become a list of steps in words
    line_templates    the lines that such a list may consist of: the guidelines' own sentences
    executor          one step becomes calls of the robot's functions
    possible_calls    which calls make sense now, and their grammar
    preset

A trained model is asked for less; the steps follow from what it says:

    orders            what a request wants, in a short form
    rule_facts        what each of the rules means, in a short form
    composing         from these to the steps that are left
"""
