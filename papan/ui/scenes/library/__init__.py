"""The library: all saved matches."""
