/* SPDX-License-Identifier: MIT */
/* calibrate.c - runs loops in pairs, bare and hooked, and makes prices of the differences. */
#include "record/calibrate.h"

#include <stdlib.h>
#include <string.h>

#include "record/events.h"

#define PAIRS_NOT_KEPT 2 /* pairs dropped when measured again */

/* ---- measuring ---- */

/* The first runs are slow; they are used to count the events of a loop. */
static void warm_up(nytp_calibration *c) {
    int64_t before[NYTP_EVENTS], after[NYTP_EVENTS];
    for (int loop = 0; loop < NYTP_LOOPS; loop++) c->run(c->self, loop);
    c->hook(c->self, 1);
    for (int loop = 0; loop < NYTP_LOOPS; loop++) {
        nytp_recorder_events(c->recorder, before);
        c->run(c->self, loop);
        nytp_recorder_events(c->recorder, after);
        for (int event = 0; event < NYTP_EVENTS; event++) c->events[loop][event] = after[event] - before[event];
    }
    c->hook(c->self, 0);
}

/* The slot of the next pair: a free one, else a random one or none, so that each pair of the run is kept with the same
 * probability (reservoir sampling). */
static uint64_t next_slot(nytp_calibration *c) {
    if (c->measured++ < NYTP_CALIBRATE_KEPT) return c->measured - 1;
    c->dice = c->dice * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (c->dice >> 33) % c->measured;
}

static void run_all(const nytp_calibration *c, int64_t ticks[NYTP_LOOPS]) {
    for (int loop = 0; loop < NYTP_LOOPS; loop++) ticks[loop] = c->run(c->self, loop);
}

/* Pairs begin with the bare and the hooked loop in turns, so that a machine that gets faster or slower favours
 * neither. */
static void measure_pair(nytp_calibration *c, int hooked_first, uint64_t slot) {
    int64_t ticks[2][NYTP_LOOPS];
    run_all(c, ticks[hooked_first]);
    c->hook(c->self, !hooked_first);
    run_all(c, ticks[!hooked_first]);
    for (int loop = 0; loop < NYTP_LOOPS && slot < NYTP_CALIBRATE_KEPT; loop++)
        c->added[loop][slot] = ticks[1][loop] - ticks[0][loop];
}

/* The first pairs are dropped, as they refill the processor's caches, which the program has used. */
static void measure(nytp_calibration *c, int pairs) {
    if (!c->measured) warm_up(c);
    int hooked = 0, idle = c->measured ? PAIRS_NOT_KEPT : 0;
    for (; idle > 0; idle--, hooked = !hooked) measure_pair(c, hooked, NYTP_CALIBRATE_KEPT);
    for (; pairs > 0; pairs--, hooked = !hooked) measure_pair(c, hooked, next_slot(c));
    if (hooked) c->hook(c->self, 0);
}

/* With the clock of a program that is recorded, which need not be by now. */
void nytp_calibrate_measure(nytp_calibration *c, int pairs) {
    nytp_clock clock = {.id = c->recorder->clock.id};
    nytp_clock_hold(&clock);
    measure(c, pairs);
    nytp_clock_release(&clock);
}

int64_t nytp_calibrate_now(nytp_recorder *r) { return nytp_clock_fine(&r->clock); }

/* ---- from ticks to prices ---- */

