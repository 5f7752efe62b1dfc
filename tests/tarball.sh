#!/usr/bin/env bash
# The collection as people install it: built, put into an empty folder by an environment that has ansible-core and
# nothing else (meta/execution-environment.yml asks for nothing more), without our ansible.cfg, default forks. With arguments,
# these are inventories of hosts that are as planned: the main job then runs on them and changes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
    echo "tarball: $*"
    exit 1
}

# As an execution environment has it: the ansible-core of the tests, and no other Python package, nor another collection.
core=$(python -c 'import ansible.release; print(ansible.release.__version__)')
python=$(python -c 'import sys; print(sys._base_executable)')
. tests/environment.sh
make_environment "empty-$(hash_of "$python" "$core")" "$python" "ansible-core==$core"
unset ANSIBLE_CONFIG ANSIBLE_COLLECTIONS_PATH PYTHONPATH VIRTUAL_ENV
export PATH=$bin:/usr/sbin:/usr/bin:/sbin:/bin ANSIBLE_HOME=$folder/home

ansible-galaxy collection build --force --output-path "$folder" . > /dev/null
cd "$folder"
tarball=$(echo gpuops-vllm_fleet-*.tar.gz)
ansible-galaxy collection install --offline -p "$folder/collections" "$tarball" > /dev/null
export ANSIBLE_COLLECTIONS_PATH=$folder/collections
cp -r "$checkout/inventories" .

# What is in it: the collection, and nothing of the workshop.
wanted='^(COPYING|FILES\.json|MANIFEST\.json|README\.md|ansible\.cfg|site\.yml|CHANGELOG\.md|REUSE\.toml|LICENSES|changelogs|docs|inventories|meta|playbooks|plugins|roles)(/|$)'
tar -tzf "$tarball" > contents
! grep -vE "$wanted" contents || fail "these files should not be in it"
! grep -E '(^|/)(__pycache__|\.cache|\.sandbox|\.git)(/|$)|\.(pyc|tar\.gz|log|retry)$' contents || fail "these files should not be in it"
size=$(stat --format %s "$tarball")
[ "$size" -lt 4000000 ] || fail "it has $size bytes; more than 4 MB needs a reason"

names_of() { # kind: the names of this collection
    ansible-doc --type "$1" --list --json gpuops.vllm_fleet 2> /dev/null | python -c 'import json, sys; print(*json.load(sys.stdin))'
}

ansible-playbook -i inventories/example gpuops.vllm_fleet.validate
playbooks=("$folder"/collections/ansible_collections/gpuops/vllm_fleet/playbooks/*.yml)
names=("${playbooks[@]##*/}")
names=("${names[@]%.yml}")
ansible-playbook -i inventories/example --syntax-check "${names[@]/#/gpuops.vllm_fleet.}" > said 2>&1 || { cat said; fail "a playbook"; }
documented=0
for kind in module filter role; do
    read -ra names < <(names_of "$kind")
    [ "${#names[@]}" -gt 0 ] || fail "no $kind is listed"
    # All of one kind at once: each call of ansible-doc costs more than what it shows.
    ansible-doc --type "$kind" "${names[@]}" > said 2>&1 || { cat said; fail "the documentation of a $kind"; }
    for name in "${names[@]}"; do
        grep -qF "$name" said || fail "ansible-doc --type $kind $name shows nothing"
    done
    documented=$((documented + ${#names[@]}))
done
echo 'podman run -d --device nvidia.com/gpu=0 -p 8000:8000 docker.io/vllm/vllm-openai:v0.26.0 --model Qwen/Qwen3-8B' > run.sh
ansible-playbook -i localhost, -e "vllm_adopt_from=$folder/run.sh" gpuops.vllm_fleet.adopt > said 2>&1 || { cat said; fail adopt; }
grep -q 'model: Qwen/Qwen3-8B' said || { cat said; fail "adopt.yml should show the model"; }
if [ $# -gt 0 ]; then
    ansible-playbook "${@/#/--inventory=}" gpuops.vllm_fleet.site | tee site.log
    if ! grep -q 'changed=0' site.log || grep -qE 'changed=[1-9]' site.log; then
        fail "the main job should have changed nothing"
    fi
fi
echo "tarball: $size bytes, $(wc -l < contents) entries, installed beside nothing but ansible-core $core: validates the example fleet," \
    "${#playbooks[@]} playbooks, $documented plugins and roles documented"
