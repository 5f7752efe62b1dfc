# Sourced by run.sh and hosts/run.sh, from the top of the checkout: Pythons, and releases of ansible-core, each in an environment
# of its own that is kept in the cache. A Python that this machine lacks comes from a Debian of its own, kept there too.

. tests/environment.sh
results=$PWD/.cache/matrix.tsv # core or "host", Python, column, what came of it
settings=("PYTHONPATH=$PWD/.collections" "ANSIBLE_COLLECTIONS_PATH=$PWD/.collections" "ANSIBLE_CONFIG=$PWD/ansible.cfg"
    ANSIBLE_DEPRECATION_WARNINGS=false ANSIBLE_NOCOLOR=1 PYTHONDONTWRITEBYTECODE=1)
declare -A suites=([3.9]=bullseye [3.11]=bookworm [3.13]=trixie)

# Sets `python` and `within` (what has to stand before a command for it to run where that Python is) to the first of the given
# versions that is here, else to the first that a Debian brings. Fails where there is neither.
choose_python() { # version...
    local version bin
    within=()
    for version in "$@"; do
        for bin in "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$version".*/bin/python /usr/bin/python"$version" /usr/local/bin/python"$version"; do
            if [ -x "$bin" ] && "$bin" -c 'import venv, ensurepip' 2> /dev/null; then
                python=$bin
                return
            fi
        done
    done
    for version in "$@"; do
        if [ -n "${suites[$version]-}" ] && python3 tests/matrix/roots.py make "${suites[$version]}" > /dev/null; then
            python=/usr/bin/python$version
            within=(python3 "$PWD/tests/matrix/roots.py" enter "${suites[$version]}")
            return
        fi
    done
    return 1
}

# The environment of a release of ansible-core: `bin`, `within`, `core` (its version), `version` (of its Python).
use_core() { # 2.16|2.19|newest
    case $1 in
        2.16) choose_python 3.11 3.12 3.10 && with_packages core-2.16 'ansible-core==2.16.19' pytest ;;
        2.19) within=() bin=$PWD/.venv/bin ;;
        newest) choose_python 3.14 3.13 3.12 && with_packages core-newest 'ansible-core>=2.20' pytest ;;
    esac || return 1
    core=$("${within[@]}" "$bin/python" -c 'from importlib.metadata import version; print(version("ansible-core"))')
    name_version
}

# The environment of a host's Python: the same names without a core.
use_host() { # 3.9|3.11|3.13
    choose_python "$1" && with_packages "host-$1" pytest pyyaml || return 1
    name_version
}

with_packages() { # name requirement...
    local name=$1
    shift
    make_environment "$name-$(hash_of "${within[*]: -1}" "$python" "$@")" "$python" "$@"
}

name_version() {
    version=$("${within[@]}" "$bin/python" -c 'import platform; print(platform.python_version())')
    [ ${#within[@]} -eq 0 ] || version="$version (${within[-1]})"
}

within_core() { # variable=value... program argument...
    "${within[@]}" env "${settings[@]}" "$@"
}

result() { # core python column what
    mkdir -p "$(dirname "$results")"
    printf '%s\t%s\t%s\t%s\n' "$@" >> "$results"
}
