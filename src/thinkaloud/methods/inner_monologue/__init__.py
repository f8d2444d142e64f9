"""Inner Monologue (Huang et al., 2022): the next step from everything said so far, with feedback after each step."""
