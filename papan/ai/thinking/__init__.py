"""Background work of the window: choosing moves, studying positions, second opinions, compiling ahead."""
