/* SPDX-License-Identifier: MIT */
/* Calibration on a simulated machine: with loops that are slow after other code has run, on a machine that becomes
 * slower, and on one that does something else now and then. */
#include "tap.h"

#include <string.h>

#include "record/calibrate.h"

enum { COST_OF_STATEMENT = 9, COST_OF_SWITCH = 21, COST_OF_CALL = 60, COST_OF_LEAF = 40 };

typedef struct machine {
    nytp_recorder recorder;
    nytp_live_node node, *nodes[1];
    nytp_calibration c;
    int hooked;
    int64_t cold;      /* additional ticks of the next run, half as many in each further one */
    int64_t drift;     /* percent by which a run is longer than the one before */
    int64_t elsewhere; /* additional ticks of each hundredth run */
    int64_t runs;
} machine;

/* The events of a loop: four of its kind, and one statement, in each round. */
static int64_t count(machine *m, int loop) {
    uint32_t *events = m->node.events;
    int64_t cost = 10 * COST_OF_STATEMENT;
    events[NYTP_EVENT_STATEMENT] += 10;
    if (loop == NYTP_LOOP_STATEMENT) events[NYTP_EVENT_STATEMENT] += 40, cost += 40 * COST_OF_STATEMENT;
    if (loop == NYTP_LOOP_SWITCH) events[NYTP_EVENT_SWITCH] += 40, cost += 40 * COST_OF_SWITCH;
    if (loop == NYTP_LOOP_CALL) {
        events[NYTP_EVENT_ENTER] += 40, events[NYTP_EVENT_EXIT] += 40;
        events[NYTP_EVENT_STATEMENT] += 80, cost += 40 * COST_OF_CALL + 80 * COST_OF_STATEMENT;
    }
    if (loop == NYTP_LOOP_LEAF) {
        events[NYTP_EVENT_LEAF_ENTER] += 40, events[NYTP_EVENT_LEAF_EXIT] += 40;
        cost += 40 * COST_OF_LEAF;
    }
    return cost;
}

static int64_t run(void *self, int loop) {
    machine *m = self;
    m->runs++;
    int64_t bare = 1000 * (1 + loop), ticks = bare + bare * m->drift * m->runs / 100 + m->cold;
    if (m->runs % 100 == 0) ticks += m->elsewhere;
    m->cold /= 2;
    return ticks + (m->hooked ? count(m, loop) : 0);
}

static void hook(void *self, int on) {
    machine *m = self;
    m->hooked = on;
}

static void set_up(machine *m) {
    memset(m, 0, sizeof *m);
    m->nodes[0] = &m->node;
    m->recorder.queue.nodes = m->nodes;
    m->recorder.queue.node_n = 1;
    m->c = (nytp_calibration){.self = m, .recorder = &m->recorder, .run = run, .hook = hook,
                              .exit_share = 40, .leaf_exit_share = 50};
}

static void prices_are_right(const machine *m, const char *where) {
    nytp_rec_price p[NYTP_EVENTS];
    nytp_calibrate_prices(&m->c, p);
    is(p[NYTP_EVENT_STATEMENT].ticks, COST_OF_STATEMENT, where);
    is(p[NYTP_EVENT_SWITCH].ticks, COST_OF_SWITCH, where);
    is(p[NYTP_EVENT_ENTER].ticks + p[NYTP_EVENT_EXIT].ticks, COST_OF_CALL, where);
    is(p[NYTP_EVENT_LEAF_ENTER].ticks + p[NYTP_EVENT_LEAF_EXIT].ticks, COST_OF_LEAF, where);
    is(m->hooked, 0, "the loops have no hooks afterwards");
}

/* Calibrates for one pair at a time, after the program has filled the processor's caches. */
static void now_and_then(machine *m) {
    nytp_calibrate_measure(&m->c, 12);
    for (int i = 0; i < 40; i++) {
        m->cold = 20000;
        nytp_calibrate_measure(&m->c, 1);
    }
}

int main(void) {
    machine m;

    set_up(&m);
    nytp_calibrate_measure(&m.c, 12);
    prices_are_right(&m, "at the start");
    set_up(&m);
    now_and_then(&m);
    prices_are_right(&m, "measured again now and then, in caches that are cold");
    is(m.c.measured, 12 + 40, "as many pairs count as were asked for");
    set_up(&m);
    m.drift = 1;
    nytp_calibrate_measure(&m.c, 12);
    prices_are_right(&m, "on a machine that gets slower");
    set_up(&m);
    m.elsewhere = 1000000;
    now_and_then(&m);
    prices_are_right(&m, "on a machine that does something else now and then");
    return done();
}
