"""Drawing: canvas, painter, letters, icons, theme, charts, and what several boards draw alike."""
