/* SPDX-License-Identifier: MIT */
/* processes.c - the processes of a build, in the order of time. */
#include "model/processes.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/map.h"
#include "capture/reader.h"

#define WINDOW 1024u    /* records among which the earliest comes next */
#define RUNNING_MOST 4096u /* processes that run at a time; beyond them the eldest counts as lost */
#define HOSTS_MOST 100u
#define FORWARD_MOST (UINT64_C(3600) * 1000000000) /* ns by which a host's times are moved at once */
#define MOVES_MOST 1000u /* of times, in a capture */
#define TEXT_MOST 16384u /* bytes of a text; writers have less */

/* A record that waits, with texts of its own in one block. */
typedef struct pending {
    int64_t time; /* ns since the epoch */
    uint64_t order;
    uint32_t host;
    int32_t is_outermost; /* 1: of the command that a capture is of; what is above is in no or another capture */
    nytp_record record;
    char *texts;
} pending;

typedef struct host {
    nytp_str name;
    int64_t offset;  /* of the epoch's time to ticks */
    uint64_t forward; /* ns that were added to it */
    int32_t has_offset;
} host;

typedef struct stream {
    uint32_t host;
    int32_t is_launcher;
    int64_t offset; /* as in host */
} stream;

struct nytp_processes {
    nytp_reader *reader;
    pending waiting[WINDOW]; /* a heap, the earliest first */
    uint32_t waiting_n;
    int32_t is_read; /* 1: the reader is at its end */
    uint64_t order;
    uint64_t start_ticks; /* of the latest stream */
    nytp_arena arena;
    host *hosts;     /* from 1; 0 is of streams that do not say */
    uint32_t hosts_n, hosts_room;
    stream *streams;
    uint32_t streams_n, streams_room;
    nytp_built *first, *last; /* that run, in the order of their begin */
    uint32_t running, begun, moves;
    nytp_built *given; /* has ended: freed by the next call */
    nytp_map serials;  /* by host and pid */
    int64_t now;
    nytp_processes_counts counts;
};

static int no_memory(nytp_error *e) {
    nytp_error_set(e, NYTP_NOMEM, "out of memory");
    return -1;
}

/* ---- hosts ---- */

/* The number of that host; 0 for want of memory, or for too many. */
static uint32_t number_of_host(nytp_processes *p, nytp_str name) {
    for (uint32_t i = 1; i < p->hosts_n; i++)
        if (nytp_str_eq(p->hosts[i].name, name)) return i;
    if (p->hosts_n >= HOSTS_MOST) return 0;
    host *new = nytp_grow(&p->arena, &p->hosts, p->hosts_n, &p->hosts_room, sizeof *new);
    if (!new) return 0;
    new->name = nytp_arena_str(&p->arena, name);
    if (!new->name.p) return 0;
    p->counts.hosts++;
    return p->hosts_n++;
}

static int has_stream(nytp_processes *p, uint32_t number) {
    for (; p->streams_n <= number; p->streams_n++)
        if (!nytp_grow_owned(&p->streams, p->streams_n, &p->streams_room, sizeof *p->streams)) return 0;
    return 1;
}

static void count_recorder(nytp_processes *p, nytp_str recorder) {
    if (nytp_str_starts(recorder, NYTP_LIT("launcher"))) p->counts.streams[NYTP_PROCESSES_LAUNCHER]++;
    if (nytp_str_starts(recorder, NYTP_LIT("preload"))) p->counts.streams[NYTP_PROCESSES_PRELOAD]++;
    if (nytp_str_starts(recorder, NYTP_LIT("wrapper"))) p->counts.streams[NYTP_PROCESSES_WRAPPER]++;
    if (nytp_str_starts(recorder, NYTP_LIT("import"))) p->counts.streams[NYTP_PROCESSES_IMPORT]++;
}

/* One anchor counts for a host, so that all of its times are of one scale. */
static void anchor(nytp_processes *p, const stream *of) {
    host *h = &p->hosts[of->host];
    if (!h->has_offset) h->offset = of->offset;
    h->has_offset = 1;
}

/* ---- the window ---- */

