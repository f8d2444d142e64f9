"""The open loop, Inner Monologue's baseline: one plan from the objects seen at the start; nothing later is noticed.

planner        all the steps at once
preset         look once, plan once, act
"""
