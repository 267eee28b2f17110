/* calibrate.c - has the recorder find out what our hook costs: its loops run in a thread of the program's Lua, before
 * the program does, in a recorder of their own without an output.
 *
 * The time between two events has what the first does behind its clock reading and what the second does before. What
 * comes before a line's is most of it, since Lua looks for the line's number; so the line that ends with a return has
 * less of a cost than its own event's price. Kind "switch", which Lua has no other use for, counts it there, with a
 * price below zero, and as often less at the line that goes on, to whose call the difference belongs. */
#include <string.h>

#include "lua/glue.h"
#include "record/calibrate.h"

#define PAIRS 12

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

/* Ten units a round, besides one line that all loops have. In Lua nothing goes back to a line without a count, so there
 * is no loop of that. */
static const char loops[] =
    "local c_nothing = ...\nlocal function nothing() end\nlocal x\n"
    "return function() for i = 1, 10 do\nx = i\nend end,\n"
    "function() for i = 1, 10 do\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\nx = i\n"
    "end end,\n"
    "function() for i = 1, 10 do\nx = i nothing() nothing() nothing() nothing() nothing()"
    " nothing() nothing() nothing() nothing() nothing()\nend end,\n"
    "function() for i = 1, 10 do\nx = i c_nothing() c_nothing() c_nothing() c_nothing() c_nothing()"
    " c_nothing() c_nothing() c_nothing() c_nothing() c_nothing()\nend end\n";

static const int at[NYTP_LOOPS] = {1, 2, 1, 3, 4}; /* on the thread's stack */

typedef struct calibrator {
    nytp_calibration all;
    nytp_lua *borrowed;
    lua_State *T;
    int traces; /* 1: lines are traced as in a phase of option duty */
} calibrator;

static int nothing(lua_State *L) {
    (void)L;
    return 0;
}

static int64_t run(void *self, int loop) {
    calibrator *c = self;
    nytp_recorder *r = &c->borrowed->r;
    lua_pushvalue(c->T, at[loop]);
    int64_t start = nytp_now(r);
    int failed = lua_pcall(c->T, 0, 0, 0);
    int64_t ticks = nytp_now(r) - start;
    if (failed) lua_pop(c->T, 1);
    return ticks;
}

static void set_hook(void *self, int on) {
    calibrator *c = self;
    c->borrowed->tracing = c->traces & on;
    c->borrowed->until = INT64_MAX;
    if (on) nytp_hook_set(c->borrowed, c->T);
    else nytp_gate_set(c->T, NULL, 0, 0);
}

static void measure(calibrator *c, int traces, nytp_rec_price prices[NYTP_EVENTS]) {
    memset(&c->all, 0, sizeof c->all);
    c->all.self = c;
    c->all.recorder = &c->borrowed->r;
    c->all.run = run;
    c->all.hook = set_hook;
    c->all.exit_share = EXIT_SHARE;
    c->all.leaf_exit_share = LEAF_EXIT_SHARE;
    c->traces = traces;
    nytp_calibrate_measure(&c->all, PAIRS);
    nytp_calibrate_prices(&c->all, prices);
}

static void price_last_lines(nytp_rec_price prices[NYTP_EVENTS]) {
    prices[NYTP_EVENT_SWITCH].ticks = -prices[NYTP_EVENT_STATEMENT].ticks * LAST_LINE_LESS / 100;
}

/* With option duty most calls come without lines, and have been measured so; lines come while they are traced. */
static void measure_traced_line(calibrator *c, nytp_rec_price prices[NYTP_EVENTS]) {
    nytp_rec_price traced[NYTP_EVENTS];
    measure(c, 1, traced);
    prices[NYTP_EVENT_STATEMENT] = traced[NYTP_EVENT_STATEMENT];
}

/* The loops on a thread's stack; it lies on L's. NULL, and nothing, if that cannot be had. */
static lua_State *load_loops(lua_State *L) {
    lua_State *T = lua_newthread(L);
    if (luaL_loadbuffer(T, loops, sizeof loops - 1, "=calibrate") == LUA_OK) {
        lua_pushcfunction(T, nothing);
        if (lua_pcall(T, 1, 4, 0) == LUA_OK) return T;
    }
    lua_pop(L, 1);
    return NULL;
}

static void measure_all(nytp_lua *g, lua_State *L) {
    calibrator c = {.T = load_loops(L)};
    if (!c.T) return;
    c.borrowed = nytp_life_borrow(L, g);
    if (c.borrowed) {
        measure(&c, 0, g->r.prices);
        price_last_lines(g->r.prices);
        if (c.borrowed->duty) measure_traced_line(&c, g->r.prices);
        if (c.borrowed->duty) nytp_duty_release(c.borrowed, L);
        nytp_life_give_back(L, c.borrowed, g);
    }
    lua_pop(L, 1);
}

void nytp_calibrate(nytp_lua *g, lua_State *L) {
    if (!g->options.overhead) return;
    if (g->r.clock.id == NYTP_CLOCK_FAKE) nytp_calibrate_fake(g->r.prices);
    else if (nytp_calibrate_can(&g->r.clock)) measure_all(g, L);
}
