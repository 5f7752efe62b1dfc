#!/usr/bin/env bash
# The driver is exchanged under the servers, one of them crashes, one is run by hand, one serves another model, and a unit
# and a secret get lost. Last comes another Podman, put there as packages do it.
set -euo pipefail
cp --preserve /etc/cdi/nvidia.yaml /root/nvidia.yaml
touch /usr/lib/libcuda.so.580.95.05
cat >> /etc/cdi/nvidia.yaml <<'END' # its last section is that of all devices
    mounts:
        - hostPath: /usr/lib/libcuda.so.580.95.05
          containerPath: /usr/lib/libcuda.so.580.95.05
          options: [ro, bind]
END
podman kill --signal KILL vllm-extra

image=$(podman inspect --format '{{.Image}}' vllm-tiny)
secret=$(podman secret ls --format '{{.Name}}' | grep '^vllm-tiny-key-' | grep -v -- '-00000000$')
systemctl stop vllm-tiny.service
podman run --detach --name vllm-tiny --volume /srv/models/tiny:/srv/models/tiny:ro --entrypoint vllm "$image" \
    serve /srv/models/tiny --max-num-seqs 16 --api-key canary-on-a-command-line
podman secret rm "$secret"
echo '{"serve_as": "something-else"}' > /srv/rehearsal/small/control.json
rm /etc/containers/systemd/vllm-small.container

came_back() { # as systemd counts it, and it serves again
    [ "$(systemctl show --property NRestarts,SubState --value vllm-extra.service | xargs)" = "1 running" ] &&
        curl --silent --fail --max-time 10 --output /dev/null http://127.0.0.1:8002/health
}
for _ in $(seq 300); do
    came_back && break
    sleep 1
done
came_back || { systemctl status --no-pager vllm-extra.service >&2; exit 1; }
sleep 1 # so that this is another second
cp --preserve /usr/bin/podman /usr/bin/podman.new
mv /usr/bin/podman.new /usr/bin/podman
