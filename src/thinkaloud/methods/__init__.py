"""The methods: a room for each, with its planner, prompts, examples, reading of answers, and its preset.

No method imports another, and no stage imports a method; what several of them need lies with the stages.
"""
