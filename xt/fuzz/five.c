/* SPDX-License-Identifier: MIT */
/* five.c - for clang's libFuzzer: the reader of format 5, and what merges its files: the input and itself. */
#include <stdlib.h>

#include "input.h"
#include "v5/merge.h"
#include "v5/read.h"

static int drop(void *self, const nytp_v5_event *e) {
    return (void)self, (void)e, 0;
}

/* Gives the events to the merge; without one it only reads. */
static void tell(const uint8_t *data, size_t size, nytp_v5_merge *m) {
    nytp_bytes bytes = input_bytes(data, size);
    nytp_error e = {0};
    nytp_v5_event event;
    nytp_v5_reader *r = nytp_v5_reader_from(&bytes, &e);
    if (m) nytp_v5_merge_input(m, NYTP_LIT("in"));
    while (r && nytp_v5_reader_next(r, &event) > 0)
        if (m) nytp_v5_merge_event(m, &event);
    nytp_v5_reader_close(r);
}

/* The first byte says whether files are merged; in the file stands always an N. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    if (data[0] % 2) {
        tell(data + 1, size - 1, NULL);
        return 0;
    }
    nytp_v5_merge *m = nytp_v5_merge_open();
    if (!m) abort();
    for (int i = 0; i < 2; i++) tell(data + 1, size - 1, m);
    nytp_v5_merge_begin(m, drop, NULL);
    for (int i = 0; i < 2; i++) tell(data + 1, size - 1, m);
    nytp_v5_merge_finish(m);
    nytp_v5_merge_close(m);
    return 0;
}
