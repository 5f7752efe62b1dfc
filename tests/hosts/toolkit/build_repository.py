#!/usr/bin/env python3
"""Make an apt repository with small packages of the NVIDIA container toolkit's names, versions and layouts, signed with a key
that is made on the spot.

build_repository.py DIRECTORY. Below it: signed/ and unsigned/ (the layout of NVIDIA's repository: gpgkey, stable/deb/ARCH),
fingerprint.txt. Needs dpkg-deb and gpg. The programs in the packages are stand-ins, see stand_ins/.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERSIONS = ("1.17.8", "1.18.2", "1.20.0")
BASE = "nvidia-container-toolkit-base"
SET = {
    "libnvidia-container1": (),
    "libnvidia-container-tools": ("libnvidia-container1 (= {v})",),
    BASE: (),
    "nvidia-container-toolkit": (f"{BASE} (= {{v}})", "libnvidia-container-tools (= {v})"),
}
UNITS = ("nvidia-cdi-refresh.service", "nvidia-cdi-refresh.path")

# The conditions are those of the real units: they are what the tests are about.
_CONDITION = "/bin/sh -c '/usr/bin/grep -qE \"/(nvidia|nvidia-current)[.]ko\" /lib/modules/%v/modules.dep || [ -e /dev/dxg ]'"
SERVICE = f"""\
[Unit]
Description=Refresh the CDI specification (stand-in)
ConditionPathExists=/usr/bin/nvidia-smi
ConditionPathExists=/usr/bin/nvidia-ctk

[Service]
Type=oneshot
Environment=NVIDIA_CTK_CDI_OUTPUT_FILE_PATH=/var/run/cdi/nvidia.yaml
EnvironmentFile=-/etc/nvidia-container-toolkit/nvidia-cdi-refresh.env
ExecCondition={_CONDITION}
ExecStart=/usr/bin/nvidia-smi -L
ExecStart=/usr/bin/nvidia-ctk cdi generate
CapabilityBoundingSet=CAP_SYS_MODULE CAP_SYS_ADMIN CAP_MKNOD

[Install]
WantedBy=multi-user.target
"""
PATH = """\
[Unit]
Description=Refresh the CDI specification when driver or toolkit change (stand-in)

[Path]
PathChanged=/usr/bin/nvidia-ctk

[Install]
WantedBy=multi-user.target
"""
POSTINST = """\
#!/bin/sh
set -e
if [ "$1" = configure ] && [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl enable --quiet nvidia-cdi-refresh.service nvidia-cdi-refresh.path 2>/dev/null || true
fi
"""
# 1.20 moved its units out of /etc; the package takes its own old copies along.
MOVED = "".join(f"rm_conffile /etc/systemd/system/{unit} 1.20.0-1~ {BASE}\n" for unit in UNITS)


def run(*command: str, **more: object) -> None:
    """Run a command that has to succeed."""
    subprocess.run(command, check=True, **more)  # type: ignore[call-overload]


def architecture() -> str:
    """What dpkg calls this machine."""
    return subprocess.run(
        ["dpkg", "--print-architecture"], check=True, capture_output=True, text=True
    ).stdout.strip()


def write(path: Path, text: str, mode: int = 0o644) -> None:
    """A file with all the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)


