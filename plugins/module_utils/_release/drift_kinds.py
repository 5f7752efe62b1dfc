"""What a status can say: every kind, its severity, and what it means; docs/operate.md holds the same table."""

from __future__ import annotations

import dataclasses
import typing as t

KINDS: dict[str, tuple[str, str]] = {
    "host_unreachable": ("failure", "The host cannot be reached."),
    "host_unreadable": ("failure", "The host was reached and could not be looked at."),
    "plan_invalid": ("failure", "The inventory has errors for this host, so nothing can be compared."),
    "gpus_not_usable": ("failure", "The driver does not give the GPUs that are planned."),
    "server_absent": ("failure", "systemd does not know the unit of a server that was released."),
    "server_failed": ("failure", "The server has ended."),
    "server_looping": ("failure", "The server ends and is started again and again."),
    "server_stopped": ("failure", "The server was stopped."),
    "server_starting": ("failure", "The server is starting, and gives no tokens yet."),
    "server_loading": ("failure", "The server does not answer yet."),
    "server_unhealthy": ("failure", "The server answers, and not as it should."),
    "server_no_tokens": ("failure", "The server is healthy and gives no tokens."),
    "wrong_model": ("failure", "The server serves other names than planned."),
    "record_unreadable": ("failure", "The host's record of its releases cannot be read."),
    "instance_missing": ("drift", "A planned server was never released on this host."),
    "instance_orphaned": ("drift", "A server of ours that the inventory does not name."),
    "instance_not_removed": ("drift", "A server that is to be absent is still there."),
    "record_missing": ("drift", "A server of ours runs, and the host has no record of its release."),
    "plan_changed": ("drift", "The inventory asks for something else than what was released."),
    "image_retagged": ("drift", "The planned tag names another image on this host than the one released."),
    "image_missing": ("drift", "An image that a start needs is not on the host."),
    "image_differs": ("drift", "The container runs another image than the release says."),
    "secret_rotated": ("drift", "The inventory holds another value of a secret than the server was given."),
    "secret_missing": ("drift", "Podman no longer holds a secret that the next start needs."),
    "argv_differs": ("drift", "The process was started with other settings than the release says."),
    "container_by_hand": ("drift", "The container of this name was not started by its unit."),
    "unit_missing": ("drift", "The unit of an accepted release is gone: the server does not come back after a boot."),
    "unit_edited": ("drift", "The unit file is not what the release wrote."),
    "unit_foreign": ("drift", "The unit of this name is not ours, or another fleet's."),
    "unit_not_reloaded": ("drift", "systemd holds the unit in an older form than the disk."),
    "trial_left": ("drift", "A release is still on trial, and no transaction is under way."),
    "release_unfinished": ("drift", "A release was begun and did not come to an end, and no transaction is under way."),
    "server_restarted": ("drift", "systemd had to start the server again since it was last started on purpose."),
    "vllm_version_differs": ("drift", "The server says another version of vLLM than planned."),
    "cdi_outdated": ("drift", "The server runs with what an older CDI spec gave it."),
    "driver_changed": ("drift", "The driver is not the one that the kernel, or the CDI spec, has."),
    "podman_changed": ("drift", "Podman was exchanged after the server was started."),
}  # fmt: skip

# HOST, UNIT and NAME stand for those of the place.
RELEASE = "release it: site.yml --limit HOST"
RESTART = "restart it at a good time: systemctl restart UNIT on the host"


@dataclasses.dataclass(frozen=True)
class Drift:
    """One thing that is not as planned."""

    kind: str
    what: str  # in words
    planned: str | None = None
    found: str | None = None
    fix: str | None = None
    host: str = ""
    instance: str | None = None

    @property
    def severity(self) -> str:
        """``drift`` or ``failure``."""
        return KINDS[self.kind][0]

    def at(self, host: str, instance: str | None = None) -> Drift:
        """The same, with its place, which its fix names too."""
        name = instance or self.instance
        fix = (
            (self.fix or "")
            .replace("HOST", host)
            .replace("UNIT", f"vllm-{name}.service")
            .replace("NAME", str(name))
        )
        return dataclasses.replace(self, host=host, instance=name, fix=fix or None)

    def as_dict(self) -> dict[str, t.Any]:
        """Plain data; what is absent is null."""
        return {"severity": self.severity, **dataclasses.asdict(self)}
