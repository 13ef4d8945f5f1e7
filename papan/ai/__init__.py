"""Computer players, searches, solvers, reviews and learning: all that judges games, without a window."""
