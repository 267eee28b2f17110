/* SPDX-License-Identifier: MIT */
/* calibrate.c - the prices of our hook on this machine: record/calibrate.c runs loops with the hook and without.
 *
 * The loops run in Luas of their own, which leaves the program's Lua as it is: before the program starts, and again
 * whenever a window has been written. Their recorders have no output. In about one Lua of ten everything takes a sixth
 * longer, because of the addresses that its memory has; so there are three Luas, and the median of all measurements
 * is the price.
 *
 * A line's time lies between two clock readings. The first event's cost behind its reading is in it, and the second
 * event's cost before its reading, which is the larger part. Before a return Lua does less than before a line, so a
 * line that ends with a return costs less than a line's price. NYTP_WORK_SOONER units of work are the difference (see
 * work.c): they are taken from the line that returns and given to the line that called it. */
#include "record/calibrate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lua/glue.h"

#define HOMES 3
#define PAIRS_AT_START 2 /* in each */
#define PAIRS_LATER 4    /* in one */

/* The part of a call's price that its end has, in percent. Measured by loops of half a million calls: the raw times of
 * lines and functions, less the times of the bare loops. */
#if LUA_VERSION_NUM >= 504
#define EXIT_SHARE 77
#define LEAF_EXIT_SHARE 63
#else
#define EXIT_SHARE 61
#define LEAF_EXIT_SHARE 56
#endif

typedef struct home {
    lua_State *L;  /* the loops are on its stack, from 1 */
    nytp_lua *lua; /* that they run in */
} home;

struct nytp_calibrator {
    nytp_calibration all;
    home homes[HOMES], *at; /* at: the one that is measured */
};

#define MIXED10 "x = x + i y = x t.n = y x = t.n t[1] = x y = t[1] - i x = y y = x * i t.n = i x = t[1] "
#define CALL5(f) f " " f " " f " " f " " f " "
#define CALL10(f) CALL5(f) CALL5(f)

/* Each loop runs ten rounds. A round has one line that all loops have and, for the loop's kind of event, ten lines, ten
 * calls or a line of fifty instructions. Lines, functions and instructions are of several kinds, as in programs: the
 * processor foresees repeated ones better than any program's. The function in C is named after one that never waits
 * (name.c), since the hook has more to do for others. */
static const char text[] =
    "local rawlen, y, t = ..., 0, { n = 0, 0 }\nlocal function same(x) return x end\n"
    "local function other(x, y)\nif x then\nreturn y\nend\nend\n"
    "return function() local x = 0 for i = 1, 10 do\nx = x + i\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\nx = x + i\ny = i\nt.n = x\ny = t.n\ny = x - i\n"
    "x = x + i\nt[1] = y\nx = i\nx = x + y\ny = t[1]\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\n"
    "x = x + i " CALL5("x = same(i)") "\n" CALL5("y = other(i, x)") "\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\nx = x + i " CALL10("x = rawlen(i)") "\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\n" MIXED10 MIXED10 MIXED10 MIXED10 MIXED10 "\nend end\n";

static const int loops[NYTP_LOOPS] = {1, 2, 5, 3, 4}; /* by enum nytp_loop */

static int same(lua_State *L) {
    lua_settop(L, 1);
    return 1;
}

static void *allocate(void *self, void *block, size_t osize, size_t nsize) {
    (void)self, (void)osize;
    if (nsize) return realloc(block, nsize);
    free(block);
    return NULL;
}

static int load_loops(lua_State *L) {
    if (luaL_loadbuffer(L, text, sizeof text - 1, "=calibrate")) return lua_error(L);
    lua_pushcfunction(L, same);
    lua_call(L, 1, NYTP_LOOPS);
    return NYTP_LOOPS;
}

/* ---- functions for record/calibrate.c ---- */

static int64_t run(void *self, int loop) {
    const home *at = ((const nytp_calibrator *)self)->at;
    lua_pushvalue(at->L, loops[loop]);
    int64_t start = nytp_calibrate_now(&at->lua->r);
    int failed = lua_pcall(at->L, 0, 0, 0);
    int64_t ticks = nytp_calibrate_now(&at->lua->r) - start;
    if (failed) lua_pop(at->L, 1);
    return ticks;
}

