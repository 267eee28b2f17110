/* SPDX-License-Identifier: MIT */
/* load.c - for clang's libFuzzer: a file of either format becomes a profile, in each of the ways that reports ask for,
 * and libnytprof's tables are read to their ends. */
#include <stdlib.h>
#include <unistd.h>

#include "input.h"
#include "library.h"
#include "model/load.h"
#include "model/source.h"

/* The first byte has the ways. */
static void load(uint8_t ways) {
    static const char *const path = "-";
    static const nytp_source_from from;
    nytp_load_options options = {.keep_calls = ways & 1, .keep_evals = ways >> 1 & 1, .keep_processes = ways >> 2 & 1,
                                 .tell_outside = ways >> 3 & 1, .whole = ways >> 4 & 1, .raw = ways >> 5 & 1};
    nytp_profile p;
    nytp_error e;
    if (!nytp_load(&p, &path, 1, &options, &e)) nytp_source_find(&p, &from);
    nytp_profile_close(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    input_fill(STDIN_FILENO, data + 1, size - 1);
    if (data[0] >= 64) load(data[0]);
    else library_read(data[0]);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16 && size) input_repair(data + 1, size - 1);
    return size;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
    (void)argc, (void)argv;
    input_directory();
    return dup2(input_memory("in"), STDIN_FILENO) < 0;
}
