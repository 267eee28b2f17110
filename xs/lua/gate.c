/* SPDX-License-Identifier: MIT */
/* gate.c - C hooks of the host (a server's watchdog, a debugger in C), while our hook occupies Lua's one hook of a
 * thread.
 *
 * lua_sethook and its kin are defined here, too. A host that is linked with our module, or has it preloaded, and takes
 * Lua from a shared library calls these: its hook is kept in the thread's record, and called from ours for the events
 * in its mask. A host with a built-in Lua does not call these: it replaces the profiler's hook, which is noticed at the
 * end (nytp_gate_count_lost).
 *
 * A host may set a hook in a signal handler, to interrupt a program that runs. So the thread that runs is found
 * without asking Lua, and nothing is allocated for it. */
#define _GNU_SOURCE 1 /* RTLD_NEXT. NOLINT(bugprone-reserved-identifier): that is its name */

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>

#include "lua/glue.h"
#include "lua/nytprof.h"
#include "record/output.h"

NYTPROF_API void lua_sethook(lua_State *L, lua_Hook hook, int mask, int count);
NYTPROF_API lua_Hook lua_gethook(lua_State *L);
NYTPROF_API int lua_gethookmask(lua_State *L);
NYTPROF_API int lua_gethookcount(lua_State *L);

/* Lua's own functions, found once in a process: with several Lua libraries those that nytp_gate_find finds first. `set`
 * is the last to be set. Of threads that look for them at once all find the same. */
static struct {
    void (*_Atomic set)(lua_State *, lua_Hook, int, int);
    lua_Hook (*_Atomic hook)(lua_State *);
    int (*_Atomic mask)(lua_State *);
    int (*_Atomic count)(lua_State *);
} own;

#define VERSION LUA_VERSION_MAJOR "." LUA_VERSION_MINOR

/* Lua's library in distributions. */
static const char *const libraries[] = {
    "liblua" VERSION ".so.0", "liblua" VERSION ".so.5", "liblua" VERSION ".so",
    "liblua-" VERSION ".so.0", "liblua-" VERSION ".so", "liblua.so." VERSION,
};

/* Not a function of a preloaded library of ours, which would call us back. */
static int is_lua(void *function) {
    Dl_info where;
    return function && dladdr(function, &where) && where.dli_fname && !strstr(where.dli_fname, "nytprof-preload");
}

/* Searches from the main program on; RTLD_DEFAULT would begin with this library. */
static void *find_from_the_start(const char *name) {
    void *program = dlopen(NULL, RTLD_LAZY), *found = program ? dlsym(program, name) : NULL;
    if (program) dlclose(program);
    return is_lua(found) ? found : NULL;
}

/* Only copies the name: the loader's lock is held here, and dlopen takes locks in another order. The main program has
 * none. */
static int keep_name(struct dl_phdr_info *object, size_t size, void *names) {
    (void)size;
    if (*object->dlpi_name) nytp_buf_bytes(names, object->dlpi_name, strlen(object->dlpi_name) + 1);
    return 0;
}

/* NULL also if the library has been unloaded. */
static void *find_in(const char *library, const char *name) {
    void *handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD), *found = handle ? dlsym(handle, name) : NULL;
    if (handle) dlclose(handle);
    return is_lua(found) ? found : NULL;
}

/* Searches plug-ins with local symbols, of any version of Lua. */
static void *find_anywhere(const char *name) {
    nytp_buf names = {0};
    void *found = NULL;
    dl_iterate_phdr(keep_name, &names);
    for (size_t at = 0; !found && at < names.n; at += strlen((char *)names.p + at) + 1)
        found = find_in((char *)names.p + at, name);
    nytp_buf_free(&names);
    return found;
}

/* A library of this version loaded by a plug-in may be local to it: opens it for this one, too. */
static void open_library(void) {
    for (size_t i = 0; !dlsym(RTLD_DEFAULT, "lua_gettop") && i < sizeof libraries / sizeof *libraries; i++) {
        void *handle = dlopen(libraries[i], RTLD_LAZY | RTLD_GLOBAL | RTLD_NOLOAD);
        if (handle) dlclose(handle);
    }
}

