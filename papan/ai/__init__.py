"""Computer players, searches, solvers, reviews and learning: everything that evaluates games, without a window."""
