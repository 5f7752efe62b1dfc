"""Commands that pages show.

Run for real: `validate`, with the inventory of the page and the output that the page shows; `ansible-doc`. Run with
--syntax-check: every other ansible-playbook line, and its variables have to be known. Only checked, because they need hosts, a
network, a GPU or minutes: make targets and programs of the project (they are there), `ansible` and `ansible-galaxy` lines, and
what is typed on a host (its programs are on a list). The scenarios of molecule/ and tests/tarball.sh run those.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from pages import ROOT, Block, blocks, page
from reference import PLAYBOOKS, TARGETS, is_variable

from inventories import files_of, write

OF_HOSTS = {
    "cat", "cp", "curl", "echo", "ip", "journalctl", "ln", "mkdir", "nvidia-ctk", "nvidia-smi", "podman", "readlink", "rm",
    "sleep", "ss", "systemctl", "tail",
}  # fmt: skip
ONLY_CHECKED = {"ansible", "ansible-galaxy", "git", "pip", "scp", "source", "tar"}
ENVIRONMENT = {
    **os.environ,
    "ANSIBLE_COLLECTIONS_PATH": str(ROOT / ".collections"),
    "ANSIBLE_CONFIG": str(ROOT / "ansible.cfg"),
    "ANSIBLE_NOCOLOR": "1",
}


@dataclasses.dataclass(frozen=True)
class Command:
    """A command as a page shows it, with the lines of its output below it."""

    block: Block
    text: str
    shown: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.block}-{self.text[:60]}"

    @property
    def words(self) -> list[str]:
        return shlex.split(self.text, comments=True)

    def all_of(self, *options: str) -> list[str]:
        """The values of an option."""
        return [after for word, after in zip(self.words, self.words[1:]) if word in options]


def commands_of(block: Block) -> list[Command]:
    """Lines behind `$ ` (or `# `: as root on a host) with their output; all lines where no prompt is shown."""
    lines = re.sub(r"\\\n\s*", "", block.text).splitlines()
    prompts = [number for number, line in enumerate(lines) if re.match(r"^[$#] ", line)]
    if block.language != "console":
        return [Command(block, line) for line in lines if line.strip()]
    ends = [*prompts[1:], len(lines)]
    found = []
    for start, end in zip(prompts, ends):
        # What follows a command as root in two or more spaces is a remark of the page.
        text = re.split(r"\s{2,}(?=\w)", lines[start][2:])[0] if lines[start][0] == "#" else lines[start][2:]
        found.append(Command(block, text, tuple(lines[start + 1 : end])))
    return found


def _is_of_commands(block: Block) -> bool:
    """Whether what is only indented are commands, and no output or text."""
    first = block.text.split()[0].rpartition("/")[2]
    return first.startswith(("ansible", "sandbox", "make", "echo", "sleep", "install_")) or first.endswith(
        (".py", ".sh")
    )


COMMANDS = [
    command
    for block in (*blocks("console", "sh", "bash"), *filter(_is_of_commands, blocks("")))
    for command in commands_of(block)
]
PLAYED = [command for command in COMMANDS if command.words[0] == "ansible-playbook"]
VALIDATED = [
    command for command in PLAYED if command.words[-1:] and "gpuops.vllm_fleet.validate" in command.words
]


def playbook_of(command: Command) -> Path | None:
    """The playbook that a line names."""
    for word in command.words[1:]:
        if word.startswith("gpuops.vllm_fleet."):
            return PLAYBOOKS.get(word.removeprefix("gpuops.vllm_fleet."))
        if (
            word.endswith(".yml")
            and not word.startswith((".sandbox", "inventory"))
            and (ROOT / word).is_file()
        ):
            return ROOT / word
    return None


def variables_of(command: Command) -> list[str]:
    """The variables that -e sets; of files nothing is known."""
    names: list[str] = []
    for value in command.all_of("-e", "--extra-vars"):
        if value.startswith("{"):
            names += json.loads(value)
        elif not value.startswith("@"):
            names += [pair.partition("=")[0] for pair in value.split()]
    return names


def write_inventory(command: Command, folder: Path) -> None:
    """`inventory` as the page of a command shows it, else as the README does."""
    shown = [each for path in (command.block.page, ROOT / "README.md") for each in page(path).blocks]
    whole = next(each for each in shown if each.language == "yaml" and "# inventory/hosts.yml" in each.text)
    write(files_of(whole.text), folder / "inventory")


def test_there_are_commands_of_every_kind() -> None:
    assert len(COMMANDS) > 40
    assert len(PLAYED) > 15
    assert len(VALIDATED) >= 3


@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_a_program_is_one_that_the_reader_has(command: Command) -> None:
    words = [word for word in command.words if "=" not in word or word.startswith("-")]
    program = words[0]
    if program == "make":
        assert words[1] in TARGETS
    elif program in ("python", "python3") or "/" in program:
        path = words[1] if program.startswith("python") else program
        assert (ROOT / path).is_file()
    else:
        assert program in OF_HOSTS | ONLY_CHECKED | {"ansible-playbook", "ansible-doc"}


@pytest.mark.parametrize("command", PLAYED, ids=str)
def test_an_ansible_playbook_line_names_a_playbook_and_variables_that_are_there(command: Command) -> None:
    assert playbook_of(command) is not None
    assert [name for name in variables_of(command) if not is_variable(name)] == []


def test_the_playbooks_that_are_shown_have_a_syntax_that_ansible_takes() -> None:
    names = sorted({str(playbook_of(command)) for command in PLAYED})
    done = subprocess.run(
        ["ansible-playbook", "--syntax-check", "-i", str(ROOT / "inventories" / "example"), *names],
        check=False, capture_output=True, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_playbooks_that_are_shown_are_run_on_hosts_by_a_scenario() -> None:
    folders = ("molecule", "tests/integration", "tests/reliability", "tests/matrix")
    files = [
        path
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.suffix in (".yml", ".py", ".sh")
    ]
    run = "\n".join(path.read_text(encoding="utf-8") for path in files)
    shown = {
        path.stem for command in PLAYED if (path := playbook_of(command)) and path.parent.name == "playbooks"
    }
    assert {name for name in shown - {"validate"} if not re.search(rf"\b{name}(\.yml)?\b", run)} == set()


@pytest.mark.parametrize("command", VALIDATED, ids=str)
def test_validate_says_what_the_page_shows(command: Command, tmp_path: Path) -> None:
    write_inventory(command, tmp_path)
    for place in ("inventories", "playbooks"):
        (tmp_path / place).symlink_to(ROOT / place)
    done = subprocess.run(
        command.words, check=False, capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT
    )
    said = iter(done.stdout.splitlines())
    missing = [line for line in command.shown if line.strip() not in ("", "…") and line not in said]
    assert missing == [], done.stdout
    wrong = any(line.startswith("ERROR") for line in command.shown)
    assert done.returncode == (2 if wrong else 0), done.stdout + done.stderr


@pytest.mark.parametrize("command", [each for each in COMMANDS if each.words[0] == "ansible-doc"], ids=str)
def test_ansible_doc_answers(command: Command) -> None:
    done = subprocess.run(command.words, check=False, capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 0
    assert "gpuops.vllm_fleet" in done.stdout
