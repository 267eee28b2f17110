/* SPDX-License-Identifier: MIT */
/* capture.c - for clang's libFuzzer: the reader of captures, and what makes events of format 5 of its records. */
#include <stdlib.h>

#include "capture/reader.h"
#include "input.h"
#include "v5/replay.h"

#define MOST_EVENTS 2000

static int count(void *self, const nytp_v5_event *e) {
    uint64_t *events = self;
    (void)e;
    return ++*events, 0;
}

/* Of 16 inputs 15 are read as reports read them, the others raw. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    nytp_bytes bytes = input_bytes(data, size);
    nytp_error e = {0};
    nytp_record r;
    uint64_t events = 0;
    nytp_reader *reader = size % 16 ? nytp_reader_corrected(&bytes, &e) : nytp_reader_from(&bytes, &e);
    nytp_replay *replay = reader ? nytp_replay_open(count, &events, MOST_EVENTS) : NULL;
    int code = 0;
    while (reader && nytp_reader_next(reader, &r) > 0)
        if (!code && r.kind != NYTP_REC_DAMAGE)
            code = nytp_replay_record(replay, &r, nytp_reader_stream(reader, r.stream));
    if (replay) nytp_replay_finish(replay);
    nytp_replay_close(replay);
    nytp_reader_close(reader);
    return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    size = LLVMFuzzerMutate(data, size, most);
    if (seed % 16) input_repair(data, size);
    return size;
}
