"""The review of a match: each turn's worth and mark, key moments, and reasons in words."""