/* ISO C has no way from dlsym's pointer to a function but its bytes. */
void nytp_gate_find(const char *name, void *function) {
    open_library();
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) found = find_from_the_start(name);
    if (!found) found = find_anywhere(name);
    memcpy(function, &found, sizeof found);
}

int nytp_gate_has(const char *name) {
    void *found;
    nytp_gate_find(name, &found);
    return found != NULL;
}

/* Before a Lua is loaded the search would find the other version's preloaded library, and each would take the other's
 * functions for Lua's. */
static void find_own(void) {
    void (*set)(lua_State *, lua_Hook, int, int);
    lua_Hook (*hook)(lua_State *);
    int (*mask)(lua_State *), (*count)(lua_State *);
    if (!nytp_gate_has("lua_gettop")) return;
    nytp_gate_find("lua_sethook", &set);
    if (!set) return;
    nytp_gate_find("lua_gethook", &hook);
    nytp_gate_find("lua_gethookmask", &mask);
    nytp_gate_find("lua_gethookcount", &count);
    own.hook = hook;
    own.mask = mask;
    own.count = count;
    own.set = set;
}

/* Runs before any signal handler, which may not call the loader. If Lua is loaded later, the first use searches
 * again. */
static __attribute__((constructor)) void find_own_early(void) { find_own(); }

int nytp_gate_is_open(void) {
    if (!own.set) find_own();
    return own.set && own.hook && own.mask && own.count;
}

void nytp_gate_set(lua_State *L, lua_Hook hook, int mask, int count) {
    if (!own.set) find_own();
    own.set(L, hook, mask, count);
}

lua_Hook nytp_gate_hook(lua_State *L) {
    if (!own.set) find_own();
    return own.hook(L);
}

int nytp_gate_mask(lua_State *L) {
    if (!own.set) find_own();
    return own.mask(L);
}

/* ---- records of hooks ---- */

/* The record of L in *g if that is profiled by hooks that stay. A signal handler passes the main thread, whichever
 * coroutine runs, and may not touch its stack. */
static nytp_thread *known(lua_State *L, nytp_lua **g) {
    *g = nytp_here;
    if ((*g)->sampler) return NULL;
    if ((*g)->L == L) return (*g)->thread;
    nytp_thread *t = (*g)->main == L ? nytp_stack_known(*g, L) : NULL;
    if (t) return t;
    *g = nytp_lua_life_is_any() ? nytp_lua_life_of(L) : NULL;
    return *g && !(*g)->sampler ? nytp_stack_thread(*g, L) : NULL;
}

static void keep(nytp_lua *g, nytp_thread *t, lua_Hook hook, int mask, int count) {
    int is_set = hook && mask;
    t->host = is_set ? (nytp_host_hook){hook, mask, mask & LUA_MASKCOUNT ? count : 0} : (nytp_host_hook){0};
    t->is_hosts = 1;
    g->has_hosts = 1;
    if (mask & ~LUA_MASKCOUNT) nytp_after_add(g, NYTP_AFTER_HOST);
}

void nytp_gate_adopt(nytp_lua *g, lua_State *L) {
    lua_Hook hook = nytp_gate_hook(L);
    nytp_thread *t = hook && !nytp_hook_is_ours(hook) ? nytp_stack_thread(g, L) : NULL;
    if (t) keep(g, t, hook, own.mask(L), own.count(L));
}

void nytp_gate_forget(nytp_lua *g, lua_State *L) {
    nytp_thread *t = nytp_stack_thread(g, L);
    if (!t) return;
    t->host = (nytp_host_hook){0};
    t->is_hosts = 0;
}

/* New threads inherit the hook of the one that made them, most often the one that ran before; and a reused address has
 * no hook of the earlier thread: lua_gethook decides. */
void nytp_gate_begin(nytp_lua *g, nytp_thread *t) {
    if (!g->has_hosts) return;
    const nytp_thread *maker = t->resumer ? t->resumer : nytp_stack_thread(g, g->main);
    int mask = nytp_gate_mask(t->L);
    if (t->is_hosts && (mask & t->host.mask) == t->host.mask) return;
    t->is_hosts = 0;
    t->host = (nytp_host_hook){0};
    if (maker && maker->host.hook && (mask & maker->host.mask) == maker->host.mask) t->host = maker->host;
}

