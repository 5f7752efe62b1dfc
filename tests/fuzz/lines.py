"""Random command lines for one release: right, wrong, abbreviated, misspelled, dotted, from other releases."""

from __future__ import annotations

import json
import random
import typing as t

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._settings.tables import (
    RELEASES,
    Option,
    Table,
    table_at,
)

# fmt: off
WORDS = [
    "1", "0", "-1", "7", "64", "1.5", "abc", "None", "none", "true", "32k", "2K", "1.5K", "auto", "1t",
    "[1,2]", "{}", "x=y", "a,b", "0,1", "1e3", "1_000", "nan", "0x10", "é", "fp8", "bfloat16", "-x",
    "FLASH_ATTN", "--", "-", "a.b", "-1.5", "@x",
]
# fmt: on
ODD = [*WORDS, "", "1 ", '{"a":1}', "-x y"]
NEVER = ("help", "config", "mm_processor_device")  # ends the program; reads a file; offers more with a GPU


class Lines:
    """A source of command lines that gives the same ones for the same seed."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        self.random = random.Random(f"{table.version} {seed}")
        self.options = [
            option for option in table.options.values() if option.names and option.dest not in NEVER
        ]
        others = {name for index in range(0, len(RELEASES), 3) for name in table_at(index).by_name}
        self.foreign = sorted(others - set(table.by_name))

    def many(self, count: int) -> list[list[str]]:
        """That many command lines, none of which asks for help or reads a file."""
        found: list[list[str]] = []
        while len(found) < count:
            line = self._line()
            if not any(word.startswith(("--h", "-h", "--conf")) for word in line):
                found.append(line)
        return found

    def _line(self) -> list[str]:
        words = ["m"] if self.random.random() < 0.93 else []
        for _ in range(self.random.choice([1, 1, 1, 2, 3])):
            words += self._part()
        return words + (["m"] if self.random.random() < 0.02 else [])

    def _part(self) -> list[str]:
        if self.foreign and self.random.random() < 0.06:
            return [self.random.choice(self.foreign), *self._some(0, 1)]
        option = self.random.choice(self.options)
        name = self._spelled(self.random.choice([*option.names, *option.off]))
        if option.json_class and self.random.random() < 0.8:
            return self._json(name, option.json_class)
        if option.switch:
            return (
                [name] if self.random.random() < 0.9 else [name + "=" + self.random.choice(["true", "1", ""])]
            )
        return self._valued(option, name)

    def _valued(self, option: Option, name: str) -> list[str]:
        allowed = [str(each) for each in option.choices or ()]
        value = (
            self.random.choice([*allowed, "bogus"])
            if allowed and self.random.random() < 0.8
            else self._word()
        )
        if option.nargs == "+":
            return [name, value, *self._some(0, 2)]
        if (
            self.random.random() < 0.3 and value != "--"
        ):  # --x=-- means something else to every patch of Python
            return [f"{name}={value}"]
        return [name, value] if self.random.random() < 0.97 else [name]

    def _some(self, least: int, most: int) -> list[str]:
        return [self._word() for _ in range(self.random.randint(least, most))]

    def _word(self) -> str:
        return self.random.choice(ODD)

    def _spelled(self, name: str) -> str:
        chance = self.random.random()
        if not name.startswith("--"):
            return name
        if chance < 0.12:
            return "--" + name[2:].replace("-", "_")
        if chance < 0.22 and len(name) > 6:
            return name[: self.random.randint(4, len(name) - 1)]
        return name + "x" if chance < 0.25 else name

    # JSON
    def _json(self, name: str, json_class: str) -> list[str]:
        value = self._object(json_class)
        if not value or self.random.random() < 0.6:
            return [name, json.dumps(value)]
        key = self.random.choice(list(value))
        text = value[key] if isinstance(value[key], str) and value[key] else json.dumps(value[key])
        return [f"{name}.{key}={text}"] if self.random.random() < 0.3 else [f"{name}.{key}", text]

    def _object(self, name: str, depth: int = 0) -> dict[str, t.Any]:
        found = self.table.json_class(name)
        if found is None or depth > 2:
            return {}
        keys = [key for key in found.fields if key not in ("debug_dump_path", "cache_dir", "inductor_passes")]
        chosen = self.random.sample(keys, min(len(keys), self.random.randint(0, 3)))
        value = {key: self._of(found.fields[key].type, depth) for key in chosen}
        return {**value, "bogus_key": 1} if self.random.random() < 0.12 else value

    def _of(self, kind: t.Any, depth: int) -> t.Any:
        if self.random.random() < 0.1:
            return self.random.choice([None, 1, "x", True, [], {}, 1.5, "3", -1])
        if isinstance(kind, str):
            return self._plain(kind)
        head = kind[0]
        if head == "opt":
            return None if self.random.random() < 0.15 else self._of(kind[1], depth)
        if head == "union":
            return self._of(self.random.choice(kind[1:]), depth)
        if head in ("list", "set"):
            return [self._of(kind[1], depth) for _ in range(self.random.randint(0, 3))]
        return self._named(kind, depth)

    def _named(self, kind: t.Any, depth: int) -> t.Any:
        if kind[0] == "cls":
            return self._object(kind[1], depth + 1)
        if kind[0] == "lit":
            return self.random.choice([*self.table.named(kind[1]), "bogus"])
        if kind[0] == "enum":
            members = [
                each
                for pair in self.table.named(kind[1])
                for each in (pair[0], str(pair[0]).lower(), pair[1])
            ]
            return self.random.choice([*members, "BOGUS"])
        return {self.random.choice("abc"): self.random.choice([1, "x"])} if kind[0] == "dict" else [1, 2, 3]

    def _plain(self, kind: str) -> t.Any:
        values: dict[str, list[t.Any]] = {
            "int": [0, 1, 5, -3, "7", 2.0, 2.5, True],
            "float": [0.5, 1, "0.1", "x"],
            "bool": [True, False, "true", "yes", "maybe", 1, 0, 2],
            "str": ["a", "", 5, None],
        }
        return self.random.choice(values.get(kind, [1, "x", None]))
