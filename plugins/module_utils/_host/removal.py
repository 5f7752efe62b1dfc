"""Taking an instance of ours off a host: all that this collection put there, and nothing else.

What is to be done is found out first and done then, so that check mode tells exactly what a run would do.
"""

from __future__ import annotations

import dataclasses
import shutil
import typing as t
from functools import partial
from pathlib import Path

from .._release.ownership import why_not_ours
from . import owned, podman, release_store, systemd
from .command import HostError
from .release_files import read, remove

if t.TYPE_CHECKING:
    from .command import Run
    from .release_files import InstanceFiles

_STOP_SECONDS = "60"


@dataclasses.dataclass(frozen=True)
class Step:
    """One thing to take away: in words, and how."""

    text: str
    act: t.Callable[[], object]


@dataclasses.dataclass(frozen=True)
class Host:
    """What was found on the host before anything is taken away."""

    run: Run
    things: owned.Owned
    secrets: t.Sequence[owned.Thing]
    images: t.Mapping[str, podman.Image]  # by each of their names

    def labelled(self) -> set[str]:
        """The instances, of any fleet, that something on this host says it belongs to."""
        found = (*self.things.things(), *self.secrets, *owned.tags(self.images))
        return {thing.instance for thing in found if thing.instance}


def look(run: Run, units: str) -> Host:
    """See what there is; a host without Podman has no containers, secrets or images."""
    things = owned.look(run, units)
    if podman.version(run) is None:
        return Host(run, things, (), {})
    return Host(run, things, owned.secrets(run), podman.images(run))


def remove_instance(run: Run, files: InstanceFiles, fleet: str) -> list[str]:
    """Stop the server and remove everything of the instance but weights and images; what was done, in words.

    HostError where a unit of that name is not ours, before anything is touched. The caller holds the host's lock.
    """
    steps = instance_steps(look(run, str(files.unit.parent)), files, fleet)
    for step in steps:
        step.act()
    return [step.text for step in steps]


def instance_steps(host: Host, files: InstanceFiles, fleet: str) -> list[Step]:
    """What there is to do, in order. The records go last: whoever is interrupted finds the instance again."""
    _refuse_foreign(files, host.things, fleet)
    return [
        *_unit(host.run, files),
        *_container(host, files, fleet),
        *secret_steps(host.run, [each for each in host.secrets if each.instance == files.name]),
        *tag_steps(host.run, [each for each in owned.tags(host.images) if each.instance == files.name]),
        *(folder_steps(files.home) if _is_home(host, files) else []),
    ]


def _is_home(host: Host, files: InstanceFiles) -> bool:
    """Whether the folder of that name is ours, by what it holds, or by what else of ours has that name."""
    return (
        release_store.is_ours(files) or files.name in host.labelled() or release_store.holds_only_ours(files)
    )


def _refuse_foreign(files: InstanceFiles, things: owned.Owned, fleet: str) -> None:
    there = things.units.get(files.container)
    why = why_not_ours(there.text if there else read(files.unit), fleet)
    if why:
        raise HostError(f"{files.unit} is left alone: {why}")


def _unit(run: Run, files: InstanceFiles) -> t.Iterator[Step]:
    """A unit that nothing on disk describes any more still runs, and systemd knows it until it is told to look again."""
    state = systemd.show(run, files.service)
    if state.get("ActiveState", "inactive") not in ("inactive", "failed"):
        yield Step(f"stop {files.service}", partial(systemd.stop, run, files.service))
    there = [path for path in (files.trial, files.unit) if path.exists()]
    for path in there:
        yield Step(f"remove {path}", partial(remove, [path]))
    if there or state.get("LoadState", "not-found") != "not-found":
        yield Step("daemon-reload", partial(_forget_unit, run, files.service))


def _forget_unit(run: Run, service: str) -> None:
    systemd.daemon_reload(run)
    run("systemctl", "reset-failed", "--", service)  # else systemd lists it as failed until the next boot


def _container(host: Host, files: InstanceFiles, fleet: str) -> t.Iterator[Step]:
    """Podman removes the container of a unit that is stopped; one that was left behind is removed here."""
    there = host.things.containers.get(files.container)
    if there is None or there.instance != files.name or not there.of(fleet):
        return
    command = ("podman", "rm", "--force", "--ignore", "--time", _STOP_SECONDS, there.id)
    yield Step(f"remove container {there.name}", partial(must, host.run, *command))


def secret_steps(run: Run, secrets: t.Iterable[owned.Thing]) -> list[Step]:
    """Podman secrets, every version of them."""
    return [
        Step(f"remove secret {each.name}", partial(must, run, "podman", "secret", "rm", each.name))
        for each in secrets
    ]


def tag_steps(run: Run, tags: t.Iterable[owned.Thing]) -> list[Step]:
    """Our own tags; an image that has no other name and that nothing uses goes with its last one."""
    return [Step(f"remove tag {each.name}", partial(_untag, run, each.name)) for each in tags]


def _untag(run: Run, name: str) -> None:
    if not run("podman", "rmi", name).ok:  # in use by somebody's container: the name goes, the image stays
        must(run, "podman", "untag", name, name)


def folder_steps(folder: Path) -> list[Step]:
    """A folder of ours with all that is in it; a link is removed, and not what it points to."""
    if folder.is_symlink():
        return [Step(f"remove {folder}", folder.unlink)]
    return [Step(f"remove {folder}", partial(_remove_folder, folder))] if folder.is_dir() else []


def _remove_folder(folder: Path) -> None:
    """The records last: by them whoever is interrupted knows it again."""
    for inner in sorted(folder.iterdir(), key=lambda path: path.name == "releases"):
        if inner.is_dir() and not inner.is_symlink():
            shutil.rmtree(inner)
        else:
            inner.unlink()
    folder.rmdir()


def must(run: Run, *command: str) -> None:
    """Run a program that has to succeed."""
    done = run(*command)
    if not done.ok:
        raise HostError(f"{' '.join(command)}: {done.said}", done)
