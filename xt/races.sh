#!/bin/bash
# SPDX-License-Identifier: MIT
# races.sh [DIRECTORY]: no data race, as gcc's ThreadSanitizer finds them, in a copy of the tree built for it: in tests
# in C with threads, in those of threads of Perl, Lua and Ruby, and in races.t. The interpreters themselves are not
# built so, but their locks are seen. A race counts if one of its two accesses is in code of xs/; its report is printed.
# DIRECTORY keeps all reports and the output of the tests.
set -u -o pipefail

cd "$(dirname "$0")/.." || exit 1
. xt/lib/common.sh
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
logs=${1:-$scratch/logs}
mkdir -p "$logs" && logs=$(realpath "$logs") || exit 1
rm -f "$logs"/race.*

tree=$scratch/tree
mkdir "$tree" && git ls-files -z | tar -c --null -T - | tar -x -C "$tree" && cd "$tree" || exit 1
quietly "$logs/build" sh -c 'perl Makefile.PL OPTIMIZE="-O1 -g -fsanitize=thread" && make -j2 && make -j2 c_tests' ||
    exit 1

# Threads that run when the program ends are what some programs are about. No test is to fail because of a race, as
# its report has more to say.
export TSAN_OPTIONS="log_path=$logs/race exitcode=0 report_thread_leaks=0 history_size=7"
failed=0
mapfile -t programs < <(grep -l pthread_create t/c/*.c | sed 's,.*/,build/t/,; s,\.c$,,')
for program in "${programs[@]}"; do
    quietly "$logs/${program##*/}" "$program" || { echo "$program failed"; failed=1; }
done
# Some tests of the suite compare times, or what is said on standard error: their outcome is only kept.
mapfile -t tests < <(grep -lE 'use threads|Thread\.new|-pthread' t/perl-*threads.t t/lua-*.t t/ruby-*.t)
export LD_PRELOAD
LD_PRELOAD=$(cc -print-file-name=libtsan.so)
quietly "$logs/programs" prove -b xt/races.t || failed=1
prove -b "${tests[@]}" >"$logs/tests" 2>&1
unset LD_PRELOAD

# Of each report the accesses' innermost functions that are not the sanitizer's own.
races=$(find "$logs" -name 'race.*' -exec perl -0777 -ne '
    for my $report (split /^={18}\n/m) {
        my @accesses = $report =~ /^  \S.*\n((?:    #\d.*\n)+)/mg;
        my @inner = map { (grep { !/libsanitizer/ } split /\n/)[0] // "" } @accesses[0, 1];
        print $report if grep { m{ (?:\S*/)?xs/} } @inner;
    }' {} +)
[[ -z $races ]] || { echo "$races"; failed=1; }
echo "$(find "$logs" -name 'race.*' | wc -l) processes with reports, of other code, too"
exit $failed
