"""From a host as it is to one whose CDI spec is right: look, judge, repair what can be repaired, look again."""

from __future__ import annotations

import dataclasses
import typing as t

from .._cdi import judge as judging
from .._cdi import refresh
from .._cdi import summary as summaries
from .._cdi.evidence import KIND, Host
from .._cdi.finding import finding
from .._settings.finding import Finding, has_errors, in_order
from .._settings.version import format_release
from . import cdi_forecast, cdi_host, nvidia_ctk, podman, refresh_unit, systemd
from .cdi_outcome import Options, Outcome, wish
from .command import HostError
from .nvidia_smi import Gpus, gpus
from .running import outdated_servers

if t.TYPE_CHECKING:
    from .nvidia_ctk import Generated
    from .place import Place

_NO_GPUS = ("nvidia_smi_missing", "no_devices")  # no failure where no GPU is planned
# In check mode the toolkit that is going to be installed may mend these.
_OF_TOOLKIT = frozenset(
    {"toolkit_half_upgraded", "cdi_hook_missing", "cdi_not_replaced", "ctk_generate_failed"}
)
_UNIT_CODES = frozenset({"refresh_unit_missing", "refresh_unit_skipped", "refresh_unit_failed"})


def make_ready(place: Place, options: Options) -> Outcome:
    """See to it that the spec is right; what cannot be repaired is left as findings."""
    version = podman.version(place.run)
    if version is None:
        return cdi_forecast.without_podman(place)
    found = gpus(place.run)
    if found.problem is not None:
        return _unusable(found, version, options, place.root)
    toolkit = nvidia_ctk.version(place.run)
    if toolkit is None:
        return cdi_forecast.without_toolkit(place, options, found, version)
    return _Repair(place, options, found, version, toolkit).work()


def _unusable(found: Gpus, version: tuple[int, int, int], options: Options, root: str) -> Outcome:
    """Nothing may be generated while the GPUs cannot be used: a good spec would be replaced by a worse one."""
    host = cdi_host.look(found, version, root)
    defects = judging.judge(host)
    if found.problem and found.problem.code in _NO_GPUS and not options.devices:
        defects = [dataclasses.replace(each, severity="info") for each in defects]
    return Outcome(
        podman_version=format_release(version), spec_path=host.target, defects=defects, findings=list(defects)
    )


