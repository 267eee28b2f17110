/* SPDX-License-Identifier: MIT */
/* build.c - all processes of a build in memory. */
#include "model/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/grow.h"
#include "base/table.h"
#include "capture/reader.h"

/* What only loading needs. */
typedef struct loader {
    nytp_build *b;
    nytp_table by_text;
} loader;

/* ---- what a file is ---- */

int nytp_build_is(const char *path, nytp_error *e) {
    struct stat st;
    nytp_error failure = {0};
    nytp_record r;
    int is_one = 0;
    nytp_reader *reader = !stat(path, &st) && S_ISREG(st.st_mode) ? nytp_reader_open(path, &failure) : NULL;
    while (reader && nytp_reader_next(reader, &r) > 0) {
        if (r.kind == NYTP_REC_DAMAGE) continue;
        is_one = nytp_reader_stream(reader, r.stream)->front_end == NYTP_FRONT_BUILD;
        break;
    }
    if (reader && nytp_reader_error(reader)->code == NYTP_NOMEM) failure.code = NYTP_NOMEM;
    nytp_reader_close(reader);
    if (failure.code == NYTP_NOMEM) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return is_one;
}

/* ---- texts ---- */

static int is_same(const void *of, uint32_t number, const void *like) {
    return nytp_str_eq(((const nytp_build *)of)->texts[number - 1], *(const nytp_str *)like);
}

/* The index of a text; NYTP_BUILD_NONE without memory. */
static uint32_t keep(loader *l, nytp_str text) {
    nytp_build *b = l->b;
    uint32_t *number = nytp_table_at(&l->by_text, nytp_str_hash(text), is_same, b, &text);
    if (number && *number) return *number - 1;
    nytp_str *new = number ? nytp_grow(&b->arena, &b->texts, b->texts_n, &b->texts_room, sizeof *new) : NULL;
    if (new) *new = nytp_arena_str(&b->arena, text);
    if (!new || !new->p) return NYTP_BUILD_NONE;
    *number = ++b->texts_n;
    return b->texts_n - 1;
}

/* ---- processes ---- */

static uint32_t narrow(uint64_t n) { return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX; }

static int take_begin(loader *l, const nytp_built *of) {
    nytp_build *b = l->b;
    nytp_build_process new = {
        .began = of->began, .ended = of->ended, .pid = of->pid, .start = of->start, .words = of->words, .cut = of->cut,
        .serial = narrow(of->serial), .depth = of->depth, .level = narrow(of->level),
        .parent = of->parent ? of->parent->number : NYTP_BUILD_NONE, .host = keep(l, of->host),
        .directory = keep(l, of->directory), .target = keep(l, of->target), .command = keep(l, of->command)};
    uint32_t missing = NYTP_BUILD_NONE;
    if (new.host == missing || new.directory == missing || new.target == missing || new.command == missing) return 0;
    nytp_build_process *kept = nytp_grow(&b->arena, &b->processes, b->n, &b->processes_room, sizeof *kept);
    if (!kept) return 0;
    *kept = new;
    if (!b->n || new.began < b->first) b->first = new.began;
    if (!b->n++ || new.began > b->last) b->last = new.began;
    if (new.parent != NYTP_BUILD_NONE) b->processes[new.parent].children++;
    return 1;
}

static void take_end(nytp_build *b, const nytp_built *of, int is_known) {
    nytp_build_process *p = &b->processes[of->number];
    const nytp_rec_exit *used = &of->used;
    p->ended = of->ended;
    if (p->ended > b->last) b->last = p->ended;
    b->left += !is_known;
    if (!is_known) return;
    p->has_end = 1;
    p->status = narrow(used->status);
    p->user_us = used->user_us, p->system_us = used->system_us;
    p->max_rss_kb = used->max_rss_kb;
    p->minor_faults = used->minor_faults, p->major_faults = used->major_faults;
    p->blocks_in = used->blocks_in, p->blocks_out = used->blocks_out;
    p->switches = used->switches, p->forced_switches = used->forced_switches;
    b->failed += p->status && p->status < NYTP_STATUS_SIGNAL;
    b->killed += p->status >= NYTP_STATUS_SIGNAL;
}

static void add_below(nytp_build *b, const nytp_build_process *p) {
    nytp_build_process *parent = p->parent != NYTP_BUILD_NONE ? &b->processes[p->parent] : NULL;
    if (!parent || parent->host != p->host) return; /* what ran on another host is not in its time */
    parent->own_user_us += p->user_us;
    parent->own_system_us += p->system_us;
}

