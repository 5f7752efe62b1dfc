#!/usr/bin/env bash
# What was planted, and a removal must not touch.
set -euo pipefail
podman tag localhost/vllm-rehearsal:v0.32.0 localhost/operate:v0.32.0
