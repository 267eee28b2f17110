/* correct.c - raw ticks less what events have cost. */
#include "capture/correct.h"

#include "base/error.h"
#include "base/ticks.h"

typedef struct correction {
    uint64_t id;
    int64_t ticks;
} correction;

static void clear(nytp_corrections *c) {
    nytp_buf_clear(&c->list);
    c->taken = 0;
}

void nytp_correct_chunk(nytp_correct *c, const int64_t *prices) {
    clear(&c->places);
    clear(&c->nodes);
    c->subtracted = 0;
    c->is_settled = prices != NULL;
    for (int event = 0; event < NYTP_EVENTS; event++) c->price[event] = prices ? prices[event] : 0;
}

static int64_t cost_of(const nytp_correct *c, uint64_t event, int64_t count) {
    return event < NYTP_EVENTS ? nytp_ticks_times(c->price[event], count) : 0;
}

static correction *last(const nytp_corrections *c) {
    return c->list.n ? (correction *)(void *)(c->list.p + c->list.n) - 1 : NULL;
}

static int add(nytp_corrections *c, uint64_t id, int64_t ticks) {
    const correction new = {id, 0};

    if (c->taken == c->list.n) clear(c); /* what follows belongs to other deltas */
    if (!last(c) || last(c)->id != id) nytp_buf_bytes(&c->list, &new, sizeof new);
    if (c->list.failed) return NYTP_NOMEM;
    last(c)->ticks = nytp_ticks_add(last(c)->ticks, ticks);
    return NYTP_OK;
}

static int64_t take(nytp_corrections *c, uint64_t id) {
    if (c->taken == c->list.n) return 0;
    const correction *next = (const correction *)(void *)(c->list.p + c->taken);

    if (next->id != id) return 0;
    c->taken += sizeof *next;
    return next->ticks;
}

static void take_price(nytp_correct *c, const nytp_rec_price *p) {
    if (!c->is_settled && p->event < NYTP_EVENTS) c->price[p->event] = p->ticks;
}

static int take_node_event(nytp_correct *c, const nytp_rec_event *e) {
    int64_t ticks = cost_of(c, e->event, e->count);

    c->subtracted = nytp_ticks_add(c->subtracted, ticks);
    return add(&c->nodes, e->id, ticks);
}

static void lessen(nytp_rec_delta *d, int64_t ticks) { d->ticks = nytp_ticks_minus(d->ticks, ticks); }

int nytp_correct_record(nytp_correct *c, nytp_record *r) {
    nytp_rec_delta *d = &r->u.delta;

    switch (r->kind) {
    case NYTP_REC_PRICE: take_price(c, &r->u.price); break;
    case NYTP_REC_PLACE_EVENT:
        return add(&c->places, r->u.event.id, cost_of(c, r->u.event.event, r->u.event.count));
    case NYTP_REC_NODE_EVENT: return take_node_event(c, &r->u.event);
    case NYTP_REC_PLACE_DELTA:
        lessen(d, nytp_ticks_add(cost_of(c, NYTP_EVENT_STATEMENT, d->count), take(&c->places, d->id)));
        break;
    case NYTP_REC_NODE_DELTA: lessen(d, take(&c->nodes, d->id)); break;
    case NYTP_REC_WINDOW: r->u.window.subtracted = nytp_ticks_add(r->u.window.subtracted, c->subtracted); break;
    }
    return NYTP_OK;
}

void nytp_correct_free(nytp_correct *c) {
    nytp_buf_free(&c->places.list);
    nytp_buf_free(&c->nodes.list);
}
