#!/bin/bash
# SPDX-License-Identifier: MIT
# The tests of perl itself, bare and under the profiler: their outcomes are the same, but for core/expected.txt,
# and each file leaves captures.
#
#   bash xt/core.sh            t/{base,cmd,comp,io,lib,mro,op,re,uni}/*.t: 491 files of perl 5.36
#   bash xt/core.sh FILE...    some of them, as op/closure.t
#   bash xt/core.sh --sampled [FILE...]
#                              with 1000 samples a second, as a user loads the sampler, instead of -d:NYTProf
#
# Wants Debian, its archive, dpkg-dev, a C compiler and make. The perl is built from the source of the system's perl
# package, with its tests' own modules, and stays in ~/.cache/nytprof-perls.
set -u -o pipefail

kind=counted
if [[ ${1-} == --sampled ]]; then
    kind=sampled
    shift
fi
cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
perls=${XDG_CACHE_HOME:-$HOME/.cache}/nytprof-perls
source=$perls/core-source
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

build_perl() {
    rm -rf "$source"
    fetch_source perl "$source" "$scratch/lists" && cd "$source" &&
        sh ./Configure -des "-Dprefix=$perls/core" -Dman1dir=none -Dman3dir=none -Dinstallusrbinperl=n -Dusethreads \
            -Doptimize=-O2 && make -j2 && make test_prep && make install.perl
}

if [[ ! -x $perls/core/bin/perl || ! -e $source/t/perl ]]; then
    (quietly "$scratch/perl.log" build_perl) || exit 1
fi
differ=$(pwd)/xt/core/differ.pl
mkdir "$scratch/tree" && git ls-files -z | tar -c --null -T - | tar -x -C "$scratch/tree" || exit 1
cd "$scratch/tree" || exit 1
PATH=$perls/core/bin:$PATH
quietly "$scratch/build.log" sh -c 'perl Makefile.PL && make -j2' || exit 1
(($#)) || cd "$source/t" || exit 1
(($#)) || set -- {base,cmd,comp,io,lib,mro,op,re,uni}/*.t
nice perl "$differ" "$kind" "$source/t" "$scratch/tree" "$@"
