"""The review of a match, turn by turn."""
