/* SPDX-License-Identifier: MIT */
/* traced.c - processes with calls in their order. */
#include "terminal/traced.h"

#include "report/escape.h"
#include "report/names.h"
#include "report/text.h"

static uint32_t count(const nytp_profile *p) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->processes_n; i++) n += p->processes[i].spans_n != 0;
    return n;
}

int nytp_traced_check(const nytp_profile *p, nytp_sink *sink) {
    if (count(p)) return NYTP_OK;
    return nytp_sink_fail(sink, "this capture has no calls in their order: profile with NYTPROF=calls=2");
}

void nytp_traced_heading(nytp_buf *out, const nytp_profile *p, const nytp_process *process) {
    if (count(p) < 2) return;
    nytp_text_around(out, "process ", process->id.pid, "");
    nytp_names_threads(out, process);
    nytp_text_put(out, ": ");
    nytp_escape_text(out, process->program);
    nytp_buf_byte(out, '\n');
}
