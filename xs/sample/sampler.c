/* SPDX-License-Identifier: MIT */
/* sampler.c - from what a walk has found to the recorder's ticks and counters. */
#include "sample/sampler.h"

#include <unistd.h>

#include "record/flush.h"
#include "record/output.h"
#include "record/state.h"

#define SECOND 1000000000

/* ---- the front end ---- */

static void describe(void *self, nytp_writer *w) {
    nytp_sampler *s = self;
    nytp_weight_describe(&s->weight, &s->session.r, w);
    if (s->language.describe) s->language.describe(s->language.self, w);
}

static int complete(void *self, int is_brief) {
    nytp_sampler *s = self;
    nytp_weight_complete(&s->weight, &s->session.r);
    return is_brief;
}

static nytp_front front_of(const nytp_sampler *s) {
    nytp_front front = s->language;
    front.counters = nytp_weight_counters;
    front.describe = describe;
    front.complete = complete;
    front.is_apart = 1;
    return front;
}

/* ---- samples ---- */

/* Makes the latest context current from the sample before on. */
static void charge(nytp_sampler *s, int64_t now, int64_t cpu, int samples) {
    nytp_recorder *r = &s->session.r;
    double ns = (double)SECOND / (double)nytp_ticks_per_second(r);
    int64_t wall = (int64_t)((double)(now - nytp_node_since(r)) * ns);
    nytp_replace_place(r, s->at.place);
    nytp_replace_node(r, s->at.node);
    nytp_jump(r, s->at.node, s->at.place, now);
    nytp_weight_sampled(&s->weight, r, samples);
    nytp_weighed time = nytp_weight_of(&s->weight, wall, cpu);
    nytp_weight_count(&s->weight, r, &time);
    nytp_settle(r, now);
}

/* A stack that makes no sense changes nothing: the next sample has the time of both. */
static int find(nytp_sampler *s) {
    nytp_standing found = {NULL, NULL};
    if (nytp_unwind(&s->target, &s->stack) && nytp_mend(&s->mender, &s->stack))
        found = nytp_found_find(&s->contexts, &s->stack);
    if (found.node && found.place) s->at = found;
    return found.node && found.place;
}

void nytp_sampler_sample(nytp_sampler *s) {
    if (!nytp_session_is_on(&s->session)) return;
    int moved = nytp_unwind_look(&s->target, &s->stack);
    int64_t before = nytp_weight_cpu(&s->weight);
    int is_idle = !moved && s->weight.tid && before == s->weight.cpu_ns && s->at.node;
    int is_found = is_idle || find(s);
    int64_t now = nytp_now(&s->session.r);
    if (is_found) charge(s, now, is_idle ? before : nytp_weight_cpu(&s->weight), 1);
    else s->weight.lost++;
    nytp_pace_plan(&s->pace, (int64_t)nytp_clock_monotonic_ns(), is_idle);
}

/* ---- life ---- */

int nytp_sampler_move(nytp_sampler *s, const nytp_sampled *what, nytp_error *e) {
    s->weight.pid = what->pid;
    s->target.layout = what->layout;
    s->target.perl = what->perl;
    s->weight.tid = what->tid;
    s->weight.cpu = what->cpu;
    s->weight.cpu_ns = 0;
    if (nytp_peek_open(&s->target.peek, what->pid, what->perl.variable[NYTP_PERL_CURCOP], e)) return e->code;
    nytp_weight_begin(&s->weight);
    return NYTP_OK;
}

int nytp_sampler_open(nytp_sampler *s, const nytp_sampled *what, const char *manner, nytp_error *e) {
    s->weight.manner = manner;
    s->contexts.r = &s->session.r;
    s->contexts.target = &s->target;
    s->mender.trees.target = &s->target;
    return nytp_sampler_move(s, what, e);
}

int nytp_sampler_on(nytp_sampler *s, const nytp_front *language, nytp_error *e) {
    int64_t hz = s->session.options.sample, now = (int64_t)nytp_clock_monotonic_ns();
    int is_new = !nytp_front_of(&s->session.r)->self;
    s->language = *language;
    nytp_front front = front_of(s);
    if (is_new ? nytp_session_start(&s->session, &front, e) : nytp_session_on(&s->session, e)) return e->code;
    nytp_weight_begin(&s->weight);
    nytp_pace_begin(&s->pace, hz, (uint64_t)now ^ (uint64_t)getpid() << 32, now);
    return NYTP_OK;
}

/* The end is no random moment: the time since the last sample is that of its context. */
static void finish(nytp_sampler *s) {
    if (!nytp_session_is_on(&s->session)) return;
    if (s->at.node) charge(s, nytp_now(&s->session.r), nytp_weight_cpu(&s->weight), 0);
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
    nytp_mender_free(&s->mender);
    nytp_session_stop(&s->session);
    *s = (nytp_sampler){0};
}
