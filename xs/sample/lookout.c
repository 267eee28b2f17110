/* SPDX-License-Identifier: MIT */
/* lookout.c - the thread, its list of perls, and what becomes of both in a forked child.
 *
 * The thread has the lock except while it sleeps. A fork takes it, so the child finds the list as it is between two
 * looks. */
#include "sample/lookout.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/grow.h"
#include "base/worker.h"
#include "sample/caught.h"
#include "sample/pace.h"
#include "sample/spelled.h"

#define MOST_SIGHTINGS 8192 /* different ones between two windows; samples of others are not counted */
#define OWN_CPU 20000       /* ns of CPU time between two looks that are not taken for the program's */

enum { CURCOP, NODE, CURCOP_AGAIN, ON, PARTS }; /* of a look */

struct nytp_lookout {
    nytp_subject subject;
    uint64_t at[PARTS], seen[PARTS]; /* addresses of the parts, and what the latest look found there */
    int64_t since;                   /* the latest look, or when counting was found to go on; 0: it is off */
    int pauses;                      /* 1: looks do not count */
    nytp_sightings found;
    nytp_lookout *next;
};

/* State of the process. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    nytp_lookout *all;
    pthread_t thread;
    uint32_t runs, begun; /* the number of the thread that goes on, 0: none; and of those that have begun */
    nytp_pace pace;
    int64_t hz, used; /* CPU time of the process without that of the thread */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* ---- what was found ---- */

void nytp_sightings_free(nytp_sightings *s) {
    free(s->all);
    nytp_map_free(&s->by_hash);
    nytp_buf_free(&s->names);
    *s = (nytp_sightings){0};
}

static int is_same(const nytp_sighting *a, const nytp_sighting *b) {
    return a->node == b->node && nytp_unwind_are_same(a->statement, b->statement) &&
           nytp_unwind_are_same(a->statement + 1, b->statement + 1);
}

static uint64_t hash_of(const nytp_sighting *s) {
    const uint64_t factor = UINT64_C(0x9E3779B97F4A7C15);
    uint64_t hash = s->node * factor;
    for (int i = 0; i < NYTP_SIGHTED; i++) {
        const nytp_frame *f = &s->statement[i];
        hash = (hash ^ hash >> 32 ^ f->cop) * factor;
        hash = (hash ^ hash >> 32 ^ ((uint64_t)f->seq << 32 | f->line)) * factor;
    }
    return hash ^ hash >> 32;
}

/* Where the name is; 0 if it cannot be read, or if the statement has changed meanwhile. */
static uint32_t spell(const nytp_subject *t, const nytp_frame *f, nytp_buf *names) {
    if (!names->n) nytp_buf_byte(names, 0);
    size_t from = names->n;
    if (!f->cop || !nytp_spelled_file(t, f, names)) return 0;
    nytp_buf_byte(names, 0);
    if (!names->failed && from < UINT32_MAX && nytp_unwind_is_same(t, f)) return (uint32_t)from;
    names->n = from;
    return 0;
}

/* NULL: there is no room for it. */
static nytp_sighting *known(nytp_sightings *s, const nytp_subject *t, const nytp_sighting *like) {
    uint32_t *number = nytp_map_at(&s->by_hash, hash_of(like));
    if (number && *number && is_same(&s->all[*number - 1], like)) return &s->all[*number - 1];
    if (!number || s->n == MOST_SIGHTINGS) return NULL;
    nytp_sighting *made = nytp_grow_owned(&s->all, s->n, &s->room, sizeof *made);
    if (!made) return NULL;
    *made = *like;
    for (int i = 0; i < NYTP_SIGHTED; i++) made->file[i] = spell(t, &like->statement[i], &s->names);
    *number = ++s->n;
    return made;
}

/* ---- a look ---- */

static int look(nytp_lookout *w, uint64_t now[PARTS]) {
    nytp_peek_piece pieces[PARTS];
    uintptr_t words[PARTS];
    for (int i = 0; i < PARTS; i++) pieces[i] = (nytp_peek_piece){w->at[i], &words[i], sizeof words[i]};
    if (!nytp_peek_together(&w->subject.peek, pieces, PARTS)) return 0;
    for (int i = 0; i < PARTS; i++) now[i] = words[i];
    return 1;
}

/* While perl compiles, the statement that has it do so: a require, or an eval. */
static nytp_frame compiles(const nytp_subject *t) {
    static nytp_stack stack; /* with the lock */
    nytp_unwind_look(t, &stack);
    uint32_t n = nytp_unwind(t, &stack) ? stack.n : 0;
    for (uint32_t i = 0; i < n; i++)
        if (stack.frames[i].cop) return stack.frames[i];
    return (nytp_frame){0};
}

static nytp_frame statement_at(const nytp_subject *t, uint64_t cop) {
    nytp_frame f = {.cop = cop};
    if (cop == t->perl.compiling) return compiles(t);
    return cop && nytp_unwind_read(t, NULL, &f) ? f : (nytp_frame){0};
}

static void note(nytp_lookout *w, const uint64_t now[PARTS], int64_t ns) {
    nytp_sighting like = {.node = now[NODE]};
    like.statement[0] = statement_at(&w->subject, now[CURCOP]);
    if (now[CURCOP_AGAIN] != now[CURCOP]) like.statement[1] = statement_at(&w->subject, now[CURCOP_AGAIN]);
    nytp_sighting *at = known(&w->found, &w->subject, &like);
    if (!at) return;
    at->samples++;
    at->ns += ns;
}

