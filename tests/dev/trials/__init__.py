"""Tests of what is tried at random."""
