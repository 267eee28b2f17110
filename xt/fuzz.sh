#!/bin/bash
# SPDX-License-Identifier: MIT
# fuzz.sh [SECONDS [DIRECTORY [TARGET...]]]: clang's fuzzer on all that is read, for SECONDS of each target, under its
# sanitizers; with 0 seconds all is only built, and the command, too, DIRECTORY/nytprof. A target is a file in xt/fuzz
# with a function for the fuzzer, and by default all are run, one after the other. DIRECTORY keeps the inputs that
# reach new code, for the next time; inputs that fail are written there as TARGET-crash-... and so on, and
# `DIRECTORY/TARGET FILE` repeats one. The first inputs are small captures and the texts in xt/fuzz/corpus.
set -eu -o pipefail
cd "$(dirname "$0")/.."
seconds=${1:-60}
directory=${2:-$(mktemp -d)}
shift $(($# < 2 ? $# : 2))
scratch=$(mktemp -d /dev/shm/nytprof-fuzz.XXXXXX)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$directory/captures" "$directory/objects"
directory=$(realpath "$directory")
mapfile -t targets < <(grep -l '^int LLVMFuzzerTestOneInput' xt/fuzz/*.c | sed 's,.*/,,; s,\.c$,,')
(($#)) || set -- "${targets[@]}"

# What targets use goes into an archive, so that the fuzzer counts the branches of a target's own code only. Memory is
# taken in small pieces, which is faster under the sanitizer, and shows more.
flags=(-std=c11 -O2 -gline-tables-only -fno-omit-frame-pointer -fsanitize=fuzzer-no-link -fsanitize=address
    -fsanitize=undefined -fno-sanitize-recover=undefined -fno-sanitize-coverage=trace-cmp -D_POSIX_C_SOURCE=200809L
    -D_DEFAULT_SOURCE '-DNYTP_VERSION="0"' -DNYTP_ARENA_CHUNK=4096 -DNYTP_BYTES_READ=8192 -Ixs -Ibuild -Ixt/fuzz)
perl=$(perl -MExtUtils::Embed -e ccopts)
header=$(find xs xt/fuzz build -name '*.h' -printf '%T@ %p\n' | sort -n | tail -n 1 | cut -d' ' -f2-)
compile() {
    local object=$1 source=$2
    [[ $object -nt $source && $object -nt xt/fuzz.sh && $object -nt $header ]] ||
        clang "${flags[@]}" "${@:3}" -c -o "$object" "$source"
}
library=() running=0
read -ra rooms <<<"$(perl xs/rooms.pl library command)"
for source in $(printf 'xs/%s/*.c\n' "${rooms[@]}") build/assets.c build/reports.c xt/fuzz/*.c xs/perldata/*.c; do
    name=${source##*/} name=${name%.c}
    [[ $source == xs/cli/main.c ]] && continue
    object=$directory/objects/${source//\//-}.o
    ((running++ < $(nproc))) || wait -n
    # shellcheck disable=SC2086
    if [[ $source == xs/perldata/* || $source == xt/fuzz/perl.c ]]; then compile "$object" "$source" -w $perl
    else compile "$object" "$source"; fi &
    [[ $source == xt/fuzz/* && " ${targets[*]} " == *" $name "* ]] || library+=("$object")
done
while ((running-- > 0)); do wait -n || (($? == 127)); done
rm -f "$directory/library.a"
ar crs "$directory/library.a" "${library[@]}"
for target in "$@"; do
    libraries=(-lz -ldl -lrt -pthread -lm)
    # shellcheck disable=SC2207
    [[ $target == perl ]] && libraries+=($(perl -MExtUtils::Embed -e ldopts))
    clang "${flags[@]/%fuzzer-no-link/fuzzer}" -o "$directory/$target" \
        "$directory/objects/xt-fuzz-$target.c.o" "$directory/library.a" "${libraries[@]}"
done
if ((seconds == 0)); then
    clang "${flags[@]}" -o "$directory/nytprof" xs/cli/main.c "$directory/library.a" -lz -ldl -lrt -pthread -lm
    exit
fi

# The first inputs, with as many bytes ahead of each as the target wants, of several values.
build/t/fixture "$directory/captures" >"$directory/log"
perl xt/fuzz/first.pl "$directory" "$directory"/captures/*.out t/data/*.out xt/fuzz/corpus/*

# As many targets at a time as there are processors. What a run says is in its log; a failure is printed.
export TMPDIR=$scratch
export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1:malloc_context_size=1:quarantine_size_mb=2
fuzz() {
    local target=$1 log=$directory/$1.log failed=0
    "$directory/$target" -max_total_time="$seconds" -max_len=3000 -entropic=0 -timeout=20 -rss_limit_mb=2000 \
        -close_fd_mask=2 -print_final_stats=1 -artifact_prefix="$directory/$target-" "$directory/corpus-$target" \
        >"$log" 2>&1 || { failed=1; grep -v '^#' "$log" | tail -n 40 | cut -c -400; }
    echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") executions"
    return $failed
}
failed=0 running=0
for target in "$@"; do
    ((running++ < $(nproc))) || wait -n || failed=1
    fuzz "$target" &
done
while ((running-- > 0)); do wait -n || { (($? == 127)) || failed=1; }; done
exit $failed
