"""The record of a release, as tests change it for what they are about."""

from __future__ import annotations

from ansible_collections.gpuops.vllm_fleet.plugins.module_utils._release.records import Record

RECORD = Record(
    instance="q",
    release=1,
    fleet="default",
    intent_hash="a",
    intent={},
    model="m",
    vllm_version="0.32.0",
    image="i",
    image_identity="sha256:a",
    url="http://127.0.0.1:8000",
    listen="127.0.0.1",
    port=8000,
    devices=(),
    gate={},
    service="vllm-q.service",
    collection_version="0.1.0",
    made_at="2026-11-30T12:00:00+00:00",
)
