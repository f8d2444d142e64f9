"""A campaign against thinkaloud: what an ill-willed or unlucky world does to it, tried by the thousand and counted.

    python -m campaign --seed 1 --minutes 10            all families; prints one table, writes results/campaign/
    python -m campaign --families files,journals        some of them
    python -m campaign replay FILE                      one failing input again

Read `contract.py` (what an attempt, a finding and a family are), then `running.py`, then any family.
"""
