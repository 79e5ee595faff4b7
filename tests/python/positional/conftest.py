"""The tests of this folder use the brute force of tests/python/proof/tiny.py."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "proof"))
