/* SPDX-License-Identifier: MIT */
/* info_v5.c - the contents of a file of format 5, and whether it is complete. */
#include "cli/info_v5.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/map.h"
#include "cli/cli.h"
#include "cli/print.h"
#include "v5/read.h"

typedef struct summary {
    nytp_arena strings;
    nytp_str program, perl, clock, rate;
    nytp_map running; /* pids: 1 running, 0 ended */
    uint32_t processes, ended;
    double begin, end;
    uint64_t files, subs, statements, resumed, calls;
    int deflated, discounted, out_of_memory;
} summary;

static void keep_attribute(summary *s, const nytp_v5_pair *r) {
    const struct { nytp_str key, *to; } wanted[] = {
        {NYTP_LIT("application"), &s->program}, {NYTP_LIT("perl_version"), &s->perl},
        {NYTP_LIT("clock_id"), &s->clock},      {NYTP_LIT("ticks_per_sec"), &s->rate},
    };

    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (nytp_str_eq(wanted[i].key, r->key)) *wanted[i].to = nytp_arena_str(&s->strings, r->value);
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (nytp_str_eq(wanted[i].key, r->key) && !wanted[i].to->p) s->out_of_memory = 1;
}

static void begin_process(summary *s, const nytp_v5_pid *r) {
    uint32_t *at = nytp_map_at(&s->running, r->pid);

    s->processes++;
    if (at) *at = 1;
    else s->out_of_memory = 1;
    if (!s->begin || r->time < s->begin) s->begin = r->time;
    if (r->time > s->end) s->end = r->time;
}

static void end_process(summary *s, const nytp_v5_pid *r) {
    uint32_t *at = nytp_map_at(&s->running, r->pid);

    if (at) s->ended += *at;
    if (at) *at = 0;
    if (r->time > s->end) s->end = r->time;
}

static void count_time(summary *s) {
    s->statements += !s->discounted;
    s->resumed += (uint64_t)s->discounted;
    s->discounted = 0;
}

static void gather(summary *s, const nytp_v5_event *e) {
    switch (e->tag) {
    case NYTP_V5_ATTRIBUTE: keep_attribute(s, &e->u.pair); break;
    case NYTP_V5_START_DEFLATE: s->deflated = 1; break;
    case NYTP_V5_PID_START: begin_process(s, &e->u.pid); break;
    case NYTP_V5_PID_END: end_process(s, &e->u.pid); break;
    case NYTP_V5_NEW_FID: s->files++; break;
    case NYTP_V5_SUB_INFO: s->subs++; break;
    case NYTP_V5_TIME_LINE:
    case NYTP_V5_TIME_BLOCK: count_time(s); break;
    case NYTP_V5_DISCOUNT: s->discounted = 1; break;
    case NYTP_V5_SUB_CALLERS: s->calls += e->u.callers.count; break;
    default: break;
    }
}

static void print_summary(const summary *s, uint64_t records, const nytp_error *e) {
    nytp_print_titled("program", s->program);
    printf("%-12s perl ", "interpreter");
    nytp_print_text(s->perl);
    putchar('\n');
    nytp_print_times(s->begin, s->end);
    printf("%-12s number ", "clock");
    nytp_print_text(s->clock);
    printf(", ");
    nytp_print_text(s->rate);
    printf(" ticks a second\n");
    printf("%-12s %" PRIu32 "\n", "processes", s->processes);
    printf("%-12s %" PRIu64 " of format 5, %s\n", "records", records, s->deflated ? "compressed" : "not compressed");
    printf("%-12s files %" PRIu64 ", subs %" PRIu64 "\n", "defined", s->files, s->subs);
    printf("%-12s statements %" PRIu64 ", resumed %" PRIu64 ", calls %" PRIu64 "\n", "counted", s->statements,
           s->resumed, s->calls);
    printf("%-12s %s\n", "whole", e->code || s->ended < s->processes ? "no" : "yes");
    if (e->code) printf("             %s\n", e->text);
    if (s->ended < s->processes)
        printf("             %" PRIu32 " of its processes did not end cleanly\n", s->processes - s->ended);
}

int nytp_info_v5(nytp_bytes *bytes) {
    nytp_error e = {0};
    nytp_v5_reader *reader = nytp_v5_reader_from(bytes, &e);
    nytp_v5_event event;
    summary s = {0};

    if (!reader) return nytp_cli_failure(&e);
    while (nytp_v5_reader_next(reader, &event) > 0) gather(&s, &event);
    e = *nytp_v5_reader_error(reader);
    if (s.out_of_memory) nytp_error_set(&e, NYTP_NOMEM, "out of memory");
    if (!e.code || e.code == NYTP_FORMAT) {
        print_summary(&s, nytp_v5_reader_chunk(reader), &e);
        e.code = NYTP_OK;
    }
    nytp_v5_reader_close(reader);
    nytp_map_free(&s.running);
    nytp_arena_free(&s.strings);
    return e.code ? nytp_cli_failure(&e) : NYTP_CLI_FINE;
}
