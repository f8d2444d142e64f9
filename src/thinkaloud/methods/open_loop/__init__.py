"""Open loop: the whole plan at once, from what was seen at the start. The baseline that closes no loop."""
