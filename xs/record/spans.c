/* SPDX-License-Identifier: MIT */
/* spans.c - marks, and sums of spans and counts by name.
 *
 * Each name has two tallies: what has come since the last window, under the lock, and what is being written, which only
 * the thread that writes touches. */
#include "record/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/table.h"
#include "base/ticks.h"
#include "record/lengths.h"

#define MOST_LABELS 1000u
#define MOST_MARKS 1000u  /* written to an output */
#define MOST_CUTS 64u     /* marks at which a window ends */
#define LONGEST_NAME 200u /* bytes */

typedef struct label {
    nytp_str name; /* owned */
    uint32_t of;   /* enum nytp_label_of */
    uint32_t generation; /* of the output that defines it */
    nytp_live_lengths fresh, due; /* of a count the sum is of what was counted, and there is no length */
} label;

typedef struct mark {
    int64_t ticks;
    nytp_str name; /* owned */
} mark;

typedef struct nytp_spans {
    pthread_mutex_t lock;
    label **labels; /* index + 1 is the id */
    mark *marks;
    uint32_t labels_n, labels_room, marks_n, marks_room;
    uint32_t due;        /* marks that are being written, the first ones */
    uint32_t seen, cuts; /* marks up to now, and windows that ended at one */
    uint32_t era, forks; /* see nytp_begun; and the process's, as of now */
    nytp_table by_name;
    double ns;           /* of a tick */
} nytp_spans;

/* State of the process, as handlers have no argument. */
static struct {
    atomic_uint forks, eras;
} process;

static void in_child(void) { process.forks++; }

static void attend_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/* ---- names ---- */

/* At most so many bytes, and no part of a character. */
static nytp_str cut(nytp_str name) {
    if (name.n <= LONGEST_NAME) return name;
    size_t n = LONGEST_NAME;
    while (n > LONGEST_NAME - 4 && ((unsigned char)name.p[n] & 0xC0) == 0x80) n--;
    return (nytp_str){name.p, n};
}

/* To be freed by drop; p is NULL when memory is short. */
static nytp_str copy(nytp_str name) {
    char *p = malloc(name.n + 1);
    if (p && name.n) memcpy(p, name.p, name.n);
    return (nytp_str){p, name.n};
}

static void drop(nytp_str name) { free((char *)(uintptr_t)name.p); }

static int is_same(const void *of, uint32_t number, const void *like) {
    const nytp_spans *s = of;
    const label *l = s->labels[number - 1], *wanted = like;
    return l->of == wanted->of && nytp_str_eq(l->name, wanted->name);
}

/* The id; 0 when memory is short. */
static uint32_t make_label(nytp_spans *s, uint32_t *number, nytp_str name, uint32_t of) {
    label **at = nytp_grow_owned(&s->labels, s->labels_n, &s->labels_room, sizeof *at);
    label *l = at ? calloc(1, sizeof *l) : NULL;
    if (l) l->name = copy(name);
    if (!l || !l->name.p) {
        free(l);
        return 0;
    }
    l->of = of;
    *at = l;
    return *number = ++s->labels_n;
}

static uint32_t label_of(nytp_spans *s, nytp_str name, uint32_t of) {
    label wanted = {.name = cut(name), .of = of};
    uint64_t hash = nytp_str_hash(wanted.name) + of;
    uint32_t id = nytp_table_get(&s->by_name, hash, is_same, s, &wanted);
    if (id) return id;
    if (s->labels_n >= MOST_LABELS) {
        wanted.name = NYTP_LIT("(other names)");
        hash = nytp_str_hash(wanted.name) + of;
    }
    uint32_t *number = nytp_table_at(&s->by_name, hash, is_same, s, &wanted);
    return !number ? 0 : *number ? *number : make_label(s, number, wanted.name, of);
}

/* ---- sums ---- */

static void add(nytp_live_lengths *t, int64_t sum) {
    t->count++;
    t->sum = nytp_ticks_add(t->sum, sum);
}

static void add_span(const nytp_spans *s, nytp_live_lengths *t, int64_t began, int64_t ticks) {
    double ns = (double)ticks * s->ns;
    nytp_lengths_add(t, began, ticks, ns < 9e18 ? (uint64_t)ns : INT64_MAX);
}

/* ---- what there is ---- */

static void drop_marks(nytp_spans *s, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) drop(s->marks[i].name);
    if (s->marks_n > n) memmove(s->marks, s->marks + n, (s->marks_n - n) * sizeof *s->marks);
    s->marks_n -= n;
    s->due = 0;
}

/* In a forked child all that is not written is the parent's. */
static void move_to_child(nytp_spans *s) {
    uint32_t forks = process.forks;
    if (s->forks == forks) return;
    s->forks = forks;
    s->era = ++process.eras;
    s->seen = s->cuts = 0;
    drop_marks(s, s->marks_n);
    for (uint32_t i = 0; i < s->labels_n; i++) {
        nytp_lengths_empty(&s->labels[i]->fresh);
        nytp_lengths_empty(&s->labels[i]->due);
    }
}

static nytp_spans *make(nytp_recorder *r) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    nytp_spans *s = calloc(1, sizeof *s);
    if (!s) return NULL;
    pthread_once(&once, attend_forks);
    pthread_mutex_init(&s->lock, NULL);
    s->ns = (double)NYTP_NANOSECONDS / (double)r->clock.ticks_per_second;
    s->forks = process.forks;
    s->era = ++process.eras;
    r->spans = s;
    return s;
}

