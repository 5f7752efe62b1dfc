"""Models whose config is code of their repository."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..config_types_data import KNOWN_TYPES


@rule(
    "remote_code_not_trusted",
    "",
    "transformers_utils/config.py HFConfigParser.parse, Transformers resolve_trust_remote_code",
    needs=("model",),
    stage="fit",
    also=lambda view: (
        not view.flag("trust_remote_code")
        and view.text("config_format") in ("", "auto", "hf")
        and not view.given("hf_overrides", "hf_config_path")
    ),
)
def its_code_may_run(view: View) -> t.Iterator[Breach]:
    """Where neither Transformers nor vLLM has the class of the config, only the repository does."""
    raw, kind = view.model.raw, view.model.model_type
    brought = raw.get("auto_map")
    if not isinstance(brought, t.Mapping) or "AutoConfig" not in brought or not kind or kind in KNOWN_TYPES:
        return
    yield Breach(
        "trust_remote_code",
        f'The config of this model ({kind}) is code of its repository, which runs only where that is allowed: "Please pass'
        ' the argument `trust_remote_code=True`".',
        "trust_remote_code: true, after a look at the code, and a revision that is fixed",
    )


RULES = rules_of(globals())
