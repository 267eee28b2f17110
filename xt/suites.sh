#!/bin/bash
# SPDX-License-Identifier: MIT
# The tests of distributions that lean on perl's insides, from Debian's source packages, bare and under the profiler:
# each assertion has the same outcome, but for suites/expected.txt, and every process leaves a whole capture.
#
#   bash xt/suites.sh               those of suites/list that CI runs
#   bash xt/suites.sh all           all of suites/list
#   bash xt/suites.sh PACKAGE...    some of them, or of other source packages
#
# JOBS=N tries N distributions at a time, otherwise 2. An hour on two idle cores.
#
# Wants Debian and its archive, dpkg-dev and a built tree. What the tests of a distribution need is installed if root
# runs this, but not for CI; a test that lacks a module fails both times. Built distributions stay in
# ~/.cache/nytprof-suites.
set -u -o pipefail

cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
tree=$(pwd)
suites=${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-suites
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export PERL_MM_USE_DEFAULT=1
mkdir -p "$suites"

# build PACKAGE[/DIR]: gets the source of the package, and what its tests need, and builds the distribution.
build() {
    local package=${1%%/*}
    if [[ $install ]]; then install_build_deps "$package" "$scratch/deps" || return 1; fi
    if [[ ! -e $suites/$package.fetched ]]; then
        rm -rf "${suites:?}/$package"
        (fetch_source "$package" "$suites/$package" "$scratch/lists") || return 1
        touch "$suites/$package.fetched"
    fi
    cd "$suites/$1" || return 1
    if [[ -e Makefile.PL ]]; then perl Makefile.PL && make
    elif [[ -e Build.PL ]]; then perl Build.PL && ./Build; fi </dev/null && touch "$built"
}

# try PACKAGE[/DIR]; one builds at a time, as apt allows no more.
try() {
    local built=$suites/${1//\//-}.built log=$scratch/${1//\//-}.log
    if [[ ! -e $built ]]; then
        (flock 9 && build "$1") >"$log" 2>&1 9>"$scratch/lock" ||
            { tail -n 20 "$log"; echo "$1 cannot be had"; return 1; }
    fi
    nice perl "$tree/xt/suites/try.pl" "$1" "$suites/$1" "$tree" "$scratch/counts"
}

# sum_up: prints the sums of the lines NAME=VALUE... of all distributions.
sum_up() {
    perl -lne '
        $n++;
        $sum{$1} += $2 while /(\w+)=(\d+)/g;
        END {
            print "$n distributions, $sum{files} files ($sum{failing} fail bare), $sum{assertions} assertions,",
                " $sum{captures} captures: the same but for $sum{differs} files that differ, $sum{expected} that",
                " differ as expected, $sum{once} that differed once, $sum{varies} that vary bare";
        }' "$scratch/counts"
}

# shellcheck disable=SC2154 # common.sh sets release
archive_has "$release" || { echo "SKIPPED: Debian's archive cannot be reached, so NOTHING was tried"; exit 0; }
install=
((EUID == 0 && $#)) && install=1
case ${1-} in
    '') mapfile -t packages < <(sed -n 's/ ci$//p' xt/suites/list) ;;
    all) mapfile -t packages < <(sed -n 's/^\([^# ]\+\).*/\1/p' xt/suites/list) ;;
    *) packages=("$@") ;;
esac
# Several at a time, as many tests wait for a clock; what is said of each is shown when it is through.
failed=()
: >"$scratch/counts"
for package in "${packages[@]}"; do
    while (($(jobs -rp | wc -l) >= ${JOBS:-2})); do wait -n; done
    said=$scratch/${package//\//-}
    (try "$package" >"$said" 2>&1 || echo "$package" >>"$scratch/failed"; { echo "$package"; cat "$said"; }) &
done
wait
[[ -e $scratch/failed ]] && mapfile -t failed <"$scratch/failed"
sum_up
((${#failed[@]} == 0)) || { echo "failed: ${failed[*]}"; exit 1; }
