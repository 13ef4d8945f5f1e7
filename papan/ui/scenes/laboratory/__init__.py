"""The laboratory: games by the thousand between computer players."""