def tree(root: Path, name: str, version: str) -> None:
    """What a package installs, and what it does while it is installed."""
    depends = ", ".join(SET[name]).format(v=f"{version}-1")
    control = [f"Package: {name}", f"Version: {version}-1", f"Architecture: {architecture()}",
               "Maintainer: nobody <nobody@example.com>", "Description: stand-in for tests"]  # fmt: skip
    control += [f"Depends: {depends}"] if depends else []
    write(root / "DEBIAN/control", "\n".join([*control, ""]))
    if name != BASE:
        write(root / f"usr/share/doc/{name}/README", "A stand-in for tests.\n")
        return
    numbers = tuple(int(part) for part in version.split("."))
    for program in ("nvidia-ctk", "nvidia-cdi-hook"):
        text = (HERE / "stand_ins" / program).read_text().replace("@VERSION@", version)
        write(root / "usr/bin" / program, text, 0o755)
    if numbers >= (1, 18, 0):
        conffiles = units(root, numbers)
        write(root / "DEBIAN/conffiles", "".join(f"/{path}\n" for path in conffiles))
        write(root / "DEBIAN/postinst", POSTINST, 0o755)
    if numbers >= (1, 20, 0):
        for script in ("preinst", "postinst", "postrm"):
            helper = "".join(f'dpkg-maintscript-helper {line} -- "$@"\n' for line in MOVED.splitlines())
            head, tail = (
                ("#!/bin/sh\nset -e\n", "")
                if script != "postinst"
                else ("#!/bin/sh\nset -e\n", POSTINST.split("set -e\n")[1])
            )
            write(root / "DEBIAN" / script, head + helper + tail, 0o755)


def units(root: Path, numbers: tuple[int, ...]) -> list[str]:
    """The refresh units where that release puts them; the configuration files among what was written."""
    place = "usr/lib/systemd/system" if numbers >= (1, 20, 0) else "etc/systemd/system"
    env = "etc/nvidia-container-toolkit/nvidia-cdi-refresh.env"
    write(root / place / UNITS[0], SERVICE)
    write(root / place / UNITS[1], PATH)
    write(root / env, "# Variables for nvidia-ctk cdi generate.\n")
    return [env, *(f"{place}/{unit}" for unit in UNITS if place.startswith("etc"))]


def packages(place: Path) -> str:
    """Build every package; the index of them."""
    entries = []
    for version in VERSIONS:
        for name in SET:
            with tempfile.TemporaryDirectory() as root:
                tree(Path(root), name, version)
                file = place / f"{name}_{version}-1_{architecture()}.deb"
                run("dpkg-deb", "--build", "--root-owner-group", root, str(file), stdout=subprocess.DEVNULL)
                control = (Path(root) / "DEBIAN/control").read_text()
            digest = hashlib.sha256(file.read_bytes()).hexdigest()
            entries.append(
                f"{control}Filename: ./{file.name}\nSize: {file.stat().st_size}\nSHA256: {digest}\n"
            )
    return "\n".join(entries)


def gpg(home: Path, *arguments: str) -> str:
    """Run gpg with a keyring of its own."""
    command = [
        "gpg",
        "--homedir",
        str(home),
        "--batch",
        "--quiet",
        "--pinentry-mode",
        "loopback",
        "--passphrase",
        "",
        *arguments,
    ]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def main() -> None:
    """Make both repositories."""
    out = Path(sys.argv[1])
    shutil.rmtree(out, ignore_errors=True)
    place = out / "signed/stable/deb" / architecture()
    place.mkdir(parents=True)
    index = packages(place)
    write(place / "Packages", index)
    data = index.encode()
    release = f"Date: Mon, 30 Nov 2026 00:00:00 UTC\nSHA256:\n {hashlib.sha256(data).hexdigest()} {len(data)} Packages\n"
    write(place / "Release", release)
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        home.chmod(0o700)
        gpg(home, "--quick-gen-key", "Toolkit tests <nobody@example.com>", "ed25519", "sign", "never")
        listed = gpg(home, "--with-colons", "--fingerprint")
        write(
            out / "fingerprint.txt",
            next(line.split(":")[9] for line in listed.splitlines() if line.startswith("fpr")) + "\n",
        )
        write(out / "signed/gpgkey", gpg(home, "--armor", "--export"))
        gpg(home, "--clearsign", "--output", str(place / "InRelease"), str(place / "Release"))
        subprocess.run(["gpgconf", "--homedir", str(home), "--kill", "all"], check=False, env={**os.environ})
    shutil.copytree(out / "signed", out / "unsigned")
    (out / "unsigned/stable/deb" / architecture() / "InRelease").unlink()


main()
