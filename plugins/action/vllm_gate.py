"""Waits, from the controller, until servers on a host show real tokens, and says how it goes."""

from __future__ import annotations

import ssl
import typing as t

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

from ..plugin_utils.host_gate import outcome_of_host
from ..plugin_utils.look_from_here import look
from ..plugin_utils.plain import to_plain
from ..plugin_utils.progress import Progress
from ..plugin_utils.server_gate import gate
from ..plugin_utils.transaction import Follower

_API_KEY = "VLLM_API_KEY"


class ActionModule(ActionBase):
    _supports_check_mode = True
    TRANSFERS_FILES = False

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(
            argument_spec={
                "name": {"type": "str"},
                "url": {"type": "str"},
                "served_names": {"type": "list", "elements": "str"},
                "kind": {"type": "str", "default": "auto"},
                "timeout": {"type": "float", "default": 1200},
                "restarts": {"type": "int"},
                "began_at": {"type": "float"},
                "stopped_at": {"type": "float"},
                "transaction": {"type": "str"},
                "state_dir": {"type": "path", "default": "/var/lib/vllm-fleet"},
                "decisions": {"type": "list", "elements": "dict"},
                "serving": {"type": "dict", "default": {}},
                "instances": {"type": "dict", "default": {}},
                "lost_seconds": {"type": "float", "default": 300},
                "address": {"type": "str"},
                "validate_certs": {"type": "bool", "default": True},
                "ca_path": {"type": "path"},
                "secrets": {"type": "dict", "default": {}, "no_log": True},
            },
            required_one_of=[("name", "decisions")],
            required_together=[("name", "url", "served_names")],
        )
        self._task_vars = task_vars
        args = to_plain(args)
        host = (task_vars or {}).get("inventory_hostname", "host")
        if args["decisions"] is None:
            return self._server(args, Progress(f"{host} {args['name']}"))
        return self._host(args, Progress(host))

    def _server(self, args: dict[str, t.Any], progress: Progress) -> dict[str, t.Any]:
        if self._play_context.check_mode and args["began_at"] is not None:
            return {"changed": False, "skipped": True, "msg": "not asked in check mode: nothing was started"}
        return gate(self._module, args, progress)

    def _host(self, args: dict[str, t.Any], progress: Progress) -> dict[str, t.Any]:
        follower = None
        if args["transaction"]:
            place = {"id": args["transaction"], "state_dir": args["state_dir"]}
            look_from_here = self._looker(args) if args["address"] else None
            follower = Follower(self._module, place, progress, args["lost_seconds"], look_from_here)
        seen = {} if follower else args["serving"]
        found = outcome_of_host(args["decisions"], args["instances"], follower, self._module, progress, seen)
        problems = [each["problem"] for each in found.values() if each["problem"]]
        return {"changed": False, "outcome": found, "problems": problems}

    def _looker(self, args: dict[str, t.Any]) -> t.Callable[[dict[str, t.Any]], tuple[bool, str, str]]:
        def key_of(name: str) -> str | None:
            variables = (args["instances"].get(name) or {}).get("secrets") or {}
            return args["secrets"].get(variables.get(_API_KEY))

        trust = _trust(args["ca_path"]) if args["validate_certs"] else None
        # The word has to be there before the host has waited its time.
        return lambda gates: look(gates, args["address"], key_of, args["timeout"] / 2, trust)

    def _module(self, name: str, args: dict[str, t.Any]) -> dict[str, t.Any]:
        return self._execute_module(
            module_name=f"gpuops.vllm_fleet.{name}", module_args=args, task_vars=self._task_vars
        )


def _trust(ca_path: str | None) -> ssl.SSLContext:
    """What certificates are held against: the authorities of this system, and those of the file."""
    trust = ssl.create_default_context()
    if ca_path:
        try:
            trust.load_verify_locations(cafile=ca_path)
        except OSError as problem:
            raise AnsibleActionFail(f"vllm_gate_ca_path: {ca_path} cannot be used: {problem}") from problem
    return trust
