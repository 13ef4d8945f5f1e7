"""Trials: what a program meets in years, by chance and in minutes. They are run by hand; the tests run a little."""
