/* SPDX-License-Identifier: MIT */
/* correct.c - raw ticks less the cost of events. */
#include "capture/correct.h"

#include <string.h>

#include "base/ticks.h"

void nytp_correct_chunk(nytp_correct *c, const nytp_rec_price *prices) {
    c->subtracted = c->of_places = c->of_nodes = 0;
    c->is_settled = prices != NULL;
    if (prices) memcpy(c->price, prices, sizeof c->price);
    else memset(c->price, 0, sizeof c->price);
}

static void take_price(nytp_correct *c, const nytp_rec_price *p) {
    if (!c->is_settled && p->event < NYTP_EVENTS) c->price[p->event] = *p;
}

static int64_t parts_of(const nytp_rec_price *p) {
    return nytp_ticks_add(nytp_ticks_times(p->ticks, NYTP_PRICE_PARTS), p->parts);
}

/* Parts as ticks, rounded down. */
static int64_t whole(int64_t parts) { return parts / NYTP_PRICE_PARTS - (parts % NYTP_PRICE_PARTS < 0); }

/* Takes the cost of the delta's events off its ticks, and returns that cost; *sum is the cost of all deltas, in parts.
 * The spread grows by the absolute value of a count: a negative count, which takes an earlier event back, is just as
 * uncertain. */
static int64_t lessen(const nytp_correct *c, nytp_record *delta, int64_t *sum) {
    nytp_rec_delta *d = &delta->u.delta;
    int64_t before = whole(*sum);
    delta->spread = 0;
    for (int event = 0; event < NYTP_EVENTS; event++) {
        int64_t n = d->events[event];
        *sum = nytp_ticks_add(*sum, nytp_ticks_times(parts_of(c->price + event), n));
        delta->spread += (float)c->price[event].spread * (n < 0 ? -(float)n : (float)n);
    }
    int64_t cost = nytp_ticks_minus(whole(*sum), before);
    d->ticks = nytp_ticks_minus(d->ticks, cost);
    return cost;
}

/* Fills in two counts of a place that are not written, as they follow from others. */
static void complete(nytp_rec_delta *d) {
    d->events[NYTP_EVENT_STATEMENT] = d->count;
    d->events[NYTP_EVENT_LEAF_EXIT] = d->events[NYTP_EVENT_LEAF_ENTER];
}

void nytp_correct_record(nytp_correct *c, nytp_record *r) {
    nytp_rec_window *w = &r->u.window;
    switch (r->kind) {
    case NYTP_REC_PRICE: take_price(c, &r->u.price); break;
    case NYTP_REC_PLACE_DELTA:
        complete(&r->u.delta);
        lessen(c, r, &c->of_places);
        break;
    case NYTP_REC_NODE_DELTA: c->subtracted = nytp_ticks_add(c->subtracted, lessen(c, r, &c->of_nodes)); break;
    case NYTP_REC_WINDOW: w->subtracted = nytp_ticks_add(w->subtracted, c->subtracted); break;
    }
}
