"""Why this move: the terms of each candidate as bars."""
