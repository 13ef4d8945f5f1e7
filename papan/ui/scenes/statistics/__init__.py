"""Statistics: how the person's matches ended."""
