#!/usr/bin/env bash
# What was planted, and a removal must not touch.
set -euo pipefail
cp --preserve /root/nvidia.yaml /etc/cdi/nvidia.yaml
podman rm --force --time 1 vllm-tiny
