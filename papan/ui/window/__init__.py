"""The window itself: its loop, its settings, the system around it, and the program put together."""
