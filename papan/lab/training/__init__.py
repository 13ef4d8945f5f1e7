"""Training of networks, by self-play or from a teacher, with learning curves."""
