"""What a model is shown before it writes a program: the prompt, examples for the untrained, and the grammar."""
