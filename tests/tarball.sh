#!/usr/bin/env bash
# The collection as people install it: built, put into an empty folder, without our ansible.cfg, default forks.
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
echo "tarball: built, installed, validates the example fleet"
