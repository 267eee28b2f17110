/* SPDX-License-Identifier: MIT */
/* budget.c - what windows that are no drafts may take of a file. */
#include "record/budget.h"

#define FREE (1u << 20)
#define BYTES_A_SECOND 80

static nytp_budget *of(nytp_recorder *r) { return r->budget.is_shared ? &r->front.outlet->budget : &r->budget.own; }

void nytp_budget_begin(nytp_recorder *r, int is_new) {
    nytp_share *s = &r->budget;
    uint64_t now = nytp_clock_monotonic_ns();
    s->is_shared = r->front.outlet && r->options->format != NYTP_OUTPUT_V5;
    s->told = s->older = 0;
    nytp_budget *b = of(r);
    if (is_new || !s->is_shared) {
        b->begun_ns = now;
        b->bytes = b->spent = 0;
    } else {
        s->older = (now - b->begun_ns) / 1000000000;
    }
}

void nytp_budget_share(nytp_recorder *r) {
    nytp_budget *all = &r->front.outlet->budget;
    if (r->budget.is_shared) return;
    all->begun_ns = r->budget.own.begun_ns;
    all->bytes = atomic_load(&r->budget.own.bytes);
    all->spent = atomic_load(&r->budget.own.spent);
    r->budget.is_shared = 1;
}

static void tell(nytp_recorder *r) {
    uint64_t bytes = nytp_writer_bytes(r->output.writer);
    atomic_fetch_add(&of(r)->bytes, bytes - r->budget.told);
    r->budget.told = bytes;
}

/* Other threads tell the budget of bytes before it spends them. */
int nytp_budget_pays(nytp_recorder *r, int64_t now) {
    uint64_t seconds = (uint64_t)(now - r->window.begun) / r->clock.ticks_per_second + r->budget.older;
    tell(r);
    uint64_t spent = atomic_load(&of(r)->spent), bytes = atomic_load(&of(r)->bytes);
    return spent < FREE + (bytes > spent ? bytes - spent : 0) + BYTES_A_SECOND * seconds;
}

void nytp_budget_spend(nytp_recorder *r, uint64_t bytes) {
    tell(r);
    atomic_fetch_add(&of(r)->spent, bytes);
}
