"""``python -m dev.bench``: the same as ``papan bench``."""

import sys

from papan.main import run

if __name__ == "__main__":
    sys.exit(run(["bench", *sys.argv[1:]]))
