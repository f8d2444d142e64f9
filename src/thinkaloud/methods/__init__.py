"""The methods: a folder for each, with its planner, prompts, examples, parser of answers, and preset.

No method imports another, and no stage imports a method; what several of them need is in the stages.
"""
