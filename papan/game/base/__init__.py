"""What any program has: its folders, its log, its database, its version."""
