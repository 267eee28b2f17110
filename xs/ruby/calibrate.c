/* SPDX-License-Identifier: MIT */
/* calibrate.c - prices of events on this machine: record/calibrate.c runs loops with the hook and without.
 *
 * After the first hook Ruby is slower for each line and block, also without a hook. So the loops run before the first
 * hook, too, and the difference is part of the prices. With hooks an operator of numbers, arrays and the like is a
 * call, without hooks an instruction: the difference is the price of a switch, which Ruby does not use otherwise; each
 * such call has two. */
#include "record/calibrate.h"

#include "ruby/glue.h"

#define PAIRS 12
#define ALONE 9 /* runs before the first hook; the median counts */

/* Percentage of a call's price charged at its end. */
#define EXIT_SHARE 50

typedef struct loops {
    nytp_ruby *ruby; /* state that loops run in */
    VALUE all[NYTP_LOOPS];
} loops;

/* By enum nytp_loop; ten events a round. */
static const char text[] =
    "o = Object.new\ndef o.same(x) x end\na = [0]\n[\n"
    "-> { i = 0\nwhile i < 20\nx = i\ni += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = i\ny = x\nx = a\ny = i\nx = y\ny = a\nx = i\nif x\ny = x\nend\nx = y\n"
    "i += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = i + i + i + i + i + i + i + i + i + i + i\ni += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = o.same(o.same(o.same(o.same(o.same(o.same(o.same(o.same(o.same(o.same(i))))))))))\n"
    "i += 1\nend },\n"
    "-> { i = 0\nwhile i < 20\nx = a.at(a.at(a.at(a.at(a.at(a.at(a.at(a.at(a.at(a.at(0))))))))))\ni += 1\nend } ]\n";

static int64_t run(void *self, int loop) {
    const loops *l = self;
    int64_t start = nytp_calibrate_now(&l->ruby->s.r);
    rb_proc_call(l->all[loop], rb_ary_new());
    return nytp_calibrate_now(&l->ruby->s.r) - start;
}

static void hook(void *self, int on) {
    (void)self;
    nytp_ruby_hook_set(on, 1);
}

static void run_alone(loops *l, int64_t ticks[NYTP_LOOPS]) {
    for (int loop = 0; loop < NYTP_LOOPS; loop++) {
        int64_t runs[ALONE];
        for (int i = -2; i < ALONE; i++) runs[i < 0 ? 0 : i] = run(l, loop);
        ticks[loop] = nytp_calibrate_median(runs, ALONE);
    }
}

/* Two switches are measured together with a call, which is counted as well. */
static void take_off_call(nytp_rec_price *prices) {
    nytp_rec_price *p = prices + NYTP_EVENT_SWITCH;
    int64_t call = nytp_calibrate_parts(prices + NYTP_EVENT_LEAF_ENTER) +
                   nytp_calibrate_parts(prices + NYTP_EVENT_LEAF_EXIT);
    int64_t parts = nytp_calibrate_parts(p) - call / 2;
    nytp_calibrate_set_parts(p, parts > 0 ? parts : 0);
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
    take_off_call(prices);
}

void nytp_ruby_calibrate(nytp_rec_price prices[NYTP_EVENTS]) {
    loops l = {.ruby = nytp_ruby_life_borrow()};
    int failed = 0;
    if (!l.ruby) return;
    VALUE all = rb_eval_string_protect(text, &failed);
    for (int loop = 0; loop < NYTP_LOOPS; loop++) l.all[loop] = failed ? 0 : rb_ary_entry(all, loop);
    if (failed) rb_set_errinfo(Qnil);
    else measure(&l, prices);
    nytp_ruby_life_give_back(l.ruby);
    RB_GC_GUARD(all);
}
