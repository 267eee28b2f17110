/* calibrate.c - what our hook costs on this machine, in ticks: the same loops are run without it and with it, and the
 * difference is shared out among the events that were counted.
 *
 * They run in a thread of the program's Lua, before the program does, in a recorder of their own without an output.
 *
 * The time between two events has what the first does behind its clock reading and what the second does before. What
 * comes before a line's is most of it, since Lua looks for the line's number; so the line that ends with a return has
 * less of a cost than its own event's price. Kind "switch", which Lua has no other use for, counts it there, with a
 * price below zero, and as often less at the line that goes on, to whose call the difference belongs. */
#include <string.h>

#include "lua/glue.h"

#define TRIES 10

/* Of what a call costs, in percent, what its end has; and by how much the last line of a function costs less than
 * others, since a return is sooner noticed than a line. Measured with loops of half a million calls: raw times of lines
 * and functions less what the bare loops take. */
#if LUA_VERSION_NUM >= 504
#define EXIT_SHARE 77
#define LEAF_EXIT_SHARE 63
#define LAST_LINE_LESS 48
#else
#define EXIT_SHARE 61
#define LEAF_EXIT_SHARE 56
#define LAST_LINE_LESS 32
#endif

enum workload { BASE, LINE, CALL, LEAF, LOOPS };

/* Ten units a round, besides one line that all loops have. */
static const char loops[] =
    "local c_nothing = ...\nlocal function nothing() end\nlocal x\n"
    "return function() for i = 1, 10 do\nx = i\nend end,\n"
    "function() for i = 1, 10 do\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\n"
    "end end,\n"
    "function() for i = 1, 10 do\nx = i nothing() nothing() nothing() nothing() nothing()"
    " nothing() nothing() nothing() nothing() nothing()\nend end,\n"
    "function() for i = 1, 10 do\nx = i c_nothing() c_nothing() c_nothing() c_nothing() c_nothing()"
    " c_nothing() c_nothing() c_nothing() c_nothing() c_nothing()\nend end\n";

typedef struct timing {
    int64_t ticks, events[NYTP_EVENTS];
} timing;

static int nothing(lua_State *L) {
    (void)L;
    return 0;
}

static void try_loop(nytp_recorder *r, lua_State *T, int loop, timing *best) {
    int64_t before[NYTP_EVENTS], after[NYTP_EVENTS];
    nytp_recorder_events(r, before);
    lua_pushvalue(T, loop + 1);
    int64_t start = nytp_now(r);
    int failed = lua_pcall(T, 0, 0, 0);
    int64_t ticks = nytp_now(r) - start;
    if (failed) lua_pop(T, 1);
    if (ticks < best->ticks) best->ticks = ticks;
    nytp_recorder_events(r, after);
    for (int event = 0; event < NYTP_EVENTS; event++) best->events[event] = after[event] - before[event];
}

/* The shortest of some tries, taken in turns: whatever disturbs a loop makes it longer, and passes. */
static void measure(nytp_recorder *r, lua_State *T, timing *runs) {
    for (int loop = 0; loop < LOOPS; loop++) runs[loop].ticks = INT64_MAX;
    for (int i = 0; i < TRIES; i++)
        for (int loop = 0; loop < LOOPS; loop++) try_loop(r, T, loop, runs + loop);
}

/* What one `event` costs: the time that the hook added to a loop over what it added to the empty one, less what the
 * other events in it cost as far as that is known. */
static int64_t share(const timing *bare, const timing *hooked, int loop, int event, const int64_t *cost) {
    int64_t added = (hooked[loop].ticks - bare[loop].ticks) - (hooked[BASE].ticks - bare[BASE].ticks);
    for (int other = 0; other < NYTP_EVENTS; other++)
        if (other != event) added -= cost[other] * (hooked[loop].events[other] - hooked[BASE].events[other]);
    int64_t n = hooked[loop].events[event] - hooked[BASE].events[event];
    return n > 0 && added > 0 ? added / n : 0;
}

static void derive(const timing *bare, const timing *hooked, int64_t *cost) {
    cost[NYTP_EVENT_STATEMENT] = share(bare, hooked, LINE, NYTP_EVENT_STATEMENT, cost);
    int64_t call = share(bare, hooked, CALL, NYTP_EVENT_ENTER, cost);
    int64_t leaf = share(bare, hooked, LEAF, NYTP_EVENT_LEAF_ENTER, cost);
    cost[NYTP_EVENT_EXIT] = call * EXIT_SHARE / 100;
    cost[NYTP_EVENT_ENTER] = call - cost[NYTP_EVENT_EXIT];
    cost[NYTP_EVENT_LEAF_EXIT] = leaf * LEAF_EXIT_SHARE / 100;
    cost[NYTP_EVENT_LEAF_ENTER] = leaf - cost[NYTP_EVENT_LEAF_EXIT];
    cost[NYTP_EVENT_SWITCH] = -cost[NYTP_EVENT_STATEMENT] * LAST_LINE_LESS / 100;
}

/* Calls have been measured without lines, as most of them come. */
static void derive_traced_line(nytp_lua *c, lua_State *T, const timing *bare, int64_t *cost) {
    timing traced[LOOPS] = {{0}};
    c->tracing = 1;
    c->until = INT64_MAX;
    nytp_hook_set(c, T);
    measure(&c->r, T, traced);
    c->tracing = 0;
    cost[NYTP_EVENT_STATEMENT] = share(bare, traced, LINE, NYTP_EVENT_STATEMENT, cost);
}

static void set_prices(nytp_recorder *r, const int64_t *cost, uint64_t measured) {
    for (int event = 0; event < NYTP_EVENTS; event++)
        r->prices[event] = (nytp_rec_price){(uint64_t)event, cost[event], 0, measured};
}

/* The loops on a thread's stack, 1 to LOOPS; it lies on L's. NULL, and nothing, if that cannot be had. */
static lua_State *load_loops(lua_State *L) {
    lua_State *T = lua_newthread(L);
    if (luaL_loadbuffer(T, loops, sizeof loops - 1, "=calibrate") == LUA_OK) {
        lua_pushcfunction(T, nothing);
        if (lua_pcall(T, 1, LOOPS, 0) == LUA_OK) return T;
    }
    lua_pop(L, 1);
    return NULL;
}

static void run(nytp_lua *g, lua_State *L) {
    timing bare[LOOPS] = {{0}}, hooked[LOOPS] = {{0}};
    int64_t cost[NYTP_EVENTS] = {0};
    lua_State *T = load_loops(L);
    nytp_lua *c = T ? nytp_life_borrow(L, g) : NULL;
    if (c) {
        measure(&c->r, T, bare);
        nytp_hook_set(c, T);
        measure(&c->r, T, hooked);
        derive(bare, hooked, cost);
        if (c->duty) derive_traced_line(c, T, bare, cost);
        set_prices(&g->r, cost, TRIES);
        nytp_gate_set(T, NULL, 0, 0);
        if (c->duty) nytp_duty_release(c, L);
        nytp_life_give_back(L, c, g);
    }
    if (T) lua_pop(L, 1);
}

/* Clocks too coarse to see a loop run tell nothing, and the fake one must give every run the same figures. */
void nytp_calibrate(nytp_lua *g, lua_State *L) {
    static const int64_t fake[NYTP_EVENTS] = {1, 2, 3, 4, 5, 6};
    const nytp_clock *clock = &g->r.clock;
    if (!g->options.overhead) return;
    if (clock->id == NYTP_CLOCK_FAKE) set_prices(&g->r, fake, 1);
    else if (clock->resolution * 1000000 <= clock->ticks_per_second)
        run(g, L);
}
