"""HiCRISP, ProgPrompt and VirtualHome: whole plans in homes, at tables and in halls, and corrections of what failed."""

from __future__ import annotations

from training.demonstrators.hicrisp import course, household, mishaps, table
from training.demonstrators.hicrisp.heldout import HELD_OUT
from training.samples import Demonstrator

__all__ = ["DEMONSTRATORS", "HELD_OUT"]

DEMONSTRATORS = (
    Demonstrator("hicrisp_home", household.plans, 0.1),
    Demonstrator("progprompt_home", household.programs, 0.1),
    Demonstrator("hicrisp_home_corrections", mishaps.corrections, 0.035),
    Demonstrator("hicrisp_table", table.plans, 0.02),
    Demonstrator("progprompt_table", table.programs, 0.02),
    Demonstrator("hicrisp_table_corrections", table.corrections, 0.014),
    Demonstrator("hicrisp_tours", course.tours, 0.005),
    Demonstrator("progprompt_tours", course.tour_programs, 0.005),
    Demonstrator("hicrisp_detours", course.detours, 0.005),
    Demonstrator("boxes", course.boxes, 0.005),
    Demonstrator("hicrisp_fumbles", course.fumbles, 0.003),
)
"""The baseline is trained as its method is: the same tasks in the same homes, tables and halls, and as much of them."""
