/* SPDX-License-Identifier: MIT */
/* calibrate.c - the prices of our hook on this machine: record/calibrate.c runs loops with the hook and without.
 *
 * Loops run in Lua states of their own, without effect on the program's, before the program and again after a window is
 * written, in recorders without an output. About one state in ten is a sixth slower, because of its addresses; so there
 * are three, and medians over all count.
 *
 * The time between two events includes the first event's work behind its clock reading and the second's before its own.
 * For a line most work is before; so a line that ends with a return costs less than its price. The difference, in units
 * of Lua's work for a line (work.c), is counted at the calling line. */
#include "record/calibrate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lua/glue.h"

#define HOMES 3
#define PAIRS_AT_START 2 /* in each */
#define PAIRS_LATER 4    /* in one */

/* Percentage of a call's price charged at its end. Measured with loops of half a million calls: raw times of lines and
 * functions less those of bare loops. */
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
    home homes[HOMES], *at; /* at: the current one */
    int64_t next;           /* no calibration before this time */
};

#define X10 "x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i "
#define CALL5(f) f " " f " " f " " f " " f " "
#define CALL10(f) CALL5(f) CALL5(f)

/* Ten units a round, besides one line that all loops have; of Lua's own work for a line fifty instructions. Lines as
 * programs have them, one of a round in two behind a test, and calls of two functions: a repeated line or function is
 * predicted perfectly by the processor, and costs less than in any program. */
static const char text[] =
    "local in_c, y, t = ..., 0, { n = 0, 0 }\nlocal function same(x) return x end\n"
    "local function other(x, y)\nif x then\nreturn y\nend\nend\n"
    "return function() local x = 0 for i = 1, 10 do\nx = x + i\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\nx = x + i\ny = i\nt.n = x\ny = t.n\nif i % 2 == 0 then\ny = x - i\nend\n"
    "x = x + i\nt[1] = y\nx = i\nx = x + y\ny = t[1]\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\n"
    "x = x + i " CALL5("x = same(i)") "\n" CALL5("y = other(i, x)") "\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\nx = x + i " CALL10("x = in_c(i)") "\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\n" X10 X10 X10 X10 X10 "\nend end\n";

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
    int64_t start = nytp_now(&at->lua->r);
    int failed = lua_pcall(at->L, 0, 0, 0);
    int64_t ticks = nytp_now(&at->lua->r) - start;
    if (failed) lua_pop(at->L, 1);
    return ticks;
}

static void hook(void *self, int on) {
    const home *at = ((const nytp_calibrator *)self)->at;
    if (on) nytp_hook_set(at->lua, at->L);
    else nytp_gate_set(at->L, NULL, 0, 0);
}

/* ---- measuring ---- */

/* The first run of the loops is slow: places and contexts are made, or, later, are not in the caches. */
static void rehearse(nytp_calibrator *c) {
    for (int on = 0; on <= 1; on++) {
        hook(c, on);
        for (int loop = 0; loop < NYTP_LOOPS; loop++) run(c, loop);
    }
    hook(c, 0);
}

static void measure_at(nytp_calibrator *c, home *at, nytp_calibration *to, int pairs) {
    nytp_lua *before = nytp_hook_swap(at->lua);
    c->at = at;
    at->lua->r.deadline = INT64_MAX; /* a fork has set an earlier one */
    rehearse(c);
    nytp_calibrate_measure(to, pairs);
    nytp_hook_swap(before);
}

static void measure_at_all(nytp_calibrator *c, nytp_calibration *to, nytp_rec_price *prices) {
    for (home *h = c->homes; h < c->homes + HOMES; h++) measure_at(c, h, to, PAIRS_AT_START);
    nytp_calibrate_prices(to, prices);
}

/* The price of calls is measured without lines between, as most calls are. */
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
    nytp_rec_price *prices = g->r.prices;
    measure_at_all(c, &c->all, prices);
    if (g->duty) measure_traced_line(c, prices + NYTP_EVENT_STATEMENT);
}

/* Returns 0 on failure; `end` frees the parts. */
static int furnish(home *h, const nytp_lua *like) {
    h->L = lua_newstate(allocate, NULL);
    h->lua = h->L ? nytp_lua_life_borrow(h->L, like) : NULL;
    if (!h->lua) return 0;
    lua_pushcfunction(h->L, load_loops);
    return lua_pcall(h->L, 0, NYTP_LOOPS, 0) == LUA_OK;
}

/* As furnish. */
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
    if (!g->options.overhead) return;
    if (g->r.clock.id == NYTP_CLOCK_FAKE) nytp_calibrate_fake(g->r.prices);
    else if (nytp_calibrate_can(&g->r.clock)) {
        if (begin(g)) find_prices(g);
        else nytp_lua_calibrate_end(g);
    }
}

/* Not with option duty, as a signal would find the wrong Lua state. */
void nytp_lua_calibrate_again(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator;
    int saved = errno;
    int64_t start = nytp_now(&g->r);
    if (!c || g->duty || !g->r.on || start < c->next) return;
    measure_at(c, c->at == c->homes ? c->homes + HOMES - 1 : c->at - 1, &c->all, PAIRS_LATER);
    nytp_calibrate_prices(&c->all, g->r.prices);
    int64_t end = nytp_now(&g->r);
    nytp_cold(&g->r, start, end);
    c->next = end + (int64_t)g->r.clock.ticks_per_second / 10;
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
