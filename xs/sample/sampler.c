/* SPDX-License-Identifier: MIT */
/* sampler.c - from what a walk has found to the recorder's ticks and counters. */
#include "sample/sampler.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "record/flush.h"
#include "record/output.h"
#include "record/state.h"

#define SECOND 1000000000

enum { SAMPLES, CPU, WAITING, READY };

#define BY_LINE_AND_CALL (NYTP_OF_PLACE | NYTP_OF_NODE)

const nytp_counter nytp_sampler_counters[] = {
    [SAMPLES] = {"samples", "Samples", "samples", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [CPU] = {"cpu", "CPU time", "ns", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [WAITING] = {"waiting", "Waiting", "ns", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    [READY] = {"ready", "Ready, without a CPU", "ns", BY_LINE_AND_CALL, NYTP_ADDS_SUM},
    {0},
};

/* ---- clocks ---- */

static int64_t cpu_of(nytp_sampler *s) {
    struct timespec t;
    if (!s->tid) return 0;
    if (clock_gettime(s->cpu, &t)) s->tid = 0; /* the thread has ended */
    return s->tid ? (int64_t)t.tv_sec * SECOND + t.tv_nsec : s->cpu_ns;
}

/* How long the thread has been ready to run altogether, without a CPU; 0 where the system does not tell. */
static int64_t delayed_of(const nytp_sampler *s) {
    char path[64], text[96];
    long long delayed = 0;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)s->target.peek.pid, (long)s->tid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0) close(fd);
    text[n > 0 ? n : 0] = 0;
    return sscanf(text, "%*d %lld", &delayed) == 1 ? delayed : 0;
}

static void begin_times(nytp_sampler *s) {
    s->cpu_ns = cpu_of(s);
    s->delayed_ns = s->tid ? delayed_of(s) : 0;
}

/* ---- the front end ---- */

static void property(nytp_writer *w, const char *key, int64_t value) {
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)value);
    nytp_writer_pair(w, NYTP_REC_PROPERTY, nytp_str_c(key), nytp_str_c(text));
}

static void describe(void *self, nytp_writer *w) {
    nytp_sampler *s = self;
    nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("sampling"), nytp_str_c(s->manner));
    property(w, "sample_hz", nytp_options_of(&s->session.r)->sample);
    s->samples = s->lost = 0;
    s->begun_ns = nytp_clock_monotonic_ns();
    if (s->language.describe) s->language.describe(s->language.self, w);
}

/* What is known at the end only. */
static int complete(void *self, int is_brief) {
    nytp_sampler *s = self;
    char text[32];
    double seconds = (double)(nytp_clock_monotonic_ns() - s->begun_ns) / SECOND;
    snprintf(text, sizeof text, "%.1f", seconds > 0 ? (double)s->samples / seconds : 0.0);
    nytp_output_property(&s->session.r, NYTP_LIT("sample_got"), nytp_str_c(text));
    snprintf(text, sizeof text, "%lld", (long long)s->lost);
    nytp_output_property(&s->session.r, NYTP_LIT("samples_lost"), nytp_str_c(text));
    return is_brief;
}

static nytp_front front_of(const nytp_sampler *s) {
    nytp_front front = s->language;
    front.counters = nytp_sampler_counters;
    front.describe = describe;
    front.complete = complete;
    front.is_apart = 1;
    return front;
}

/* ---- samples ---- */

/* The program's time between two samples: the thread was running, ready to run, or it waited. */
static void count_times(nytp_sampler *s, int64_t wall, int64_t cpu) {
    nytp_recorder *r = &s->session.r;
    int64_t used = cpu - s->cpu_ns, rest = wall > used ? wall - used : 0, ready = 0;
    if (used && rest > wall / 10) {
        ready = delayed_of(s) - s->delayed_ns;
        if (ready > rest) ready = rest;
        if (ready < 0) ready = 0;
        s->delayed_ns += ready;
    }
    s->cpu_ns = cpu;
    nytp_counters_count(r, CPU, used);
    nytp_counters_count(r, WAITING, rest - ready);
    nytp_counters_count(r, READY, ready);
}

