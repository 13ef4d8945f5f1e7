"""The review: a match looked through turn by turn."""
