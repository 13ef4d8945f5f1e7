"""``python -m papan`` does what the installed program ``papan`` does."""

import sys

from papan.main import main

if __name__ == "__main__":
    sys.exit(main())
