"""The simulated worlds: tables, a bar, a kitchen, a dishwasher, a warehouse, and homes. They need the extra `sim`."""
