"""Settings of Sphinx for the site; `docs/site/make_site.py` lays out its pages."""

from sphinx.application import Sphinx

from highlighting import AspLexer

project = "asp-advisor"
author = copyright = "the authors of asp-advisor"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["_files"]
suppress_warnings = ["ref.python"]  # a name that several classes have leads to one of them
default_role = "py:obj"  # a name in a docstring becomes a link where it is a public one

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4

autodoc_default_options = {"members": True, "undoc-members": True}
autodoc_member_order = "bysource"
autodoc_typehints_format = "short"
napoleon_use_ivar = True
python_use_unqualified_type_names = True
add_module_names = False
toc_object_entries = False
highlight_language = "text"

html_theme = "furo"
html_title = "asp-advisor"
html_static_path = ["_files/static"]
html_extra_path = ["_files/root"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False


def setup(app: Sphinx) -> None:
    app.add_lexer("prolog", AspLexer)  # the name by which Git hosts colour such blocks