int nytp_gate_wants(nytp_lua *g, lua_State *L, int *count) {
    const nytp_thread *t = g->has_hosts ? nytp_stack_known(g, L) : NULL;
    if (!t || !t->host.hook) return 0;
    *count = t->host.count;
    return t->host.mask;
}

/* The hook may yield, as if the thread had called coroutine.yield, or raise an error and not return. */
void nytp_gate_call(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    nytp_thread *t = g->L == L ? g->thread : nytp_stack_thread(g, L);
    int bit = ar->event == LUA_HOOKTAILCALL ? LUA_MASKCALL : 1 << ar->event;
    if (!t || !t->host.hook || !(t->host.mask & bit)) return;
    t->host.hook(L, ar);
    if (g->thread == t && lua_status(L) == LUA_YIELD) t->has_yielded = 1;
}

/* ---- functions for the host ---- */

void lua_sethook(lua_State *L, lua_Hook hook, int mask, int count) {
    nytp_lua *g;
    nytp_thread *t = known(L, &g);
    if (!t) {
        nytp_gate_set(L, hook, mask, count);
        return;
    }
    keep(g, t, hook, mask, count);
    nytp_hook_set(g, L);
}

lua_Hook lua_gethook(lua_State *L) {
    nytp_lua *g;
    const nytp_thread *t = known(L, &g);
    lua_Hook hook = nytp_gate_hook(L);
    return !nytp_hook_is_ours(hook) ? hook : t ? t->host.hook : NULL;
}

int lua_gethookmask(lua_State *L) {
    nytp_lua *g;
    const nytp_thread *t = known(L, &g);
    return t && nytp_hook_is_ours(nytp_gate_hook(L)) ? t->host.mask : nytp_gate_mask(L);
}

int lua_gethookcount(lua_State *L) {
    nytp_lua *g;
    const nytp_thread *t = known(L, &g);
    int is_ours = nytp_hook_is_ours(nytp_gate_hook(L));
    return t && is_ours ? t->host.count : own.count(L);
}

/* ---- lost hooks ---- */

static int is_lost(const nytp_lua *g, lua_State *T) {
    lua_Hook hook = T ? nytp_gate_hook(T) : NULL;
    return T != g->main && hook && !nytp_hook_is_ours(hook);
}

/* Threads among the values of the table on top of L's stack, which is taken off. */
static int64_t count_in_table(const nytp_lua *g, lua_State *L) {
    int64_t n = 0;
    if (lua_istable(L, -1))
        for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) n += is_lost(g, lua_tothread(L, -1));
    lua_pop(L, 1);
    return n;
}

/* Looks only at threads within reach: on the stack, in the registry, in global variables. */
void nytp_gate_count_lost(nytp_lua *g, lua_State *L) {
    lua_Hook hook = nytp_gate_hook(g->main);
    int64_t n = hook && !nytp_hook_is_ours(hook);
    if (!nytp_is_on(&g->r) || g->sampler || !lua_checkstack(L, 4)) return;
    for (int i = lua_gettop(L); i > 0; i--) n += is_lost(g, lua_tothread(L, i));
    lua_pushvalue(L, LUA_REGISTRYINDEX);
    n += count_in_table(g, L);
    lua_pushglobaltable(L);
    n += count_in_table(g, L);
    if (n > g->lost) g->lost = n;
}

void nytp_gate_say_lost(nytp_lua *g) {
    char line[128];
    if (!g->lost) return;
    snprintf(line, sizeof line, "NYTProf: the host's own hook ended the profile of %lld coroutine%s",
             (long long)g->lost, g->lost == 1 ? "" : "s");
    nytp_log_line(&g->options, line);
    snprintf(line, sizeof line, "The host's own hook ended the profile of %lld coroutine%s.", (long long)g->lost,
             g->lost == 1 ? "" : "s");
    nytp_output_note(&g->r, nytp_str_c(line));
}
