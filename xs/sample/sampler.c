/* SPDX-License-Identifier: MIT */
/* sampler.c - from what a walk has found to the recorder's ticks and counters. */
#include "sample/sampler.h"

#include <unistd.h>

#include "record/flush.h"
#include "record/handlers.h"
#include "record/output.h"
#include "record/relay.h"
#include "record/state.h"

#define SECOND 1000000000
#define CROWDED 16 /* a part of the time off the CPU, in which there was none */

/* ---- the front end ---- */

static void describe(void *self, nytp_writer *w) {
    nytp_sampler *s = self;
    nytp_weight_describe(&s->weight, &s->session.r, w);
    if (s->language.describe) s->language.describe(s->language.self, w);
}

static int complete(void *self, int is_brief) {
    nytp_sampler *s = self;
    if (!s->relays) nytp_weight_complete(&s->weight, &s->session.r); /* else more would be written for each thread */
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

/* ---- times ---- */

/* From the latest event on. */
static void stand_at(nytp_recorder *r, const nytp_standing *at) {
    nytp_replace_place(r, at->place);
    nytp_replace_node(r, at->node);
}

/* The looks' shares of the time since the last window or charge, one after the other: the recorder's clock is said to
 * have been there at their ends. */
static void charge_looks(nytp_sampler *s, int64_t since, int64_t now, double all) {
    nytp_recorder *r = &s->session.r;
    double done = 0;
    for (uint32_t i = 0; i < s->looks.n; i++) {
        const nytp_look *look = &s->looks.all[i];
        int64_t sum = look->share.used + look->share.ready + look->share.waiting;
        if (!sum && !look->samples) continue;
        done += (double)sum;
        int64_t end = all > 0 ? since + (int64_t)((double)(now - since) * (done / all)) : since;
        stand_at(r, &look->at);
        nytp_jump(r, look->at.node, look->at.place, end);
        nytp_weight_sampled(r, look->samples);
        nytp_weight_count(&s->weight, r, &look->share);
    }
}

/* Behind that the latest context is current. */
static void charge(nytp_sampler *s) {
    nytp_recorder *r = &s->session.r;
    nytp_looks *l = &s->looks;
    if (l->n == l->kept) return;
    int64_t now = l->all[l->n - 1].moment;
    nytp_weighed all = nytp_looks_time(l);
    if (s->weight.tid && all.used) all.ready = nytp_weight_ready(&s->weight, all.waiting);
    s->is_crowded = all.ready > all.waiting / CROWDED;
    all.waiting -= all.ready;
    nytp_looks_share(l, &all);
    charge_looks(s, nytp_node_since(r), now, (double)(all.used + all.ready + all.waiting));
    stand_at(r, &s->at);
    nytp_jump(r, s->at.node, s->at.place, now);
    nytp_looks_keep(l, now - nytp_ticks_per_second(r));
    nytp_settle(r, now);
}

/* After a pause of the looks, as the program waited, one stands for more. */
static int64_t counts_of(const nytp_pace *p, int64_t used) {
    if (used <= p->period) return p->period;
    return used < p->apart ? used : p->apart;
}

/* A look at the latest context, or, with samples = 0, the end of the time in it, which is no random moment. */
static void add(nytp_sampler *s, int64_t now, int64_t cpu, int samples) {
    nytp_recorder *r = &s->session.r;
    nytp_looks *l = &s->looks;
    double ns = (double)SECOND / (double)nytp_ticks_per_second(r);
    int64_t before = l->n > l->kept ? l->all[l->n - 1].moment : nytp_node_since(r), used = cpu - s->weight.cpu_ns;
    nytp_look look = {.at = s->at, .moment = now, .wall = (int64_t)((double)(now - before) * ns), .used = used,
                      .counts = samples ? counts_of(&s->pace, used) : 0, .state = s->state, .samples = samples};
    nytp_looks_add(l, &look);
    s->weight.cpu_ns = cpu;
    s->weight.samples += samples;
    if (!samples || l->n == NYTP_LOOKS_ROOM || nytp_is_due(r, now)) charge(s);
}

/* ---- samples ---- */

/* A stack that makes no sense changes nothing: the next sample has the time of both. */
static int find(nytp_sampler *s) {
    nytp_standing found = {NULL, NULL};
    if (nytp_unwind(&s->target, &s->stack) && nytp_mend(&s->mender, &s->stack))
        found = nytp_found_find(&s->contexts, &s->stack);
    if (found.node && found.place) s->at = found;
    return found.node && found.place;
}

/* A count that lags behind does not tell whether a thread runs that is ready to: most of them do, unless others have
 * kept it from the CPU in the latest window. */
static enum nytp_caught state_by_count(nytp_sampler *s, int64_t late) {
    enum nytp_caught state = nytp_caught_at(&s->caught, s->weight.pid, s->weight.tid, late);
    return state == NYTP_CAUGHT_READY && !s->is_crowded ? NYTP_CAUGHT_RUNNING : state;
}

/* used: CPU time in the `took` ns of the look. A thread that got the CPU meanwhile was seen without; one whose CPU time
 * is not known has one kind of time, and is said to wait. */
static enum nytp_caught state_of(nytp_sampler *s, int64_t used, int64_t took, int64_t late) {
    if (!s->weight.tid) return NYTP_CAUGHT_WAITING;
    if (s->weight.clock_is == NYTP_CLOCK_COUNTED) return state_by_count(s, late);
    if (used > 0 && used >= took - took / 4) return NYTP_CAUGHT_RUNNING;
    return nytp_caught_at(&s->caught, s->weight.pid, s->weight.tid, late);
}

/* Without having run since. A wait may be over, and no CPU there for the thread. */
static int may_be_other(const nytp_sampler *s) {
    return s->state == NYTP_CAUGHT_RUNNING || (s->state == NYTP_CAUGHT_WAITING && s->is_crowded);
}

/* By a clock that shows no time since the sample before. */
static int has_not_run(nytp_sampler *s) {
    return s->weight.clock_is != NYTP_CLOCK_COUNTED ||
           nytp_caught_at(&s->caught, s->weight.pid, s->weight.tid, -1) == NYTP_CAUGHT_WAITING;
}

/* A program that has waited at the look before, and has used no CPU time since, is where it was. */
static int waits_still(nytp_sampler *s) {
    return s->pace.idle_since && s->at.node && s->weight.clock_is != NYTP_CLOCK_COUNTED &&
           nytp_weight_cpu(&s->weight) == s->weight.cpu_ns && s->weight.tid;
}

/* Without another look at the stack. Of a thread that is not known a perl that ran no code is known to run none yet. */
static int is_where_it_was(nytp_sampler *s, int64_t cpu) {
    if (!s->at.node) return 0;
    return s->weight.tid ? cpu == s->weight.cpu_ns && has_not_run(s) : (int)s->stack.is_outside;
}

int nytp_sampler_sample(nytp_sampler *s) {
    if (!nytp_session_is_on(&s->session)) return 0;
    int64_t late = (int64_t)nytp_clock_monotonic_ns() - s->pace.next;
    int still = waits_still(s), moved = !still && nytp_unwind_look(&s->target, &s->stack);
    int64_t before = still ? s->weight.cpu_ns : nytp_weight_cpu(&s->weight);
    int64_t looked = (int64_t)nytp_clock_monotonic_ns();
    int is_idle = !moved && is_where_it_was(s, before);
    int is_found = is_idle || find(s);
    int64_t now = nytp_now(&s->session.r), after = is_idle ? before : nytp_weight_cpu(&s->weight);
    if (is_idle && may_be_other(s)) s->state = state_of(s, 0, 0, -1);
    if (is_found && !is_idle) s->state = state_of(s, after - before, (int64_t)nytp_clock_monotonic_ns() - looked, late);
    if (is_found) add(s, now, after, 1);
    else s->weight.lost++;
    nytp_pace_plan(&s->pace, (int64_t)nytp_clock_monotonic_ns(), is_idle);
    return 1;
}

/* ---- life ---- */

int nytp_sampler_move(nytp_sampler *s, const nytp_sampled *what, nytp_error *e) {
    s->weight.pid = what->pid;
    s->target.layout = what->layout;
    s->target.perl = what->perl;
    s->weight.tid = what->tid;
    s->weight.cpu = what->cpu;
    s->weight.clock_is = what->cpu_is;
    s->weight.cpu_ns = 0;
    s->looks.n = s->looks.kept = 0;
    nytp_peek_close(&s->target.peek);
    if (nytp_peek_open(&s->target.peek, what->pid, what->perl.variable[NYTP_PERL_CURCOP], e)) return e->code;
    nytp_weight_begin(&s->weight);
    return NYTP_OK;
}

int nytp_sampler_open(nytp_sampler *s, const nytp_sampled *what, const char *manner, nytp_error *e) {
    s->weight.manner = manner;
    s->contexts.r = &s->session.r;
    s->contexts.target = &s->target;
    s->contexts.is_elsewhere = what->is_elsewhere;
    s->mender.trees.target = &s->target;
    return nytp_sampler_move(s, what, e);
}

int nytp_sampler_on(nytp_sampler *s, const nytp_front *language, nytp_error *e) {
    int64_t hz = s->session.options.sample, now = (int64_t)nytp_clock_monotonic_ns();
    int is_new = !nytp_front_of(&s->session.r)->self;
    s->language = *language;
    nytp_front front = front_of(s);
    if (is_new && nytp_session_open(&s->session, &front, e)) return e->code;
    if (is_new && s->relays) nytp_relay_be(&s->session.r);
    if (nytp_session_on(&s->session, e)) return e->code;
    s->at = (nytp_standing){NULL, NULL}; /* looks from before a pause tell nothing of what comes behind it */
    s->looks.n = s->looks.kept = 0;
    nytp_weight_begin(&s->weight);
    if (s->weight.tid) nytp_caught_open(&s->caught, s->weight.pid, s->weight.tid);
    nytp_pace_begin(&s->pace, hz, (uint64_t)now ^ (uint64_t)getpid() << 32, now);
    return NYTP_OK;
}

/* The end is no random moment: the time since the last sample is that of its context. */
static void finish(nytp_sampler *s) {
    if (!nytp_session_is_on(&s->session)) return;
    if (!s->at.node) nytp_sampler_sample(s);
    if (s->at.node) add(s, nytp_now(&s->session.r), nytp_weight_cpu(&s->weight), 0);
}

void nytp_sampler_sum_up(nytp_sampler *s, int how) {
    finish(s);
    nytp_session_sum_up(&s->session.r, how);
}

static void close_files(nytp_sampler *s) {
    nytp_caught_close(&s->caught);
    nytp_weight_end(&s->weight);
}

void nytp_sampler_off(nytp_sampler *s) {
    finish(s);
    close_files(s);
    nytp_session_attend(&s->session);
    nytp_recorder_off(&s->session.r);
    nytp_flush_all(&s->session.r);
}

/* What is known by addresses, and the memory that they are of. */
static void forget(nytp_sampler *s) {
    nytp_peek_close(&s->target.peek);
    nytp_found_free(&s->contexts);
    nytp_mender_free(&s->mender);
    s->contexts = (nytp_found){.r = s->contexts.r, .target = s->contexts.target,
                               .is_elsewhere = s->contexts.is_elsewhere};
    s->at = (nytp_standing){NULL, NULL};
}

int nytp_sampler_rest(nytp_sampler *s) {
    nytp_recorder *r = &s->session.r;
    finish(s);
    if (!nytp_relay_may_rest(r)) {
        nytp_sampler_end(s);
        return 0;
    }
    forget(s);
    close_files(s);
    nytp_handlers_leave(r);
    nytp_relay_rest(r);
    nytp_handlers_left(r);
    return 1;
}

void nytp_sampler_end(nytp_sampler *s) {
    finish(s);
    forget(s);
    close_files(s);
    nytp_session_stop(&s->session);
    *s = (nytp_sampler){0};
}
