/* calibrate.c - what our hook costs on this machine: has record/calibrate.c run loops with it and without.
 *
 * They run in a Lua of their own, so that nothing of the program's changes, before the program does and again after a
 * window is written, in a recorder without an output.
 *
 * The time between two events has what the first does behind its clock reading and what the second does before. What
 * comes before a line's is most of it; so the line that ends with a return has less of a cost than its own event's
 * price. The difference, in units of what Lua does for a line (work.c), is counted at the line that goes on, to
 * whose call it belongs. */
#include "record/calibrate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lua/glue.h"

#define PAIRS_AT_START 12
#define PAIRS_LATER 6

/* Of what a call costs, in percent, what its end has. Measured with loops of half a million calls: raw times of
 * lines and functions less what the bare loops take. */
#if LUA_VERSION_NUM >= 504
#define EXIT_SHARE 77
#define LEAF_EXIT_SHARE 63
#else
#define EXIT_SHARE 61
#define LEAF_EXIT_SHARE 56
#endif

struct nytp_calibrator {
    nytp_calibration all;
    lua_State *L; /* the loops are on its stack, from 1 */
    nytp_lua *lua; /* that they run in */
    int64_t next;  /* not to be asked again before then */
};

#define X10 "x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i x = x + i "
#define CALL10(f) f " " f " " f " " f " " f " " f " " f " " f " " f " " f

/* Ten units a round, besides one line that all loops have; of Lua's own work for a line fifty instructions. */
static const char text[] =
    "local in_c = ...\nlocal function same(x) return x end\n"
    "return function() local x = 0 for i = 1, 10 do\nx = x + i\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\nx = x + i\nx = x + i\nx = x + i\nx = x + i\nx = x + i\n"
    "x = x + i\nx = x + i\nx = x + i\nx = x + i\nx = x + i\nx = x + i\nend end,\n"
    "function() local x = 0 for i = 1, 10 do\nx = x + i " CALL10("x = same(i)") "\nend end,\n"
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

/* ---- what record/calibrate.c asks for ---- */

static int64_t run(void *self, int loop) {
    nytp_calibrator *c = self;
    lua_pushvalue(c->L, loops[loop]);
    int64_t start = nytp_now(&c->lua->r);
    int failed = lua_pcall(c->L, 0, 0, 0);
    int64_t ticks = nytp_now(&c->lua->r) - start;
    if (failed) lua_pop(c->L, 1);
    return ticks;
}

static void hook(void *self, int on) {
    nytp_calibrator *c = self;
    if (on) nytp_hook_set(c->lua, c->L);
    else nytp_gate_set(c->L, NULL, 0, 0);
}

/* ---- measuring ---- */

static void measure(nytp_calibrator *c, nytp_calibration *to, int pairs, nytp_rec_price *prices) {
    nytp_lua *before = nytp_hook_swap(c->lua);
    c->lua->r.deadline = INT64_MAX; /* a fork has made it an earlier one */
    nytp_calibrate_measure(to, pairs);
    nytp_hook_swap(before);
    nytp_calibrate_prices(to, prices);
}

/* Calls have been measured without lines, as most of them come. */
static void measure_traced_line(nytp_calibrator *c, nytp_rec_price *statement) {
    nytp_calibration traced = c->all;
    nytp_rec_price prices[NYTP_EVENTS];
    traced.measured = 0;
    c->lua->tracing = 1;
    c->lua->until = INT64_MAX;
    measure(c, &traced, PAIRS_AT_START, prices);
    c->lua->tracing = 0;
    *statement = prices[NYTP_EVENT_STATEMENT];
}

static void find_prices(nytp_lua *g, int pairs) {
    nytp_calibrator *c = g->calibrator;
    nytp_rec_price *prices = g->r.prices;
    measure(c, &c->all, pairs, prices);
    if (g->duty) measure_traced_line(c, prices + NYTP_EVENT_STATEMENT);
}

/* 0 if that cannot be had; what there is then is freed by end. */
static int begin(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator = calloc(1, sizeof *c);
    if (!c) return 0;
    c->L = lua_newstate(allocate, NULL);
    c->lua = c->L ? nytp_life_borrow(c->L, g) : NULL;
    if (!c->lua) return 0;
    c->all.self = c;
    c->all.recorder = &c->lua->r;
    c->all.run = run;
    c->all.hook = hook;
    c->all.exit_share = EXIT_SHARE;
    c->all.leaf_exit_share = LEAF_EXIT_SHARE;
    lua_pushcfunction(c->L, load_loops);
    return lua_pcall(c->L, 0, NYTP_LOOPS, 0) == LUA_OK;
}

void nytp_calibrate(nytp_lua *g) {
    if (!g->options.overhead) return;
    if (g->r.clock.id == NYTP_CLOCK_FAKE) nytp_calibrate_fake(g->r.prices);
    else if (nytp_calibrate_can(&g->r.clock)) {
        if (begin(g)) find_prices(g, PAIRS_AT_START);
        else nytp_calibrate_end(g);
    }
}

/* With option duty a signal would find the wrong Lua. */
void nytp_calibrate_again(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator;
    int saved = errno;
    int64_t start = nytp_now(&g->r);
    if (!c || g->duty || !g->r.on || start < c->next) return;
    find_prices(g, PAIRS_LATER);
    int64_t end = nytp_now(&g->r);
    nytp_cold(&g->r, start, end);
    c->next = end + (int64_t)g->r.clock.ticks_per_second / 10;
    errno = saved;
}

void nytp_calibrate_end(nytp_lua *g) {
    nytp_calibrator *c = g->calibrator;
    if (!c) return;
    if (c->lua) nytp_life_give_back(c->L, c->lua);
    if (c->L) lua_close(c->L);
    free(c);
    g->calibrator = NULL;
}
