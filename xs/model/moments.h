/* SPDX-License-Identifier: MIT */
/* moments.h - beginnings and ends of a process's calls, in their order. */
#ifndef NYTP_MODEL_MOMENTS_H
#define NYTP_MODEL_MOMENTS_H

#include "model/profile.h"

typedef struct nytp_moment {
    const nytp_span *span;
    int64_t at;     /* ticks, not less than those of the moment before */
    int32_t is_end; /* 1: the call ends; an open one with the capture */
} nytp_moment;

typedef struct nytp_moments {
    const nytp_process *process;
    uint32_t *running; /* calls up to now that have not ended, the innermost last: indexes of spans */
    uint32_t running_n, room;
    uint32_t next;     /* span */
    int32_t failed;    /* 1: memory is short, and there are no more moments */
} nytp_moments;

nytp_moments nytp_moments_of(const nytp_process *process);

/* The next moment: 1, or 0 at the end. `running` includes a call from its beginning on, and not at its end. */
int nytp_moments_next(nytp_moments *m, nytp_moment *out);

void nytp_moments_free(nytp_moments *m);

#endif
