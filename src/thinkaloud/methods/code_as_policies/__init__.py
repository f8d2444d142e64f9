"""Code as Policies (Liang et al., 2022): a program for each query, from the conversation alone. A baseline."""