static int by_size(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

int64_t nytp_calibrate_median(int64_t *v, uint32_t n) {
    qsort(v, n, sizeof *v, by_size);
    return (v[(n - 1) / 2] + v[n / 2]) / 2;
}

static int64_t root_of(uint32_t n) {
    int64_t root = 1;
    while ((root + 1) * (root + 1) <= (int64_t)n) root++;
    return root;
}

/* The ticks that hooks added to a loop, less those added to the empty loop, and their error: the median of many
 * measurements is more exact than the median deviation of one. */
static int64_t added(const nytp_calibration *c, int loop, int64_t *spread) {
    int64_t v[NYTP_CALIBRATE_KEPT] = {0};
    uint32_t n = c->measured < NYTP_CALIBRATE_KEPT ? (uint32_t)c->measured : NYTP_CALIBRATE_KEPT;
    for (uint32_t i = 0; i < n; i++) v[i] = c->added[loop][i] - c->added[NYTP_LOOP_BASE][i];
    int64_t middle = nytp_calibrate_median(v, n);
    for (uint32_t i = 0; i < n; i++) v[i] = v[i] < middle ? middle - v[i] : v[i] - middle;
    *spread = 2 * nytp_calibrate_median(v, n) / root_of(n);
    return middle;
}

int64_t nytp_calibrate_parts(const nytp_rec_price *p) { return p->ticks * NYTP_PRICE_PARTS + p->parts; }

/* Splits parts into the nearest tick and the remainder. */
void nytp_calibrate_set_parts(nytp_rec_price *p, int64_t parts) {
    p->ticks = (parts + NYTP_PRICE_PARTS / 2) / NYTP_PRICE_PARTS;
    p->parts = parts - p->ticks * NYTP_PRICE_PARTS;
}

/* The price of one `event`: the ticks added to its loop, less the known prices of the other events in it. In parts of
 * ticks, as a whole tick is a tenth of some prices. */
static nytp_rec_price price_of(const nytp_calibration *c, int loop, enum nytp_event event,
                               const nytp_rec_price *prices) {
    nytp_rec_price p = {.event = event, .measured = c->measured};
    int64_t spread, all = added(c, loop, &spread), n = c->events[loop][event] - c->events[NYTP_LOOP_BASE][event];
    all *= NYTP_PRICE_PARTS;
    for (int other = 0; other < NYTP_EVENTS; other++)
        all -= nytp_calibrate_parts(prices + other) * (c->events[loop][other] - c->events[NYTP_LOOP_BASE][other]);
    if (n > 0 && all > 0) nytp_calibrate_set_parts(&p, (all + n / 2) / n);
    if (n > 0) p.spread = (uint64_t)((spread + n - 1) / n);
    return p;
}

/* Divides a call's price between its beginning and its end. */
static void split(nytp_rec_price *begin, nytp_rec_price *end, enum nytp_event event, uint32_t percent) {
    int64_t parts = nytp_calibrate_parts(begin), of_end = parts * percent / 100;
    *end = *begin;
    end->event = event;
    nytp_calibrate_set_parts(end, of_end);
    nytp_calibrate_set_parts(begin, parts - of_end);
    end->spread = begin->spread * percent / 100;
    begin->spread -= end->spread;
}

/* Whether a loop has no more statements than the empty one: its price is then found first, as the loop for statements
 * may have its events. */
static int has_no_more_statements(const nytp_calibration *c, int loop) {
    return c->events[loop][NYTP_EVENT_STATEMENT] == c->events[NYTP_LOOP_BASE][NYTP_EVENT_STATEMENT];
}

void nytp_calibrate_prices(const nytp_calibration *c, nytp_rec_price prices[NYTP_EVENTS]) {
    memset(prices, 0, NYTP_EVENTS * sizeof *prices);
    if (!c->measured) return;
    if (has_no_more_statements(c, NYTP_LOOP_SWITCH)) {
        prices[NYTP_EVENT_SWITCH] = price_of(c, NYTP_LOOP_SWITCH, NYTP_EVENT_SWITCH, prices);
        prices[NYTP_EVENT_STATEMENT] = price_of(c, NYTP_LOOP_STATEMENT, NYTP_EVENT_STATEMENT, prices);
    } else {
        prices[NYTP_EVENT_STATEMENT] = price_of(c, NYTP_LOOP_STATEMENT, NYTP_EVENT_STATEMENT, prices);
        prices[NYTP_EVENT_SWITCH] = price_of(c, NYTP_LOOP_SWITCH, NYTP_EVENT_SWITCH, prices);
    }
    prices[NYTP_EVENT_ENTER] = price_of(c, NYTP_LOOP_CALL, NYTP_EVENT_ENTER, prices);
    prices[NYTP_EVENT_LEAF_ENTER] = price_of(c, NYTP_LOOP_LEAF, NYTP_EVENT_LEAF_ENTER, prices);
    split(prices + NYTP_EVENT_ENTER, prices + NYTP_EVENT_EXIT, NYTP_EVENT_EXIT, c->exit_share);
    split(prices + NYTP_EVENT_LEAF_ENTER, prices + NYTP_EVENT_LEAF_EXIT, NYTP_EVENT_LEAF_EXIT, c->leaf_exit_share);
}

/* ---- when ---- */

/* The same in every run: the event's number plus one. */
static void set_fake_prices(nytp_rec_price prices[NYTP_EVENTS]) {
    for (uint64_t event = 0; event < NYTP_EVENTS; event++)
        prices[event] = (nytp_rec_price){event, (int64_t)event + 1, 0, 1, 0};
}

int nytp_calibrate_is_wanted(nytp_recorder *r) {
    if (!r->options->overhead) return 0;
    if (r->clock.id == NYTP_CLOCK_FAKE) set_fake_prices(r->prices);
    if (nytp_clock_is_of_ticks(r->clock.id)) return 1;
    return r->clock.id != NYTP_CLOCK_FAKE && !nytp_clock_is_coarse(&r->clock);
}

int nytp_calibrate_is_due(const nytp_calibration *c, const nytp_recorder *r, int64_t now) {
    return r->on && now >= c->next;
}

void nytp_calibrate_done(nytp_calibration *c, nytp_recorder *r, int64_t begin) {
    nytp_calibrate_prices(c, r->prices);
    int64_t end = nytp_now(r), took = end - begin + (int64_t)r->clock.resolution;
    int64_t pause = (int64_t)r->clock.ticks_per_second / 10, rarely = took * c->rarely;
    nytp_cold(r, begin, end);
    c->next = end + (rarely > pause ? rarely : pause);
}
