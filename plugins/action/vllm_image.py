"""Bring the images of a host's plan to it, from the controller; documented in plugins/modules/vllm_image.py."""

from __future__ import annotations

import contextlib
import os
import tempfile
import typing as t

from ansible import constants
from ansible.errors import AnsibleActionFail, AnsibleConnectionFailure, AnsibleError
from ansible.plugins.action import ActionBase

from ..module_utils._host.needs import image_troubles
from ..module_utils._plan.registries import (
    Archive,
    Registry,
    logins_of,
    read_archives,
    read_registries,
    registries_conf,
)
from ..module_utils._plan.report import format_findings
from ..plugin_utils.host_look import images_seen
from ..plugin_utils.image_fetch import Fetch
from ..plugin_utils.image_outcome import Options, Outcome
from ..plugin_utils.image_run import note_look, take_look
from ..plugin_utils.plain import to_plain
from ..plugin_utils.progress import Progress

try:
    from ansible.template import trust_as_template
except ImportError:  # before ansible-core 2.19 every text may be a template

    def trust_as_template(text: str) -> str:
        return text


_LOST_CONNECTIONS = 5
# What steps do that may take long and tell nothing. A watch comes back with how far it is.
_DOING = {
    "look": "looks which of the planned images are there",
    "pull": "asks how large the image is and what of it is there, to begin the pull",
    "receive": "sends the archive, piece by piece",
    "load": "reads the archive, to begin to load it",
    "keep": "names the image",
}


