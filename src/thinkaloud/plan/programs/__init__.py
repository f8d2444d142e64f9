"""Planning by programs: a query becomes a program, tried against the remembered state before anything moves."""
