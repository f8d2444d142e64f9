"""MultiTalk (Devarakonda et al., 2024): planner, analyzer, simulator and person talk a plan over before it is done."""
