"""Causes that name the figures of a line where it has them; each docstring says the cause in general."""

from __future__ import annotations

import typing as t

if t.TYPE_CHECKING:
    from .signature import Values


def cache_too_small(values: Values) -> str:
    """The KV cache can't hold one request of the full max_model_len."""
    length = f" of {values['length']} tokens" if "length" in values else ""
    if "needed" in values:
        sizes = f": it needs {values['needed']} GiB, and {values['available']} GiB are left"
    else:
        sizes = f": there is room for {values['tokens']} tokens" if "tokens" in values else ""
    return f"The KV cache can't hold one request of the full max_model_len{length}{sizes}."


def memory_short(values: Values) -> str:
    """Something else holds GPU memory: less is free than gpu_memory_utilization asks for."""
    free = f" ({values['free']} of {values['total']} GiB)" if {"free", "total"} <= set(values) else ""
    return f"Something else holds GPU memory: less is free{free} than gpu_memory_utilization asks for."


def blocks_short(values: Values) -> str:
    """A hybrid model needs one state block for each sequence, and there are fewer blocks than max_num_seqs."""
    there = f"only {values['blocks']}" if "blocks" in values else "fewer"
    asked = f" ({values['sequences']})" if "sequences" in values else ""
    return (
        f"A hybrid model needs one state block for each sequence, and there are {there} "
        f"for max_num_seqs{asked}."
    )


def driver_too_old(values: Values) -> str:
    """The host's NVIDIA driver is older than the image's CUDA needs."""
    cuda = f" {values['cuda']}" if "cuda" in values else ""
    return f"The host's NVIDIA driver is older than the image's CUDA{cuda} needs."


def value_refused(values: Values) -> str:
    """The vLLM in this image does not accept a value."""
    value = f" {values['value']}" if "value" in values else " the value"
    option = f" for {values['option']}" if "option" in values else ""
    return f"The vLLM in this image does not accept{value}{option}."


def parser_missing(values: Values) -> str:
    """The vLLM in this image has no parser of that name."""
    kind = values["kind"].lower().replace("-", " ")
    return f"The vLLM in this image has no {kind} parser {values['name']}."


def port_taken(values: Values) -> str:
    """Another process on this host already listens on the port."""
    port = f"port {values['port']}" if "port" in values else "the port"
    return f"Another process on this host already listens on {port}."


def devices_stale(values: Values) -> str:
    """The CDI specification of this host does not fit its devices and driver files."""
    thing = f": {values['thing']} is not there" if "thing" in values else ""
    return f"The CDI specification of this host does not fit its devices and driver files{thing}."


def no_right(values: Values) -> str:
    """The user in the container has no name, no home or no right to write where vLLM keeps its caches."""
    if "user" in values:
        return f"The user {values['user']} has no name in the container, and PyTorch wants one."
    where = values.get("path", "where vLLM keeps its caches")
    return f"The user in the container has no right to write {where}."


def architecture_unknown(values: Values) -> str:
    """The vLLM or the Transformers in this image does not know the model's architecture."""
    name = f" {values['architecture']}" if "architecture" in values else ""
    return f"The vLLM or the Transformers in this image does not know the model's architecture{name}."


def backend_refused(values: Values) -> str:
    """No attention backend, or not the chosen one, can do this model with these types on this GPU."""
    backend = f"The attention backend {values['backend']}" if "backend" in values else "No attention backend"
    verb = "can't" if "backend" in values else "can"
    why = f": {values['why'].rstrip('.')}" if "why" in values else ""
    return f"{backend} {verb} do this model with these types on this GPU{why}."


def model_not_found(values: Values) -> str:
    """The model is neither a directory in the container nor a repository that the server can read."""
    return (
        f"{values.get('model', 'The model')} is neither a directory in the container nor a repository that the "
        "server can read."
    )


def setting_refused(values: Values) -> str:
    """vLLM refuses a setting, or settings that do not go together; the line says which."""
    why = f": {values['why'].rstrip('.')}" if "why" in values else ""
    return f"vLLM refuses a setting, or settings that do not go together{why}."
