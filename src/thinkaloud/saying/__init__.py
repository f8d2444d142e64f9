"""What the robot says of programs and of what they come to, in plain words that code makes: no model writes them.

`telling` is what will be done; `answering` an answer with its question; `retelling` a program told again with its
conditions; `phrasing` the clauses that these are made of.
"""
