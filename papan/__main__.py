"""The package as a program: ``python -m papan``, or ``python path/to/papan`` from any folder."""

import sys
from pathlib import Path

if not __package__:  # started by its path: Python looks for modules in this folder instead of its parent
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from papan.main import main

if __name__ == "__main__":
    sys.exit(main())
