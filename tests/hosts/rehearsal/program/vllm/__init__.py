"""Stand-in for vLLM: the parser and the server of one release as an operator meets them, without a model or a GPU."""

from __future__ import annotations

from .stand_in.release import VERSION

__version__ = VERSION
