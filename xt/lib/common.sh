# SPDX-License-Identifier: MIT
# shellcheck shell=bash
# The common parts of the scripts in xt/ and of .ci/run.

# quietly LOG COMMAND...: runs the command with its output in LOG, and shows the end of LOG if the command fails.
quietly() {
    local log=$1
    shift
    "$@" >"$log" 2>&1 || { tail -n 60 "$log"; return 1; }
}

release=$(. /etc/os-release && echo "$VERSION_CODENAME")

# archive: prints the address from which apt gets the packages of this release.
archive() {
    apt-get --print-uris update | sed -n "s|^'\([^']*\)/dists/$release/InRelease'.*|\1|p" | head -n 1
}

# archive_has RELEASE: succeeds if the archive can be reached and has this release.
archive_has() {
    perl -MHTTP::Tiny -e 'exit !HTTP::Tiny->new(timeout => 30)->head(shift)->{success}' "$(archive)/dists/$1/InRelease"
}

# fetch_source PACKAGE DIR LISTS: unpacks the upstream part of a source package of this release into DIR. LISTS is a
# directory for apt's lists, so that the system's stay unchanged.
fetch_source() {
    local apt=(apt-get -q -o "Dir::State::Lists=$3"
        -o "Dir::Etc::SourceList=$3.list" -o Dir::Etc::SourceParts=-)
    if [[ ! -e $3.list ]]; then
        mkdir -p "$3/partial" && echo "deb-src $(archive) $release main" >"$3.list" && "${apt[@]}" update || return 1
    fi
    mkdir -p "$2" && cd "$2" && "${apt[@]}" source --download-only --tar-only "$1" &&
        tar -xf ./*.orig.tar.* --strip-components=1
}

# install_build_deps PACKAGE LISTS: installs what Debian builds and tests this source package with. LISTS is another
# directory for apt's lists.
install_build_deps() {
    local apt=(apt-get -q -y --no-install-recommends -o "Dir::State::Lists=$2" -o "Dir::Etc::SourceList=$2.list"
        -o DPkg::Lock::Timeout=300)
    export DEBIAN_FRONTEND=noninteractive
    if [[ ! -e $2.list ]]; then
        mkdir -p "$2/partial" && echo "deb-src $(archive) $release main" >"$2.list" && "${apt[@]}" update || return 1
    fi
    "${apt[@]}" build-dep "$1"
}
