#!/usr/bin/env bash
# The collection as people install it: built, put into an empty folder, without our ansible.cfg, default forks. With
# arguments, these are inventories of hosts that are as planned: the main job then runs on them and changes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
checkout=$PWD

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
ansible-galaxy collection build --force --output-path "$folder" . > /dev/null
unset ANSIBLE_CONFIG ANSIBLE_COLLECTIONS_PATH PYTHONPATH
cd "$folder"
ansible-galaxy collection install --no-deps --offline -p "$folder/collections" gpuops-vllm_fleet-*.tar.gz > /dev/null
cp -r "$checkout/inventories" .
export ANSIBLE_COLLECTIONS_PATH=$folder/collections
unpacked=$folder/collections/ansible_collections/gpuops/vllm_fleet
for left_out in tests tools bench molecule .collections .ci; do
    if [ -e "$unpacked/$left_out" ]; then
        echo "tarball: $left_out should not be in it"
        exit 1
    fi
done
ansible-playbook -i inventories/example gpuops.vllm_fleet.validate
ansible-playbook -i inventories/example --syntax-check gpuops.vllm_fleet.site
for name in $(ansible-doc --list gpuops.vllm_fleet | cut -d' ' -f1); do
    ansible-doc "$name" > /dev/null
done
if [ $# -gt 0 ]; then
    ansible-playbook "${@/#/--inventory=}" gpuops.vllm_fleet.site | tee site.log
    if ! grep -q 'changed=0' site.log || grep -qE 'changed=[1-9]' site.log; then
        echo "tarball: the main job should have changed nothing"
        exit 1
    fi
fi
echo "tarball: built, installed, validates the example fleet"
