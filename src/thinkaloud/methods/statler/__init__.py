"""Statler (Yoneda et al., 2023): a program for each query, from a world state that is written down and kept."""
