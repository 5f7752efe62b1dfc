"""How Sphinx builds the site that build.py puts together."""

from __future__ import annotations

project = "gpuops.vllm_fleet"
html_title = project
extensions = ["myst_parser", "sphinx_antsibull_ext"]
html_theme = "alabaster"
html_theme_options = {"page_width": "72em", "description": "From bare GPU hosts to vLLM servers that answer."}
html_sidebars = {"**": ["about.html", "localtoc.html", "searchbox.html"]}
html_copy_source = False
html_show_sourcelink = False
myst_heading_anchors = 4
nitpicky = True
