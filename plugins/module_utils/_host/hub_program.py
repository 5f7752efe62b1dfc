"""The program that fetches one repository, inside an image of vLLM, with that image's own ``huggingface_hub``.

It stands by itself: its text goes into the container, and what it finds goes to ``state.json`` in its folder.
"""

from __future__ import annotations

import errno
import fnmatch
import importlib
import json
import os
import pathlib
import re
import time
import typing as t

JOB = pathlib.Path("/job")
_STALE = re.compile(
    r"\.[0-9a-f]{8}\.incomplete$"
)  # of a run that is over: newer tools never take it up again
_LONGEST_PAUSE = 300
_TRIED_AGAIN = (408, 429, 500, 502, 503, 504)
_WEIGHTS = "*.safetensors"
_CHUNK = 256 * 1024


class FetchError(Exception):
    """Why it ends; ``code`` for the one who explains it."""

    def __init__(self, code: str, message: str, **more: t.Any) -> None:
        super().__init__(message)
        self.as_dict = {"code": code, "message": message, **more}


class State:
    """What is known so far, for whoever looks; written so that a half-written one is never seen."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder
        self._said: dict[str, t.Any] = {}
        self.phase = ""

    def say(self, phase: str, **more: t.Any) -> None:
        self.phase = phase
        self._said.update(more, phase=phase)
        beside = self._folder / ".state.new"
        beside.write_text(json.dumps(self._said), encoding="utf-8")
        beside.replace(self._folder / "state.json")


def fetch(request: dict[str, t.Any], state: State) -> None:
    """Ask which commit and files it is; then, unless only that was asked, bring them."""
    hub = importlib.import_module("huggingface_hub")  # only the image has it
    # It writes in steps of 10 MB: of a slow download nothing would be seen for long.
    importlib.import_module("huggingface_hub.constants").DOWNLOAD_CHUNK_SIZE = _CHUNK  # type: ignore[attr-defined]
    home = pathlib.Path(request["models"]) / ("models--" + request["repo"].replace("/", "--"))
    state.say("asking")
    ask = {"revision": request["revision"], "files_metadata": True, "timeout": 30}
    info = patiently(lambda: hub.HfApi().model_info(request["repo"], **ask), request, state)
    state.say("asked", commit=info.sha)
    if request["only_resolve"]:
        return
    files = wanted({each.rfilename: each.size for each in info.siblings or ()}, request["ignore"])
    snapshot = home / "snapshots" / info.sha
    remove_broken(home, snapshot, files)
    missing = sum(size or 0 for name, size in files.items() if not (snapshot / name).is_file())
    check_room(request, missing)
    state.say("fetching", total=missing, base=size_of(home), files=len(files))
    write(home / ".vllm-fleet" / f"{info.sha}.json", json.dumps({"schema": 1, "files": files}))
    get = {"revision": info.sha, "cache_dir": request["models"], "ignore_patterns": left_out(info, files)}
    patiently(lambda: hub.snapshot_download(request["repo"], **get), request, state)
    state.say("checking")
    lacking = [name for name, size in files.items() if not is_whole(snapshot / name, size)]
    if lacking:
        raise FetchError(
            "incomplete", f"{len(lacking)} files are not whole after the download, {lacking[0]} among them"
        )
    let_all_read(home)
    remember(home, request["asked"], info.sha)


def wanted(files: dict[str, int | None], ignore: list[str]) -> dict[str, int | None]:
    """The files to bring. Other formats are left out only beside the one that servers read."""
    safe = any(fnmatch.fnmatch(name, _WEIGHTS) for name in files)
    patterns = ignore if safe else []
    return {name: size for name, size in files.items() if not any(fnmatch.fnmatch(name, p) for p in patterns)}


def left_out(info: t.Any, files: dict[str, int | None]) -> list[str]:
    """The other files, each by its name; a name may hold what a pattern would mean otherwise."""
    names = [each.rfilename for each in info.siblings or ()]
    return [re.sub(r"([*?[])", r"[\1]", name) for name in names if name not in files]


def is_whole(path: pathlib.Path, size: int | None) -> bool:
    """Whether the file is there with the size that the hub tells."""
    return path.is_file() and (size is None or path.stat().st_size == size)


def remove_broken(home: pathlib.Path, snapshot: pathlib.Path, files: dict[str, int | None]) -> None:
    """Take away what the tool would take for whole by its name, and what it would never take up again."""
    for name, size in files.items():
        path = snapshot / name
        if path.is_file() and not is_whole(path, size):
            path.resolve().unlink()
            path.unlink(missing_ok=True)
        elif path.is_symlink() and not path.exists():
            path.unlink()
    for path in (home / "blobs").glob("*.incomplete"):
        if _STALE.search(path.name):
            path.unlink()


def check_room(request: dict[str, t.Any], missing: int) -> None:
    """What is missing must fit beside what has to stay free."""
    found = os.statvfs(request["models"])
    free = found.f_bavail * found.f_frsize
    if missing + request["keep_free"] > free:
        raise FetchError("disk_too_small", "", missing=missing, free=free, keep_free=request["keep_free"])


def patiently(call: t.Callable[[], t.Any], request: dict[str, t.Any], state: State) -> t.Any:
    """Call until it answers; a hub that is busy is left alone for as long as it asks for."""
    phase = state.phase
    for attempt in range(1, request["tries"] + 1):
        answer, told = _attempt(call)
        if told is None:
            return answer
        if not told["again"] or attempt == request["tries"]:
            raise FetchError(told["code"], told["message"], status=told["status"], tries=attempt)
        pause = min(told["after"] or 2**attempt, _LONGEST_PAUSE)
        why = f"the hub answers HTTP {told['status']}" if told["status"] else told["message"]
        state.say("waiting", why=why, pause=pause, attempt=attempt, tries=request["tries"])
        time.sleep(pause)
        state.say(phase)
    return None


def _attempt(call: t.Callable[[], t.Any]) -> tuple[t.Any, dict[str, t.Any] | None]:
    """What it answers, or what its exception means."""
    try:
        return call(), None
    except Exception as error:  # the tool has many, of its own and of two HTTP libraries
        return None, explain(error)


def explain(error: BaseException) -> dict[str, t.Any]:
    """What an exception of the tool means. It hides the hub's answer behind one or two of its own."""
    chain: list[BaseException] = []
    link: BaseException | None = error
    while link is not None and link not in chain:
        chain.append(link)
        link = link.__cause__ or link.__context__
    full = next(
        (each for each in chain if getattr(each, "errno", None) in (errno.ENOSPC, errno.EDQUOT)), None
    )
    if full is not None:
        return _told("disk_full", str(full))
    names = {kind.__name__ for each in chain for kind in type(each).__mro__}
    answers = (getattr(each, "response", None) for each in chain)
    response = next((each for each in answers if each is not None), None)
    if response is None:
        network = names & {"ConnectionError", "TransportError", "RequestException", "TimeoutException"}
        first = str(chain[-1]) or type(chain[-1]).__name__
        return _told("hub_out_of_reach" if network else "tool_failed", first, again=bool(network))
    status = int(response.status_code)
    said = response.headers.get("X-Error-Message") or ""
    codes = (("RevisionNotFoundError", "revision_unknown"), ("GatedRepoError", "gated"))
    code = next((code for name, code in codes if name in names), _by_status(status, said))
    after = response.headers.get("Retry-After", "")
    pause = int(after) if after.isdigit() else None
    return _told(code, said or f"HTTP {status}", status, status in _TRIED_AGAIN, pause)


