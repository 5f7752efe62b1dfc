#!/usr/bin/env bash
# The oldest ansible-core that is supported, the one of the tests, and the newest; the Pythons of hosts. Ends with a table of what
# passed and what was not run. What the steps `unit` and `sanity` prove on the one of the tests is not done again here.
# With --full nothing is left out that takes long: all unit tests and all of ansible-test's on each, each host's Python with each core.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tests/matrix/cores.sh
full=${1-}
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT

attempt() { # core column log command...: its last line is what came of it
    local core=$1 column=$2 log=$3 from=$SECONDS
    shift 3
    if "$@" > "$log" 2>&1 < /dev/null; then
        result "$core" "$version" "$column" "$(summary "$column" "$log")"
    else
        result "$core" "$version" "$column" FAILED
        tail -n 60 "$log"
        echo "matrix: $column fails with $core, Python $version"
    fi
    echo "matrix: $column, $core, Python $version: $((SECONDS - from)) s"
}

summary() { # column log
    case $1 in
        unit) grep -oE '[0-9]+ passed(, [0-9]+ skipped)?' "$2" | tail -n 1 ;;
        sanity) echo "$(grep -oE 'Running sanity test "[a-z0-9-]+"( on)?' "$2" | sort -u | wc -l) checks passed" ;;
        planning) echo "$(ls tests/matrix/*.yml | wc -l) playbooks passed" ;;
    esac
}

# Controller: what knows of Ansible's release; the pure packages do not, and have the Pythons of hosts for it.
units() {
    local less=(--ignore=tests/unit/plugins/module_utils)
    [ -z "$full" ] || less=()
    within_core "PATH=$bin:$PATH" "$bin/python" -m pytest -q -p no:cacheprovider "${less[@]}" tests/unit
}

# What a release of ansible-core may see otherwise; the rest is about our text, and the step `sanity` does it.
sanity() {
    local less=(--python "$(cut -d. -f1,2 <<< "$version")" --test ansible-doc --test runtime-metadata --test validate-modules --test import)
    [ -z "$full" ] || less=()
    # One at a time where they would make the same environments.
    ${full:+flock "$logs"} "${within[@]}" env "PATH=$bin:$PATH" tests/sanity.sh "${less[@]}"
}

plan() {
    local playbook
    for playbook in tests/matrix/*.yml; do
        within_core "$bin/ansible-playbook" -i tests/matrix/inventory "$playbook" || return 1
    done
}

# What travels to a host, with the module_utils of Ansible that a release of ansible-core sends along.
travels() { # folder-with-ansible
    local paths="PYTHONPATH=$PWD/.collections:$1"
    within_core "$paths" "$bin/python" tests/matrix/import_all.py &&
        within_core "$paths" "$bin/python" -m pytest -q -p no:cacheprovider tests/unit/plugins/module_utils tests/unit/plugins/modules
}

on_core() { # 2.16|2.19|newest
    local core version bin python within column
    if ! use_core "$1"; then
        for column in unit sanity planning; do
            result "$1" none "$column" "not run: no Python for it"
        done
        return
    fi
    attempt "$core" planning "$logs/planning-$1" plan
    if [ "$1" = 2.19 ] && [ -z "$full" ]; then
        result "$core" "$version" unit "step unit"
        result "$core" "$version" sanity "step sanity"
    else
        attempt "$core" unit "$logs/unit-$1" units
        attempt "$core" sanity "$logs/sanity-$1" sanity
    fi
}

on_host() { # 3.9|3.11|3.13 core...
    local wanted=$1 core name version bin python within sent programs
    shift
    for sent in "$@"; do
        use_core "$sent" || continue
        programs=$bin name=$core
        if ! use_host "$wanted"; then
            result "host, sent by $name" "$wanted" unit "not run: no such Python, and no Debian with it"
            continue
        fi
        mkdir -p "$logs/$wanted-$sent"
        ln -sfn "$(echo "$programs"/../lib/python*/site-packages/ansible)" "$logs/$wanted-$sent/ansible"
        attempt "host, sent by $name" unit "$logs/host-$wanted-$sent" travels "$logs/$wanted-$sent"
    done
}

rm -f "$results"
for core in 2.16 newest; do # before two of them are asked for at once
    use_core $core || true
done
unset core version bin python within
# Two at a time: nothing of this uses a second processor.
if [ -n "$full" ]; then
    (
        on_core 2.16
        on_core newest
        on_host 3.9 2.16
    ) &
    lanes=($!)
    (
        on_core 2.19
        on_host 3.9 newest
        on_host 3.11 2.16 newest
        on_host 3.13 newest
    ) &
else
    (
        on_core 2.16
        on_host 3.9 2.16
    ) &
    lanes=($!)
    (
        on_core newest
        on_core 2.19
        on_host 3.13 newest
        core=2.19 version=$(.venv/bin/python -c 'import platform; print(platform.python_version())')
        result "host, sent by $core" "$version" unit "step unit"
    ) &
fi
lanes+=($!)
status=0
for lane in "${lanes[@]}"; do
    wait "$lane" || status=$?
done
python3 tests/matrix/table.py "$results" || status=$?
exit "$status"
