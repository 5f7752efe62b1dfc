"""The job that fetches a repository, with the tool that an image of vLLM brings: a short container without a GPU."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import typing as t

from .._settings.image_program import START
from . import hub_program, jobs

MODELS = "/models"
# What of a server's environment also holds for the fetch.
_PASSED = re.compile(
    r"HF_(?!TOKEN|HUB_OFFLINE|HOME|HUB_CACHE)\w+|(https?|no|all)_proxy|SSL_CERT_FILE|REQUESTS_CA_BUNDLE", re.I
)
_ENV = {
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DOWNLOAD_TIMEOUT": "30",
    "HF_HUB_ETAG_TIMEOUT": "30",
    "HF_XET_CHUNK_CACHE_SIZE_BYTES": "0",  # it would go into the container
}


def job_of(state_dir: str, request: t.Mapping[str, t.Any]) -> jobs.Job:
    """The same request is the same work, whoever asks."""
    asked = [request["repo"], request["revision"], request["only_resolve"]]
    digest = hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:12]
    return jobs.kept(state_dir, f"{'resolve' if request['only_resolve'] else 'fetch'}-{digest}")


def files(request: t.Mapping[str, t.Any], env: t.Mapping[str, str]) -> dict[str, str]:
    """What the container is given. A proxy's address may hold a password, so no command line has the environment."""
    inside = {**request, "models": MODELS}
    given = {**_ENV, **{name: value for name, value in env.items() if _PASSED.fullmatch(name)}}
    lines = (f"{name}={value}\n" for name, value in sorted(given.items()) if "\n" not in value)
    return {
        "request.json": json.dumps(inside),
        "program.py": inspect.getsource(hub_program),
        "environment": "".join(lines),
    }


def command(job: jobs.Job, image: str, models: str, secrets: t.Mapping[str, str]) -> list[str]:
    """The container. A token comes in as a Podman secret; the network is the host's, with its names and its proxies."""
    return [
        "podman",
        "run",
        "--rm",
        "--replace",
        "--interactive",
        f"--name=vllm-fleet-{job.name}",
        "--pull=never",
        "--network=host",
        "--user=0",
        "--entrypoint=python3",
        f"--volume={models}:{MODELS}:z",
        f"--volume={job.folder}:{hub_program.JOB}:Z",
        f"--env-file={job.folder / 'environment'}",
        *(f"--secret={name},type=env,target={variable}" for variable, name in sorted(secrets.items())),
        re.sub(r":[^:/]+@", "@", image),  # Podman takes a tag or a digest, not both
        "-c",
        START,
    ]
