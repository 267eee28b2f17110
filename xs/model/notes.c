/* SPDX-License-Identifier: MIT */
/* notes.c - sentences for the reader of a report about the quality of the profile. */
#include "model/notes.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/grow.h"

static int noted(const nytp_profile *p, nytp_str text) {
    for (uint32_t i = 0; i < p->notes_n; i++)
        if (nytp_str_eq(p->notes[i], text)) return 1;
    return 0;
}

void nytp_notes_add(nytp_profile *p, const char *format, ...) {
    char text[NYTP_ERROR_TEXT];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    int last = p->notes_n == NYTP_NOTES_MAX - 1;
    nytp_str s = last ? NYTP_LIT("More notes like these were left out.") : nytp_str_c(text);
    if (p->notes_n >= NYTP_NOTES_MAX || noted(p, s)) return;
    nytp_str kept = nytp_arena_str(&p->arena, s);
    nytp_str *slot = kept.p ? nytp_grow(&p->arena, &p->notes, p->notes_n, &p->notes_room, sizeof *slot) : NULL;
    if (!slot) {
        p->notes_lost = 1;
        return;
    }
    *slot = kept;
    p->notes_n++;
}

static double seconds(const nytp_profile *p, int64_t ticks) {
    return nytp_profile_seconds(p, ticks);
}

/* The longest window of a process, in seconds, which is exceeded only while the program waits. Captures without drafts
 * do not say it. */
static double longest_window(const nytp_profile *p, uint32_t process) {
    nytp_str ms = nytp_profile_property(p, process, NYTP_LIT("window"));
    double longest = 0;
    for (size_t i = 0; i < ms.n && i < 5 && ms.p[i] >= '0' && ms.p[i] <= '9'; i++)
        longest = longest * 10 + (ms.p[i] - '0');
    return longest > 0 ? longest / 1000 : 10;
}

/* Windows begin short: see record/flush.c. */
static double most_lost(const nytp_profile *p, uint32_t process, double elapsed) {
    double window = elapsed / 20, longest = longest_window(p, process);
    return window < 0.1 ? 0.1 : window > longest ? longest : window;
}

static void tell_ending(nytp_profile *p, uint32_t number) {
    const nytp_process *process = &p->processes[number];
    if (process->missing)
        nytp_notes_add(p, "%" PRIu64 " of %" PRIu64 " chunks of process %u are missing, with their counts and times.",
                       process->missing, process->missing + process->chunks, process->id.pid);
    if (p->is_part) return;
    double elapsed = seconds(p, process->elapsed);
    if (process->ending == NYTP_ENDING_RUNNING)
        nytp_notes_add(p, "Process %u is still running: the last data is from %.2f s after its start.",
                       process->id.pid, elapsed);
    if (process->ending == NYTP_ENDING_MISSING)
        nytp_notes_add(p, "Process %u did not end cleanly: the last data is from %.2f s after its start. Up to %.2g s "
                       "of work after that are lost.", process->id.pid, elapsed, most_lost(p, number, elapsed));
}

/* A clock is too coarse for statements when its step is longer than the average one. */
static void tell_clock(nytp_profile *p, const nytp_process *process) {
    if (!process->ticks_per_second || !p->totals.statements) return;
    double step = (double)process->resolution / (double)process->ticks_per_second;
    double average = seconds(p, p->totals.ticks) / (double)p->totals.statements;
    if (process->resolution < 2 || step <= average) return;
    nytp_notes_add(p, "The clock is coarse: it steps by %.3g ms while the average statement takes %.3g ms, so most "
                   "single times are zero and only sums over many calls are meaningful.", step * 1e3, average * 1e3);
}

void nytp_notes_finish(nytp_profile *p) {
    for (uint32_t i = 0; i < p->processes_n; i++) {
        tell_ending(p, i);
        tell_clock(p, &p->processes[i]);
    }
    if (p->subs[NYTP_UNKNOWN].calls || p->files[0].count || p->files[0].ticks)
        nytp_notes_add(p, "Some definitions are lost: their counts and times are shown as unknown.");
}