/* Makes the latest context current from the sample before on. */
static void charge(nytp_sampler *s, int64_t now, int64_t cpu, int samples) {
    nytp_recorder *r = &s->session.r;
    double ns = (double)SECOND / (double)nytp_ticks_per_second(r);
    int64_t wall = (int64_t)((double)(now - nytp_node_since(r)) * ns);
    nytp_replace_place(r, s->at.place);
    nytp_replace_node(r, s->at.node);
    nytp_jump(r, s->at.node, s->at.place, now);
    if (samples) nytp_counters_count(r, SAMPLES, samples);
    if (s->tid) count_times(s, wall, cpu);
    s->samples += samples;
    nytp_settle(r, now);
}

/* A stack that makes no sense changes nothing: the next sample has the time of both. */
static int find(nytp_sampler *s) {
    nytp_standing found = {NULL, NULL};
    if (nytp_unwind(&s->target, &s->stack)) found = nytp_found_find(&s->contexts, &s->stack);
    if (found.node && found.place) s->at = found;
    return found.node && found.place;
}

void nytp_sampler_sample(nytp_sampler *s) {
    if (!nytp_session_is_on(&s->session)) return;
    int moved = nytp_unwind_look(&s->target, &s->stack);
    int64_t before = cpu_of(s);
    int is_idle = !moved && s->tid && before == s->cpu_ns && s->at.node;
    int is_found = is_idle || find(s);
    int64_t now = nytp_now(&s->session.r);
    if (is_found) charge(s, now, is_idle ? before : cpu_of(s), 1);
    else s->lost++;
    nytp_pace_plan(&s->pace, (int64_t)nytp_clock_monotonic_ns(), is_idle);
}

/* ---- life ---- */

int nytp_sampler_move(nytp_sampler *s, const nytp_sampled *what, nytp_error *e) {
    s->target.layout = what->layout;
    s->target.perl = what->perl;
    s->tid = what->tid;
    s->cpu = what->cpu;
    s->cpu_ns = 0;
    if (nytp_peek_open(&s->target.peek, what->pid, what->perl.variable[NYTP_PERL_CURCOP], e)) return e->code;
    begin_times(s);
    return NYTP_OK;
}

int nytp_sampler_open(nytp_sampler *s, const nytp_sampled *what, const char *manner, nytp_error *e) {
    s->manner = manner;
    s->contexts.r = &s->session.r;
    s->contexts.target = &s->target;
    return nytp_sampler_move(s, what, e);
}

int nytp_sampler_on(nytp_sampler *s, const nytp_front *language, nytp_error *e) {
    int64_t hz = s->session.options.sample, now = (int64_t)nytp_clock_monotonic_ns();
    int is_new = !nytp_front_of(&s->session.r)->self;
    s->language = *language;
    nytp_front front = front_of(s);
    if (is_new ? nytp_session_start(&s->session, &front, e) : nytp_session_on(&s->session, e)) return e->code;
    begin_times(s);
    nytp_pace_begin(&s->pace, hz, (uint64_t)now ^ (uint64_t)getpid() << 32, now);
    return NYTP_OK;
}

/* The end is no random moment: the time since the last sample is that of its context. */
static void finish(nytp_sampler *s) {
    if (!nytp_session_is_on(&s->session)) return;
    if (s->at.node) charge(s, nytp_now(&s->session.r), cpu_of(s), 0);
    else nytp_sampler_sample(s);
}

void nytp_sampler_off(nytp_sampler *s) {
    finish(s);
    nytp_session_attend(&s->session);
    nytp_recorder_off(&s->session.r);
    nytp_flush_all(&s->session.r);
}

void nytp_sampler_end(nytp_sampler *s) {
    finish(s);
    nytp_found_free(&s->contexts);
    nytp_session_stop(&s->session);
    *s = (nytp_sampler){0};
}
