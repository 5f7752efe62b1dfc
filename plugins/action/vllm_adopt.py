"""Write what somebody runs already as an inventory; documented in plugins/modules/vllm_adopt.py."""

from __future__ import annotations

import pathlib
import typing as t

from ansible.utils.display import Display

from ..module_utils._adopt.adopt import Adopted, adopt
from ..module_utils._adopt.found import found_from
from ..module_utils._adopt.secrets import covered
from ..module_utils._plan.report import format_findings, summary
from ..plugin_utils.adopt_files import read_file
from ..plugin_utils.controller_action import ControllerAction
from ..plugin_utils.plain import to_plain
from ..plugin_utils.terminal import width

display = Display()
_SPEC: dict[str, dict[str, t.Any]] = {
    "path": {"type": "path"},
    "service": {"type": "str"},
    "variables": {"type": "dict", "default": {}},
    "folder": {"type": "str"},
    "image": {"type": "str"},
    "containers": {"type": "list", "elements": "dict"},
    "host": {"type": "str"},
    "file": {"type": "path"},
}


class ActionModule(ControllerAction):
    def answer(self, variables: dict[str, t.Any]) -> dict[str, t.Any]:
        _validated, args = self.validate_argument_spec(
            argument_spec=_SPEC,
            required_one_of=[["path", "containers"]],
            mutually_exclusive=[["path", "containers"]],
        )
        try:
            return self._adopt(to_plain(args))
        except ValueError as problem:
            raise ValueError(covered(str(problem), [])) from problem

    def _adopt(self, args: dict[str, t.Any]) -> dict[str, t.Any]:
        variables = {str(name): str(value) for name, value in args["variables"].items()}
        places = {name: variables[name] for name in ("HOME", "PWD") if name in variables}
        if args["path"]:
            path = pathlib.Path(args["path"]).expanduser().absolute()
            places["PWD"] = args["folder"] or places.get("PWD") or str(path.parent)
            found = read_file(path, {**variables, "PWD": places["PWD"]}, args["service"])
        else:
            found = [found_from(each) for each in args["containers"]]
        adopted = adopt(found, places, args["host"], args["image"])
        said = (
            summary(adopted.findings, 1)
            if found
            else "no container runs vLLM that this collection did not make"
        )
        display.display(_shown(adopted, args["host"], said) if found else f"{args['host']}: {said}")
        if args["file"] and found:
            _write(pathlib.Path(args["file"]).expanduser(), adopted.snippet)
        return {
            "valid": adopted.valid,
            "msg": said,
            "snippet": adopted.snippet if found else "",
            "instances": adopted.instances,
            "secrets": [
                {"key": each.key, "variable": each.variable, "place": each.place} for each in adopted.secrets
            ],
            "findings": [finding.as_dict() for finding in adopted.findings],
        }


def _shown(adopted: Adopted, host: str | None, said: str) -> str:
    """Everything, notes too: each of them is something that is not taken over as it was."""
    head = f"# host_vars/{host or 'HOST'}.yml"
    return "\n".join([head, adopted.snippet, format_findings(adopted.findings, width()), said])


def _write(path: pathlib.Path, text: str) -> None:
    """A file that is there is somebody's inventory, and is left alone."""
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError as problem:
        fix = "name another file; for several hosts 'host_vars/{{ inventory_hostname }}/adopted.yml'"
        raise ValueError(
            f"vllm_adopt_file: {path} is there already and is not overwritten: {fix}"
        ) from problem
    except OSError as problem:
        raise ValueError(f"vllm_adopt_file: {path} cannot be written: {problem.strerror}") from problem
