"""Turns in words, a module a game: the function ``turn_words`` of ``papan.game.presentation.TurnWords``."""
