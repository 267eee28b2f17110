/* SPDX-License-Identifier: MIT */
/* trace.c - the phases of a run of clang.
 *
 * The file is an object of JSON with the trace events of one run; those with "ph":"X" have a begin and a length, in
 * microseconds since the run began, whose real time is in beginningOfTime. Events inside another one are below it.
 * Events whose names begin with Total are sums, and passed over. */
#include "import/trace.h"

#include <stdlib.h>

#include "base/grow.h"
#include "import/tokens.h"

#define LONGEST (INT64_C(1) << 56) /* ns; two years */
#define LATEST (INT64_C(1) << 61)  /* ns since the epoch */
#define DEEPEST 200u              /* events inside each other; those deeper are all below the last */

typedef struct event {
    int64_t begin, length; /* ns since the run began */
    int64_t pid, thread;
    nytp_str name, detail;
    int32_t is_span;
} event;

typedef struct trace {
    nytp_tokens tokens;
    nytp_arena arena; /* of texts */
    event *events;
    uint32_t n, room;
    int64_t origin;   /* ns since the epoch; 0: not known */
    int32_t is_short; /* 1: memory was */
} trace;

int nytp_trace_is(nytp_str text) {
    size_t n = 0;
    while (n < text.n && memchr(" \t\r\n", text.p[n], 4)) n++;
    return n < text.n && text.p[n] == '{';
}

/* ---- reading ---- */

static int is_named(const trace *t, const char *name) { return nytp_str_eq(t->tokens.value, nytp_str_c(name)); }

static enum nytp_token skip_value(trace *t) { return nytp_tokens_skip(&t->tokens, nytp_tokens_next(&t->tokens)); }

/* What is too large for sums of such numbers is refused. */
static void take_number(trace *t, int64_t *n, int64_t most) {
    enum nytp_token token = nytp_tokens_next(&t->tokens);
    if (token == NYTP_TOKEN_WRONG) return;
    if (token != NYTP_TOKEN_NUMBER || !nytp_tokens_thousandths(t->tokens.value, n) || *n > most || *n < -most)
        t->tokens.wrong = "a number of a time or process";
}

/* Other values than texts are passed over. */
static void take_text(trace *t, nytp_str *text) {
    enum nytp_token token = nytp_tokens_next(&t->tokens);
    if (token == NYTP_TOKEN_STRING) *text = nytp_arena_str(&t->arena, t->tokens.value);
    else nytp_tokens_skip(&t->tokens, token);
    if (!text->p) t->is_short = 1;
}

static void read_arguments(trace *t, event *of) {
    enum nytp_token token = nytp_tokens_next(&t->tokens);
    if (token != NYTP_TOKEN_OBJECT) nytp_tokens_skip(&t->tokens, token);
    else
        while (nytp_tokens_next(&t->tokens) == NYTP_TOKEN_NAME)
            if (is_named(t, "detail")) take_text(t, &of->detail);
            else skip_value(t);
}

static event read_event(trace *t) {
    event of = {.name = {"", 0}, .detail = {"", 0}};
    nytp_str phase = {"", 0};
    while (nytp_tokens_next(&t->tokens) == NYTP_TOKEN_NAME)
        if (is_named(t, "ph")) take_text(t, &phase);
        else if (is_named(t, "name")) take_text(t, &of.name);
        else if (is_named(t, "args")) read_arguments(t, &of);
        else if (is_named(t, "ts")) take_number(t, &of.begin, LONGEST);
        else if (is_named(t, "dur")) take_number(t, &of.length, LONGEST);
        else if (is_named(t, "pid")) take_number(t, &of.pid, LONGEST);
        else if (is_named(t, "tid")) take_number(t, &of.thread, LONGEST);
        else skip_value(t);
    of.is_span = nytp_str_eq(phase, NYTP_LIT("X")) && of.begin >= 0 && of.length >= 0 && of.name.n &&
                 !nytp_str_starts(of.name, NYTP_LIT("Total "));
    return of;
}

static void read_events(trace *t) {
    enum nytp_token token = nytp_tokens_next(&t->tokens);
    if (token != NYTP_TOKEN_ARRAY && token != NYTP_TOKEN_WRONG) t->tokens.wrong = "an array of trace events";
    while (!t->tokens.wrong && (token = nytp_tokens_next(&t->tokens)) == NYTP_TOKEN_OBJECT) {
        event of = read_event(t), *new = of.is_span ? nytp_grow_owned(&t->events, t->n, &t->room, sizeof of) : &of;
        if (!new) t->is_short = 1;
        if (t->is_short) return;
        if (of.is_span) *new = of, t->n++;
    }
    if (!t->tokens.wrong && token != NYTP_TOKEN_CLOSED) t->tokens.wrong = "an object that is a trace event";
}

