"""Widgets: what a scene is made of beside its own drawing.

pygame_gui stands behind them where it is good: it decides what is hovered, held and pressed
(``pressable``), and edits text (``text_field``). Looks, focus ring and keyboard are ours, and no scene
knows of pygame_gui.
"""
