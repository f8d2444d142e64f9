"""HiCRISP, ProgPrompt and VirtualHome: whole plans in homes, at tables and in halls, and corrections of what failed."""

from __future__ import annotations

from training.demonstrators.hicrisp import course, household, table
from training.demonstrators.hicrisp.heldout import HELD_OUT
from training.samples import Demonstrator

__all__ = ["DEMONSTRATORS", "HELD_OUT"]

DEMONSTRATORS = (
    Demonstrator("hicrisp_home", household.plans, 0.2),
    Demonstrator("hicrisp_program", household.programs, 0.03),
    Demonstrator("hicrisp_home_corrections", household.corrections, 0.035),
    Demonstrator("hicrisp_table", table.plans, 0.045),
    Demonstrator("hicrisp_table_corrections", table.corrections, 0.006),
    Demonstrator("hicrisp_tours", course.tours, 0.012),
    Demonstrator("hicrisp_detours", course.detours, 0.006),
    Demonstrator("hicrisp_boxes", course.boxes, 0.006),
    Demonstrator("hicrisp_fumbles", course.fumbles, 0.005),
)