static int is_earlier(const pending *a, const pending *b) {
    return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static void swap(pending *a, pending *b) {
    pending t = *a;
    *a = *b;
    *b = t;
}

static void push(nytp_processes *p, const pending *new) {
    uint32_t i = p->waiting_n++;
    for (p->waiting[i] = *new; i && is_earlier(&p->waiting[i], &p->waiting[(i - 1) / 2]); i = (i - 1) / 2)
        swap(&p->waiting[i], &p->waiting[(i - 1) / 2]);
}

static pending pop(nytp_processes *p) {
    pending first = p->waiting[0];
    p->waiting[0] = p->waiting[--p->waiting_n];
    for (uint32_t i = 0, next; (next = 2 * i + 1) < p->waiting_n; i = next) {
        if (next + 1 < p->waiting_n && is_earlier(&p->waiting[next + 1], &p->waiting[next])) next++;
        if (!is_earlier(&p->waiting[next], &p->waiting[i])) break;
        swap(&p->waiting[next], &p->waiting[i]);
    }
    return first;
}

static size_t bounded(nytp_str *text) { return text->n = text->n < TEXT_MOST ? text->n : TEXT_MOST; }

static char *copy(nytp_str *text, char *to) {
    if (text->n) memcpy(to, text->p, text->n);
    text->p = to;
    return to + text->n;
}

/* The texts of a record are the reader's: copied. */
static int keep(nytp_processes *p, const nytp_record *r) {
    uint64_t ticks = r->kind == NYTP_REC_EXIT ? r->u.exit.end : r->u.process.start;
    const stream *of_stream = &p->streams[r->stream];
    pending new = {.order = p->order++, .host = of_stream->host, .is_outermost = of_stream->is_launcher, .record = *r};
    nytp_rec_process *of = &new.record.u.process;
    new.time = (int64_t)((uint64_t)p->hosts[new.host].offset + ticks);
    if (r->kind == NYTP_REC_PROCESS) {
        char *to = new.texts = malloc(bounded(&of->directory) + bounded(&of->target) + bounded(&of->command) + 1u);
        if (!to) return 0;
        to = copy(&of->directory, to);
        to = copy(&of->target, to);
        copy(&of->command, to);
    }
    push(p, &new);
    return 1;
}

/* A stream that has begun is known to its process, in the order of time: as a process record without a pid. */
static int keep_watch(nytp_processes *p, const nytp_record *r) {
    nytp_record watch = {.kind = NYTP_REC_PROPERTY, .stream = r->stream};
    char digits[24] = "";
    memcpy(digits, r->u.pair.value.p, r->u.pair.value.n < sizeof digits ? r->u.pair.value.n : 0);
    watch.u.process.parent = strtoull(digits, NULL, 10);
    watch.u.process.start = p->start_ticks;
    return keep(p, &watch);
}

static int take(nytp_processes *p, const nytp_record *r) {
    if (r->kind == NYTP_REC_DAMAGE) p->counts.damaged += r->u.damage.length;
    if (r->kind == NYTP_REC_DAMAGE) return 1;
    if (nytp_reader_stream(p->reader, r->stream)->front_end != NYTP_FRONT_BUILD) return 1;
    if (!has_stream(p, r->stream)) return 0;
    stream *its = &p->streams[r->stream];
    switch (r->kind) {
    case NYTP_REC_PROCESS_START:
        its->offset = (int64_t)(r->u.process_start.start - (uint64_t)r->u.process_start.start_ticks);
        its->is_launcher = nytp_str_starts(r->u.process_start.interpreter, NYTP_LIT("launcher"));
        count_recorder(p, r->u.process_start.interpreter);
        p->start_ticks = (uint64_t)r->u.process_start.start_ticks;
        anchor(p, its);
        return 1;
    case NYTP_REC_PROPERTY:
        if (nytp_str_eq(r->u.pair.key, NYTP_LIT("build"))) return keep_watch(p, r);
        if (!nytp_str_eq(r->u.pair.key, NYTP_LIT("host"))) return 1;
        its->host = number_of_host(p, r->u.pair.value);
        anchor(p, its);
        return 1;
    case NYTP_REC_PROCESS:
    case NYTP_REC_EXIT: return keep(p, r);
    }
    return 1;
}

static int fill(nytp_processes *p, nytp_error *e) {
    nytp_record r;
    int more = 1;
    while (!p->is_read && p->waiting_n < WINDOW && (more = nytp_reader_next(p->reader, &r)) > 0)
        if (!take(p, &r)) return no_memory(e);
    if (more == 0) p->is_read = 1;
    if (more < 0) nytp_error_set(e, nytp_reader_error(p->reader)->code, "%s", nytp_reader_error(p->reader)->text);
    return more < 0 ? -1 : 1;
}

/* ---- processes ---- */

static uint64_t key_of(uint32_t host_number, uint64_t pid) { return (uint64_t)host_number << 40 ^ pid; }

/* Those that run are few, and the latest is looked for most often. */
static nytp_built *find(const nytp_processes *p, uint32_t host_number, uint64_t start, uint64_t pid, uint64_t until) {
    nytp_built *b = p->last;
    while (b && (b->host_number != host_number || (start ? b->start != start : b->pid != pid || b->start > until)))
        b = b->before;
    return b;
}

/* A process of another host is known by its begin, too, as no two begin in the same nanosecond. */
static nytp_built *find_parent(const nytp_processes *p, uint32_t host_number, uint64_t start) {
    nytp_built *b = find(p, host_number, start, 0, 0);
    if (b || p->counts.hosts < 2) return b;
    for (b = p->last; b && b->start != start;) b = b->before;
    return b;
}

/* By how many ns the process above, of another host, begins later among records that wait, where none of this begin
 * runs; 0: by none, or by more than clocks are wrong. */
static uint64_t too_early(const nytp_processes *p, const pending *of) {
    uint64_t parent = of->record.u.process.parent, by;
    if (p->counts.hosts < 2 || !parent || p->moves == MOVES_MOST || find_parent(p, of->host, parent)) return 0;
    for (uint32_t i = 0; i < p->waiting_n; i++) {
        const pending *other = &p->waiting[i];
        if (other->record.kind != NYTP_REC_PROCESS || other->record.u.process.start != parent) continue;
        by = (uint64_t)other->time - (uint64_t)of->time + 1;
        return other->host != of->host && by < FORWARD_MOST ? by : 0;
    }
    return 0;
}

static int64_t plus(int64_t time, uint64_t by) { return (int64_t)((uint64_t)time + by); }

/* Adds so much to the times of the host of that record, which waits again. */
static void set_forward(nytp_processes *p, const pending *of, uint64_t by) {
    host *its = &p->hosts[of->host];
    uint32_t n = p->waiting_n;
    p->moves++;
    its->offset = plus(its->offset, by);
    its->forward += by;
    if (its->forward > p->counts.forward_ns) p->counts.forward_ns = its->forward;
    p->waiting[n] = *of;
    for (p->waiting_n = 0; p->waiting_n <= n;) {
        pending next = p->waiting[p->waiting_n];
        if (next.host == of->host) next.time = plus(next.time, by);
        push(p, &next);
    }
}

static void link_last(nytp_processes *p, nytp_built *b) {
    b->before = p->last;
    *(p->last ? &p->last->behind : &p->first) = b;
    p->last = b;
    p->running++;
}

static void unlink_built(nytp_processes *p, nytp_built *b) {
    *(b->before ? &b->before->behind : &p->first) = b->behind;
    *(b->behind ? &b->behind->before : &p->last) = b->before;
    p->running--;
    if (b->parent) b->parent->running--;
}

/* Its children may go on, without a parent. */
static void drop_given(nytp_processes *p) {
    for (nytp_built *b = p->given && p->given->running ? p->first : NULL; b; b = b->behind)
        if (b->parent == p->given) b->parent = NULL;
    free(p->given);
    p->given = NULL;
}

static nytp_built *begin(nytp_processes *p, const pending *of) {
    const nytp_rec_process *r = &of->record.u.process;
    size_t texts = r->directory.n + r->target.n + r->command.n;
    nytp_built *b = calloc(1, sizeof *b + texts + 1);
    if (!b) return NULL;
    char *to = (char *)(b + 1);
    b->pid = r->pid;
    b->serial = nytp_map_get(&p->serials, key_of(of->host, r->pid));
    b->level = r->level, b->words = r->words, b->cut = r->cut;
    b->start = r->start;
    b->host_number = of->host;
    b->host = p->hosts[of->host].name;
    b->directory = r->directory, b->target = r->target, b->command = r->command;
    to = copy(&b->directory, to);
    to = copy(&b->target, to);
    copy(&b->command, to);
    b->began = b->ended = of->time;
    b->number = p->begun++;
    b->parent = r->parent ? find_parent(p, of->host, r->parent) : NULL;
    if (r->parent && !b->parent && !of->is_outermost) p->counts.parents++;
    if (of->is_outermost && of->time < p->now) p->counts.disordered++;
    if (b->parent) b->parent->running++, b->parent->children++, b->depth = b->parent->depth + 1;
    link_last(p, b);
    return b;
}

/* What a process has waited for is in its own time, but for what ran on another host. A hostile end is no older than
 * its begin. */
static nytp_built *end(nytp_processes *p, const pending *of) {
    const nytp_rec_exit *r = &of->record.u.exit;
    nytp_built *b = find(p, of->host, r->start, r->pid, r->end);
    uint32_t *serial = b ? nytp_map_at(&p->serials, key_of(b->host_number, b->pid)) : NULL;
    if (!b) p->counts.ends++;
    if (!b) return NULL;
    if (serial) ++*serial;
    b->used = *r;
    b->ended = of->time > b->began ? of->time : b->began;
    b->early = of->time < b->began ? b->began - of->time : 0;
    p->counts.early += b->early > 0;
    if (b->parent && b->parent->host_number == b->host_number) b->parent->children_us += r->user_us + r->system_us;
    unlink_built(p, b);
    return p->given = b;
}

static void watch(const nytp_processes *p, const pending *of) {
    nytp_built *b = find_parent(p, of->host, of->record.u.process.parent);
    if (b) b->watched++;
}

static nytp_built *leave(nytp_processes *p) {
    nytp_built *b = p->first;
    b->ended = p->now;
    unlink_built(p, b);
    return p->given = b;
}

int nytp_processes_next(nytp_processes *p, nytp_built **process, nytp_error *e) {
    drop_given(p);
    while (fill(p, e) > 0) {
        int is_late = !p->waiting_n || p->running > RUNNING_MOST;
        if (is_late && p->first) return *process = leave(p), NYTP_PROCESSES_LEFT;
        if (!p->waiting_n) return NYTP_PROCESSES_END;
        pending next = pop(p);
        int begins = next.record.kind == NYTP_REC_PROCESS;
        uint64_t by = begins ? too_early(p, &next) : 0;
        if (by) {
            set_forward(p, &next, by);
            continue;
        }
        if (next.time > p->now) p->now = next.time;
        if (next.record.kind == NYTP_REC_PROPERTY) {
            watch(p, &next);
            continue;
        }
        *process = begins ? begin(p, &next) : end(p, &next);
        free(next.texts);
        if (begins) return *process ? NYTP_PROCESSES_BEGAN : no_memory(e);
        if (*process) return NYTP_PROCESSES_ENDED;
    }
    return -1;
}

/* ---- the handle ---- */

nytp_processes *nytp_processes_open(const char *path, nytp_error *e) {
    nytp_reader *reader = nytp_reader_open(path, e);
    nytp_processes *p = reader ? calloc(1, sizeof *p) : NULL;
    if (p) p->reader = reader;
    if (p && nytp_grow(&p->arena, &p->hosts, p->hosts_n++, &p->hosts_room, sizeof *p->hosts)) return p;
    if (!p) nytp_reader_close(reader);
    nytp_processes_close(p);
    if (!e->code) no_memory(e);
    return NULL;
}

const nytp_processes_counts *nytp_processes_count(const nytp_processes *p) { return &p->counts; }

void nytp_processes_close(nytp_processes *p) {
    if (!p) return;
    while (p->waiting_n) free(p->waiting[--p->waiting_n].texts);
    free(p->given);
    for (nytp_built *b = p->first, *behind; b; b = behind) {
        behind = b->behind;
        free(b);
    }
    nytp_reader_close(p->reader);
    nytp_map_free(&p->serials);
    nytp_arena_free(&p->arena);
    free(p->streams);
    free(p);
}
