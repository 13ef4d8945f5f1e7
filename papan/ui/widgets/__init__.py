"""Widgets: what a scene is made of beside its own drawing.

``Widgets`` holds a scene's widgets: it decides what is hovered, held and pressed, and which of them has the keyboard.
Widgets know nothing of scenes, of the window's loop, or of the program.
"""
