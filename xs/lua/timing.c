/* SPDX-License-Identifier: MIT */
/* timing.c - after each event the running calls whose beginning is known are compared with the stack of hook.c: the
 * differences are calls that have begun or ended. */
#include "lua/timing.h"

#include <stdlib.h>

#include "base/grow.h"
#include "lua/waiting.h"
#include "lua/work.h"

#define CHAIN 16 /* functions of a chain of tail calls that end with it */

typedef struct running {
    nytp_timed_call call;
    const nytp_live_node *node;
    uint32_t level; /* of the call in nytp_thread.calls; those of a chain of tail calls have one level */
    uint32_t exit;  /* NYTP_EVENT_... of its end */
} running;

/* The time of a thread's stack, as nytp_latency_time has it, goes on while the thread runs or waits for others. */
struct nytp_timed_thread {
    running *calls; /* the innermost last */
    uint32_t n, room;
    int64_t time;    /* when the thread last yielded, or resumed another one */
    int64_t entered; /* when it was last resumed */
    const nytp_live_node *base; /* of its first call, if its resumer is not above that; else NULL */
};

/* NULL when memory is short. */
static struct nytp_timed_thread *timed_of(nytp_thread *t) {
    if (!t->timed) t->timed = calloc(1, sizeof *t->timed);
    return t->timed;
}

/* ---- calls ---- */

static running *last_of(const nytp_thread *t) {
    const struct nytp_timed_thread *own = t->timed;
    return own && own->n ? own->calls + own->n - 1 : NULL;
}

static uint32_t level_of(const nytp_thread *t) { return (uint32_t)(t->top - t->calls); }

static void end_last(nytp_recorder *r, nytp_thread *t, int64_t now) {
    nytp_latency_end(r, &last_of(t)->call, now);
    t->timed->n--;
}

/* Ends the calls above that level; 1: the one just above is of a function in Lua. */
static int end_above(nytp_recorder *r, nytp_thread *t, uint32_t level, int64_t now) {
    int is_lua = 0;
    for (const running *c; (c = last_of(t)) != NULL && c->level > level; end_last(r, t, now))
        is_lua = c->level == level + 1 && c->exit == NYTP_EVENT_EXIT;
    return is_lua;
}

NYTP_COLD running *make_room(nytp_thread *t) {
    struct nytp_timed_thread *own = timed_of(t);
    return own ? nytp_grow_owned(&own->calls, own->n, &own->room, sizeof(running)) : NULL;
}

/* A call at that level, whose beginning is not known. NULL when memory is short: then it has no length. */
static running *add(nytp_thread *t, uint32_t level) {
    struct nytp_timed_thread *own = t->timed;
    running *c = own && NYTP_LIKELY(own->n < own->room) ? own->calls + own->n : make_room(t);
    if (!c) return NULL;
    t->timed->n++;
    c->call.node = NULL;
    c->level = level;
    c->node = t->calls[level].node;
    c->exit = t->calls[level].function->exit;
    return c;
}

/* Calls up to that level without an event when they began. */
static void fill_up(nytp_thread *t, uint32_t level) {
    for (uint32_t from = last_of(t) ? last_of(t)->level + 1 : 1; from <= level; from++)
        if (!add(t, from)) return;
}

/* The context of the call on top, which was made at that place last: its time may be another one's, in a recursion. */
static nytp_live_node *context_of(const nytp_call *c, const nytp_live_place *site) {
    nytp_live_node *n = site ? site->last_node : NULL;
    return n && n->into == c->node && n->sub == c->function->sub ? n : c->node;
}

static void begin(nytp_recorder *r, nytp_thread *t, const nytp_live_place *site, int64_t now) {
    running *c = add(t, level_of(t));
    if (c) nytp_latency_begin(r, &c->call, context_of(t->top, site), now, t->top->function->enter);
}

/* 1: the level has as many calls as a chain keeps. */
static int is_chain(const nytp_thread *t, uint32_t level) {
    const struct nytp_timed_thread *own = t->timed;
    return own && own->n >= CHAIN && own->calls[own->n - CHAIN].level == level;
}

/* 1: the call has another context than its level has now. */
static int is_stale(const nytp_thread *t, const running *c) { return c->node != t->calls[c->level].node; }