@dataclasses.dataclass
class _Repair:
    """One pass over a host whose GPUs can be used."""

    place: Place
    options: Options
    found: Gpus
    podman: tuple[int, int, int]
    toolkit: tuple[int, int, int]

    def __post_init__(self) -> None:
        self.host = self._look()
        self.wish = wish(self.host.target, self.podman, self.options)
        self.own_env = cdi_host.env_file(self.place.root)

    def work(self) -> Outcome:
        """Look, judge, repair, look again."""
        hook = nvidia_ctk.hook_version(self.place.run)
        lasting = refresh.judge_set(self.toolkit, hook) + refresh.overridden(self.wish, self.own_env)
        defects = [*self._judged(), *self._unit(), *lasting]
        if self.options.repair:
            self._make_nodes()
        generated, problem = self._generate()
        if generated and not self.place.actions:
            defects += judging.outdated(self.host, generated.data)
        defects, lasting = in_order([*defects, *problem]), [*lasting, *problem]
        left = self._repair(defects, generated) if self.options.repair else defects
        unit = self._unit() if not (self.place.check and self.place.actions) else []
        findings, known_after = self._with_coming_toolkit([*left, *unit, *lasting])
        return Outcome(
            ready=not has_errors(findings),
            known_after=known_after,
            podman_version=format_release(self.podman),
            toolkit_version=format_release(self.toolkit),
            spec_path=self.host.target,
            defects=defects,
            findings=findings,
            outdated_servers=outdated_servers(
                self.place.run, self._spec_at_the_end(generated), self.place.root
            ),
        )

    def _with_coming_toolkit(self, findings: list[Finding]) -> tuple[list[Finding], str | None]:
        """What is left to say, and what has to happen before more can be said."""
        coming = self.options.coming_toolkit
        if coming is None:
            return in_order(findings), None
        softer = [
            dataclasses.replace(each, severity="info") if each.code in _OF_TOOLKIT else each
            for each in findings
        ]
        return in_order(softer), f"nvidia-container-toolkit-base {format_release(coming)} is installed"

    def _look(self) -> Host:
        return cdi_host.look(self.found, self.podman, self.place.root)

    def _judged(self) -> list[Finding]:
        return judging.judge(self.host, self.options.devices)

    def _unit(self) -> list[Finding]:
        state = refresh_unit.state(self.place.run)
        return refresh.judge_unit(state, self.toolkit, refresh_unit.vendor_unit_exists(self.place.root))

    def _make_nodes(self) -> None:
        """CUDA's own nodes: nobody makes them before the first program that uses CUDA runs."""
        lost = [path for path in judging.CONTROL_NODES if self.host.nodes.get(path) is None]
        if lost:
            self.place.actions.append(f"make {', '.join(lost)}")
            for path in lost:
                self.place.show(path, None, "a device node\n")
        if lost and not self.place.check:
            nvidia_ctk.make_nodes(self.place.run)
            self.host = cdi_host.with_files(self.host, self.place.root)

    def _generate(self) -> tuple[Generated | None, list[Finding]]:
        environment = {**self.wish.environment(), **refresh.parse_env(self.own_env)}
        try:
            return nvidia_ctk.generate(self.place.run, environment), []
        except HostError as error:
            fix = "run `nvidia-ctk cdi generate` on the host by hand; the spec was left as it was"
            return None, [finding("ctk_generate_failed", str(error), fix)]

    def _repair(self, defects: list[Finding], generated: Generated | None) -> list[Finding]:
        """Put the unit in place, and write the spec where that improves it; what is left to say."""
        coming = self.options.coming_toolkit
        unit_changed = refresh_unit.put(
            self.place, coming or self.toolkit, self.wish, coming=coming is not None
        )
        for each in defects:
            if each.code == "refresh_unit_stale_copy":
                self.place.set_aside(str(each.value))
                unit_changed = True
        if unit_changed and not self.place.check:
            systemd.daemon_reload(self.place.run)
        refresh_unit.enable(self.place)
        if generated is None:
            return self._judged()
        codes = {each.code for each in defects}
        needed = bool(codes & judging.REPAIRED_BY_GENERATING) and not self._is_as(generated)
        if not (needed or unit_changed or codes & (_UNIT_CODES | {"cdi_second_spec", "cdi_spec_private"})):
            return self._judged()
        return self._write(defects, generated)

    def _is_as(self, generated: Generated) -> bool:
        spec = judging.spec_of(self.host)
        return spec is not None and spec.path == self.host.target and spec.data == generated.data

    def _write(self, defects: list[Finding], generated: Generated) -> list[Finding]:
        spec = cdi_host.candidate(self.host.target, generated.text, generated.data, self.podman)
        then = cdi_host.with_files(self.host.with_spec(spec), self.place.root)
        promised = judging.judge(then, self.options.devices)
        if self._nodes_come(promised):
            promised = []
        if not self._is_as(generated) and not judging.is_improvement(self._judged(), promised):
            return [*self._judged(), judging.not_replaced(promised)]
        for path in self._others(defects) if self.options.set_aside else []:
            self.place.set_aside(path)
        self.place.actions.append(f"refresh {self.host.target}")
        before = self._summary()
        if self.place.check:
            self.place.show(self.host.target, before, summaries.summary(generated.data) + self._reserve())
            return promised
        refresh_unit.refresh(self.place.run)
        self.place.show(self.host.target, before, self._summary())
        self.host = self._look()
        return self._judged()

    def _summary(self) -> str | None:
        """The spec as it stands at its place now."""
        text = self.place.read(self.host.target)
        try:
            return summaries.summary(nvidia_ctk.parse_spec(text)) if text else text
        except ValueError:
            return "(no spec that can be read)\n"

    def _reserve(self) -> str:
        coming = self.options.coming_toolkit
        return (
            f"(as nvidia-ctk {format_release(self.toolkit)} writes it; {format_release(coming)} is to come)\n"
            if coming
            else ""
        )

    def _others(self, defects: list[Finding]) -> list[str]:
        """The specs that are in the way, or stand where nothing refreshes them."""
        codes = {each.code for each in defects}
        if not codes & {"cdi_second_spec", "cdi_spec_elsewhere"}:
            return []
        return [spec.path for spec in self.host.specs if spec.kind == KIND and spec.path != self.host.target]

    def _nodes_come(self, promised: list[Finding]) -> bool:
        """In check mode nodes are only going to be made: what lacks nothing else is as good as right."""
        lacking = {each.code for each in promised if each.severity == "error"}
        made = any(action.startswith("make ") for action in self.place.actions)
        return self.place.check and made and lacking <= {"cdi_node_not_in_spec", "cdi_node_missing"}

    def _spec_at_the_end(self, generated: Generated | None) -> t.Any:
        predicted = self.place.check and f"refresh {self.host.target}" in self.place.actions
        if predicted and generated is not None:
            return generated.data
        spec = judging.spec_of(self.host)
        return spec.data if spec is not None else None
