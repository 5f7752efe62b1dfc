#!/usr/bin/env bash
# What a host has, line by line: two of them are compared. Times and process numbers are not in it.
set -euo pipefail

for folder in /etc /usr/local /var/lib/vllm-fleet /run/vllm-fleet /run/systemd/system; do
    [ -e "$folder" ] || continue
    find "$folder" -xdev -printf '%y %m %u %p %l\n'
    find "$folder" -xdev -type f -exec sha256sum {} +
done | sort
podman ps --all --no-trunc --format 'container {{.ID}} {{.Names}} {{.State}}' | sort
# Others of this machine may make images in the store that its hosts share.
podman images --no-trunc --format 'image {{.ID}} {{.Repository}}:{{.Tag}}' | grep -E 'operate|foreign|vllm-fleet/' | sort -u
podman secret ls --format 'secret {{.ID}} {{.Name}}' | sort
podman volume ls --format 'volume {{.Name}}' | sort
systemctl list-units --all --plain --no-legend '*vllm*' '*foreign*' | awk '{print "unit", $1, $2, $3, $4}' | sort