static void follow_call(nytp_recorder *r, nytp_thread *t, int64_t now) {
    uint32_t level = level_of(t);
    end_above(r, t, level - 1, now);
    fill_up(t, level - 1);
    begin(r, t, t->top[-1].place, now);
}

static void follow_tail_call(nytp_recorder *r, nytp_thread *t, int64_t now) {
    end_above(r, t, level_of(t), now);
    if (is_chain(t, level_of(t))) end_last(r, t, now);
    begin(r, t, t->top->place ? t->top->place->tail : NULL, now);
}

static void follow_other(nytp_recorder *r, nytp_thread *t, int is_return, int64_t now) {
    uint32_t level = level_of(t);
    int is_lua = end_above(r, t, level, now);
    while (last_of(t) && is_stale(t, last_of(t))) end_last(r, t, now);
    fill_up(t, level);
    if (is_return && is_lua) nytp_latency_charge(r, NYTP_EVENT_EXIT, 1);
}

/* ---- threads ---- */

static int is_above(const nytp_live_node *node, const nytp_live_node *of) {
    while (of && of != node) of = of->parent;
    return of != NULL;
}

/* 1: the thread, which has ended its turn, has done so by an error: it runs no function that can yield. */
static int has_failed(const nytp_thread *t) {
    const nytp_function *f = t->top->function;
    return t->top != t->calls && (f->chunk ? !t->has_yielded : f->role < NYTP_ROLE_YIELD);
}

/* Takes that time off the calls of a thread and its resumers that are not above the base. */
static void leave_out(const nytp_thread *t, const nytp_live_node *base, int64_t time) {
    for (; t && t->timed; t = t->timed->base ? NULL : t->resumer)
        for (running *c = last_of(t); c && c >= t->timed->calls; c--) {
            if (is_above(c->node, base)) return;
            c->call.lost -= time;
        }
}

/* The first call of a thread has ended: what is left of its turn is its resumer's. */
static void end_first(nytp_recorder *r, const nytp_thread *t, int64_t now) {
    struct nytp_timed_thread *own = t->timed;
    if (!own || !own->base) return;
    leave_out(t->resumer, own->base, nytp_latency_time(r, now) - own->entered);
    own->base = NULL;
}

/* The thread's turn ends, and its resumer goes on. */
static void leave(nytp_recorder *r, nytp_thread *t, int64_t now) {
    struct nytp_timed_thread *own = t->timed, *by = t->resumer ? t->resumer->timed : NULL;
    if (!own) return;
    if (has_failed(t)) end_above(r, t, 0, now);
    own->time = nytp_latency_time(r, now);
    int64_t turn = own->time - own->entered;
    if (own->base) leave_out(t->resumer, own->base, turn);
    if (by) nytp_latency_set_time(r, by->time + turn, now);
}

static void enter(nytp_recorder *r, nytp_thread *t, int64_t now) {
    struct nytp_timed_thread *own = timed_of(t), *by = t->resumer ? timed_of(t->resumer) : NULL;
    if (!own) return;
    const nytp_live_node *first = t->top > t->calls ? t->calls[1].node : NULL;
    own->base = by && first && !is_above(t->resumer->top->node, first) ? first : NULL;
    own->entered = own->time;
    if (by) by->time = nytp_latency_time(r, now);
    nytp_latency_set_time(r, own->time, now);
}

static int waits_for(const nytp_thread *t, const nytp_thread *by) {
    while (by && by != t) by = by->resumer;
    return by != NULL;
}

/* Another thread has an event: one that waited for the thread before, or one that this or its resumers have resumed. */
static void switch_thread(nytp_lua *g, const lua_Debug *ar, int64_t now) {
    nytp_thread *from = g->timed, *to = g->thread;
    int is_back = waits_for(to, from);
    const nytp_thread *goal = is_back ? to : to->resumer;
    for (; from && from != goal; from = from->resumer) leave(&g->r, from, now);
    int is_first = ar->event == LUA_HOOKCALL && level_of(to) == 1; /* then its work was still the resumer's */
    if (!is_back) enter(&g->r, to, now);
    if (!is_first) nytp_latency_charge(&g->r, NYTP_EVENT_SWITCH, NYTP_WORK_THREAD);
    g->timed = to;
}

/* ---- the hook ---- */

