"""A campaign against thinkaloud: thousands of attempts at what a hostile or unlucky world does to it, all counted.

    python -m campaign --seed 1 --minutes 10            all families; prints one table, writes results/campaign/
    python -m campaign --families files,journals        some of them
    python -m campaign replay FILE                      one failing input again

Read `contract.py` (what an attempt, a finding and a family are), then `running.py`, then any family.
"""
