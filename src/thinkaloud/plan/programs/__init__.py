"""Planning with programs: a query becomes a program, which is tried against the remembered state before anything moves.

The parts that such methods share. A method's own `ProgramForm` says how to ask for a program and what it may contain.
"""
