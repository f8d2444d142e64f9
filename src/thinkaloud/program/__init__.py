"""The language in which a meaning is written: its words, its text as a typed tree, and what a tree comes to.

Read in this order: `lexicon` (what one robot has names for), `words` (the functions that are always there), `tree`,
`parsing` and `rendering` (from text to tree and back), `evaluate` (the value of a tree, given a host that answers for
the robot), `amounts` and `units` (numbers in the unit that was said). Nothing here knows requests, models or stages.
"""
