"""Long trials of the program, which look at what no short test sees."""
