"""Tools of developers that see the whole program: rehearsals, pictures and diagrams for the documentation."""