class ActionModule(ActionBase):
    _supports_check_mode = True
    TRANSFERS_FILES = False  # the folder for pieces of archives is made when the first is sent

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={
                "instances": {"type": "dict", "required": True},
                "state": {"type": "str", "choices": ["looked", "present"], "default": "present"},
                "seen": {"type": "dict"},
                "pull": {"type": "bool", "default": True},
                "refresh": {"type": "bool", "default": False},
                "registries": {"type": "dict"},
                "archives": {"type": "dict"},
                "retries": {"type": "int", "default": 3},
                "retry_delay": {"type": "float", "default": 5},
                "stalled_after": {"type": "float", "default": 600},
                "unpack_factor": {"type": "float", "default": 2.5},
                "state_dir": {"type": "str", "default": "/var/lib/vllm-fleet"},
            },
        )
        self._args: dict[str, t.Any] = to_plain(args)
        self._variables = task_vars or {}
        self.name = str(self._variables.get("inventory_hostname", "host"))
        present = [each for each in self._args["instances"].values() if each["state"] == "present"]
        references = list(dict.fromkeys(each["image"] for each in present if each["image"]))
        registries, archives = self._sources()
        if self._args["state"] == "looked":
            look = self._look(references, registries)
            result = _configured(look)  # told by this task, and not by the next one again
            note_look(self.name, look)
            return {"missing": [each for each in references if each not in look["images"]], **result}
        look = take_look(self.name) or self._look(references, registries)
        return self._present(references, look, self._options(look, registries, archives))

    def _sources(self) -> tuple[list[Registry], dict[str, Archive]]:
        registries, wrong = read_registries(self._args["registries"])
        archives, also = read_archives(self._args["archives"])
        if wrong or also:
            raise AnsibleActionFail(format_findings([*wrong, *also]))
        return registries, archives

    def _look(self, references: list[str], registries: t.Sequence[Registry]) -> dict[str, t.Any]:
        conf, state_dir = registries_conf(registries) or "", self._args["state_dir"]
        known = images_seen(self._args["seen"], references, conf)
        if known is not None:
            return {**known, "state_dir": state_dir}
        seen = self.step("look", images=references, registries_conf=conf)
        return {**seen, "state_dir": state_dir, "fresh": True}

    def _options(
        self, look: dict[str, t.Any], registries: list[Registry], archives: dict[str, Archive]
    ) -> Options:
        predict = bool(self._play_context.check_mode)
        if look["podman_version"] is None and self._args["instances"] and not predict:
            raise AnsibleActionFail(
                "there is no Podman on this host: run the playbook prepare, or the role podman"
            )
        names = ("pull", "refresh", "retries", "retry_delay", "stalled_after", "unpack_factor")
        given = {name: self._args[name] for name in names}
        return Options(registries, archives, predict=predict, **given)

    def _present(self, references: list[str], look: dict[str, t.Any], options: Options) -> dict[str, t.Any]:
        outcomes: dict[str, Outcome] = {}
        for reference in references:
            progress = Progress(f"{self.name} image {reference}")
            logins = self._logins(reference, options.registries) if not options.predict else []
            outcomes[reference] = Fetch(self, reference, look, options, logins, progress).bring()
        return self._result(outcomes, _configured(look))

    def _logins(self, reference: str, registries: t.Sequence[Registry]) -> list[dict[str, t.Any]]:
        """Only the values that are needed are read, and they go to the host in the input of the module."""
        found = []
        for each in logins_of(reference, registries):
            login = {
                "location": each.location,
                "username": each.username,
                "podman_secret": each.podman_secret,
                "auth_file": each.auth_file,
                "password": self._secret(each) if each.password else None,
            }
            found.append({key: value for key, value in login.items() if value is not None})
        return found

    def _secret(self, registry: Registry) -> str:
        where = f"password of {registry.location} (vllm_registries): vllm_secrets.{registry.password}"
        try:
            key = str(registry.password).replace("\\", "\\\\").replace("'", "\\'")
            value = self._templar.template(trust_as_template("{{ vllm_secrets['" + key + "'] }}"))
        except AnsibleError as problem:
            raise AnsibleActionFail(f"{where} cannot be read: {problem}") from problem
        if not value:
            raise AnsibleActionFail(f"{where} is empty")
        return str(to_plain(value))

    def _result(self, outcomes: dict[str, Outcome], configured: dict[str, t.Any]) -> dict[str, t.Any]:
        done = [each.action for each in outcomes.values() if each.action]
        result = {
            "changed": configured["changed"] or any(each.changed for each in outcomes.values()),
            "actions": [*configured["actions"], *done],
            "diff": configured["diff"],
            "identities": {name: each.identity for name, each in outcomes.items()},
        }
        troubles = {
            name: {**each.trouble, "where": each.where} for name, each in outcomes.items() if each.trouble
        }
        if troubles:
            found = image_troubles(self._args["instances"], troubles)
            findings = [finding.at(host=self.name) for finding in found]
            result.update(failed=True, msg=format_findings(findings))
            result["findings"] = [finding.as_dict() for finding in findings]
        return result

    # ---- the host, as Fetch sees it

    def step(self, step: str, **options: t.Any) -> dict[str, t.Any]:
        """One step on the host; a connection that is lost is tried again, for the job goes on without it."""
        args = {"step": step, "state_dir": self._args["state_dir"], **options}
        for attempt in range(_LOST_CONNECTIONS):
            try:
                answer = self._step(args)
                break
            except AnsibleConnectionFailure:
                if step != "watch" or attempt + 1 == _LOST_CONNECTIONS:
                    raise
        if answer.get("failed"):
            raise AnsibleActionFail(answer.get("msg", f"the step {step} failed"), result=answer)
        return t.cast("dict[str, t.Any]", answer)

    def _step(self, args: dict[str, t.Any]) -> dict[str, t.Any]:
        name = "gpuops.vllm_fleet.vllm_image_host"
        doing = _DOING.get(args["step"])
        with Progress(self.name).beating(doing) if doing else contextlib.nullcontext():
            return t.cast(
                "dict[str, t.Any]",
                self._execute_module(module_name=name, module_args=args, task_vars=self._variables),
            )

    def send(self, piece: bytes) -> str:
        """Copy a piece of a file; its path on the host."""
        shell = self._connection._shell
        if shell.tmpdir is None:
            self._make_tmp_path()
        there: str = shell.join_path(shell.tmpdir, "piece")
        with tempfile.NamedTemporaryFile(dir=constants.DEFAULT_LOCAL_TMP) as file:
            file.write(piece)
            file.flush()
            with Progress(self.name).beating(_DOING["receive"]):
                self._transfer_file(os.path.realpath(file.name), there)
        return there


def _configured(look: dict[str, t.Any]) -> dict[str, t.Any]:
    """What a look has changed of Podman's drop-in: told once, by the task that looked."""
    if not look.pop("fresh", False):
        return {"changed": False, "actions": [], "diff": []}
    return {
        "changed": bool(look["changed"]),
        "actions": look.get("actions") or [],
        "diff": look.get("diff") or [],
    }
