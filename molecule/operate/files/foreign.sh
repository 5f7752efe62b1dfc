#!/usr/bin/env bash
# What is somebody's own, some of it under names like ours.
set -euo pipefail
podman tag localhost/vllm-rehearsal:v0.32.0 localhost/operate:v0.32.0
podman tag localhost/vllm-rehearsal:v0.26.0 localhost/foreign:1
podman run --detach --name foreign-vllm --entrypoint sleep localhost/foreign:1 infinity
printf one | podman secret create foreign-secret -
printf two | podman secret create vllm-tiny-key-00000000 -
podman volume create foreign-volume
echo weights > /var/lib/vllm-fleet/models/models--operate--weights/blobs/one
