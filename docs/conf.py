"""Sphinx configuration. Everything that can be made by the software itself is made here, at build time."""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import generate  # noqa: E402

import zermelo  # noqa: E402

project = "Zermelo"
author = "the Zermelo authors"
version = release = zermelo.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
html_theme = "furo"
html_title = "Zermelo"
html_static_path: list[str] = []
html_css_files: list[str] = []
autodoc_typehints = "description"
autodoc_member_order = "bysource"
# Types of the compiled core have no pages of their own.
nitpicky = False

generate.everything(HERE / "_generated")
