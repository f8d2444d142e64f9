"""The course of an episode: progress, limits, control ticks, endings, and events in words."""
