"""The course of an episode: its progress, its limits, its control ticks, its endings, and its events in words."""
