"""Training: networks that learn a game by playing it against themselves, and the curve that shows what they learn."""
