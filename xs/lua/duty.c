/* SPDX-License-Identifier: MIT */
/* duty.c - option duty: lines are traced in phases of a millisecond, for the given percentage of the time; calls and
 * returns are always hooked.
 *
 * A phase is begun by an alarm (alarm.h), as a loop without calls has no events.
 *
 * While lines are not traced their time is charged to place 0. A reader of the capture shares out the time of each
 * function, which is exact, among its sampled lines (model/duty.c). Hence a phase is defined by the clock, from the
 * signal to a millisecond later, not by the events at its ends. */
#include <stdio.h>

#include "lua/alarm.h"
#include "lua/glue.h"

#define PHASE_NS 1000000

static const char running_key = 0;

/* Sets the timer for the next phase, so that phases and their overhead keep to the percentage. */
static void arm(const nytp_lua *g, int64_t cost_ns) {
    nytp_alarm_set((PHASE_NS + cost_ns) * (100 - (int64_t)g->duty) / (int64_t)g->duty);
}

static int64_t phase_ticks(const nytp_lua *g) {
    return nytp_ticks_per_second(&g->r) / (1000000000 / PHASE_NS);
}

/* 0 if the program has a hook that counts instructions, as its count would restart each time. */
static int is_free(lua_State *L) {
    return nytp_gate_hook(L) == nytp_lua_duty_hook && !(nytp_gate_mask(L) & LUA_MASKCOUNT);
}

/* The Lua that runs is the one of the latest event. */
static void begin_phase(nytp_lua *self, void *context) {
    nytp_lua *g = nytp_here;
    (void)self, (void)context;
    if (!g->duty || !g->L || !nytp_is_on(&g->r) || g->tracing || g->home != &nytp_alarm_here) return;
    if (is_free(g->L)) {
        g->since = nytp_now(&g->r);
        g->until = g->since + phase_ticks(g);
        g->tracing = 1;
        nytp_gate_set(g->L, nytp_lua_duty_hook, nytp_gate_mask(g->L) | LUA_MASKLINE, 0);
    } else {
        arm(g, 0);
    }
}

