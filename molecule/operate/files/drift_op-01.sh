#!/usr/bin/env bash
# A unit is edited, a server stopped, and the tag names another image.
set -euo pipefail
sed -i 's/--max-num-seqs 4/--max-num-seqs 2/' /etc/containers/systemd/vllm-tiny.container
systemctl stop vllm-small.service
podman tag localhost/vllm-rehearsal:v0.26.0 localhost/operate:v0.32.0
