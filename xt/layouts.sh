#!/bin/bash
# SPDX-License-Identifier: MIT
# Where stock perls keep what `nytprof attach` reads of them, for perls that have no module of this profiler: makes the
# table in xs/cli/layouts.c, and samples each of these perls in a root directory of its own.
#
#   bash xt/layouts.sh                 the table, and then the tests
#   bash xt/layouts.sh test NAME...    the tests alone, of bullseye, bookworm, trixie or sid; without NAME of all
#
# The perl of a release, its headers and the C library are unpacked from Debian's archive, and not installed, so a
# release takes half a minute. print.c is compiled for them here and runs there. Wants root, a C compiler, dpkg-dev, and
# for the tests a build of this tree. What is unpacked stays in ~/.cache/nytprof-roots.
set -u -o pipefail

cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
systems=(bullseye bookworm trixie sid)
declare -A version=([bullseye]=5.32 [bookworm]=5.36 [trixie]=5.40 [sid]=5.42)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-roots
libraries=usr/lib/x86_64-linux-gnu

# unpack NAME: the packages into $cache/NAME/root.
unpack() {
    local dir=$cache/$1 file
    local apt=(apt-get -q -o "Dir::State::Lists=$dir/lists" -o "Dir::Etc::SourceList=$dir/list"
        -o Dir::Etc::SourceParts=- -o Dir::State::status=/dev/null -o "Dir::Cache=$dir/cache" -o APT::Sandbox::User=root
        -o Acquire::Languages=none)
    rm -rf "$dir" && mkdir -p "$dir/lists/partial" "$dir/cache/archives/partial" "$dir/debs" "$dir/root" || return 1
    echo "deb $(archive) $1 main" >"$dir/list" && "${apt[@]}" update || return 1
    (cd "$dir/debs" && "${apt[@]}" download perl-base "libperl${version[$1]}" libperl-dev libc6 libc6-dev \
        linux-libc-dev libcrypt1 libcrypt-dev) || return 1
    for file in "$dir"/debs/*.deb; do dpkg -x "$file" "$dir/root" || return 1; done
    for file in bin lib lib64; do [[ -e $dir/root/$file ]] || ln -s "usr/$file" "$dir/root/$file"; done
    mkdir -p "$dir/root/dev" "$dir/root/tmp" && mknod -m 666 "$dir/root/dev/null" c 1 3 && relink "$dir/root" &&
        touch "$dir/whole"
}

# relink ROOT: the linker of this system would follow the link of the loader to this system's own.
relink() {
    local loader=$1/lib64/ld-linux-x86-64.so.2 to
    to=$(readlink "$loader") || return 0
    [[ $to != /* ]] || { rm "$loader" && cp "$1$to" "$loader"; }
}

# print_layout NAME: the lines of DB::_layout, and perl's options that change its structs.
print_layout() {
    local root=$cache/$1/root core
    core=$root/$libraries/perl/${version[$1]}/CORE
    gcc "--sysroot=$root" -D_REENTRANT -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64 -D_GNU_SOURCE -fwrapv \
        -fno-strict-aliasing -w -I"$core" -Ixs -o "$root/print" xt/layouts/print.c xs/perl/structs.c xs/perl/opnames.c \
        -L"$root/$libraries" -lperl && : >"$root/tmp/empty.pl" &&
        LC_ALL=C chroot "$root" /print /tmp/empty.pl >"$cache/$1/layout"
}

mkdir -p "$cache"
failed=()
what="all"
[[ ${1-} != test ]] || { what="test"; shift; }
(($#)) && systems=("$@")
for name in "${systems[@]}"; do
    [[ ${version[$name]-} ]] || { echo "no system '$name'; there are: ${!version[*]}" >&2; exit 2; }
    [[ -e $cache/$name/whole ]] || quietly "$cache/$name.log" unpack "$name" || failed+=("$name")
done
if ((${#failed[@]} == 0)) && [[ $what == all ]]; then
    for name in "${systems[@]}"; do print_layout "$name" || failed+=("$name"); done
    ((${#failed[@]})) || perl xt/layouts/table.pl "${systems[@]/#/$cache/}" || failed+=(table)
fi
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
[[ $what == all ]] && echo 'xs/cli/layouts.c is made; build it, then: bash xt/layouts.sh test' && exit 0
NYTPROF_ROOTS=$(printf '%s:' "${systems[@]/#/$cache/}") prove -b xt/layouts.t
