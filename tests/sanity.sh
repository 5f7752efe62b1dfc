#!/usr/bin/env bash
# ansible-test wants a real folder …/ansible_collections/gpuops/vllm_fleet, so the tracked files are copied to one.
set -euo pipefail
cd "$(dirname "$0")/.."

tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
collection=$tree/ansible_collections/gpuops/vllm_fleet
mkdir -p "$collection" ~/.ansible/test/cache
# What people install, and what ansible-test itself reads; not the workshop.
git ls-files -z --cached --others --exclude-standard -- \
    README.md COPYING CHANGELOG.md changelogs docs galaxy.yml meta playbooks plugins roles tests/config.yml tests/sanity |
    xargs -0 cp --parents -t "$collection"

# ansible-test fetches get-pip.py from a host of its own; Python brings pip as well.
for version in 23_1_2 24_2 25_2; do
    printf 'import ensurepip\n\nensurepip.bootstrap(default_pip=True)\n' > ~/.ansible/test/cache/get_pip_$version.py
done

# The Pythons themselves, not a version manager's stand-ins for them, which ansible-test cannot use.
for bin in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.{9,11,13}*/bin; do
    [ -d "$bin" ] && PATH=$PATH:$bin
done
pythons=$(printf '%s\n' "$PATH" | tr : '\n' | grep -v '/shims$' | paste -sd:)

for version in 3.9 3.11 3.13; do
    PATH=$pythons command -v "python$version" > /dev/null ||
        echo "sanity: not run on Python $version: not on this machine (tests/matrix has it for the unit tests)"
done

cd "$collection"
git init -q . && git add -A . > /dev/null
LC_ALL=C.UTF-8 PATH=$pythons ansible-test sanity --requirements --color no "$@"