/* Keeps no thread from being collected. The entry stays, so that setting it again allocates nothing. */
void nytp_lua_duty_release(nytp_lua *g, lua_State *L) {
    lua_pushboolean(L, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
    g->kept = NULL;
}

void nytp_lua_duty_prepare(nytp_lua *g, lua_State *L) {
    const nytp_options *o = &g->options;
    const char *why = NULL;
    if (!g->lines || g->sampler || o->duty <= 0 || o->duty >= 100) return;
    if (o->memory || o->format != NYTP_OUTPUT_CAPTURE) why = "goes neither with memory=1 nor with format=5";
    else if (g->is_timed) why = "goes neither with latency=1 nor with waiting=1";
    else if (!nytp_alarm_take()) why = "needs SIGURG, which the program has a use for";
    else if (!nytp_alarm_make(begin_phase, NULL)) why = "needs a timer that this system lacks";
    if (why) {
        char line[128];
        snprintf(line, sizeof line, "NYTProf: option duty %s; all lines are traced", why);
        nytp_log_line(o, line);
        return;
    }
    g->duty = (uint32_t)o->duty;
    g->lines = 0;
    nytp_lua_duty_release(g, L);
}

/* ---- events ---- */

/* Charges the time from now on to place p. */
static void go_to(nytp_lua *g, nytp_live_place *p, int64_t now) {
    nytp_recorder *r = &g->r;
    nytp_touch_place(r, nytp_current_place(r));
    nytp_go_to_place(r, p, now);
    nytp_touch_place(r, p);
}

static void end_phase(nytp_lua *g, lua_State *L, int64_t now) {
    go_to(g, nytp_nowhere(&g->r), g->until);
    go_to(g, nytp_nowhere(&g->r), now);
    int64_t begin = nytp_now(&g->r);
    g->tracing = 0;
    nytp_hook_set(g, L);
    int64_t cost = 2 * (nytp_now(&g->r) - begin); /* twice: also for the beginning */
    arm(g, (int64_t)((double)cost * 1e9 / (double)nytp_ticks_per_second(&g->r)));
}

NYTP_APART void untraced_line(nytp_lua *g, lua_State *L) {
    if (!(g->after & NYTP_AFTER_PROGRAM)) nytp_hook_set(g, L); /* a leftover of another thread */
}

NYTP_HOT void line(nytp_lua *g, lua_State *L, const lua_Debug *ar, int64_t now) {
    if (NYTP_UNLIKELY(g->thread->top->ci != ar->i_ci) && !nytp_stack_find(g, L, ar->i_ci, 0, now)) return;
    if (NYTP_UNLIKELY(now >= g->until)) {
        end_phase(g, L, now);
        return;
    }
    nytp_function *f = g->thread->top->function;
    nytp_live_place *p = nytp_function_known_place(f, ar->currentline);
    if (NYTP_LIKELY(p || (p = nytp_function_place(g, f, ar->currentline)))) nytp_statement(&g->r, p, now);
}

/* The line that made the call on top, directly or through C functions. */
static nytp_live_place *calling_line(nytp_lua *g, lua_State *L) {
    const nytp_call *c = g->thread->top - 1;
    lua_Debug ar;
    int level = 1;
    for (; c > g->thread->calls && !c->function->chunk; c--) level++;
    if (c <= g->thread->calls || !lua_getstack(L, level, &ar) || ar.i_ci != c->ci) return nytp_nowhere(&g->r);
    lua_getinfo(L, "l", &ar);
    nytp_live_place *p = nytp_function_place(g, c->function, ar.currentline);
    return p ? p : nytp_nowhere(&g->r);
}

/* A C function has no event but its end: the time since the signal is charged to the calling line; our own lookup is
 * charged to no line. */
static void before_return(nytp_lua *g, lua_State *L, const lua_Debug *ar, int64_t now) {
    if (g->thread->top->ci != ar->i_ci && !nytp_stack_find(g, L, ar->i_ci, 0, now)) return;
    nytp_live_place *p = calling_line(g, L);
    if (nytp_current_place(&g->r) == nytp_nowhere(&g->r) && !g->thread->top->function->chunk) go_to(g, p, g->since);
    if (now >= g->until) {
        end_phase(g, L, now);
        return;
    }
    go_to(g, nytp_nowhere(&g->r), now);
    go_to(g, p, nytp_now(&g->r));
}

NYTP_APART void traced(lua_State *L, lua_Debug *ar) {
    int64_t now;
    nytp_lua *g = nytp_here_record(L, ar, &now);
    if (!g) return;
    if (NYTP_UNLIKELY(g->home != &nytp_alarm_here)) nytp_lua_duty_arrive(g);
    if (ar->event == LUA_HOOKLINE) {
        if (NYTP_LIKELY(g->tracing)) line(g, L, ar, now);
        else untraced_line(g, L);
        if (NYTP_UNLIKELY(g->after)) nytp_hook_after(g, L, ar);
        return;
    }
    if (ar->event == LUA_HOOKRET && g->tracing) before_return(g, L, ar, now);
    nytp_hook(L, ar);
}

void nytp_lua_duty_hook(lua_State *L, lua_Debug *ar) {
    const nytp_lua *g = nytp_here;
    if (NYTP_LIKELY(ar->event != LUA_HOOKLINE && !g->tracing && g->home == &nytp_alarm_here)) nytp_hook(L, ar);
    else traced(L, ar);
}

/* ---- threads ---- */

void nytp_lua_duty_arrive(nytp_lua *g) {
    g->home = &nytp_alarm_here;
    if (nytp_alarm_make(begin_phase, NULL) && !g->tracing) arm(g, 0);
}

/* The handler sets the hook of the current thread, which must not be collected before another is current. If a phase
 * begins in between, the hook is set again. */
void nytp_lua_duty_follow(nytp_lua *g, lua_State *L) {
    if (L != g->main && L != g->kept) {
        lua_pushthread(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
        g->kept = L;
    }
    for (int is_on = -1; is_on != g->tracing;) {
        is_on = g->tracing;
        int has = (nytp_gate_mask(L) & LUA_MASKLINE) != 0;
        if (has != is_on && is_free(L)) nytp_hook_set(g, L);
    }
}

void nytp_lua_duty_pause(nytp_lua *g) {
    g->tracing = 0;
    nytp_replace_place(&g->r, nytp_nowhere(&g->r));
}
