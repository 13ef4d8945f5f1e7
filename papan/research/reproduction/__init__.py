"""The papers' tables and figures re-made: one small module for each, and what all of them share.

An experiment says which pieces of work it is made of, how one is computed, and how what was found becomes tables.
Everything else, workers, the journal, printing, files, is the same for all.
"""
