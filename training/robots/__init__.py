"""Small robots from all walks of life, what people said to them, and what it meant: `training/corpus/*.txt`."""

from __future__ import annotations

from training.robots.reading import Conversation as Conversation
from training.robots.reading import Robot as Robot
from training.robots.reading import Said as Said
from training.robots.reading import all_robots as all_robots
from training.robots.reading import read_corpus_file as read_corpus_file
