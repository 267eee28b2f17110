/* SPDX-License-Identifier: MIT */
/* outcome.c - a build as a whole. */
#include "report/outcome.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "report/command.h"
#include "report/text.h"

/* ---- gathering ---- */

/* Keeps the list in order. */
static void list(nytp_outcome_list *l, double key, const nytp_built *process) {
    uint32_t at = l->n < NYTP_OUTCOME_LISTED ? (uint32_t)l->n : NYTP_OUTCOME_LISTED - 1;
    l->n++;
    if (l->n > NYTP_OUTCOME_LISTED && l->lines[at].key >= key) return;
    for (; at && l->lines[at - 1].key < key; at--) l->lines[at] = l->lines[at - 1];
    nytp_outcome_line *line = &l->lines[at];
    line->key = key;
    line->seconds = nytp_command_seconds(process);
    line->cpu = nytp_command_cpu(process);
    line->status = process->used.status;
    nytp_command_describe(&line->label, process);
}

static void take_end(nytp_outcome *o, const nytp_built *process) {
    double seconds = nytp_command_seconds(process), cpu = nytp_command_cpu(process);
    uint64_t status = process->used.status;
    o->failed += status && status < NYTP_STATUS_SIGNAL;
    o->killed += status >= NYTP_STATUS_SIGNAL;
    if (status) list(&o->failures, nytp_seconds_between(process->ended, o->first), process);
    if (process->children) return;
    int is_builder = process->watched ? 0 : nytp_command_is_builder(process->command);
    o->unseen += is_builder > 0;
    o->lacks_memory |= is_builder < 0;
    if (seconds > 1 && cpu < 0.1 * seconds) list(&o->waits, seconds - cpu, process);
}

static void advance(nytp_outcome *o, int64_t now) {
    if (now > o->before) nytp_levels_add(&o->levels, (uint64_t)o->jobs, nytp_seconds_between(o->before, now));
    if (now > o->before) o->before = now;
    if (now > o->last) o->last = now;
}

void nytp_outcome_take(nytp_outcome *o, int event, const nytp_built *process) {
    const nytp_built *parent = process->parent;
    int begins = event == NYTP_PROCESSES_BEGAN;
    if (!o->processes && begins) {
        o->first = o->last = o->before = process->began;
        nytp_command_describe(&o->command, process);
    }
    advance(o, begins ? process->began : process->ended);
    o->processes += begins;
    o->left += event == NYTP_PROCESSES_LEFT;
    if (event == NYTP_PROCESSES_ENDED) take_end(o, process);
    if (process->depth && !process->running) o->jobs += begins ? 1 : -1;
    if (parent && parent->depth && parent->running == (uint32_t)begins) o->jobs += begins ? -1 : 1;
}

/* ---- the text ---- */

static void put_time(nytp_buf *out, int64_t ns) {
    char text[64];
    time_t t = (time_t)(ns / 1000000000);
    struct tm tm;
    size_t n = localtime_r(&t, &tm) ? strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %z", &tm) : 0;
    nytp_buf_bytes(out, text, n);
}

static void put_counts(nytp_buf *out, const nytp_outcome *o, const nytp_processes_counts *c) {
    nytp_text_format(out, "processes    %" PRIu64 ", failed %" PRIu64 ", killed %" PRIu64, o->processes, o->failed,
                     o->killed);
    if (o->left) nytp_text_format(out, ", without an end %" PRIu64, o->left);
    if (c->streams[NYTP_PROCESSES_IMPORT]) nytp_text_put(out, "\nseen by      another program, and imported\n");
    else
        nytp_text_format(out, "\nseen by      %" PRIu64 " make or ninja, %" PRIu64 " wrappers\n",
                         c->streams[NYTP_PROCESSES_PRELOAD], c->streams[NYTP_PROCESSES_WRAPPER]);
    if (o->unseen && !c->streams[NYTP_PROCESSES_IMPORT])
        nytp_text_format(out, "not seen     what %" PRIu64 " of make or ninja have started, if anything\n", o->unseen);
    if (c->hosts > 1) nytp_text_format(out, "hosts        %" PRIu64 ", each by the real time of its clock", c->hosts);
    if (c->hosts > 1 && c->forward_ns)
        nytp_text_format(out, ", one set forward by %.3f s", 1e-9 * (double)c->forward_ns);
    if (c->hosts > 1) nytp_text_put(out, "\n");
    if (c->ends) nytp_text_format(out, "missing      %" PRIu64 " processes, whose begin was not seen\n", c->ends);
    if (c->parents) nytp_text_format(out, "missing      the parents of %" PRIu64 " processes\n", c->parents);
    if (c->disordered)
        nytp_text_put(out, "not merged   captures one behind the other: `nytprof merge` of them finds all parents\n");
    if (c->early) nytp_text_format(out, "doubtful     %" PRIu64 " processes ended before they began\n", c->early);
    if (c->damaged) nytp_text_format(out, "missing      %" PRIu64 " bytes, which are damaged\n", c->damaged);
}

