"""Planning by programs: a query becomes a program, tried against the remembered state before anything moves.

What the methods that do so share. How a program is asked for and what it may say is a method's own `ProgramForm`.
"""
