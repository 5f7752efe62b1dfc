"""What a host has to do to become what its plan says: decisions, and the job that carries them out."""

from __future__ import annotations

import dataclasses
import os
import typing as t
from datetime import datetime, timezone

from .._release.changes import changes
from .._release.decide import Decision, Found, Wanted, decide
from .._release.ownership import why_not_of
from .._release.records import Record
from .._release.transaction import Job, Member
from .._release.transitions import Claim, claim, group
from . import owned, podman, release_store
from .command import HostError
from .nvidia_smi import gpus
from .release_files import InstanceFiles, read
from .release_run import now
from .release_steps import image_of, is_active

if t.TYPE_CHECKING:
    from .command import Run

Planned = t.Mapping[str, t.Any]  # an instance as vllm_plan returns it
COLLECTION_VERSION = "0.1.0"


@dataclasses.dataclass(frozen=True)
class Task:
    """One instance: what is to be done with it, and with what."""

    decision: Decision
    member: Member | None  # None: nothing is done
    planned: Planned | None
    before_text: str | None
    release: int | None = None  # the accepted one


@dataclasses.dataclass(frozen=True)
class Site:
    """Where and for whom."""

    run: Run
    fleet: str
    state_dir: str

    def files(self, name: str) -> InstanceFiles:
        """The files of an instance."""
        return InstanceFiles(name, self.state_dir)

    def found(self, name: str) -> Found:
        """An instance as the host has it."""
        files = self.files(name)
        record = release_store.current(files)
        return Found(
            name,
            record,
            release_store.unit_text(files, record.release) if record else None,
            read(files.unit),
            files.home.is_dir() and (release_store.is_ours(files) or release_store.holds_only_ours(files)),
            is_active(self.run, files.service),
        )

    def next_number(self, name: str) -> int:
        """The number of the next release."""
        return max(release_store.numbers(self.files(name)), default=0) + 1


def tasks(
    site: Site, planned: t.Sequence[Planned], orphans: t.Sequence[str], apply_pending: bool
) -> list[Task]:
    """What the plan asks for, and that ``orphans`` go away."""
    gone = [{"name": name, "state": "absent"} for name in orphans]
    return [_task(site, each, apply_pending) for each in [*planned, *gone]]


def _task(site: Site, planned: Planned, apply_pending: bool) -> Task:
    name = planned["name"]
    found = site.found(name)
    wanted = Wanted(
        name, planned["state"], planned.get("intent"), planned.get("intent_hash"), planned.get("unit_text")
    )
    decision = decide(wanted, found, apply_pending)
    number = found.record.release if found.record else None
    return Task(decision, _member(site, decision, planned, found), planned, found.unit_text, number)


def _member(site: Site, decision: Decision, planned: Planned, found: Found) -> Member | None:
    before = found.record.as_dict() if found.record else None
    name = decision.name
    if decision.action == "none":
        return None
    if decision.action == "remove":
        return Member(name, "remove", None, None, before, found.is_active)
    if decision.action == "start":
        return Member(name, "start", before, found.record_text, before, found.is_active)
    if not planned.get("intent"):  # in check mode, before the image is here
        return None
    record = new_record(site, planned).as_dict()
    return Member(name, "release", record, planned["unit_text"], before, found.is_active)


def new_record(site: Site, planned: Planned) -> Record:
    """The release that a planned instance becomes."""
    text = planned.get("unit_text") or ""
    image = podman.image(site.run, image_of(text)) if text else None
    return Record(
        instance=planned["name"],
        release=site.next_number(planned["name"]),
        fleet=site.fleet,
        intent_hash=planned["intent_hash"],
        intent=planned["intent"],
        model=planned["model"],
        vllm_version=planned["version"],
        image=planned["image"],
        image_identity=planned["image_identity"],
        image_id=image.id if image else None,
        url=planned["url"],
        listen=planned["listen"],
        port=planned["port"],
        devices=tuple(planned["devices"]),
        memory_share=planned.get("memory_share"),
        gate=planned["gate"],
        service=planned["unit_name"],
        collection_version=COLLECTION_VERSION,
        made_at=now(),
    )


def back_to(site: Site, name: str, number: int | None) -> Task:
    """A release of before, once more; ``number`` None is the one that was accepted before the current one."""
    files, found = site.files(name), site.found(name)
    if found.record is None:
        raise HostError(f"{name} has no accepted release on this host")
    why = why_not_of(found.record.fleet, site.fleet)
    if why:
        raise HostError(f"{name} is left alone: {why}")
    wanted = release_store.previous(files) if number is None else number
    record = None if wanted is None else release_store.record(files, wanted)
    if record is None:
        kept = ", ".join(str(each) for each in release_store.numbers(files))
        asked = "an earlier release" if wanted is None else f"release {wanted}"
        raise HostError(
            f"{name} has no {asked} to go back to: kept are {kept}, and {found.record.release} runs"
        )
    if record.intent_hash == found.record.intent_hash:
        return Task(Decision(name, "none", f"it is what release {wanted} was"), None, None, found.unit_text)
    differ = tuple(changes(dict(found.record.intent), dict(record.intent)))
    again = dataclasses.replace(
        record, release=site.next_number(name), rolled_back_to=record.release, made_at=now()
    )
    text = release_store.unit_text(files, record.release)
    member = Member(name, "release", again.as_dict(), text, found.record.as_dict(), found.is_active)
    return Task(Decision(name, "release", f"back to release {wanted}", differ), member, None, found.unit_text)


def of_this_fleet(site: Site) -> list[str]:
    """The instances with an accepted release that this fleet may roll back."""
    here = {name: release_store.current(site.files(name)) for name in release_store.instances(site.state_dir)}
    return [name for name, record in here.items() if record is not None and record.fleet == site.fleet]


def orphans(site: Site, planned: t.Collection[str]) -> list[str]:
    """Instances of this fleet on this host that no plan names."""
    units = owned.unit_files(str(site.files("x").unit.parent)).values()
    here = {unit.instance for unit in units if unit.of(site.fleet) and unit.instance}
    return sorted((here | set(of_this_fleet(site))) - set(planned))


def job_of(site: Site, work: t.Sequence[Task], **limits: t.Any) -> Job | None:
    """The job; None where there is nothing to do. Members whose GPUs or ports overlap are one transition."""
    members = {task.member.name: task.member for task in work if task.member}
    if not members:
        return None
    uuids = {str(gpu.index): gpu.uuid for gpu in gpus(site.run).gpus if gpu.uuid}
    groups = group({name: _claims(member, uuids) for name, member in members.items()})
    moment = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S")
    return Job(
        id=f"{moment}-{os.urandom(3).hex()}",
        fleet=site.fleet,
        state_dir=site.state_dir,
        transitions=tuple(tuple(members[name] for name in each) for each in groups),
        **limits,
    )


def _claims(member: Member, uuids: t.Mapping[str, str]) -> list[Claim]:
    return [
        claim(record["devices"], record["listen"], record["port"], uuids)
        for record in (member.before, member.record)
        if record is not None
    ]
