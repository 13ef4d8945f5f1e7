"""Games as environments for machine learning: one at a time for PettingZoo and Gymnasium, many at once for speed."""
