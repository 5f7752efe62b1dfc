#!/usr/bin/env bash
# roll_out.yml and report.yml on a throw-away host, with the oldest ansible-core that is supported and with the newest: planning
# alone does not show how a release templates the size of a batch, a null, or the fact of another host.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. tests/matrix/cores.sh
group=matrix

play() { # what-is-expected options...
    local expected=$1
    shift
    status=0
    within_core "$bin/ansible-playbook" -i ".sandbox/$group/hosts.yml" \
        -i tests/matrix/hosts/inventory -e "vllm_report_dir=$folder" tests/matrix/hosts/roll_out.yml "$@" > "$log" 2>&1 || status=$?
    printf '  %-30s %s\n' "$expected" "$(grep -oE 'changed=[0-9]+' "$log" | tail -n 1)"
}

expect() { # pattern...: each stands in what the run said
    local pattern
    for pattern in "$@"; do
        grep -qE -- "$pattern" "$log" || fail "$pattern"
    done
}

fail() {
    cat "$log"
    result "$core" "$version" releases FAILED
    echo "matrix: with $core, in the run '$expected': expected $1"
    exit 1
}

new='{"vllm_overrides": {"tiny": {"settings": {"max_num_seqs": 3}}}}'
bad='{"vllm_overrides": {"tiny": {"env": {"REHEARSAL": "fail=oom_generic"}}}}'
gone='{"vllm_overrides": {"tiny": {"state": "absent"}}}'

roll_out_with() {
    if ! use_core "$1"; then
        result "$1" none releases "not run: no Python for it"
        return
    fi
    echo "ansible-core $core, Python $version"
    step 0 "predicted: a first release" --check
    expect 'gpu-01 +tiny +would release ' 'gpu-01 .* changed=2 ' # its secret, and the release
    step 0 "a first release"
    expect 'gpu-01 +tiny +released ' 'gpu-01 .* changed=2 '
    step 0 "nothing to do"
    expect 'gpu-01 +tiny +nothing ' 'gpu-01 .* changed=0 '
    step 0 "an update" -e "$new"
    expect 'gpu-01 +tiny +released ' 'gpu-01 .* changed=1 ' 'settings.max_num_seqs +4 +3 '
    step 2 "undone" -e "$bad"
    expect 'gpu-01 +tiny +UNDONE ' 'gpu-01 tiny: release 2 serves again' 'Cause: GPU memory ran out'
    step 0 "removed" -e "$gone"
    expect 'gpu-01 .* changed=1 '
    result "$core" "$version" releases "6 runs passed"
}

step() { # status what-is-expected options...
    local wanted=$1
    expected=$2
    shift 2
    play "$expected" "$@"
    [ "$status" -eq "$wanted" ] || fail "the exit status $wanted, and it was $status"
}

folder=$(mktemp -d)
log=$folder/log
trap 'rm -rf "$folder"; tests/hosts/sandbox.py down --group $group' EXIT
tests/hosts/sandbox.py up --group "$group" --first-port 24000 gpu-01=l4x1

roll_out_with 2.16
roll_out_with newest
use_core 2.19
result "$core" "$version" releases "step molecule"
python3 tests/matrix/table.py "$results" || true # what run.sh found, it has told itself
