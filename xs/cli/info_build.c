/* SPDX-License-Identifier: MIT */
/* info_build.c - the processes of a build in a capture. */
#include "cli/info_build.h"

#include <inttypes.h>
#include <stdio.h>

void nytp_info_build_take(nytp_info_build *b, const nytp_record *r) {
    if (r->kind == NYTP_REC_PROCESS) b->begun++;
    if (r->kind != NYTP_REC_EXIT) return;
    b->ended++;
    b->failed += r->u.exit.status > 0 && r->u.exit.status < NYTP_STATUS_SIGNAL;
    b->killed += r->u.exit.status >= NYTP_STATUS_SIGNAL;
}

int nytp_info_build_print(const nytp_info_build *b) {
    if (!b->begun && !b->ended) return 0;
    printf("%-12s processes %" PRIu64 ", ended %" PRIu64 ", failed %" PRIu64 ", killed %" PRIu64 "\n", "build",
           b->begun, b->ended, b->failed, b->killed);
    return 1;
}
