"""Background work beside the window: choosing moves, studying positions, second opinions, compiling ahead."""
