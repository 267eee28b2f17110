/* SPDX-License-Identifier: MIT */
/* made.c - processes that another program has recorded, and the capture that is made of them.
 *
 * A process is identified by its start, so of two that began at the same time one is moved by a nanosecond. Each host
 * is a stream of its own; their chunks take turns, so that the file is nearly in the order of time. */
#include "import/made.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/grow.h"
#include "capture/writer.h"

#define TURN 256u /* records between two chunks */
#define LEVEL 1   /* of zlib */
#define LATEST ((INT64_C(1) << 62) - (INT64_C(1) << 40)) /* ns since the epoch: in 2116 */

/* ---- gathering ---- */

static int copy(nytp_made *m, nytp_str *text) {
    *text = nytp_arena_str(&m->arena, *text);
    return text->p != NULL;
}

/* Times that no clock has shown would exceed the numbers in sums. */
static int64_t bounded(int64_t time) { return time < 0 ? 0 : time > LATEST ? LATEST : time; }

uint32_t nytp_made_add(nytp_made *m, const nytp_made_process *p, nytp_error *e) {
    nytp_made_process *new = nytp_grow(&m->arena, &m->all, m->n, &m->room, sizeof *new);
    if (new) *new = *p, new->began = bounded(p->began), new->ended = bounded(p->ended);
    if (new && copy(m, &new->of.directory) && copy(m, &new->of.target) && copy(m, &new->of.command) &&
        copy(m, &new->object) && copy(m, &new->host))
        return ++m->n;
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return 0;
}

void nytp_made_word(nytp_rec_process *p, nytp_buf *command, nytp_str word) {
    const char *end = word.n ? memchr(word.p, 0, word.n) : NULL;
    nytp_buf_bytes(command, word.p, end ? (size_t)(end - word.p) : word.n);
    nytp_buf_byte(command, 0);
    p->words++;
    p->command = (nytp_str){(const char *)command->p, command->n};
}

static nytp_str without_suffix(nytp_str name) {
    size_t n = name.n;
    while (n && name.p[n - 1] != '.' && name.p[n - 1] != '/') n--;
    return n > 1 && name.p[n - 1] == '.' ? (nytp_str){name.p, n - 1} : name;
}

int nytp_made_is_beside(const nytp_made_process *p, nytp_str file) {
    nytp_str object = p->object, directory = p->of.directory;
    if (nytp_str_starts(object, NYTP_LIT("./"))) object.p += 2, object.n -= 2;
    if (!object.n) return 0;
    object = without_suffix(object);
    file = without_suffix(file);
    if (object.p[0] == '/') return nytp_str_eq(object, file);
    return file.n == directory.n + 1 + object.n && nytp_str_starts(file, directory) && file.p[directory.n] == '/' &&
           nytp_str_ends(file, object);
}

/* ---- the order of records ---- */

typedef struct event {
    int64_t at, start; /* in ticks */
    uint32_t number;
} event;

typedef struct plan {
    event *begins, *ends;
    uint32_t *host_of;   /* by process, like start_of */
    int64_t *start_of;
    uint32_t ends_n;
    int64_t origin; /* ns since the epoch when the clock was 0 */
    nytp_str hosts[NYTP_MADE_HOSTS];
    uint32_t hosts_n;
} plan;

static int compare(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

/* A parent, which has been added earlier, begins ahead of its children and ends behind them. */
static int by_begin(const void *a, const void *b) {
    const event *x = a, *y = b;
    return x->at != y->at ? compare(x->at, y->at) : compare(x->number, y->number);
}

static int by_end(const void *a, const void *b) {
    const event *x = a, *y = b;
    return x->at != y->at ? compare(x->at, y->at) : compare(y->start, x->start);
}

/* Beyond so many hosts the rest counts as one. */
static uint32_t number_of_host(plan *p, nytp_str name) {
    for (uint32_t i = 0; i < p->hosts_n; i++)
        if (nytp_str_eq(p->hosts[i], name)) return i;
    if (p->hosts_n == NYTP_MADE_HOSTS) return NYTP_MADE_HOSTS - 1;
    p->hosts[p->hosts_n] = name;
    return p->hosts_n++;
}

static int64_t origin_of(const nytp_made *m) {
    int64_t first = m->n ? m->all[0].began : 0;
    for (uint32_t i = 1; i < m->n; i++)
        if (m->all[i].began < first) first = m->all[i].began;
    return first;
}

/* Starts are 1 and up: 0 is none. A process that is moved keeps its length. */
static void set_times(plan *p, const nytp_made *m) {
    int64_t last = 0;
    for (uint32_t i = 0; i < m->n; i++) p->begins[i] = (event){.at = m->all[i].began, .number = i};
    qsort(p->begins, m->n, sizeof *p->begins, by_begin);
    for (uint32_t i = 0; i < m->n; i++) {
        event *b = &p->begins[i];
        const nytp_made_process *of = &m->all[b->number];
        int64_t start = b->at - p->origin + 1, length = of->ended - of->began;
        last = start > last ? start : last + 1;
        p->start_of[b->number] = b->at = b->start = last;
        if (length >= 0) p->ends[p->ends_n++] = (event){.at = last + length, .start = last, .number = b->number};
    }
    qsort(p->ends, p->ends_n, sizeof *p->ends, by_end);
}

static void drop_plan(plan *p) {
    free(p->begins);
    free(p->ends);
    free(p->host_of);
    free(p->start_of);
}

static enum nytp_code make_plan(plan *p, const nytp_made *m, nytp_error *e) {
    size_t n = m->n + 1u;
    *p = (plan){.begins = calloc(n, sizeof *p->begins), .ends = calloc(n, sizeof *p->ends),
                .host_of = calloc(n, sizeof *p->host_of), .start_of = calloc(n, sizeof *p->start_of),
                .origin = origin_of(m)};
    if (!p->begins || !p->ends || !p->host_of || !p->start_of)
        return nytp_error_set(e, NYTP_NOMEM, "out of memory");
    for (uint32_t i = 0; i < m->n; i++) p->host_of[i] = number_of_host(p, m->all[i].host);
    set_times(p, m);
    return NYTP_OK;
}

/* ---- writing ---- */

static void begin_stream(nytp_writer *w, const nytp_made *m, const plan *p, nytp_str host, int is_first) {
    nytp_record start = {.kind = NYTP_REC_PROCESS_START};
    start.u.process_start = (nytp_rec_process_start){
        .start = (uint64_t)p->origin, .ticks_per_second = 1000000000, .resolution = 1, .clock_id = 1,
        .clock_name = NYTP_LIT("monotonic"), .program = m->program, .interpreter = m->recorder};
    if (is_first) nytp_writer_text(w, NYTP_LIT("program"), m->program);
    if (is_first) nytp_writer_text(w, NYTP_LIT("interpreter"), m->recorder);
    nytp_writer_put(w, &start);
    if (host.n) nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("host"), host);
}

