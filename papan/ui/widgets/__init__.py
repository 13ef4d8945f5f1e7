"""Widgets: the parts of a scene that react to mouse and keyboard.

``Widgets`` holds a scene's widgets and decides which one is hovered, held, pressed and focused.
Widgets know nothing of scenes, of the window's loop, or of the program.
"""
