"""Models whose classes are not where vLLM looks: config and model of the repository, heads that were never trained."""

from __future__ import annotations

import typing as t

from ..._settings.rules.rule import Breach, rule, rules_of
from ..._settings.rules.view import View
from ..architectures_data import REGISTERED, SINCE_UNTIL
from ..config_types_data import KNOWN_TYPES
from .known import takes_own_class

_WRITES = ("ForCausalLM", "ForConditionalGeneration", "LMHeadModel")


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


@rule(
    "model_arch_unsupported",
    "",
    "model_executor/models/registry.py (0.10.2 to 0.33.0), vllm#32338",
    needs=("model",),
    severity="warning",
    stage="fit",
    also=lambda view: takes_own_class(view) and not view.given("hf_overrides"),
)
def some_release_knows_the_class(view: View) -> t.Iterator[Breach]:
    """A class that no release registers, and whose name is not that of its kind: Transformers has none either."""
    names, kind = view.model.architectures, (view.model.model_type or "").replace("_", "")
    brought = view.model.raw.get("auto_map")
    own = isinstance(brought, t.Mapping) and any(str(key).startswith("AutoModel") for key in brought)
    if len(names) != 1 or own or names[0] in REGISTERED or names[0] in SINCE_UNTIL:
        return
    ending = next((each for each in _WRITES if names[0].endswith(each)), None)
    if ending and names[0][: -len(ending)].lower() != kind:
        yield Breach(
            "model",
            f"No release of vLLM up to 0.33.0 registers {names[0]} (\"Model architectures ['{names[0]}'] are not supported for"
            ' now"): it runs only where a plug-in brings it.',
            "another checkpoint of the model, in the format of Transformers",
            names[0],
        )


@rule(
    "classifier_missing",
    "convert",
    "model_executor/models/adapters.py (0.10.2 to 0.33.0), vllm#43062",
    needs=("model",),
    severity="warning",
    stage="fit",
    also=lambda view: view.text("convert") == "classify" and not view.given("hf_overrides"),
)
def a_classifier_was_trained(view: View) -> t.Iterator[Breach]:
    """A model that writes has no head to classify with, unless its overrides make one of its words."""
    names = view.model.architectures
    if len(names) == 1 and names[0].endswith(_WRITES):
        yield Breach(
            "convert",
            f"convert: classify needs the weights of a classifier, and {names[0]} is a model that writes: they are missing"
            " from its checkpoint.",
            "hf_overrides with architectures (…ForSequenceClassification) and classifier_from_token, as the model's card"
            " tells, or leave convert out",
        )


RULES = rules_of(globals())
