"""ProgPrompt (Singh et al., 2023), HiCRISP's baseline: one program with assertions and what to do if they fail.

planner        writes the program once, and executes it line by line
examples       programs that it is shown (they are in `examples.toml`)
preset
"""