/* 1 if something has moved since the latest look. */
static int look_at(nytp_lookout *w, int64_t moment) {
    uint64_t now[PARTS];
    int is_on = !w->pauses && look(w, now) && now[ON], has_moved = is_on && memcmp(now, w->seen, sizeof now) != 0;
    if (is_on && w->since) note(w, now, moment - w->since);
    w->since = is_on ? moment : 0;
    if (is_on) memcpy(w->seen, now, sizeof now);
    return has_moved;
}

/* A program that waits stays where it is; one that runs an op for long does so, too, but uses CPU time. */
static void look_at_all(void) {
    int64_t now = clock_ns(CLOCK_MONOTONIC), before = process.used;
    int moved = 0;
    process.used = clock_ns(CLOCK_PROCESS_CPUTIME_ID) - clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (nytp_lookout *w = process.all; w; w = w->next) moved |= look_at(w, now);
    int is_idle = !moved && process.used - before < OWN_CPU;
    nytp_pace_plan(&process.pace, clock_ns(CLOCK_MONOTONIC), is_idle);
}

/* ---- the thread ---- */

static void sleep_until(int64_t ns, uint32_t own) {
    const struct timespec until = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    while (process.runs == own && pthread_cond_timedwait(&process.changed, &process.lock, &until) != ETIMEDOUT) {}
}

static void *run(void *number) {
    uint32_t own = (uint32_t)(uintptr_t)number;
    nytp_caught_prepare();
    pthread_mutex_lock(&process.lock);
    int64_t now = clock_ns(CLOCK_MONOTONIC);
    nytp_pace_begin(&process.pace, process.hz, (uint64_t)now ^ (uint64_t)getpid() << 32, now);
    while (process.runs == own) {
        sleep_until(process.pace.next, own);
        if (process.runs == own) look_at_all();
    }
    pthread_mutex_unlock(&process.lock);
    return NULL;
}

static void make_condition(void) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&process.changed, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* With the lock. An error number. */
static int start(void) {
    if (process.runs) return 0;
    process.runs = ++process.begun ? process.begun : ++process.begun;
    int code = nytp_worker_start(&process.thread, run, (void *)(uintptr_t)process.runs);
    if (code) process.runs = 0;
    return code;
}

/* ---- fork ---- */

static void before_fork(void) { pthread_mutex_lock(&process.lock); }

static void in_parent(void) { pthread_mutex_unlock(&process.lock); }

/* What was found is the parent's. Perls of other threads are not in the child, so looks count for none but the perls
 * that go on. */
static void in_child(void) {
    process.runs = 0;
    make_condition();
    for (nytp_lookout *w = process.all; w; w = w->next) {
        nytp_sightings_free(&w->found);
        w->since = 0;
        w->pauses = 1;
        w->subject.peek.pid = getpid();
    }
    pthread_mutex_unlock(&process.lock);
}

static void install(void) {
    make_condition();
    pthread_atfork(before_fork, in_parent, in_child);
}

void nytp_lookout_attend_forks(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install);
}

/* ---- life ---- */

static int tell(int code, nytp_error *e) {
    errno = code;
    return code ? (int)nytp_error_sys(e, "cannot start a thread") : NYTP_OK;
}

nytp_lookout *nytp_lookout_begin(const nytp_lookout_at *at, int64_t hz, nytp_error *e) {
    nytp_lookout *w = calloc(1, sizeof *w);
    if (!w) {
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return NULL;
    }
    w->subject.layout = at->layout;
    w->subject.perl = at->perl;
    w->at[CURCOP] = w->at[CURCOP_AGAIN] = at->perl.variable[NYTP_PERL_CURCOP];
    w->at[NODE] = at->node;
    w->at[ON] = at->on;
    if (nytp_peek_open(&w->subject.peek, getpid(), w->at[CURCOP], e)) {
        free(w);
        return NULL;
    }
    nytp_lookout_attend_forks();
    pthread_mutex_lock(&process.lock);
    process.hz = hz;
    w->next = process.all;
    process.all = w;
    int code = start();
    pthread_mutex_unlock(&process.lock);
    if (!tell(code, e)) return w;
    nytp_lookout_end(w);
    return NULL;
}

int nytp_lookout_go_on(nytp_lookout *w, nytp_error *e) {
    pthread_mutex_lock(&process.lock);
    if (w) w->pauses = 0;
    int code = w ? start() : 0;
    pthread_mutex_unlock(&process.lock);
    return tell(code, e);
}

/* What comes behind the pause begins there. */
void nytp_lookout_pause(nytp_lookout *w, int pauses) {
    if (!w) return;
    pthread_mutex_lock(&process.lock);
    w->pauses = pauses;
    w->since = pauses ? 0 : clock_ns(CLOCK_MONOTONIC);
    pthread_mutex_unlock(&process.lock);
}

nytp_sightings nytp_lookout_take(nytp_lookout *w) {
    pthread_mutex_lock(&process.lock);
    nytp_sightings found = w->found;
    w->found = (nytp_sightings){0};
    pthread_mutex_unlock(&process.lock);
    return found;
}

/* The last one ends the thread, too. */
void nytp_lookout_end(nytp_lookout *w) {
    nytp_lookout **at = &process.all;
    if (!w) return;
    pthread_mutex_lock(&process.lock);
    while (*at && *at != w) at = &(*at)->next;
    if (*at) *at = w->next;
    int ends = process.runs && !process.all;
    pthread_t thread = process.thread;
    if (ends) process.runs = 0;
    if (ends) pthread_cond_broadcast(&process.changed);
    pthread_mutex_unlock(&process.lock);
    if (ends) pthread_join(thread, NULL);
    nytp_sightings_free(&w->found);
    nytp_peek_close(&w->subject.peek);
    free(w);
}
