#!/bin/bash
# SPDX-License-Identifier: MIT
# The tests of modules that do unusual things to perl, from Debian's source packages, under PERL5OPT=-d:NYTProf: their
# outcome is that of a run under a debugger that only sets the same flags, and every process leaves a whole capture.
#
#   bash xt/suites.sh               all of them
#   bash xt/suites.sh PACKAGE...    those of some source packages
#
# Wants Debian and its archive, dpkg-dev and a built tree. A test that lacks a module fails both times.
set -u -o pipefail

cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
tree=$(pwd)
packages=(libclass-method-modifiers-perl libcontextual-return-perl libdata-dump-perl libdevel-declare-perl
    libdevel-stacktrace-perl libmodule-runtime-perl libmoo-perl libpadwalker-perl libpath-tiny-perl libsub-name-perl
    libsub-uplevel-perl libtext-template-perl libtry-tiny-perl)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# fetch PACKAGE DIR: gets the source of the package and builds it.
fetch() {
    fetch_source "$1" "$2" "$scratch/lists" || return 1
    if [[ -e Makefile.PL ]]; then perl Makefile.PL && make; fi
}

# outcome DEBUGGER: prints the outcome of each test, without times.
outcome() {
    PERL5LIB=$tree/blib/lib:$tree/blib/arch:$tree/xt/lib PERL5OPT=-d:$1 \
        prove "$([[ -d blib ]] && echo -b || echo -l)" --norc -r t </dev/null 2>/dev/null | grep -v '^Files='
}

check_captures() {
    local capture failed=0 captures=("$1"*)
    for capture in "${captures[@]}"; do
        [[ $capture == *.sources ]] && continue
        "$tree/build/nytprof" info "$capture" | grep -q '^whole *yes' || { echo "$capture is not whole"; failed=1; }
    done
    echo "${#captures[@]} captures"
    return $failed
}

try() {
    local dir=$scratch/$1
    (fetch "$1" "$dir") >"$dir.log" 2>&1 || { tail -n 20 "$dir.log"; echo "$1 cannot be had"; return 1; }
    cd "$dir" || return 1
    outcome AsFlagged >"$dir.expected"
    NYTPROF=file=$dir.capture:addpid=1 outcome NYTProf >"$dir.got"
    diff "$dir.expected" "$dir.got" && check_captures "$dir.capture"
}

# shellcheck disable=SC2154 # common.sh sets release
archive_has "$release" || { echo "SKIPPED: Debian's archive cannot be reached, so NOTHING was tried"; exit 0; }
failed=()
for package in "${@:-${packages[@]}}"; do
    echo "$package"
    (try "$package") || failed+=("$package")
done
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
