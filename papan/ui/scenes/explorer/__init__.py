"""The explorer: what was played in a position in collections of games, and how the games ended."""