def _by_status(status: int, said: str) -> str:
    if "Invalid credentials" in said or "Invalid username" in said:
        return "token_refused"
    return {
        401: "not_found_or_private",
        403: "forbidden",
        404: "not_found_or_private",
        429: "too_many_requests",
    }.get(status, "hub_failed")


def _told(
    code: str,
    message: str,
    status: int | None = None,
    again: bool = False,
    after: int | None = None,
) -> dict[str, t.Any]:
    first = message.strip().splitlines()[0] if message.strip() else ""
    return {"code": code, "message": first, "status": status, "again": again, "after": after}


def let_all_read(home: pathlib.Path) -> None:
    """A server need not run as root; the tool writes some of its notes for their owner alone."""
    for path in home.rglob("*"):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode | (0o055 if path.is_dir() else 0o044))


def remember(home: pathlib.Path, asked: str, commit: str) -> None:
    """Note what a branch or tag meant, as the tool does it; also `main`, for code that forgets the revision."""
    if asked != commit:
        write(home / "refs" / asked, commit)
    if not (home / "refs" / "main").exists():
        write(home / "refs" / "main", commit)


def write(path: pathlib.Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def size_of(home: pathlib.Path) -> int:
    """Bytes of what was brought so far, half files included."""
    sizes = [path.stat().st_size for path in (home / "blobs").glob("*") if path.is_file()]
    return sum(sizes)


def main() -> int:
    state = State(JOB)
    try:
        fetch(json.loads((JOB / "request.json").read_text(encoding="utf-8")), state)
    except FetchError as error:
        state.say("failed", problem=error.as_dict)
        return 1
    except Exception as error:  # whatever it is, somebody waits for a word
        told = explain(error)
        state.say("failed", problem={key: told[key] for key in ("code", "message", "status")})
        raise
    state.say("done")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
