"""Settings of Sphinx for the site; scripts/make_site.py puts the pages together and starts it."""

import os
import sys
from pathlib import Path

import knightstour

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

project = "knightstour"
author = "The knightstour developers"
copyright = "The knightstour developers"
version = release = knightstour.__version__

extensions = ["myst_parser", "sphinx_design", "sphinx.ext.autodoc", "site_docstrings"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
python_maximum_signature_line_length = 88
toc_object_entries = False
# Options are typed as they are printed: `--proof` keeps both its dashes.
smartquotes = False
pygments_style = "friendly"
pygments_dark_style = "monokai"

html_theme = "furo"
html_title = "knightstour"
html_static_path = [str(Path(__file__).parent / "site.css")]
html_css_files = ["site.css"]
html_search_scorer = str(Path(__file__).parent / "search.js")
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
# Where the page is that runs in the reader's browser (.github/workflows/pages.yml), if the site has it.
if play := os.environ.get("KNIGHTSTOUR_PLAY"):
    html_theme_options["announcement"] = f'<a href="{play}">Open the page</a>: nothing to install.'
