"""Base classes of boards: square or hexagonal cells in a frame, and stones on them."""
