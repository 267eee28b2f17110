#!/bin/bash
# SPDX-License-Identifier: MIT
# The tests on two perls that Debian does not package: one with assertions, and one without threads. Both are built from
# the source of the system's perl package.
#
#   bash xt/debugging.sh              both
#   bash xt/debugging.sh debugging    one of them: debugging or unthreaded
#
# Wants Debian, a C compiler and make; building a perl takes five minutes. The perls stay in ~/.cache/nytprof-perls.
set -u -o pipefail

cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
declare -A configure=(
    [debugging]='-Dusethreads -DDEBUGGING=both -Doptimize=-O1'
    [unthreaded]='-Uusethreads -Doptimize=-O2'
)
perls=${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-perls
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# build_perl NAME: builds a perl into $perls/NAME.
build_perl() {
    # shellcheck disable=SC2086
    cp -r "$scratch/source" "$scratch/$1" && cd "$scratch/$1" &&
        sh ./Configure -des "-Dprefix=$perls/$1" -Dman1dir=none -Dman3dir=none -Dinstallusrbinperl=n ${configure[$1]} &&
        make -j2 && make install.perl
}

# test_on NAME: runs the suite on this perl, in a copy of the tree.
test_on() {
    local tree=$scratch/tree-$1 PATH=$perls/$1/bin:$PATH
    mkdir "$tree" && git ls-files -z | tar -c --null -T - | tar -x -C "$tree" && cd "$tree" || return 1
    quietly "$scratch/build.log" sh -c 'perl Makefile.PL && make -j2 && make -j2 c_tests' || return 1
    ! grep -A4 'warning:' "$scratch/build.log" && prove -b -j2 t/*.t
}

failed=()
(($#)) || set -- debugging unthreaded
for name; do
    [[ ${configure[$name]-} ]] || { echo "no perl '$name'; there are: ${!configure[*]}" >&2; exit 2; }
    if [[ ! -x $perls/$name/bin/perl ]]; then
        [[ -e $scratch/source ]] ||
            (quietly "$scratch/fetch.log" fetch_source perl "$scratch/source" "$scratch/lists") || exit 1
        (quietly "$scratch/$name.log" build_perl "$name") || exit 1
    fi
    (test_on "$name") || failed+=("$name")
done
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
