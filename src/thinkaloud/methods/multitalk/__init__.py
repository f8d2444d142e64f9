"""MultiTalk (Devarakonda et al., 2024): a whole plan, or questions first; criticised and rehearsed before it moves.

In reading order:

    planner           plans, asks, or has the scene looked at again
    prompt            what it is told: the robot, and the dialogue about the request
    instructions      its three answers: their grammar, and how they are read
    known_lines       lines of a plan in the world's own sentences
    analyzer          the model's second role: it looks for faults in plans
    dialogue          how scenes, plans and objections are written, for both of them
    dialogue_examples, planner_examples, analyzer_examples
    preset            each of the partners can be left out

For models that were trained in it, the same in few words:

    short_dialogue    what planner and analyzer read
    short_answers     what the planner says
    short_verdicts    what the analyzer says
"""
