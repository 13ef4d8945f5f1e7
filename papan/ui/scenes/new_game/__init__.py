"""The form before a match."""
