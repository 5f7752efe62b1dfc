"""What an instance may be called: its name is part of a unit, a container, secrets and a folder."""

from __future__ import annotations

import re

NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
# Files and folders of the state directory, beside which each instance has its own.
RESERVED = ("models", "salt")
