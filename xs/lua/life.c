/* SPDX-License-Identifier: MIT */
/* life.c - start and end: the profiled Luas of this process, and their captures. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lua/sample.h"
#include "lua/timing.h"
#include "lua/waiting.h"
#include "record/flush.h"
#include "record/handlers.h"
#include "record/output.h"
#include "record/session.h"
#include "record/sigexit.h"

/* State of the process: fork handlers have no argument, and all Luas write to one file. A hook may still hold the
 * address of a closed Lua's record (see here.c), so records are never freed. */
static struct {
    pthread_mutex_t lock; /* held during a fork, too */
    nytp_lua *all, *unused;
    nytp_outlet outlet;
    uint32_t started;  /* Luas so far */
    atomic_uint asked; /* the same, counted before the start */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .outlet = NYTP_OUTLET_NONE};

static const char registry_key = 0;

/* ---- functions for the recorder ---- */

static void describe(void *self, nytp_writer *w) {
    const nytp_lua *g = self;
    char percent[12];
    nytp_writer_pair(w, NYTP_REC_ATTRIBUTE, NYTP_LIT("application"), nytp_front_of(&g->r)->program);
    if (g->sampler) nytp_weight_describe(nytp_lua_sample_weight(g), &g->r, w);
    if (!g->duty) return;
    snprintf(percent, sizeof percent, "%u", g->duty);
    nytp_writer_pair(w, NYTP_REC_PROPERTY, NYTP_LIT("duty"), nytp_str_c(percent));
}

static int complete(void *self, int is_brief) {
    nytp_lua *g = self;
    if (g->sampler) nytp_weight_complete(nytp_lua_sample_weight(g), &g->r);
    return is_brief;
}

static void writes(void *self, int begins) { nytp_lua_waiting_writes(self, begins); }

static void forked(void *self) { nytp_lua_waiting_begin(self); }

static void stopped(void *self) { nytp_lua_be_at(self, NULL); }

/* ---- the end ---- */

static void finish(nytp_lua *g) {
    nytp_recorder_moved(&g->r);
    if (!nytp_has_output(&g->r)) return;
    if (g->after & NYTP_AFTER_CHECK) nytp_check_say(g);
    nytp_gate_say_lost(g);
    if (g->sampler) nytp_lua_sample_finish(g);
    nytp_lua_timing_finish(g);
    nytp_lua_be_at(g, NULL);
    nytp_session_finish(&g->r);
}

/* Before the first event a Lua is starting. */
static int is_idle(const nytp_lua *g) { return g->thread && g->thread->top == g->thread->calls; }

/* Other threads may be running; their unwritten data is lost, at most a window. After a signal they may also enter an
 * idle Lua at any time; its counters were written before it began to wait. */
static void at_exit(void *self, int by_signal) {
    nytp_lua *g = self;
    if (nytp_handlers_may_touch(&g->r) || (!by_signal && is_idle(g))) finish(g);
}

static void hurry(void *self) {
    nytp_lua *g = self;
    nytp_after_add(g, NYTP_AFTER_SIGNAL);
    if (g->sampler) nytp_lua_sample_hurry(g);
}

void nytp_lua_life_end_by_signal(nytp_lua *g) {
    nytp_handlers_own(&g->r);
    nytp_sigexit_end();
}

int nytp_lua_life_is_any(void) { return process.all != NULL; }

/* The next event in the child is like one of another thread, and then the fork is noticed: many children have no
 * event. */
static void in_child(void *self) {
    nytp_lua *g = self;
    g->after &= ~(uint32_t)NYTP_AFTER_SIGNAL;
    nytp_lua_be_at(g, NULL);
}

/* A zeroed record; NULL when memory is short. The lock is the caller's. */
static nytp_lua *enlist(void) {
    nytp_lua *g = process.unused ? process.unused : calloc(1, sizeof *g);
    if (!g) return NULL;
    if (g == process.unused) process.unused = g->next;
    g->next = process.all;
    process.all = g;
    return g;
}

static void lock(void) { pthread_mutex_lock(&process.lock); }

static void unlock(void) { pthread_mutex_unlock(&process.lock); }

/* A child that forks while another thread has the lock would wait for it for ever. Recorders join with it, so it is
 * taken before theirs. */
static void attend_forks(void) {
    nytp_handlers_install();
    pthread_atfork(lock, unlock, unlock);
}

static void delist(nytp_lua *g) {
    nytp_lua **at = &process.all;
    while (*at != g) at = &(*at)->next;
    *at = g->next;
    g->next = process.unused;
    process.unused = g;
}

