"""Learning: what evaluations are fitted to, and how."""
