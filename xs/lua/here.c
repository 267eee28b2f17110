/* SPDX-License-Identifier: MIT */
/* here.c - which Lua an event belongs to: mostly the one that had the latest event in this system thread. */
#include "lua/glue.h"

#include "record/handlers.h"

/* Stands for a Lua that is not recorded. */
static nytp_lua none;

_Thread_local __attribute__((tls_model("initial-exec"))) nytp_lua *nytp_here = &none;

/* L is not known in this thread: finds its record. */
NYTP_COLD nytp_lua *find_record(lua_State *L, lua_Debug *ar) {
    nytp_lua *g = nytp_lua_life_of(L);
    if (g && nytp_may_have_forked(&g->r)) nytp_recorder_moved(&g->r);
    if (g && nytp_is_on(&g->r)) {
        nytp_handlers_own(&g->r);
        nytp_here = g;
        if (g->duty) nytp_lua_duty_arrive(g);
        return g;
    }
    if (g && g->after & NYTP_AFTER_PROGRAM) nytp_debug_call(g, L, ar);
    nytp_hook_set(g, L);
    if (g && g->has_hosts) nytp_gate_call(g, L, ar);
    return NULL;
}

nytp_lua *nytp_here_record(lua_State *L, lua_Debug *ar, int64_t *now) {
    nytp_lua *g = nytp_here;
    const lua_State *latest = NYTP_DUE_READ(g->L);
    if (!latest || (latest != L && !nytp_lua_life_is_alone())) g = find_record(L, ar);
    if (!g) return NULL;
    uint32_t threads = g->thread_n;
    *now = nytp_now(&g->r);
    if (g->L != L && !nytp_stack_switch(g, L, *now)) return NULL;
    if (NYTP_UNLIKELY(g->thread_n != threads)) *now = nytp_cold_since(&g->r, *now);
    return g;
}

nytp_lua *nytp_here_swap(nytp_lua *g) {
    nytp_lua *before = nytp_here;
    nytp_here = g;
    return before;
}