static void open_streams(nytp_writer **writers, const nytp_made *m, const plan *p, int fd, nytp_error *e) {
    for (uint32_t i = 0; i < p->hosts_n && !e->code; i++) {
        nytp_stream_id id = {.process_start = (uint64_t)p->origin, .pid = i + 1, .front_end = NYTP_FRONT_BUILD};
        int copy_of = dup(fd);
        memcpy(id.run, m->run, sizeof id.run);
        writers[i] = copy_of < 0 ? NULL : nytp_writer_open(copy_of, &id, LEVEL);
        if (copy_of < 0) nytp_error_sys(e, "cannot write the capture");
        else if (!writers[i]) close(copy_of), nytp_error_set(e, NYTP_NOMEM, "out of memory");
        if (e->code) return;
        nytp_writer_shares(writers[i]);
        begin_stream(writers[i], m, p, p->hosts[i], i == 0);
    }
}

static void put_begin(nytp_writer *const *writers, const nytp_made *m, const plan *p, const event *b) {
    const nytp_made_process *of = &m->all[b->number];
    nytp_record r = {.kind = NYTP_REC_PROCESS, .u.process = of->of};
    r.u.process.start = (uint64_t)b->start;
    r.u.process.parent = of->parent ? (uint64_t)p->start_of[of->parent - 1] : 0;
    nytp_writer_put(writers[p->host_of[b->number]], &r);
}

static void put_end(nytp_writer *const *writers, const nytp_made *m, const plan *p, const event *end) {
    nytp_record r = {.kind = NYTP_REC_EXIT, .u.exit = m->all[end->number].used};
    r.u.exit.pid = m->all[end->number].of.pid;
    r.u.exit.start = (uint64_t)end->start;
    r.u.exit.end = (uint64_t)end->at;
    nytp_writer_put(writers[p->host_of[end->number]], &r);
}

static void write_chunks(nytp_writer *const *writers, const plan *p, nytp_error *e) {
    for (uint32_t i = 0; i < p->hosts_n && !e->code; i++)
        if (nytp_writer_chunk(writers[i], 0, 0)) *e = *nytp_writer_error(writers[i]);
}

/* An end at the moment of another process's begin is ahead of it. */
static void write_records(nytp_writer *const *writers, const nytp_made *m, const plan *p, nytp_error *e) {
    const event *b = p->begins, *last = b + m->n, *end = p->ends, *last_end = end + p->ends_n;
    for (uint32_t n = 1; (b < last || end < last_end) && !e->code; n++) {
        int begins = b < last && (end == last_end || b->at < end->at || (b->at == end->at && b->start == end->start));
        if (begins) put_begin(writers, m, p, b++);
        else put_end(writers, m, p, end++);
        if (n % TURN == 0) write_chunks(writers, p, e);
    }
}

enum nytp_code nytp_made_write(const nytp_made *m, int fd, nytp_error *e) {
    nytp_writer *writers[NYTP_MADE_HOSTS] = {NULL};
    plan p;
    if (!make_plan(&p, m, e)) open_streams(writers, m, &p, fd, e);
    if (!e->code) write_records(writers, m, &p, e);
    for (uint32_t i = 0; i < p.hosts_n && writers[i]; i++) {
        nytp_error closing = {0};
        if (!e->code) nytp_writer_end(writers[i], NYTP_END_FINISHED);
        nytp_writer_finish(writers[i], &closing);
        if (!e->code) *e = closing;
    }
    drop_plan(&p);
    if (close(fd)) nytp_error_sys(e, "cannot write the capture");
    return e->code;
}

void nytp_made_free(nytp_made *m) {
    nytp_arena_free(&m->arena);
    *m = (nytp_made){0};
}
