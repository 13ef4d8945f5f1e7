"""What any desktop program needs: folders, log, database, languages, version."""