static void free_all(nytp_lua *g) {
    nytp_lua *next;
    nytp_lua_calibrate_end(g);
    if (g->sampler) nytp_lua_sample_end(g);
    nytp_function_free(g);
    nytp_lua_timing_free(g);
    nytp_lua_waiting_free(g);
    nytp_stack_free(g);
    nytp_map_free(&g->aliases);
    nytp_map_free(&g->chunks);
    free(g->all_aliases);
    free(g->recent);
    nytp_recorder_close(&g->r);
    nytp_options_free(&g->options);
    lock();
    delist(g);
    next = g->next;
    nytp_lua_be_at(g, NULL);
    memset(&g->thread, 0, sizeof *g - offsetof(nytp_lua, thread));
    g->next = next;
    unlock();
}

/* ---- finding the record of a Lua ---- */

static nytp_lua **box_of(lua_State *L) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_key);
    nytp_lua **box = lua_touserdata(L, -1);
    lua_pop(L, 1);
    return box;
}

nytp_lua *nytp_lua_life_of(lua_State *L) {
    nytp_lua **box = box_of(L);
    return box ? *box : NULL;
}

static void end(lua_State *L, nytp_lua **box) {
    nytp_lua *g = *box;
    *box = NULL;
    if (!g) return;
    if (g->options.memory && !g->sampler) nytp_memory_leave(g, L);
    nytp_handlers_leave(&g->r);
    finish(g);
    free_all(g);
}

static int collect(lua_State *L) {
    nytp_lua **box = lua_touserdata(L, 1);
    if (*box) nytp_gate_count_lost(*box, L);
    if (nytp_hook_is_ours(nytp_gate_hook(L))) nytp_gate_set(L, NULL, 0, 0);
    end(L, box);
    return 0;
}

static nytp_lua **make_box(lua_State *L) {
    nytp_lua **box = lua_newuserdata(L, sizeof *box);
    *box = NULL;
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
    return box;
}

int nytp_lua_life_is_alone(void) { return atomic_load_explicit(&process.asked, memory_order_relaxed) == 1; }

/* ---- start ---- */

/* The process's name. */
static const char *host_of(char *name, size_t room) {
    FILE *in = fopen("/proc/self/cmdline", "r");
    size_t n = in ? fread(name, 1, room - 1, in) : 0;
    if (in) fclose(in);
    name[n] = 0;
    return n ? name : "lua";
}

/* arg[0], as the interpreter sets it; else the host. */
static const char *program_of(lua_State *L, char *room, size_t size) {
    const char *name = NULL;
    lua_pushglobaltable(L);
    lua_pushliteral(L, "arg");
    lua_rawget(L, -2);
    if (lua_istable(L, -1) && lua_rawgeti(L, -1, 0) == LUA_TSTRING) name = lua_tostring(L, -1);
    return name ? name : host_of(room, size);
}

static lua_State *main_thread(lua_State *L) {
    lua_rawgeti(L, LUA_REGISTRYINDEX, LUA_RIDX_MAINTHREAD);
    lua_State *main = lua_tothread(L, -1);
    lua_pop(L, 1);
    return main;
}

static void hook_all(nytp_lua *g, lua_State *L) {
    if (g->sampler) {
        nytp_lua_sample_on(g);
        return;
    }
    nytp_hook_set(g, L);
    if (g->main != L) nytp_hook_set(g, g->main);
}

/* 1 with LUA_INIT, which is for every Lua started from here, except when `nytprof run` has set it for a Lua program. */
static uint32_t is_for_all_luas(void) {
    static const char *const names[] = {"LUA_INIT_" LUA_VERSION_MAJOR "_" LUA_VERSION_MINOR, "LUA_INIT"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *code = getenv(names[i]);
        if (code) return strstr(code, "nytprof") && !strstr(code, "--[[this program]]");
    }
    return 0;
}

static int open_recorder(nytp_lua *g, lua_State *L, nytp_error *e) {
    nytp_front front = {.self = g, .number = NYTP_FRONT_LUA, .folds = 1};
    int before = lua_gettop(L);
    char host[256];
    front.program = nytp_str_c(program_of(L, host, sizeof host));
    front.interpreter = nytp_str_c(LUA_VERSION);
    front.shares_name = is_for_all_luas();
    front.describe = describe;
    front.stopped = stopped;
    front.in_child = in_child;
    front.at_exit = at_exit;
    front.hurry = hurry;
    front.outlet = &process.outlet;
    front.complete = complete;
    front.writes = writes;
    front.forked = forked;
    front.times_calls = !g->options.sample && g->options.format == NYTP_OUTPUT_CAPTURE;
    front.counters = g->options.sample ? nytp_weight_counters : nytp_lua_counters;
    nytp_recorder_open(&g->r, &g->options, &front, e);
    lua_settop(L, before);
    return e->code;
}

