"""The open loop, Inner Monologue's baseline: one plan from the objects seen at the start; nothing later is noticed.

planner        all the steps at once
calls_planner  the same in the form of Listing 2
preset         look once, plan once, act
"""
