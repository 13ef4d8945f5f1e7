"""Basics of any desktop program: folders, log, database, languages, version."""
