"""Interactive Task Planning (Li et al., 2023): steps from task guidelines, each made into calls of functions."""
