"""The codes of findings of taking over what runs already; docs/findings.md is made from it, and a test compares."""

from __future__ import annotations

CODES: dict[str, str] = {
    "adopted_otherwise": "What somebody runs says something in another way than the inventory does; the message says how.",
    "adopted_secret": "A secret was left out: the message names the variable, its key in `vllm_secrets` and where it stood.",
    "adoption_drops": "An option is not taken over, because it is not needed here; the message says why.",
    "adoption_loses": "Something that may matter has no place in the inventory, or could not be read.",
    "adoption_guesses": "Something was assumed; look at it.",
    "adoption_unresolved": "A variable of a shell or of a compose file has no value that is known.",
    "adoption_unreadable": "What a container starts is not known to be a vLLM server.",
}
