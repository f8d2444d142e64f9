"""SayCan (Ahn et al., 2022), and Inner Monologue on top of it as in its kitchen (Huang et al., 2022, Sec. 4.3).

In reading order:

    dialogue          the monologue as in that paper's Listings 3 and 4, with the feedback of your choice
    planner           the next step: the model's score times the robot's own value for it
    scene_questions   `and continue` or `and ask` after each step, within a budget
    preset            without feedback it is SayCan; with feedback, Inner Monologue
"""
