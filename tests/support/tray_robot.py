"""A robot in a text file: trays that get wet, how much water each got, and a roof."""

GREENHOUSE = """
name = "greenhouse"
about = "A robot in a greenhouse."
[kinds]
tray = ["basil tray", "mint tray"]
[skills.water]
says = "Water the {tray} with {amount}."
doc = "Water it."
parameters = { tray = "tray", amount = "number ml 10..500" }
changes = ["dose({tray}) = {amount}"]
makes = ["wet({tray})"]
[skills.dry]
says = "Dry the {tray}."
doc = "Dry it."
parameters = { tray = "tray" }
ends = ["wet({tray})"]
[skills.shut]
says = "Shut the roof."
doc = "Shut it."
ends = ["airy()"]
[relations.wet]
says = "The {tray} is wet."
doc = "Whether it is wet."
parameters = { tray = "tray" }
[relations.airy]
says = "The roof is open."
doc = "Whether it is open."
[values.dose]
says = "the water of the {tray}"
doc = "What it got."
parameters = { tray = "tray" }
unit = "ml"
[start]
facts = ["airy()"]
values = ["dose(basil tray) = 0", "dose(mint tray) = 50"]
"""
