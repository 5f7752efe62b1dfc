"""Import every file that may travel to a host, by the Python that runs this; and compile them all."""

from __future__ import annotations

import importlib
import platform
import sys
from pathlib import Path

PLUGINS = Path(__file__).resolve().parents[2] / "plugins"


def main() -> None:
    """Import them under the name that they have on a host."""
    files = [path for part in ("module_utils", "modules") for path in sorted((PLUGINS / part).rglob("*.py"))]
    for path in files:
        parts = [part for part in path.relative_to(PLUGINS).with_suffix("").parts if part != "__init__"]
        importlib.import_module(".".join(("ansible_collections.gpuops.vllm_fleet.plugins", *parts)))
    print(f"{len(files)} files imported by Python {platform.python_version()}")
    sys.exit(0 if files else 1)


if __name__ == "__main__":
    main()