/* units: of work at the place of the call, which the new node has, too; 0: unknown. */
static void follow(nytp_lua *g, const lua_Debug *ar, uint32_t units) {
    nytp_recorder *r = &g->r;
    nytp_thread *t = g->thread;
    int64_t now = nytp_node_since(r);
    if (!nytp_latency_is_asked(r)) return;
    nytp_latency_catch_up(r);
    if (NYTP_UNLIKELY(g->timed != t)) switch_thread(g, ar, now);
    int is_begun = t->top > t->calls && t->top->ci == ar->i_ci;
    if (ar->event == LUA_HOOKCALL && is_begun) {
        follow_call(r, t, now);
        nytp_latency_charge(r, NYTP_EVENT_SWITCH, units);
    } else if (ar->event == LUA_HOOKTAILCALL) {
        follow_tail_call(r, t, now);
        nytp_latency_charge(r, NYTP_EVENT_SWITCH, units);
    } else {
        follow_other(r, t, ar->event == LUA_HOOKRET, now);
        if (NYTP_UNLIKELY(t->top == t->calls)) end_first(r, t, now);
    }
}

/* The record of L after an event; NULL: there is none. */
NYTP_HOT nytp_lua *recorded(lua_State *L) {
    nytp_lua *g = nytp_here;
    return NYTP_LIKELY(NYTP_DUE_READ(g->L) == L && g->thread && nytp_is_on(&g->r)) ? g : NULL;
}

/* A line of the call that ran before changes nothing. */
NYTP_HOT void line(lua_State *L, lua_Debug *ar) {
    nytp_hook(L, ar);
    nytp_lua *g = recorded(L);
    if (!g || !nytp_latency_is_asked(&g->r)) return;
    const running *c = g->timed == g->thread ? last_of(g->thread) : NULL;
    if (NYTP_UNLIKELY((!c || c->level != level_of(g->thread)))) follow(g, ar, 0);
}

NYTP_HOT void other(lua_State *L, lua_Debug *ar) {
    nytp_lua *before = nytp_here;
    int is_here = NYTP_DUE_READ(before->L) == L;
    const nytp_live_place *place = is_here ? nytp_current_place(&before->r) : NULL;
    const nytp_live_node *node = is_here ? nytp_current_node(&before->r) : NULL;
    uint32_t units = place ? place->events[NYTP_EVENT_SWITCH] : 0;
    if (before->waiting) nytp_lua_waiting_before(before);
    nytp_hook(L, ar);
    nytp_lua *g = recorded(L);
    if (NYTP_UNLIKELY(!g)) return;
    int is_told = g == before && place && node != nytp_current_node(&g->r);
    follow(g, ar, is_told ? place->events[NYTP_EVENT_SWITCH] - units : 0);
    if (g->waiting && g == before) nytp_lua_waiting_after(g, L, ar);
}

void nytp_lua_timing_hook(lua_State *L, lua_Debug *ar) {
    if (ar->event == LUA_HOOKLINE) line(L, ar);
    else other(L, ar);
}

/* ---- life ---- */

void nytp_lua_timing_forget(nytp_lua *g) {
    for (uint32_t i = 0; i < g->thread_n; i++)
        if (g->all_threads[i]->timed) g->all_threads[i]->timed->n = 0;
    g->timed = NULL;
}

/* Those of suspended threads have the time when they yielded. */
void nytp_lua_timing_finish(nytp_lua *g) {
    nytp_recorder *r = &g->r;
    if (!g->timed || !nytp_is_on(r)) return;
    int64_t now = nytp_now(r);
    nytp_latency_catch_up(r);
    for (nytp_thread *t = g->timed; t; t = t->resumer) {
        end_above(r, t, 0, now);
        leave(r, t, now);
    }
    for (uint32_t i = 0; i < g->thread_n; i++) {
        nytp_thread *t = g->all_threads[i];
        if (!last_of(t)) continue;
        nytp_latency_set_time(r, t->timed->time, now);
        end_above(r, t, 0, now);
    }
}

void nytp_lua_timing_free(nytp_lua *g) {
    for (uint32_t i = 0; i < g->thread_n; i++) {
        if (g->all_threads[i]->timed) free(g->all_threads[i]->timed->calls);
        free(g->all_threads[i]->timed);
    }
}
