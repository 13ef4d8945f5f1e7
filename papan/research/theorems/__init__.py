"""Geissler's theorems, run: reductions of quantified formulas to Santorini, bounds, and statements on small graphs.

"A Mathematical Analysis of the Game of Santorini" (2020), chapters 4 and 6; what comes of it stands in
``docs/theorems.md``.
"""
