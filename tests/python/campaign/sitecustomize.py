"""Python imports this at start-up where this folder is on PYTHONPATH: only in processes the fault tests start."""

import os

if "ZERMELO_TEST_FAULT" in os.environ:
    import faulty_worker  # noqa: F401
