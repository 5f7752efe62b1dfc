#!/usr/bin/env bash
# System packages, and the Python environment of the tests: made once for each content of requirements.txt, kept in the
# cache, linked as .venv.
set -euo pipefail
cd "$(dirname "$0")/.."

tests/hosts/install_packages.sh

. tests/environment.sh
python=${PYTHON:-python3}
if ! "$python" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))'; then
    echo "setup: $python is $("$python" --version); ansible-core 2.19 wants Python 3.11, 3.12 or 3.13: make PYTHON=/usr/bin/python3 …" >&2
    exit 1
fi
make_environment "venv-$(hash_of "$(cat tests/requirements.txt)" "$("$python" --version)")" "$python" \
    --requirement tests/requirements.txt
ln -sfn "$(dirname "$bin")" .venv
