"""Orders by guidelines: what a model says is wanted, the rules of the guidelines, and what follows from both."""
