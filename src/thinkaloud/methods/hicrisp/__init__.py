"""HiCRISP (Ming et al., 2023): a whole plan; errors are put right within the step, by fixes, then by a stack."""
