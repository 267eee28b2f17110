/* SPDX-License-Identifier: MIT */
/* range.c - parts of a profile: ranges of its time, and what came since an earlier load, with drafts; the parts add up
 * to the whole. */
#include "capture/chunk.h"
#include "fixture.h"
#include "model/load.h"
#include "model/metrics.h"
#include "tap.h"

static char path[500];

typedef struct sums {
    int64_t calls, exclusive, statements, ticks, elapsed, subtracted, values;
} sums;

static sums sums_of(const nytp_profile *p) {
    const nytp_sub *f = p->subs_n > 2 ? &p->subs[2] : &p->subs[NYTP_UNKNOWN];
    return (sums){f->calls, f->exclusive, p->totals.statements, p->totals.ticks, p->totals.elapsed,
                  p->totals.subtracted, nytp_metrics_get(p, 0, p->totals.values)};
}

static void add(sums *to, const sums *more) {
    to->calls += more->calls;
    to->exclusive += more->exclusive;
    to->statements += more->statements;
    to->ticks += more->ticks;
    to->elapsed += more->elapsed;
    to->subtracted += more->subtracted;
    to->values += more->values;
}

static int are_equal(const sums *a, const sums *b) { return !memcmp(a, b, sizeof *a); }

/* What the options choose; e has why there is nothing. */
static sums load(const nytp_load_options *options, nytp_error *e) {
    const char *only = path;
    nytp_profile p;
    nytp_load(&p, &only, 1, options, e);
    sums found = e->code ? (sums){0} : sums_of(&p);
    for (uint32_t i = 0; i < p.notes_n; i++)
        if (strstr(p.notes[i].p, "add up")) printf("# %s\n", p.notes[i].p);
    nytp_profile_close(&p);
    return found;
}

/* ---- captures ---- */

static void value(fixture *f, uint64_t id, int64_t n) {
    nytp_rec_value r = {1, NYTP_OF_PLACE, id, n};
    nytp_writer_put(f->w, &(nytp_record){.kind = NYTP_REC_VALUES, .u.value = r});
}

/* f, called n times in the window, in which its line 2 has taken 100 ticks each time, and line 5 500. */
static void window(fixture *f, int64_t n) {
    fixture_ran(f, 1, n, 100 * n);
    fixture_ran(f, 2, 1, 500);
    fixture_called(f, 1, n, 90 * n);
    value(f, 1, 7 * n);
    fixture_chunk(f, 0);
}

static fixture begin(void) {
    fixture f = fixture_open(path, 1, "x.pl");
    nytp_rec_metric metric = {.id = 1, .of = NYTP_OF_PLACE, .name = NYTP_LIT("things"), .title = NYTP_LIT("Things")};
    nytp_writer_put(f.w, &(nytp_record){.kind = NYTP_REC_METRIC, .u.metric = metric});
    fixture_file(&f, 1, "/app/x.pl", 0, 0);
    fixture_sub(&f, 1, 0, 1, 1, 3, "main::f");
    fixture_place(&f, 1, 1, 2, 1, 1);
    fixture_place(&f, 2, 1, 5, 5, 5);
    fixture_node(&f, 1, 0, 2, 1);
    return f;
}

/* Makes the file's last chunk, which is the n-th, a draft. */
static void make_draft(int n) {
    nytp_buf file = sample_slurp(path), out = {0};
    size_t at = 0;
    for (int found = 0; found < n && at < file.n; at++)
        if (!memcmp(file.p + at, NYTP_FORMAT_SYNC, 8) && ++found == n) break;
    nytp_chunk_info c;
    nytp_chunk_get(file.p + at, &c);
    c.number = 0;
    nytp_buf_bytes(&out, file.p, at);
    nytp_chunk_put(&out, &c, file.p + at + NYTP_FORMAT_CHUNK_HEAD);
    sample_spew(path, out.p, out.n);
    nytp_buf_free(&file);
    nytp_buf_free(&out);
}

/* The capture as it grows: a first window, then a second with n calls, a draft or for good. */
static void write_state(int64_t n, int is_draft) {
    fixture f = begin();
    window(&f, 3);
    if (n) window(&f, n);
    fixture_close(&f, n && !is_draft);
    if (is_draft) make_draft(2);
}

/* ---- ranges of time ---- */

/* Windows of 800, 700 and 1,300 ticks of 100 ns, the first of which begins with the process. */
static void test_times(void) {
    fixture f = begin();
    window(&f, 2);
    window(&f, 1);
    window(&f, 7);
    fixture_close(&f, 1);
    nytp_error e;
    const sums whole = load(NULL, &e);
    is(whole.calls, 10, "all calls");
    is(whole.elapsed, 800 + 700 + 1300, "in all windows");
    static const uint64_t ends[] = {0, 80000, 100000, 150000, 0};
    static const int64_t calls[] = {2, 0, 1, 7};
    sums all = {0};
    for (int i = 0; i < 4; i++) {
        const sums part = load(&(nytp_load_options){.from = ends[i], .to = ends[i + 1]}, &e);
        is(part.calls, calls[i], "a range has the windows that end in it");
        if (!calls[i]) ok(strstr(e.text, "nothing was measured from 0.000 to 0.000 s; ") != NULL, "if there are any");
        add(&all, &part);
    }
    ok(are_equal(&all, &whole), "ranges add up to the whole");
    load(&(nytp_load_options){.from = 1000000}, &e);
    ok(!strcmp(e.text, "nothing was measured after 0.001 s; the profile ends at 0.000 s"), "an end is told");
}

/* ---- since an earlier load ---- */

static sums load_since(nytp_taken *taken) {
    nytp_error e;
    nytp_taken next = {0};
    const sums found = load(&(nytp_load_options){.since = taken, .taken = &next}, &e);
    is(e.code, NYTP_OK, "it is read");
    nytp_taken_free(taken);
    *taken = next;
    return found;
}

static void test_growing(void) {
    static const struct { int64_t calls, is_draft, new; const char *what; } states[] = {
        {0, 0, 3, "first all is new"},
        {0, 0, 0, "then nothing"},
        {1, 1, 1, "a draft is"},
        {4, 1, 3, "of a later draft only what it has more"},
        {4, 1, 0, "nothing of the same"},
        {1, 1, 0, "and nothing of an older one"},
        {0, 0, 0, "a draft may be missing while it is written"},
        {5, 1, 1, "and be there again"},
        {9, 0, 4, "of the window that replaces it what it has more"},
        {9, 0, 0, "which is the last"},
    };
    nytp_taken taken = {0};
    sums all = {0};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        write_state(states[i].calls, (int)states[i].is_draft);
        const sums part = load_since(&taken);
        is(part.calls, states[i].new, states[i].what);
        add(&all, &part);
    }
    nytp_taken_free(&taken);
    nytp_error e;
    const sums whole = load(NULL, &e);
    is(all.calls, whole.calls, "all calls of the parts are those of the whole");
    ok(are_equal(&all, &whole), "and so is all else");
}

int main(void) {
    char *dir = sample_directory();
    snprintf(path, sizeof path, "%s/range.out", dir);
    test_times();
    test_growing();
    unlink(path);
    rmdir(dir);
    return done();
}