/* The sum is exact; where only one of the two is less than that of the children, the other makes up for it. */
static void subtract_below(nytp_build *b, nytp_build_process *p) {
    uint64_t all = p->user_us + p->system_us, below = p->own_user_us + p->own_system_us;
    uint64_t own = all > below ? all - below : 0;
    uint64_t user = p->user_us > p->own_user_us ? p->user_us - p->own_user_us : 0;
    p->is_exceeded = p->has_end && below > all;
    p->own_user_us = user < own ? user : own;
    p->own_system_us = own - p->own_user_us;
    b->exceeded += (uint32_t)p->is_exceeded;
    b->own_user_us += p->own_user_us;
    b->own_system_us += p->own_system_us;
}

/* CPU time without children, of that with them. */
static void divide(nytp_build *b) {
    for (uint32_t i = 0; i < b->n; i++) add_below(b, &b->processes[i]);
    for (uint32_t i = 0; i < b->n; i++) subtract_below(b, &b->processes[i]);
}

nytp_built nytp_build_view(const nytp_build *b, const nytp_build_process *p) {
    return (nytp_built){
        .pid = p->pid, .start = p->start, .serial = p->serial, .level = p->level, .words = p->words, .cut = p->cut,
        .host = b->texts[p->host], .directory = b->texts[p->directory], .target = b->texts[p->target],
        .command = b->texts[p->command], .began = p->began, .ended = p->ended, .depth = p->depth,
        .children = p->children, .number = (uint32_t)(p - b->processes),
        .used = {.pid = p->pid, .status = p->status, .user_us = p->user_us, .system_us = p->system_us,
                 .max_rss_kb = p->max_rss_kb, .minor_faults = p->minor_faults, .major_faults = p->major_faults,
                 .blocks_in = p->blocks_in, .blocks_out = p->blocks_out, .switches = p->switches,
                 .forced_switches = p->forced_switches},
        .children_us = p->user_us + p->system_us - p->own_user_us - p->own_system_us};
}

/* ---- notes ---- */

static int add_note(nytp_build *b, uint64_t n, const char *one, const char *many) {
    char text[200];
    if (!n) return 1;
    nytp_str *note = nytp_grow(&b->arena, &b->notes, b->notes_n, &b->notes_room, sizeof *note);
    if (!note) return 0;
    int width = snprintf(text, sizeof text, "%" PRIu64 " %s", n, n == 1 ? one : many);
    *note = nytp_arena_str(&b->arena, (nytp_str){text, (size_t)width});
    b->notes_n += note->p != NULL;
    return note->p != NULL;
}

static int add_notes(nytp_build *b) {
    const nytp_processes_counts *c = &b->counts;
    return add_note(b, b->left, "process has no known end: the build was interrupted, or nothing waited for it",
                    "processes have no known end: the build was interrupted, or nothing waited for them") &&
           add_note(b, c->ends, "process is missing, whose begin was not seen",
                    "processes are missing, whose begin was not seen") &&
           add_note(b, c->parents, "process has a parent that is not known",
                    "processes have parents that are not known") &&
           add_note(b, c->disordered,
                    "process began before the end of a capture ahead of it: nytprof merge of both finds its parents",
                    "processes began before the end of a capture ahead: nytprof merge of both finds their parents") &&
           add_note(b, (c->forward_ns + 999999) / 1000000,
                    "millisecond was added to the times of a host whose clock was behind that of another one",
                    "milliseconds were added to the times of a host whose clock was behind that of another one") &&
           add_note(b, b->exceeded, "process has children that used more CPU time than it: it did not wait for them",
                    "processes have children that used more CPU time than they: they did not wait for them") &&
           add_note(b, c->damaged, "byte is damaged and was left out", "bytes are damaged and were left out");
}

/* ---- loading ---- */

static int take_all(loader *l, nytp_processes *p, nytp_error *e) {
    nytp_built *process;
    int event;
    if (keep(l, (nytp_str){"", 0}) == NYTP_BUILD_NONE) return 0;
    while ((event = nytp_processes_next(p, &process, e)) > 0) {
        if (event != NYTP_PROCESSES_BEGAN) take_end(l->b, process, event == NYTP_PROCESSES_ENDED);
        else if (l->b->n == NYTP_BUILD_NONE || !take_begin(l, process)) return 0;
    }
    return 1;
}

enum nytp_code nytp_build_load(nytp_build *b, const char *path, nytp_error *e) {
    memset(b, 0, sizeof *b);
    loader l = {.b = b};
    nytp_processes *p = nytp_processes_open(path, e);
    if (!p) return e->code;
    b->path = nytp_arena_str(&b->arena, nytp_str_c(path));
    int has_room = b->path.p && take_all(&l, p, e);
    b->counts = *nytp_processes_count(p);
    if (has_room) divide(b);
    if (!has_room || !add_notes(b)) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!b->n)
        nytp_error_set(e, NYTP_FORMAT, "%s: no processes of a build, expected a capture of `nytprof make`", path);
    nytp_table_free(&l.by_text);
    nytp_processes_close(p);
    return e->code;
}

void nytp_build_free(nytp_build *b) {
    nytp_arena_free(&b->arena);
    memset(b, 0, sizeof *b);
}
