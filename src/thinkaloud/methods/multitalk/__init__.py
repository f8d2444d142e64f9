"""MultiTalk (Devarakonda et al., 2024): a whole plan, or questions first; criticised and rehearsed before it moves.

In reading order:

    planner           plans, asks, has the scene looked at again, or leaves things as they are
    prompt            what it is told: the robot, and the dialogue about the request
    planner_answers   its answers: their grammar, and their parser
    repeated_plans    plans that begin as one that was refused: the model's other answers are tried instead
    analyzer          the model's second role: it looks for faults in plans
    dialogue_text     how scenes, plans and objections are written, for both of them
    dialogue_examples, planner_examples, analyzer_examples
    preset            each of the partners can be left out
"""
