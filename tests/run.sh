#!/usr/bin/env bash
# Everything that must pass, cheapest first, with the seconds that each part took. The images of the throw-away hosts are
# made meanwhile. It goes on after a failure, to tell all of them, except that nothing runs on hosts that could not be made.
set -uo pipefail
cd "$(dirname "$0")/.."

began=$SECONDS
passed=0
failed=()
times=()

step() { # name command...
    local name=$1 from=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    if "$@"; then
        passed=$((passed + 1))
    else
        failed+=("$name")
    fi
    times+=("$((SECONDS - from))s $name")
}

images=$(mktemp)
trap 'rm -f "$images"' EXIT
tests/hosts/sandbox.py images > "$images" 2>&1 &
making=$!

step lint tests/lint.sh
step unit python -m pytest -q
step docs python -m pytest -q -c tests/docs/pytest.ini tests/docs
step site python tools/site/build.py
step matrix tests/matrix/run.sh
step sanity tests/sanity.sh
step tarball tests/tarball.sh

made_images() {
    wait "$making" && cat "$images" || { cat "$images"; return 1; }
}
step "images of the hosts" made_images
if [ ${#failed[@]} -eq 0 ]; then
    step "matrix on a host" tests/matrix/hosts/run.sh
    step integration tests/integration/run.sh
    step reliability python -m pytest -q -c tests/reliability/pytest.ini tests/reliability -m quick
    step molecule molecule test --all
fi

printf '\n== seconds\n'
printf '%s\n' "${times[@]}" "$((SECONDS - began))s all of it"
for name in ${failed[@]+"${failed[@]}"}; do
    echo "FAILED $name"
done
echo "$passed passed, ${#failed[@]} failed"
[ ${#failed[@]} -eq 0 ]
