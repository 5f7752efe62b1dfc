#!/usr/bin/env bash
# Plants a value wherever secrets are looked for, looks, and prints what was found as the last line.
set -euo pipefail
umask 077
planted=$1 folder=/root/secrets-control
trap 'kill "${watch:-}" "${spoken:-}" 2>/dev/null || true; rm -rf "$folder" /etc/secrets-control' EXIT
mkdir -p "$folder" /etc/secrets-control
echo "{\"control\": \"$planted\"}" >"$folder/canaries.json"
: >"$folder/hits.jsonl"

echo "x=$planted" >/etc/secrets-control/plain
echo -n "user:$planted" | base64 >/etc/secrets-control/base64
logger "x=$planted"

python3 /root/secrets-look/look.py watch "$folder/canaries.json" "$folder/hits.jsonl" &
watch=$!
python3 -c 'import time; time.sleep(120)' "$planted" &
spoken=$!
for _ in $(seq 120); do
    grep --quiet python3 "$folder/hits.jsonl" && break
    sleep 0.5
done

python3 /root/secrets-look/look.py host "$folder/canaries.json" "$folder/hits.jsonl"
