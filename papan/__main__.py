"""The door of the package: ``python -m papan``, and ``python path/to/papan`` from anywhere."""

import sys
from pathlib import Path

if not __package__:  # started by its path, so that Python looks for modules in this folder, not beside it
    sys.path[0] = str(Path(__file__).resolve().parent.parent)

from papan.main import main

if __name__ == "__main__":
    sys.exit(main())
