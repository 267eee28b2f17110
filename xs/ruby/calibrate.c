/* SPDX-License-Identifier: MIT */
/* calibrate.c - what events cost on this machine: has record/calibrate.c run loops with the hook and without.
 *
 * Once there has been a hook Ruby goes a longer way for each line and block, whether one is there or not. So the loops
 * run before the first hook, too, and what they take more afterwards is part of the prices. With events an operator of
 * numbers, an array or so is a call, for which it has an instruction otherwise: that difference is the price of a
 * switch, of which Ruby has no others, and there are two in each such call. */
#include "record/calibrate.h"

#include <stdlib.h>

#include "ruby/glue.h"

#define PAIRS 12
#define ALONE 9 /* runs without a hook, of which the median counts */

/* Of what a call costs, in percent, what its end has. */
#define EXIT_SHARE 50

typedef struct loops {
    nytp_ruby *ruby; /* that they run in */
    VALUE all[NYTP_LOOPS];
} loops;

/* Ten units a round. */
static const char text[] =
    "o = Object.new\ndef o.same(x) x end\na = [0]\n[\n"
    "-> { i = 0\nwhile i < 20\nx = i\ni += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = i\ny = x\nx = a\ny = i\nx = y\ny = a\nx = i\nif x\ny = x\nend\nx = y\n"
    "i += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = o.same(o.same(o.same(o.same(o.same(o.same(o.same(o.same(o.same(o.same(i))))))))))\n"
    "i += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = a.at(a.at(a.at(a.at(a.at(a.at(a.at(a.at(a.at(a.at(0))))))))))\ni += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = i + i + i + i + i + i + i + i + i + i + i\ni += 1\nend } ]\n";

static int64_t run(void *self, int loop) {
    const loops *l = self;
    if (!l->all[loop]) return -1;
    int64_t start = nytp_now(&l->ruby->s.r);
    rb_proc_call(l->all[loop], rb_ary_new());
    return nytp_now(&l->ruby->s.r) - start;
}

static void hook(void *self, int on) {
    (void)self;
    nytp_ruby_hook_set(on, 1);
}

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void run_alone(loops *l, int64_t ticks[NYTP_LOOPS]) {
    for (int loop = 0; loop < NYTP_LOOPS; loop++) {
        int64_t runs[ALONE];
        for (int i = -2; i < ALONE; i++) runs[i < 0 ? 0 : i] = run(l, loop);
        qsort(runs, ALONE, sizeof *runs, by_size);
        ticks[loop] = runs[ALONE / 2];
    }
}

/* The price of two switches is known as one with the call's: that is counted beside. */
static void take_off_call(nytp_rec_price *p, const nytp_rec_price *prices) {
    const nytp_rec_price *begin = prices + NYTP_EVENT_LEAF_ENTER, *end = prices + NYTP_EVENT_LEAF_EXIT;
    int64_t call = (begin->ticks + end->ticks) * NYTP_PRICE_PARTS + begin->parts + end->parts;
    int64_t parts = p->ticks * NYTP_PRICE_PARTS + p->parts - call / 2;
    if (parts < 0) parts = 0;
    p->ticks = (parts + NYTP_PRICE_PARTS / 2) / NYTP_PRICE_PARTS;
    p->parts = parts - p->ticks * NYTP_PRICE_PARTS;
}

static void measure(loops *l, nytp_rec_price prices[NYTP_EVENTS]) {
    int64_t before[NYTP_LOOPS], after[NYTP_LOOPS];
    nytp_calibration c = {.self = l, .recorder = &l->ruby->s.r, .run = run, .hook = hook, .exit_share = EXIT_SHARE,
                          .leaf_exit_share = EXIT_SHARE};
    run_alone(l, before);
    nytp_calibrate_measure(&c, PAIRS);
    run_alone(l, after);
    for (int loop = 0; loop < NYTP_LOOPS; loop++)
        for (int i = 0; i < PAIRS; i++) c.added[loop][i] += after[loop] - before[loop];
    nytp_calibrate_prices(&c, prices);
    take_off_call(prices + NYTP_EVENT_SWITCH, prices);
}

static VALUE make_loops(VALUE none) {
    (void)none;
    return rb_eval_string(text);
}

void nytp_ruby_calibrate(nytp_rec_price prices[NYTP_EVENTS]) {
    loops l = {.ruby = nytp_ruby_life_borrow()};
    int failed = 0;
    if (!l.ruby) return;
    VALUE all = rb_protect(make_loops, Qnil, &failed);
    l.all[NYTP_LOOP_BASE] = failed ? 0 : rb_ary_entry(all, 0);
    l.all[NYTP_LOOP_STATEMENT] = failed ? 0 : rb_ary_entry(all, 1);
    l.all[NYTP_LOOP_CALL] = failed ? 0 : rb_ary_entry(all, 2);
    l.all[NYTP_LOOP_LEAF] = failed ? 0 : rb_ary_entry(all, 3);
    l.all[NYTP_LOOP_SWITCH] = failed ? 0 : rb_ary_entry(all, 4);
    if (l.ruby->s.r.clock.id == NYTP_CLOCK_FAKE) nytp_calibrate_fake(prices);
    else if (!failed && nytp_calibrate_can(&l.ruby->s.r.clock)) measure(&l, prices);
    if (failed) rb_set_errinfo(Qnil);
    nytp_ruby_life_give_back(l.ruby);
    RB_GC_GUARD(all);
}
