"""Names, words and calls: how text names a thing, and how a call is written, read and held to a grammar."""
