"""Statistics of the person's finished matches."""
