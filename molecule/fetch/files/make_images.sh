#!/usr/bin/env bash
# Images that hold nothing but bytes, pushed to the registry of this host. Run where the registry runs.
set -euo pipefail
registry=registry.test:5000/vllm
work=$(mktemp --directory)
trap 'rm -rf "$work"' EXIT

make() { # name:tag, and what the only file of it is made of
    mkdir -p "$work/root"
    eval "$2" >"$work/root/bytes"
    tar --directory "$work/root" --create . | podman import --quiet - "localhost/made/$1" >/dev/null
    podman push --quiet "localhost/made/$1" "docker://$registry/$1"
}

make small:v0.32.0 'head --bytes 300000 /dev/urandom'
make large:v0.32.0 'head --bytes 20000000 /dev/urandom'
make swollen:v0.32.0 'head --bytes 150000000 /dev/zero'
make moving:v0.32.0 'head --bytes 100000 /dev/urandom'
make moving:v0.33.0 'head --bytes 100000 /dev/urandom'
make corrupt:v0.32.0 'head --bytes 400000 /dev/urandom'
podman save --quiet --output /srv/small.tar localhost/made/small:v0.32.0

# A registry that serves other bytes than it says.
digest=$(curl --silent --header 'Accept: application/vnd.oci.image.manifest.v1+json' \
    http://registry.test:5000/v2/vllm/corrupt/manifests/v0.32.0 | python3 -c 'import json,sys; print(json.load(sys.stdin)["layers"][0]["digest"][7:])')
blob=/srv/registry/docker/registry/v2/blobs/sha256/${digest:0:2}/$digest/data
head --bytes "$(stat --format %s "$blob")" /dev/urandom >"$blob.other"
mv "$blob.other" "$blob"

podman image prune --all --force >/dev/null
