# Sourced from the top of the checkout: environments of Python in the cache, each made once, one at a time on this machine.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/vllm-fleet
within=() # what has to stand before a command for it to run where the environment's Python is

# Sets `bin` to the folder of its programs.
make_environment() { # name python argument-of-pip...
    local venv=$cache/$1 python=$2
    shift 2
    bin=$venv/bin
    [ ! -e "$venv/ready" ] || return 0
    mkdir -p "$cache"
    (
        flock 9 # it ends with this shell
        [ ! -e "$venv/ready" ] || exit 0
        echo "making the Python environment $venv" >&2
        "${within[@]}" "$python" -m venv --clear "$venv" &&
            "${within[@]}" "$bin/pip" install --quiet --disable-pip-version-check "$@" &&
            touch "$venv/ready"
    ) 9> "$cache/environments.lock"
}

hash_of() { # text...
    printf '%s\n' "$@" | sha256sum | cut -c1-12
}
