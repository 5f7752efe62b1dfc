"""A finding about the CDI spec of a host, and the remedy that most of them have."""

from __future__ import annotations

import typing as t

from .._settings.finding import Finding, Severity

REGENERATE = "generate the spec anew: role podman_cdi does it, by hand `systemctl restart nvidia-cdi-refresh`"


def finding(code: str, message: str, fix: str, severity: Severity = "error", value: t.Any = None) -> Finding:
    """One of them."""
    return Finding(severity, "host", code, message, fix, value=value)
