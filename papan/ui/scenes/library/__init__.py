"""The library: every match kept."""
