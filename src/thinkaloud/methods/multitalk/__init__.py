"""MultiTalk (Devarakonda et al., 2024): a whole plan, or questions first; criticised and rehearsed before it moves.

In reading order:

    planner           plans, asks, has the scene looked at again, or leaves things as they are
    prompt            what it is told: the robot, and the dialogue about the request
    instructions      its answers: their grammar, and how they are read
    analyzer          the model's second role: it looks for faults in plans
    dialogue          how scenes, plans and objections are written, for both of them
    dialogue_examples, planner_examples, analyzer_examples
    preset            each of the partners can be left out
"""
