"""Code as Policies (Liang et al., 2022), a baseline: a program for each query, from the conversation alone."""
