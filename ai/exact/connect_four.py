"""Connect Four, solved."""
