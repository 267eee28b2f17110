/* SPDX-License-Identifier: MIT */
/* moments.c - beginnings and ends of a process's calls, in their order. */
#include "model/moments.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/ticks.h"

nytp_moments nytp_moments_of(const nytp_process *process) { return (nytp_moments){.process = process}; }

static int begin(nytp_moments *m, nytp_moment *out) {
    uint32_t *running = nytp_grow_owned(&m->running, m->running_n, &m->room, sizeof *running);
    m->failed = !running;
    if (!running) return 0;
    *running = m->next++;
    m->running_n++;
    const nytp_span *span = &m->process->spans[*running];
    *out = (nytp_moment){.span = span, .at = span->begin};
    return 1;
}

int nytp_moments_next(nytp_moments *m, nytp_moment *out) {
    uint32_t n = m->process->spans_n, depth = m->next < n ? m->process->spans[m->next].depth : 0;
    if (m->running_n > depth && !m->failed) {
        const nytp_span *span = &m->process->spans[m->running[--m->running_n]];
        *out = (nytp_moment){.span = span, .at = nytp_ticks_add(span->begin, span->length), .is_end = 1};
        return 1;
    }
    return m->next < n && !m->failed ? begin(m, out) : 0;
}

void nytp_moments_free(nytp_moments *m) { free(m->running); }
