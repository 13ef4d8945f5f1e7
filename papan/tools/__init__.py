"""Tools of developers that see the whole program: rehearsals, trials, pictures and diagrams for the documentation."""
