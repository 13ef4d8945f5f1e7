"""Puzzles are made here, and proved anew: from games of quick players, or from matches of records."""