/* With the lock; NULL when memory is short. */
static nytp_spans *take(nytp_recorder *r) {
    nytp_spans *s = r->spans;
    if (!s) s = make(r);
    if (!s) return NULL;
    pthread_mutex_lock(&s->lock);
    move_to_child(s);
    return s;
}

/* ---- what the program says ---- */

static void count(nytp_spans *s, nytp_str name, int64_t n) {
    uint32_t id = label_of(s, name, NYTP_LABEL_COUNT);
    if (id) add(&s->labels[id - 1]->fresh, n);
}

static void add_mark(nytp_spans *s, nytp_str name, int64_t now) {
    mark *m = nytp_grow_owned(&s->marks, s->marks_n, &s->marks_room, sizeof *m);
    if (m) m->name = copy(cut(name));
    if (!m || !m->name.p) return;
    m->ticks = now;
    s->marks_n++;
    s->seen++;
}

int nytp_spans_mark(nytp_recorder *r, nytp_str name, int64_t now) {
    nytp_spans *s = take(r);
    if (!s) return 0;
    if (s->seen < MOST_MARKS) add_mark(s, name, now);
    else count(s, NYTP_LIT("(other marks)"), 1);
    int ends_window = s->cuts < MOST_CUTS;
    s->cuts += (uint32_t)ends_window;
    pthread_mutex_unlock(&s->lock);
    return ends_window;
}

void nytp_spans_count(nytp_recorder *r, nytp_str name, int64_t n) {
    nytp_spans *s = take(r);
    if (!s) return;
    count(s, name, n);
    pthread_mutex_unlock(&s->lock);
}

nytp_begun nytp_spans_begin(nytp_recorder *r, nytp_str name) {
    nytp_begun span = {0};
    nytp_spans *s = take(r);
    if (!s) return span;
    span.label = label_of(s, name, NYTP_LABEL_SPAN);
    if (span.label) span.era = s->era;
    pthread_mutex_unlock(&s->lock);
    span.ticks = nytp_now(r);
    return span;
}

void nytp_spans_end(nytp_recorder *r, nytp_begun span) {
    int64_t now = nytp_now(r);
    nytp_spans *s = span.era && r->spans ? take(r) : NULL;
    if (!s) return;
    if (span.era == s->era && span.label <= s->labels_n)
        add_span(s, &s->labels[span.label - 1]->fresh, span.ticks, now > span.ticks ? now - span.ticks : 0);
    pthread_mutex_unlock(&s->lock);
}

/* ---- writing ---- */

static void define(nytp_recorder *r, label *l, uint32_t id) {
    if (!l->due.count || l->generation == r->output.generation) return;
    l->generation = r->output.generation;
    nytp_record out = {.kind = NYTP_REC_LABEL, .u.label = {.id = id, .of = l->of, .name = l->name}};
    nytp_writer_put(r->output.writer, &out);
}

void nytp_spans_define(nytp_recorder *r) {
    nytp_spans *s = r->spans ? take(r) : NULL;
    if (!s) return;
    for (uint32_t i = 0; i < s->labels_n; i++) {
        nytp_lengths_move(&s->labels[i]->fresh, &s->labels[i]->due);
        define(r, s->labels[i], i + 1);
    }
    s->due = s->marks_n;
    pthread_mutex_unlock(&s->lock);
}

/* Sums of what is due are this thread's own, and the list of marks is not. */
void nytp_spans_put(nytp_recorder *r) {
    nytp_spans *s = r->spans ? take(r) : NULL;
    if (!s) return;
    for (uint32_t i = 0; i < s->due; i++)
        nytp_writer_put(r->output.writer,
                        &(nytp_record){.kind = NYTP_REC_MARK, .u.mark = {s->marks[i].ticks, s->marks[i].name}});
    for (uint32_t i = 0; i < s->labels_n; i++)
        nytp_lengths_put_tally(r->output.writer, &s->labels[i]->due, i + 1);
    for (uint32_t i = 0; i < s->labels_n; i++)
        nytp_lengths_put_buckets(r->output.writer, &s->labels[i]->due, i + 1);
    pthread_mutex_unlock(&s->lock);
}

void nytp_spans_settle(nytp_recorder *r) {
    nytp_spans *s = r->spans ? take(r) : NULL;
    if (!s) return;
    drop_marks(s, s->due);
    for (uint32_t i = 0; i < s->labels_n; i++)
        if (s->labels[i]->due.count) nytp_lengths_empty(&s->labels[i]->due);
    pthread_mutex_unlock(&s->lock);
}

void nytp_spans_forget(nytp_recorder *r) {
    nytp_spans *s = r->spans ? take(r) : NULL;
    if (s) pthread_mutex_unlock(&s->lock);
}

void nytp_spans_renew(nytp_recorder *r) {
    nytp_spans *s = r->spans ? take(r) : NULL;
    if (!s) return;
    s->era = ++process.eras;
    pthread_mutex_unlock(&s->lock);
}

/* ---- the end ---- */

void nytp_spans_close(nytp_recorder *r) {
    nytp_spans *s = r->spans;
    if (!s) return;
    drop_marks(s, s->marks_n);
    for (uint32_t i = 0; i < s->labels_n; i++) {
        nytp_lengths_free(&s->labels[i]->fresh);
        nytp_lengths_free(&s->labels[i]->due);
        drop(s->labels[i]->name);
        free(s->labels[i]);
    }
    free(s->labels);
    free(s->marks);
    nytp_table_free(&s->by_name);
    pthread_mutex_destroy(&s->lock);
    free(s);
    r->spans = NULL;
}
