"""Checks of Geissler's theorems: reductions of quantified formulas to Santorini, bounds, statements on small graphs.

"A Mathematical Analysis of the Game of Santorini" (2020), chapters 4 and 6; ``docs/theorems.md`` has the results.
"""
