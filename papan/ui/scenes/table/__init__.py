"""The table, where a match is played: the scene, and the message that hands its screen to the next person."""

from papan.ui.scenes.table.scene import HandOver, TableScene

__all__ = ["HandOver", "TableScene"]
