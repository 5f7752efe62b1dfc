#!/usr/bin/env bash
# Every linter, all of them even when one complains; the whole fails when any did.
set -uo pipefail
cd "$(dirname "$0")/.."
failed=()

check() {
    local name=$1
    shift
    "$@" || failed+=("$name")
}

types() {
    # From above the collection: inside the checkout mypy would see every file under two names.
    (cd .collections && mypy --config-file ../.mypy.ini ansible_collections/gpuops/vllm_fleet/plugins/module_utils)
}

check "ruff format" ruff format --check --quiet .
check "ruff check" ruff check --quiet .
check yamllint yamllint --strict .
check mypy types
check "mypy tests/reliability" env MYPYPATH=tests/reliability mypy --config-file .mypy.ini tests/reliability
check reuse reuse --no-multiprocessing lint --quiet
check antsibull-changelog antsibull-changelog lint
check ansible-lint ansible-lint --offline -q

if [ ${#failed[@]} -gt 0 ]; then
    printf 'lint: failed: %s\n' "${failed[@]}"
    exit 1
fi
echo "lint: all clean"
