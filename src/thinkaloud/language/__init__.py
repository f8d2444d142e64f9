"""Names, words and calls: how text names a thing, and how a call is written, parsed and constrained by a grammar."""
