"""The settings of the site, for Sphinx: `make site`."""

from daynight import __version__

project = "daynight"
author = "the daynight developers"
copyright = "the daynight developers"
version = release = __version__
language = "en"

extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_extra", "_pictures"]
html_extra_path = ["_extra"]

# Headings have the anchors that a forge gives them, so one link fits both.
myst_heading_anchors = 6
myst_enable_extensions = ["deflist"]
# `static:` leads to a file that is copied as it is, such as the page of the demo game.
myst_url_schemes = {"http": None, "https": None, "mailto": None, "static": "{{path}}"}

html_theme = "furo"
html_title = "daynight"
html_theme_options = {
    # The reader's own fonts: nothing is fetched.
    "light_css_variables": {"font-stack": "system-ui, sans-serif", "font-stack--monospace": "ui-monospace, monospace"},
    "dark_css_variables": {"font-stack": "system-ui, sans-serif", "font-stack--monospace": "ui-monospace, monospace"},
}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sphinx = False
html_copy_source = False
html_use_index = False
# The summaries are fetched from the pages, which a browser refuses where they were opened from the disk.
html_show_search_summary = False
html_show_sourcelink = False
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
