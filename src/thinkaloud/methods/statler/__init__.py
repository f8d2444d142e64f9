"""Statler (Yoneda et al., 2023): a program for each query, from a written world state that is kept up to date."""
