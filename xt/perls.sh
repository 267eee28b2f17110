#!/bin/bash
# SPDX-License-Identifier: MIT
# The tests and the demo from the tarball, in a fresh system with another perl: as a user without sudo, who is told what
# is missing, as root, and as a user with sudo.
#
#   bash xt/perls.sh            in all systems: perl 5.22 to 5.42
#   bash xt/perls.sh NAME...    in some of them: xenial bionic bullseye bookworm trixie sid
#   bash xt/perls.sh --demo NAME...
#                               without the tests
#
# Wants root, debootstrap, make, a C compiler, perl's headers, and the archives of Debian and Ubuntu. A system takes
# four minutes; its output is shown if it fails.
set -u -o pipefail

cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
systems=(xenial bionic bullseye bookworm trixie sid)
declare -A perl=([xenial]=5.22 [bionic]=5.26 [bullseye]=5.32 [bookworm]=5.36 [trixie]=5.40 [sid]=5.42)
with_tests=1
[[ ${1-} == --demo ]] && { with_tests=; shift; }
seconds_allowed=560 # for the demo and for the tests, each with what apt-get has to fetch

scratch=$(mktemp -d)
trap 'umount "$scratch"/*/proc "$scratch"/*/dev/{pts,shm} 2>/dev/null; rm -rf --one-file-system "$scratch"' EXIT

make_tarball() {
    local tree=$scratch/tree
    mkdir "$tree" && git ls-files -z | tar -c --null -T - | tar -x -C "$tree" || return 1
    (cd "$tree" && perl Makefile.PL && make dist && mv Devel-NYTProf-*.tar.gz "$scratch/dist.tar.gz")
}

# debootstrap knows the archive of each system, and checks signatures if this machine has the keys. A mirror's list of
# packages may be outdated.
make_system() {
    local name=$1 root=$2
    debootstrap --variant=minbase --components=main,universe "$name" "$root" || return 1
    echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/99-outdated"
    mount -t proc proc "$root/proc" || echo 'there is no /proc'
    mount -t devpts -o ptmxmode=0666 devpts "$root/dev/pts" || echo 'there are no pseudo terminals'
    mkdir -p "$root/dev/shm"
    mount -t tmpfs tmpfs "$root/dev/shm" || echo 'files in memory are on disk'
    mkdir "$root/dist" && tar -xzf "$scratch/dist.tar.gz" --strip-components=1 -C "$root/dist"
}

# in_system ROOT USER COMMAND: runs COMMAND in the unpacked tarball.
in_system() {
    timeout "$seconds_allowed" \
        chroot --userspec="$2" "$1" /usr/bin/env -i PATH="$PATH" LC_ALL=C /bin/sh -c "cd /dist && $3"
}

# setup LOG ROOT USER WHAT: runs bin/setup WHAT.
setup() {
    quietly "$1" in_system "$2" "$3" "sh bin/setup $4" || { echo "sh bin/setup $4 fails for $3"; return 1; }
    ! grep -A4 'warning:' "$2/dist/setup.log" || { echo 'there are warnings'; return 1; }
}

refuses() {
    ! in_system "$1" nobody 'sh bin/setup test' >"$2" 2>&1 && grep -q 'As root: apt-get install .*libperl-dev' "$2" ||
        { cat "$2"; echo 'sh bin/setup test does not say what is missing'; return 1; }
}

add_user() {
    in_system "$1" root 'apt-get -q -y --no-install-recommends install sudo && useradd --create-home somebody &&
        echo "somebody ALL=(ALL) NOPASSWD: ALL" >/etc/sudoers.d/somebody && chown -R somebody .'
}

try() {
    local log=$scratch/$1.log root=$scratch/$1
    quietly "$log" make_system "$1" "$root" && refuses "$root" "$log" || return 1
    if [[ $with_tests ]]; then
        setup "$scratch/$1.test" "$root" root test && grep '^Files=' "$scratch/$1.test" || return 1
    fi
    quietly "$log" add_user "$root" && setup "$log" "$root" somebody demo
}

quietly "$scratch/dist.log" make_tarball || exit 1
failed=()
for name in "${@:-${systems[@]}}"; do
    [[ ${perl[$name]-} ]] || { echo "no system '$name'; there are: ${systems[*]}" >&2; exit 2; }
    begin=$SECONDS
    outcome=ok
    try "$name" || { outcome=FAILED; failed+=("$name"); }
    echo "$name, perl ${perl[$name]}: $outcome, $((SECONDS - begin)) s"
    umount "$scratch/$name/proc" "$scratch/$name"/dev/{pts,shm} 2>/dev/null
    rm -rf --one-file-system "${scratch:?}/$name"
done
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
