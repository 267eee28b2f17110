/* SPDX-License-Identifier: MIT */
/* profiled.c - the list of captures of programs that a build has run. */
#include "report/profiled.h"

#include <inttypes.h>

#include "report/text.h"

#define NAME_MOST 200u

static void list(nytp_profiled *p, double seconds, const nytp_captured *capture) {
    uint32_t at = p->n < NYTP_PROFILED_LISTED ? (uint32_t)p->n : NYTP_PROFILED_LISTED - 1;
    p->n++;
    if (p->n > NYTP_PROFILED_LISTED && p->lines[at].seconds >= seconds) return;
    for (; at && p->lines[at - 1].seconds < seconds; at--) p->lines[at] = p->lines[at - 1];
    p->lines[at].seconds = seconds;
    p->lines[at].capture = capture;
}

void nytp_profiled_take(nytp_profiled *p, int event, const nytp_built *process) {
    uint32_t n = 0;
    const nytp_captured *its = event == NYTP_PROCESSES_BEGAN ? NULL : nytp_captured_of(p->captures, process, &n);
    for (uint32_t i = 0; i < n; i++) list(p, nytp_seconds_between(process->began, process->ended), &its[i]);
}

void nytp_profiled_put(nytp_buf *out, const nytp_profiled *p) {
    if (!p->n) return;
    nytp_text_format(out, "\nPROFILES of what was run, those of the longest processes first (%" PRIu64 "):\n\n", p->n);
    for (uint32_t i = 0; i < p->n && i < NYTP_PROFILED_LISTED; i++) {
        nytp_text_format(out, "%10.3f s  ", p->lines[i].seconds);
        nytp_buf_escaped(out, nytp_str_c(p->lines[i].capture->path), NAME_MOST);
        nytp_text_put(out, "  ");
        nytp_buf_escaped(out, p->lines[i].capture->program, NAME_MOST);
        nytp_text_put(out, "\n");
    }
    if (p->n > NYTP_PROFILED_LISTED)
        nytp_text_around(out, "           ... and ", p->n - NYTP_PROFILED_LISTED, " more\n");
}
