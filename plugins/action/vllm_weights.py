"""Brings repositories of the hub to a host and tells how it goes; documented in plugins/modules/vllm_weights.py."""

from __future__ import annotations

import typing as t

from ansible.errors import AnsibleActionFail
from ansible.plugins.action import ActionBase

from ..module_utils._host.weight_needs import weights_finding
from ..module_utils._plan.report import format_findings
from ..module_utils._plan.revisions import choose, is_commit
from ..module_utils._release.secret import secret_name
from ..module_utils._settings.counted import sized
from ..module_utils._settings.finding import Finding
from ..plugin_utils.plain import to_plain
from ..plugin_utils.progress import Progress, follow
from ..plugin_utils.run_memory import shared

_WATCH_SECONDS = 5
_FOR_ALL = ("too_many_requests", "revision_unknown")  # other hosts would only hear the same
_OF_ONE_TOKEN = ("gated", "token_refused", "not_found_or_private", "forbidden")  # another host may be allowed
_MOST_HOSTS_IN_VAIN = 3

ARGUMENTS: dict[str, t.Any] = {
    "weights": {"type": "list", "elements": "dict", "required": True},
    "seen": {"type": "dict", "default": {}},
    "state_dir": {"type": "str", "default": "/var/lib/vllm-fleet"},
    "token_versions": {"type": "dict", "default": {}},
    "endpoint": {"type": "str"},
    "refresh": {"type": "bool", "default": False},
    "keep_free": {"type": "int", "default": 1 << 30},
    "tries": {"type": "int", "default": 6},
}


class RefusedError(Exception):
    """The program that fetches says why not."""

    def __init__(self, problem: dict[str, t.Any], asked_by: str | None = None) -> None:
        """Keep whose words these are."""
        super().__init__(str(problem.get("message")))
        self.problem, self.asked_by = problem, asked_by


