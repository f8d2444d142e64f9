"""thinkaloud: a robot that plans in plain words, checks every step against the world, and says all of it aloud."""

__version__ = "0.1.0"
