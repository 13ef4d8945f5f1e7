"""Learning weights from games: networks and views, temporal differences, files of weights, opponent models."""
