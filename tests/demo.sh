#!/usr/bin/env bash
# The main job, for a look: two throw-away hosts with simulated GPUs, site.yml on them, tokens from both.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/hosts/sandbox.py up --group demo
ansible-playbook -i inventories/sandbox site.yml
ansible-playbook -i inventories/sandbox tests/hosts/ask.yml

cat << 'END'

Both hosts serve. Now, for instance:
  source .venv/bin/activate
  ansible-playbook -i inventories/sandbox site.yml                  # a second run changes nothing
  $EDITOR inventories/sandbox/host_vars/gpu-02.yml                  # one flag of one server on one host
  ansible-playbook -i inventories/sandbox site.yml --check --diff   # one line of one unit
  tests/hosts/sandbox.py status                                     # the hosts, and how to log in
  make clean
END