class ActionModule(ActionBase):
    TRANSFERS_FILES = False
    _supports_check_mode = True

    def run(self, tmp: str | None = None, task_vars: dict[str, t.Any] | None = None) -> dict[str, t.Any]:
        super().run(tmp, task_vars)
        _validated, args = self.validate_argument_spec(argument_spec=ARGUMENTS)
        self._args = to_plain(args)
        self._vars: dict[str, t.Any] = task_vars or {}
        self._host = str(self._vars.get("inventory_hostname", "host"))
        self._check = self._play_context.check_mode
        wanted = self._args["weights"]
        seen = self._args["seen"].get("weights") or self._info(wanted, {})
        result: dict[str, t.Any] = {"changed": False, "fetched": [], "model_revisions": {}}
        findings: list[Finding] = []
        for entry in wanted:
            findings += self._problems(entry, seen[entry["key"]], result)
        if findings:
            result.update(failed=True, msg=format_findings(findings))
            result["findings"] = [finding.as_dict() for finding in findings]
        return result

    def _problems(
        self, entry: dict[str, t.Any], seen: dict[str, t.Any], result: dict[str, t.Any]
    ) -> list[Finding]:
        """Bring one repository; what kept it from coming."""
        try:
            self._bring(entry, seen, result)
        except RefusedError as refused:
            told = {**entry, "has_token": bool(self._secrets(entry))}
            return [weights_finding(told, refused.problem, refused.asked_by).at(host=self._host)]
        return []

    def _bring(self, entry: dict[str, t.Any], seen: dict[str, t.Any], result: dict[str, t.Any]) -> None:
        """Have one repository at the commit that all hosts take."""
        with Progress(f"{self._host}: {entry['repo']}").beating(
            "finds out, once for all hosts, which commit is meant"
        ):
            commit = self._commit(entry)
        if commit is None:  # in check mode, of a name that nobody has resolved yet
            result["fetched"].append(entry["key"])
            result["changed"] = True
            return
        if seen["commit"] != commit:
            seen = self._info([entry], {entry["key"]: commit})[entry["key"]]
            result["changed"] = True
            if seen["complete"] and not self._check:
                self._job(entry, commit, step="remember")
        if not seen["complete"]:
            result["changed"] = True
            result["fetched"].append(entry["key"])
            if self._check:
                return
            self._fetch(entry, commit)
            seen = self._info([entry], {entry["key"]: commit})[entry["key"]]
        if not seen["complete"]:
            raise RefusedError({"code": "incomplete", "message": seen["problem"]})
        result["model_revisions"][entry["key"]] = commit

    def _commit(self, entry: dict[str, t.Any]) -> str | None:
        """One commit for all hosts of the run: what they remember, else what the first of them was told."""
        asked, key = entry["revision"], entry["key"]
        if is_commit(asked):
            return str(asked)
        remembered = {} if self._args["refresh"] else self._remembered(key)
        with shared("weights") as run:
            known = run.get(key) or {}
            if "commit" not in known and remembered:
                known = {"commit": choose(remembered)}
            if "commit" not in known and self._check:
                return None
            if _is_final(known):
                raise RefusedError(known["problem"], known["host"])
            if "commit" not in known:
                known = {**self._resolved(entry), "in_vain": known.get("in_vain", 0) + 1}
            run[key] = known
        if "problem" in known:
            raise RefusedError(known["problem"])
        return str(known["commit"])

    def _remembered(self, key: str) -> dict[str, str]:
        """By host, what each of this play found on its disk."""
        hostvars, found = self._vars.get("hostvars", {}), {}
        for host in self._vars.get("ansible_play_hosts_all", [self._host]):
            looked = to_plain(hostvars[host].get("__vllm_model_looked") if host in hostvars else None) or {}
            commit = ((looked.get("weights") or {}).get(key) or {}).get("commit")
            if commit:
                found[str(host)] = str(commit)
        return found

    def _resolved(self, entry: dict[str, t.Any]) -> dict[str, t.Any]:
        """What the hub says the name is; or its refusal, which holds for all hosts that ask with the same right."""
        try:
            state = self._wait(entry, None)
        except RefusedError as refused:
            return {"problem": refused.problem, "host": self._host}
        return {"commit": state["commit"], "host": self._host}

    def _fetch(self, entry: dict[str, t.Any], commit: str) -> None:
        self._wait(entry, commit)

    def _wait(self, entry: dict[str, t.Any], commit: str | None) -> dict[str, t.Any]:
        """Begin the work, or find it begun, and tell how it goes until it has ended."""
        self._job(entry, commit, step="start")
        known = ""

        def look() -> dict[str, t.Any]:
            nonlocal known
            seen = self._job(entry, commit, step="look", watch=_WATCH_SECONDS, known=known)
            known = str(seen["job_state"].get("phase", ""))
            return seen

        return _ended(follow(Progress(f"{self._host}: {entry['repo']}"), look, _tell))

    def _job(self, entry: dict[str, t.Any], commit: str | None, **step: t.Any) -> dict[str, t.Any]:
        endpoint = {"HF_ENDPOINT": self._args["endpoint"]} if self._args["endpoint"] else {}
        args = {
            "repo": entry["repo"],
            "asked": entry["revision"] or "main",
            "image": entry["image"],
            "env": {**endpoint, **entry["env"]},
            "secrets": self._secrets(entry),
            "ignore": entry["ignore"],
            **{name: self._args[name] for name in ("state_dir", "keep_free", "tries")},
            **({"commit": commit} if commit else {}),
            **step,
        }
        return self._module("vllm_weights_job", args)

    def _secrets(self, entry: dict[str, t.Any]) -> dict[str, str]:
        """The Podman secret with a token for the hub, by its variable; that of the first instance that has one here."""
        for token in entry["tokens"]:
            version = (self._args["token_versions"].get(token["instance"]) or {}).get(token["key"])
            if version:
                return {token["variable"]: secret_name(token["instance"], token["key"], version)}
        return {}

    def _info(self, wanted: list[dict[str, t.Any]], commits: dict[str, str]) -> dict[str, t.Any]:
        args = {"weights": wanted, "commits": commits, "state_dir": self._args["state_dir"]}
        weights: dict[str, t.Any] = self._module("vllm_weights_info", args)["weights"]
        return weights

    def _module(self, name: str, args: dict[str, t.Any]) -> dict[str, t.Any]:
        with Progress(self._host).beating("looks which weights are there"):
            done: dict[str, t.Any] = self._execute_module(
                module_name=f"gpuops.vllm_fleet.{name}", module_args=args, task_vars=self._vars
            )
        if done.get("failed"):
            raise AnsibleActionFail(done.get("msg", f"{name} failed"), result=done)
        return done


def _is_final(known: dict[str, t.Any]) -> bool:
    """Whether what an earlier host was told holds for all. A network that fails may be a host's own."""
    code = known.get("problem", {}).get("code")
    if code is None or code in _OF_ONE_TOKEN:
        return False
    return code in _FOR_ALL or known["in_vain"] >= _MOST_HOSTS_IN_VAIN


def _tell(progress: Progress, seen: dict[str, t.Any]) -> None:
    state = seen["job_state"]
    if state.get("phase") == "waiting":
        again = f"{state['attempt'] + 1} of {state['tries']}"
        progress.news(f"{state['why']}: try {again} in {state['pause']} s")
    elif state.get("phase") == "fetching":
        progress.bytes(seen["done_bytes"], state.get("total"))
    elif state.get("phase") == "checking":
        progress.tell(f"checking {state.get('files')} files, {sized(state.get('total') or 0)}")
    elif state.get("phase") == "asking":
        progress.tell("asking the hub")


def _ended(seen: dict[str, t.Any]) -> dict[str, t.Any]:
    """What the work came to."""
    state: dict[str, t.Any] = seen["job_state"]
    if state.get("phase") == "done":
        return state
    last = (seen["output"].strip().splitlines() or ["it said nothing"])[-1]
    lost = (
        "it was lost, as with a reboot of the host"
        if seen["rc"] is None
        else f"exit code {seen['rc']}: {last}"
    )
    raise RefusedError(state.get("problem") or {"code": "tool_failed", "message": lost})