static nytp_lua *make(lua_State *L, nytp_options *options, nytp_error *e) {
    lock();
    nytp_lua *g = enlist();
    unlock();
    if (!g) {
        nytp_options_free(options);
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return NULL;
    }
    g->options = *options;
    g->lines = g->options.stmts != 0;
    if (g->options.selfcheck) nytp_after_add(g, NYTP_AFTER_CHECK);
    g->main = main_thread(L);
    nytp_function_begin(g);
    nytp_gate_find("lua_load", &g->own_load);
    g->recent = calloc(NYTP_RECENT, sizeof *g->recent);
    if (!g->recent) nytp_error_set(e, NYTP_NOMEM, "out of memory");
    else open_recorder(g, L, e);
    g->is_timed = !e->code && nytp_front_of(&g->r)->times_calls && (g->options.latency || g->options.waiting);
    return g;
}

/* Locked, as other Luas may be starting and opening the same file. */
static int switch_on(nytp_lua *g, nytp_error *e) {
    lock();
    if (!nytp_output_generation(&g->r)) nytp_output_number(&g->r, process.started++);
    if (!nytp_recorder_on(&g->r, e)) nytp_lua_waiting_begin(g);
    unlock();
    return e->code;
}

nytp_lua *nytp_lua_life_borrow(lua_State *L, const nytp_lua *like) {
    nytp_options o;
    nytp_error e = {0};
    if (nytp_options_init(&o)) return NULL;
    o.latency = like->options.latency;
    o.waiting = like->options.waiting;
    nytp_lua *g = make(L, &o, &e), **box;
    if (!g) return NULL;
    g->lines = like->lines;
    g->duty = like->duty;
    g->layout = like->layout;
    nytp_share_clock(&g->r, nytp_clock_of(&like->r));
    if (!e.code) nytp_rehearse(&g->r);
    if (!e.code) nytp_lua_waiting_begin(g);
    box = lua_newuserdata(L, sizeof *box);
    *box = g;
    lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_key);
    return g;
}

void nytp_lua_life_give_back(lua_State *L, nytp_lua *borrowed) {
    *box_of(L) = NULL;
    free_all(borrowed);
}

/* The program's and the host's go on under ours. */
static void take_hooks(nytp_lua *g, lua_State *L) {
    nytp_debug_install(g, L);
    if (!(g->after & NYTP_AFTER_PROGRAM)) nytp_gate_adopt(g, L);
    if (g->main != L) nytp_gate_adopt(g, g->main);
}

int nytp_lua_life_start(lua_State *L, nytp_options *options, nytp_error *e) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    nytp_lua **box = box_of(L), *g;
    pthread_once(&once, attend_forks);
    if (!nytp_gate_is_open()) {
        nytp_options_free(options);
        return nytp_error_set(e, NYTP_USAGE, "lua_sethook is not found in this program");
    }
    if (!box) box = make_box(L);
    nytp_lua_life_stop(L);
    atomic_fetch_add(&process.asked, 1);
    g = make(L, options, e);
    if (!g) return e->code;
    if (!e->code && !nytp_lua_sample_prepare(g, e)) {
        free_all(g);
        return e->code;
    }
    nytp_lua_duty_prepare(g, L);
    nytp_layout_find(&g->layout, L);
    if (!e->code && !g->sampler) nytp_lua_calibrate(g);
    if (e->code || (g->options.start != NYTP_START_NO && switch_on(g, e))) {
        *box = NULL;
        free_all(g);
        return e->code;
    }
    if (g->options.memory && !g->sampler) nytp_memory_watch(g, L);
    *box = g;
    nytp_sigexit_take(&g->options);
    nytp_function_roles(g, L);
    if (g->sampler) nytp_lua_walk_learn(g, L);
    else take_hooks(g, L);
    hook_all(g, L);
    return NYTP_OK;
}

void nytp_lua_life_stop(lua_State *L) {
    nytp_lua **box = box_of(L);
    if (!box || !*box) return;
    nytp_gate_count_lost(*box, L);
    if (nytp_hook_is_ours(nytp_gate_hook(L))) nytp_gate_set(L, NULL, 0, 0);
    nytp_debug_remove(L);
    if ((*box)->duty) nytp_lua_duty_release(*box, L);
    end(L, box);
}

void nytp_lua_life_pause(lua_State *L) {
    nytp_lua *g = nytp_lua_life_of(L);
    if (!g || !nytp_is_on(&g->r)) return;
    if (g->sampler) nytp_lua_sample_finish(g);
    nytp_recorder_off(&g->r);
    if (g->duty) nytp_lua_duty_pause(g);
    nytp_lua_timing_forget(g);
    nytp_stack_forget(g);
    nytp_flush_while_off(&g->r);
}

int nytp_lua_life_resume(lua_State *L, nytp_error *e) {
    nytp_lua *g = nytp_lua_life_of(L);
    if (!g) return nytp_error_set(e, NYTP_USAGE, "resume without an earlier start");
    if (nytp_is_on(&g->r)) return NYTP_OK;
    if (switch_on(g, e)) return e->code;
    nytp_lua_chunk_doubt(g);
    hook_all(g, L);
    return NYTP_OK;
}
