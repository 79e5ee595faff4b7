"""Measurements: published tables beside ours, files of them, and the comparison of two."""
