"""Drawing: canvas, painter, text, icons, theme, charts, and what several boards share."""