static void hook(void *self, int on) {
    const home *at = ((const nytp_calibrator *)self)->at;
    if (on) nytp_hook_set(at->lua, at->L);
    else nytp_gate_set(at->L, NULL, 0, 0);
}

/* ---- measuring ---- */

/* The first run of each loop is slow: a home makes its places and contexts, and later the processor has forgotten them.
 * Without this run a line's price comes out 6 % too high. */
static void rehearse(nytp_calibrator *c) {
    for (int on = 0; on <= 1; on++) {
        hook(c, on);
        for (int loop = 0; loop < NYTP_LOOPS; loop++) run(c, loop);
    }
    hook(c, 0);
}

static void measure_at(nytp_calibrator *c, home *at, nytp_calibration *to, int pairs) {
    nytp_lua *before = nytp_here_swap(at->lua);
    c->at = at;
    nytp_never_due(&at->lua->r); /* a fork has set an earlier one */
    rehearse(c);
    nytp_calibrate_measure(to, pairs);
    nytp_here_swap(before);
}

static void measure_at_all(nytp_calibrator *c, nytp_calibration *to, nytp_rec_price *prices) {
    for (home *h = c->homes; h < c->homes + HOMES; h++) measure_at(c, h, to, PAIRS_AT_START);
    nytp_calibrate_prices(to, prices);
}

/* With option duty most calls come while lines are not traced. So the price of calls is measured without lines, and
 * the price of a line here. */
static void measure_traced_line(nytp_calibrator *c, nytp_rec_price *statement) {
    nytp_calibration traced = c->all;
    nytp_rec_price prices[NYTP_EVENTS];
    traced.measured = 0;
    for (home *h = c->homes; h < c->homes + HOMES; h++) h->lua->tracing = 1, h->lua->until = INT64_MAX;
    measure_at_all(c, &traced, prices);
    for (home *h = c->homes; h < c->homes + HOMES; h++) h->lua->tracing = 0;
    *statement = prices[NYTP_EVENT_STATEMENT];
}

static void find_prices(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator;
    nytp_rec_price *prices = nytp_front_prices(&g->r);
    measure_at_all(c, &c->all, prices);
    if (g->duty) measure_traced_line(c, prices + NYTP_EVENT_STATEMENT);
}

/* 0 when memory is short; nytp_lua_calibrate_end frees what there is. */
static int furnish(home *h, const nytp_lua *like) {
    h->L = lua_newstate(allocate, NULL);
    h->lua = h->L ? nytp_lua_life_borrow(h->L, like) : NULL;
    if (!h->lua) return 0;
    lua_pushcfunction(h->L, load_loops);
    return lua_pcall(h->L, 0, NYTP_LOOPS, 0) == LUA_OK;
}

/* The same of all homes. */
static int begin(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator = calloc(1, sizeof *c);
    if (!c) return 0;
    for (home *h = c->homes; h < c->homes + HOMES; h++)
        if (!furnish(h, g)) return 0;
    c->all.self = c;
    c->all.recorder = &c->homes[0].lua->r;
    c->all.run = run;
    c->all.hook = hook;
    c->all.exit_share = EXIT_SHARE;
    c->all.leaf_exit_share = LEAF_EXIT_SHARE;
    return 1;
}

void nytp_lua_calibrate(nytp_lua *g) {
    if (!nytp_calibrate_is_wanted(&g->r)) return;
    if (begin(g)) find_prices(g);
    else nytp_lua_calibrate_end(g);
}

/* Not with option duty, whose signal would find a home in the place of the program's Lua. */
void nytp_lua_calibrate_again(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator;
    int saved = errno;
    int64_t start = nytp_now(&g->r);
    if (!c || g->duty || !nytp_calibrate_is_due(&c->all, &g->r, start)) return;
    measure_at(c, c->at == c->homes ? c->homes + HOMES - 1 : c->at - 1, &c->all, PAIRS_LATER);
    nytp_calibrate_done(&c->all, &g->r, start);
    errno = saved;
}

void nytp_lua_calibrate_end(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator;
    if (!c) return;
    for (home *h = c->homes; h < c->homes + HOMES; h++) {
        if (h->lua) nytp_lua_life_give_back(h->L, h->lua);
        if (h->L) lua_close(h->L);
    }
    free(c);
    g->calibrator = NULL;
}
