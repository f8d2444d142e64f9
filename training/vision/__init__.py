"""Training eyes, hands, whole tasks and senses with one command (see README.md one folder up)."""