void nytp_outcome_put(nytp_buf *out, const nytp_outcome *o, const nytp_processes_counts *counts) {
    double seconds = nytp_seconds_between(o->first, o->last);
    out->failed |= o->lacks_memory | o->command.failed;
    nytp_text_format(out, "command      %s\nstarted      ", o->command.text);
    put_time(out, o->first);
    nytp_text_format(out, "\nduration     %.3f s\n", seconds);
    put_counts(out, o, counts);
    nytp_text_format(out, "at a time    %.2f on average, at most %" PRIu64 "\n",
                     seconds > 0 ? o->levels.work / seconds : 0, o->levels.most);
}

#define LEVEL_BAR 50 /* columns of all the time */

static void put_levels(nytp_buf *out, const nytp_levels *l) {
    static const char bar[LEVEL_BAR + 1] = "==================================================";
    double all = nytp_levels_seconds(l);
    nytp_text_put(out, "\nAT A TIME: so many recipes ran, for such a part of the time:\n\n");
    for (int i = 0; i < NYTP_LEVELS; i++) {
        int columns = (int)(LEVEL_BAR * l->seconds[i] / all);
        if (l->seconds[i] > 0)
            nytp_text_format(out, "%4d%s %5.1f%%%s%.*s\n", i, i == NYTP_LEVELS - 1 ? "+" : " ",
                             100 * l->seconds[i] / all, columns ? "  " : "", columns, bar);
    }
}

/* Up to twice as many as ran. */
static void put_bounds(nytp_buf *out, const nytp_levels *l) {
    nytp_text_put(out, "\nWITH -jN at least, a bound: each recipe takes as long as it did, and there is more to run"
                       " only\nwhile the most ran:\n\n");
    for (uint64_t jobs = 1; jobs < 4 * l->most && jobs <= 1024; jobs *= 2)
        nytp_text_format(out, "%10.3f s  -j%" PRIu64 "\n", nytp_levels_bound(l, jobs), jobs);
}

static void put_list(nytp_buf *out, const nytp_outcome_list *l, const char *title) {
    if (!l->n) return;
    nytp_text_format(out, "\n%s (%" PRIu64 "):\n\n", title, l->n);
    for (uint32_t i = 0; i < l->n && i < NYTP_OUTCOME_LISTED; i++) {
        const nytp_outcome_line *line = &l->lines[i];
        uint64_t number = line->status & 255;
        nytp_text_format(out, "%10.3f s %10.3f s CPU  %s %3" PRIu64 "  ", line->seconds, line->cpu,
                         line->status >= NYTP_STATUS_SIGNAL ? "signal" : "status", number);
        nytp_command_put(out, &line->label);
    }
    if (l->n > NYTP_OUTCOME_LISTED)
        nytp_text_format(out, "           ... and %" PRIu64 " more\n", l->n - NYTP_OUTCOME_LISTED);
}

void nytp_outcome_put_lists(nytp_buf *out, const nytp_outcome *o) {
    if (o->levels.most) put_levels(out, &o->levels);
    if (o->levels.most) put_bounds(out, &o->levels);
    put_list(out, &o->failures, "FAILED, the first ones first");
    put_list(out, &o->waits, "MUCH TIME, LITTLE CPU: waited for something, or left children to themselves");
}
