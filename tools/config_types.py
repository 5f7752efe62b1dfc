"""Write plugins/module_utils/_fit/config_types_data.py: kinds of models whose config needs no code of their repository.

    PYTHON tools/config_types.py FOLDER

PYTHON has the newest Transformers; FOLDER holds one folder per release of vLLM, named after it (``0.26.0/vllm/…``).
"""

from __future__ import annotations

import ast
import sys
import textwrap
from pathlib import Path

TARGET = Path(__file__).parents[1] / "plugins" / "module_utils" / "_fit" / "config_types_data.py"
HEAD = '''"""Kinds of models (model_type) that Transformers {version} or a release of vLLM knows; made by tools/config_types.py."""

from __future__ import annotations

_NAMES = """
'''


def of_vllm(folder: Path) -> set[str]:
    """What the registry of configs lists in any release."""
    found: set[str] = set()
    for path in sorted(folder.glob("*/vllm/transformers_utils/config.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
            if isinstance(target, ast.Name) and target.id == "_CONFIG_REGISTRY":
                calls = [each for each in ast.walk(node) if isinstance(each, ast.Call)]
                found |= {word.arg for each in calls for word in each.keywords if word.arg}
                dicts = [each for each in ast.walk(node) if isinstance(each, ast.Dict)]
                found |= {
                    str(key.value) for each in dicts for key in each.keys if isinstance(key, ast.Constant)
                }
    return found


def main(folder: str) -> None:
    """Write the module."""
    import transformers
    from transformers.models.auto.configuration_auto import CONFIG_MAPPING_NAMES

    names = sorted(set(CONFIG_MAPPING_NAMES) | of_vllm(Path(folder)))
    filled = textwrap.fill(
        " ".join(names), 116, initial_indent="    ", subsequent_indent="    ", break_on_hyphens=False
    )
    text = f'{HEAD.format(version=transformers.__version__)}{filled}\n"""\n\nKNOWN_TYPES = frozenset(_NAMES.split())\n'
    TARGET.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
