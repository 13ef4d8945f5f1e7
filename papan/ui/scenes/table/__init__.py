"""The table, where a match is played."""

from papan.ui.scenes.table.scene import HandOver, TableScene

__all__ = ["HandOver", "TableScene"]