static enum nytp_code read_all(trace *t, const nytp_document *d, nytp_error *e) {
    int has_events = 0;
    nytp_tokens_next(&t->tokens);
    while (!t->is_short && nytp_tokens_next(&t->tokens) == NYTP_TOKEN_NAME)
        if (is_named(t, "traceEvents")) read_events(t), has_events = 1;
        else if (is_named(t, "beginningOfTime")) take_number(t, &t->origin, LATEST);
        else skip_value(t);
    if (!t->tokens.wrong) nytp_tokens_next(&t->tokens);
    if (t->is_short || t->tokens.text.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    if (!e->code && t->tokens.wrong) nytp_document_refuse(d, t->tokens.line, t->tokens.wrong, t->tokens.rest, e);
    if (!e->code && !has_events) nytp_document_refuse(d, 1, "an object of JSON with traceEvents", d->text, e);
    return e->code;
}

/* ---- the process that the phases are of ---- */

static int by_begin(const void *a, const void *b) {
    const event *x = a, *y = b;
    if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return x->length != y->length ? x->length > y->length ? -1 : 1 : 0;
}

static int64_t first_of(const trace *t) {
    int64_t first = t->n ? t->events[0].begin : 0;
    for (uint32_t i = 1; i < t->n; i++) first = t->events[i].begin < first ? t->events[i].begin : first;
    return first;
}

static int64_t last_of(const trace *t) {
    int64_t last = 0;
    for (uint32_t i = 0; i < t->n; i++)
        last = t->events[i].begin + t->events[i].length > last ? t->events[i].begin + t->events[i].length : last;
    return last;
}

/* Of several runs that made the object the last one has written the file. */
static uint32_t find(const nytp_made *m, nytp_str file) {
    uint32_t number = m->n;
    while (number && !nytp_made_is_beside(&m->all[number - 1], file)) number--;
    return number;
}

static uint64_t pid_of(const event *of) { return of->pid > 0 ? (uint64_t)of->pid / 1000 : 0; }

static uint32_t add_compiler(nytp_made *m, const trace *t, const nytp_document *d, nytp_error *e) {
    nytp_made_process p = {.of = {.pid = pid_of(&t->events[0]), .directory = nytp_document_directory(d)},
                           .began = t->origin + first_of(t), .ended = t->origin + last_of(t)};
    nytp_buf command = {0};
    nytp_made_word(&p.of, &command, NYTP_LIT("clang"));
    nytp_made_word(&p.of, &command, nytp_str_c(d->path));
    if (command.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    uint32_t number = nytp_made_add(m, &p, e);
    nytp_buf_free(&command);
    return number;
}

/* Clocks of a log and of a trace may differ by a little: the phases are moved into the time of their process. */
static void fit(trace *t, const nytp_made_process *p) {
    int64_t first = t->origin + first_of(t), last = t->origin + last_of(t);
    if (p->ended >= p->began && last > p->ended) t->origin -= last - p->ended, first -= last - p->ended;
    if (first < p->began) t->origin += p->began - first;
}

/* ---- phases ---- */

/* A phase is named like a program, in one word. */
static nytp_str program_of(nytp_buf *word, nytp_str name) {
    nytp_buf_clear(word);
    for (size_t i = 0; i < name.n; i++) nytp_buf_byte(word, name.p[i] == ' ' ? '-' : (unsigned char)name.p[i]);
    return (nytp_str){(const char *)word->p, word->n};
}

static void add_phases(nytp_made *m, const trace *t, uint32_t process, nytp_error *e) {
    const event *above[DEEPEST];
    uint32_t number[DEEPEST + 1] = {process}, depth = 0;
    nytp_buf command = {0}, word = {0};
    for (uint32_t i = 0; i < t->n && !e->code; i++) {
        const event *of = &t->events[i];
        nytp_made_process p = m->all[process - 1];
        p = (nytp_made_process){.of = p.of, .host = p.host};
        while (depth && (above[depth - 1]->thread != of->thread ||
                         above[depth - 1]->begin + above[depth - 1]->length < of->begin + of->length))
            depth--;
        p.of.pid = pid_of(of), p.of.words = p.of.cut = 0;
        p.parent = number[depth];
        p.began = t->origin + of->begin;
        p.ended = p.began + of->length;
        nytp_buf_clear(&command);
        nytp_made_word(&p.of, &command, program_of(&word, of->name));
        if (of->detail.n) nytp_made_word(&p.of, &command, of->detail);
        number[depth + 1] = nytp_made_add(m, &p, e);
        if (depth < DEEPEST - 1) above[depth++] = of;
        if (command.failed || word.failed) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    }
    nytp_buf_free(&command);
    nytp_buf_free(&word);
}

enum nytp_code nytp_trace_read(nytp_made *m, nytp_document *d, nytp_error *e) {
    trace t = {.tokens = nytp_tokens_begin(d->text)};
    uint32_t process;
    if (!read_all(&t, d, e) && t.n) {
        qsort(t.events, t.n, sizeof *t.events, by_begin);
        if (!t.origin) t.origin = d->changed - last_of(&t);
        process = find(m, d->absolute);
        if (process) fit(&t, &m->all[process - 1]);
        else process = add_compiler(m, &t, d, e);
        if (!e->code) add_phases(m, &t, process, e);
    }
    nytp_tokens_free(&t.tokens);
    nytp_arena_free(&t.arena);
    free(t.events);
    return e->code;
}
