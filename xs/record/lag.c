/* SPDX-License-Identifier: MIT */
/* lag.c - lags, and the memory page in which a child publishes its own. */
#include "record/lag.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/mman.h>

#include "record/events.h"

/* Slots for children that are running or not waited for; of two in one slot the older is lost. */
#define SLOTS 256

/* The mark is the lag's halves xor the pid, so that a mixture of two children's values in one slot is recognised.
 * 32-bit words are atomic everywhere; longer ones need a library on some machines. */
typedef struct slot {
    _Atomic uint32_t low, high, mark;
} slot;

struct nytp_lag_page {
    slot slots[SLOTS];
};

static slot *slot_of(nytp_lag_page *page, uint32_t pid) { return page->slots + pid % SLOTS; }

static void unmap(nytp_lag_page *page) {
    if (page) munmap(page, sizeof *page);
}

/* Of two threads that fork at once one makes the page of both. */
void nytp_lag_share(nytp_recorder *r) {
    int saved = errno;
    nytp_lag_page *none = NULL;
    if (r->lag.children) return;
    void *page = mmap(NULL, sizeof(nytp_lag_page), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && !atomic_compare_exchange_strong(&r->lag.children, &none, (nytp_lag_page *)page))
        unmap((nytp_lag_page *)page);
    errno = saved;
}

void nytp_lag_close(nytp_recorder *r) {
    unmap(r->lag.children);
    unmap(r->lag.parents);
    r->lag.children = r->lag.parents = NULL;
}

void nytp_lag_inherit(nytp_recorder *r) {
    r->lag.kept = nytp_lag_now(r);
    unmap(r->lag.parents);
    r->lag.parents = r->lag.children;
    r->lag.children = NULL;
}

static int64_t cost_of_new_events(const nytp_recorder *r, const nytp_live_node *n) {
    int64_t ticks = 0;
    for (int event = 0; event < NYTP_EVENTS; event++)
        ticks += (int32_t)(n->events[event] - n->written[event]) * r->prices[event].ticks;
    return ticks;
}

int64_t nytp_lag_now(const nytp_recorder *r) {
    int64_t ticks = r->lag.kept + r->window.cold + r->window.flush;
    for (uint32_t i = 0; i < r->queue.node_n; i++) ticks += cost_of_new_events(r, r->queue.nodes[i]);
    return ticks;
}

void nytp_lag_keep(nytp_recorder *r) {
    if (r->lag.children || r->lag.parents) r->lag.kept = nytp_lag_now(r);
}

void nytp_lag_tell(nytp_recorder *r, int64_t lag) {
    slot *s = slot_of(r->lag.parents, r->output.stream.pid);
    uint32_t low = (uint32_t)lag, high = (uint32_t)((uint64_t)lag >> 32);
    atomic_store(&s->low, low);
    atomic_store(&s->high, high);
    atomic_store(&s->mark, low ^ high ^ r->output.stream.pid);
}

/* The lag published by pid; INT64_MIN: none, or it is being written. */
static int64_t told_by(nytp_lag_page *page, uint32_t pid) {
    slot *s = slot_of(page, pid);
    uint32_t low = atomic_load(&s->low), high = atomic_load(&s->high);
    return (atomic_load(&s->mark) ^ low ^ high) == pid ? (int64_t)((uint64_t)high << 32 | low) : INT64_MIN;
}

/* Goes through the queued nodes only if the child's lag is greater than any before, as the own lag never decreases. */
void nytp_lag_catch_up(nytp_recorder *r, uint32_t pid, int64_t now) {
    int64_t told = told_by(r->lag.children, pid);
    if (told <= r->lag.reached) return;
    int64_t own = nytp_lag_now(r), late = told - own;
    int64_t waited = now - (r->last > r->node_last ? r->last : r->node_last);
    if (late > waited) late = waited;
    if (late > 0) nytp_cold(r, now - late, now);
    r->lag.reached = late > 0 ? own + late : own;
}
