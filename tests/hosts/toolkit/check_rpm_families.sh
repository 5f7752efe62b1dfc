#!/usr/bin/env bash
# The rpm families without a host of theirs: real dnf and zypper, in a root of their own, read the repository file that the role
# writes for them, over HTTP, from a repository signed with a key made on the spot. Needs root, and Debian's rpm, dnf, zypper,
# createrepo-c, gpg; ansible on the PATH.
set -euo pipefail
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
port=8097
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$work"' EXIT

build() { # VERSION: the set as small rpm files
    local version=$1 name requires
    for name in libnvidia-container1 libnvidia-container-tools nvidia-container-toolkit-base nvidia-container-toolkit; do
        case $name in
            libnvidia-container-tools) requires="Requires: libnvidia-container1 = $version-1" ;;
            nvidia-container-toolkit) requires="Requires: nvidia-container-toolkit-base = $version-1, libnvidia-container-tools = $version-1" ;;
            *) requires= ;;
        esac
        printf '%s\n' "Name: $name" "Version: $version" "Release: 1" "Summary: stand-in" "License: none" "$requires" \
            "%description" "A stand-in for tests." "%files" >"$work/$name.spec"
        rpmbuild --quiet -bb --define "_rpmdir $work/rpms" --define "_topdir $work/build" "$work/$name.spec" 2>/dev/null
    done
}

render() { # FAMILY FILE: as the role writes it
    ansible localhost --connection local --module-name ansible.builtin.template --args \
        "src=$PWD/roles/nvidia_container_toolkit/templates/rpm.repo.j2 dest=$2 mode=0644" \
        --extra-vars "{__nvidia_container_toolkit_family: $1, __nvidia_container_toolkit_key_path: $work/key.asc,
                       nvidia_container_toolkit_url: 'http://127.0.0.1:$port'}" >/dev/null
}

expect() { # WORDS COMMAND...: the command fails with these words, or ends well and prints them
    local words=$1
    shift
    "$@" >"$work/out" 2>&1 || true
    grep -q -- "$words" "$work/out" || { echo "expected '$words' of: $*"; cat "$work/out"; exit 1; }
}

for version in 1.18.2 1.20.0; do build "$version"; done
export GNUPGHOME=$work/gpg
install -d -m 700 "$GNUPGHOME"
for name in right wrong; do
    gpg --batch --quiet --passphrase '' --quick-gen-key "$name <$name@example.com>" rsa3072 sign never 2>/dev/null
    gpg --armor --export "$name@example.com" >"$work/$name.asc"
done
repository=$work/www/stable/rpm/$(uname -m)
mkdir -p "$repository"
cp "$work"/rpms/*/*.rpm "$repository"
createrepo_c --quiet "$repository"
gpg --batch --quiet --local-user right@example.com --armor --detach-sign "$repository/repodata/repomd.xml"
python3 -m http.server --bind 127.0.0.1 --directory "$work/www" "$port" >/dev/null 2>&1 &
server=$!
for _ in $(seq 50); do curl --silent --output /dev/null "http://127.0.0.1:$port/" && break; done

# --- dnf (RHEL and its rebuilds, Fedora) ---
mkdir -p "$work/dnf.repos.d"
render RedHat "$work/dnf.repos.d/nvidia-container-toolkit.repo"
in_dnf() {
    dnf --installroot="$work/dnf" --setopt=reposdir="$work/dnf.repos.d" --setopt=cachedir="$work/dnf.cache" \
        --setopt=persistdir="$work/dnf.state" --setopt=pluginpath=/nonexistent --releasever=9 "$@"
}
installed() { rpm --root "$1" --query --all 'nvidia*' --queryformat '%{NAME}-%{VERSION}-%{RELEASE}'; }
cp "$work/wrong.asc" "$work/key.asc"
expect "repomd.xml GPG signature verification error" in_dnf --assumeyes --repo=nvidia-container-toolkit makecache
cp "$work/right.asc" "$work/key.asc"
expect "Metadata cache created" in_dnf --assumeyes --repo=nvidia-container-toolkit makecache
install_dnf() { in_dnf --assumeyes --enablerepo=nvidia-container-toolkit --setopt=install_weak_deps=False install "$@"; }
expect "Unable to find a match: nvidia-container-toolkit-base-1.20.9-1" install_dnf nvidia-container-toolkit-base-1.20.9-1
expect "Complete!" install_dnf nvidia-container-toolkit-base-1.18.2-1
expect "Complete!" install_dnf nvidia-container-toolkit-base-1.20.0-1
expect "There are no enabled repositories" in_dnf --assumeyes upgrade
expect "Complete!" in_dnf --assumeyes --enablerepo=nvidia-container-toolkit downgrade nvidia-container-toolkit-base-1.18.2-1
[ "$(installed "$work/dnf")" = nvidia-container-toolkit-base-1.18.2-1 ]
echo "dnf: key refused and taken, missing version named, pinned, up and down"

# --- zypper (openSUSE, SLES) ---
mkdir -p "$work/zypp/etc/zypp/repos.d"
render Suse "$work/zypp/etc/zypp/repos.d/nvidia-container-toolkit.repo"
in_zypper() { zypper --root "$work/zypp" --non-interactive "$@"; }
rpm --root "$work/zypp" --import "$work/wrong.asc"
sed -i '/^gpgkey/d' "$work/zypp/etc/zypp/repos.d/nvidia-container-toolkit.repo"
expect "unknown key\|Signature verification failed\|signed with an unknown key" in_zypper refresh
rpm --root "$work/zypp" --import "$work/right.asc"
render Suse "$work/zypp/etc/zypp/repos.d/nvidia-container-toolkit.repo"
expect "have been refreshed" in_zypper refresh
install_zypper() { in_zypper install --oldpackage --no-recommends "$@"; }
expect "not found" install_zypper nvidia-container-toolkit-base=1.20.9-1
expect "nvidia-container-toolkit-base-1.18.2-1" install_zypper nvidia-container-toolkit-base=1.18.2-1
expect "nvidia-container-toolkit-base-1.20.0-1" install_zypper nvidia-container-toolkit-base=1.20.0-1
expect "nvidia-container-toolkit-base-1.18.2-1" install_zypper nvidia-container-toolkit-base=1.18.2-1
[ "$(installed "$work/zypp")" = nvidia-container-toolkit-base-1.18.2-1 ]
echo "zypper: key refused and taken, missing version named, pinned, up and down"
