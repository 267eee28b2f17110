/* SPDX-License-Identifier: MIT */
/* walk.c - the stack of a Lua that is sampled, from its main thread to the coroutine that runs, and what it stands for.
 *
 * Lua does not tell which coroutine runs. It is found by the calls of coroutine.resume, and of functions made by
 * coroutine.wrap, that the main thread and others wait in: the coroutine is the first argument of the one and the
 * upvalue of the other. A coroutine that a host resumes by itself is not found.
 *
 * A signal may come while Lua moves a stack to other memory, or makes a call. Then what a call says of its slot in the
 * stack is old, so slots are read like another process's memory, where a wrong address is no crash. */
#include "lua/sample.h"

#define SLOT (2 * sizeof(void *)) /* bytes of a stack slot and of an upvalue: a value, and its kind */
#define VALUE (sizeof(void *) + 1)
#define MOST_SLOTS 65536 /* between the function of a call and that of its caller */
#define MOST_THREADS 64  /* resumed by each other */
#define MOST_CALLS 256   /* of a thread, the innermost, and as many outermost ones */

/* ---- coroutines ---- */

static int is_thread(const char *slot, const lua_State *T, uint8_t *tag) {
    *tag = (uint8_t)slot[sizeof(void *)];
    return nytp_layout_load(slot) == (const char *)T;
}

/* Arguments: this thread and the sampler's record. As a closure, it has the thread as upvalue, too. */
static int look(lua_State *L) {
    nytp_lua *g = lua_touserdata(L, 2);
    lua_Debug ar;
    uint8_t tag, upvalue_tag;
    if (!lua_getstack(L, 0, &ar)) return 0;
    const char *slot = nytp_layout_load((const char *)ar.i_ci), *closure = nytp_layout_load(slot);
    if (!is_thread(slot + SLOT, L, &tag)) return 0;
    if ((uint8_t)slot[sizeof(void *)] == g->layout.light_tag) {
        g->sampler->thread_tag = tag;
    } else if (!is_thread(closure + NYTP_LAYOUT_CODE + sizeof(void *), L, &upvalue_tag) || tag != upvalue_tag) {
        g->sampler->thread_tag = 0;
    }
    return 0;
}

void nytp_lua_walk_learn(nytp_lua *g, lua_State *L) {
    if (!g->layout.is_known || !lua_checkstack(L, 4)) return;
    for (int upvalues = 0; upvalues <= 1; upvalues++) {
        if (upvalues) lua_pushthread(L);
        lua_pushcclosure(L, look, upvalues);
        lua_pushthread(L);
        lua_pushlightuserdata(L, g);
        if (lua_pcall(L, 2, 0, 0) != LUA_OK) lua_pop(L, 1);
    }
}

static int is_at(const char *code, lua_CFunction function) { return memcmp(&code, &function, sizeof code) == 0; }

/* A value, and the byte behind it. */
typedef struct value {
    const char *at;
    uint8_t tag;
} value;

static int peek(const nytp_lua *g, const char *at, void *to, size_t n) {
    return nytp_peek_at(&g->sampler->peek, (uintptr_t)at, to, n);
}

/* The value of the argument or upvalue by which a call of that function, in that slot, knows its coroutine. */
static int peek_coroutine(const nytp_lua *g, const value *function, const char *slot, value *found) {
    const nytp_layout *y = &g->layout;
    const char *code;
    if (function->tag == y->light_tag && is_at(function->at, g->roles[NYTP_ROLE_RESUME]))
        return peek(g, slot + SLOT, found, VALUE);
    return function->tag == y->c_tag && peek(g, function->at + NYTP_LAYOUT_CODE, &code, sizeof code) &&
           is_at(code, g->roles[NYTP_ROLE_WRAPPED]) &&
           peek(g, function->at + NYTP_LAYOUT_CODE + sizeof code, found, VALUE);
}

/* The coroutine that the innermost call of a thread resumes; NULL: it resumes none. */
static lua_State *resumed(const nytp_lua *g, const lua_Debug *ar) {
    const char *call = (const char *)ar->i_ci, *slot = nytp_layout_load(call);
    const char *below = nytp_layout_load(nytp_layout_load(call + g->layout.caller));
    value function, found;
    lua_State *T;
    lua_Debug inner;
    if ((uintptr_t)slot - (uintptr_t)below - 1 > MOST_SLOTS * SLOT || !peek(g, slot, &function, VALUE)) return NULL;
    if (!peek_coroutine(g, &function, slot, &found) || found.tag != g->sampler->thread_tag) return NULL;
    memcpy(&T, &found.at, sizeof T);
    return lua_status(T) == LUA_OK && lua_getstack(T, 0, &inner) ? T : NULL;
}

lua_State *nytp_lua_walk_running(const nytp_lua *g, const void **call) {
    lua_State *L = g->main, *inner;
    lua_Debug ar;
    if (!lua_getstack(L, 0, &ar)) return NULL;
    for (int n = 0; n < MOST_THREADS && g->sampler->thread_tag && (inner = resumed(g, &ar)); n++) {
        L = inner;
        lua_getstack(L, 0, &ar);
    }
    *call = ar.i_ci;
    return L;
}

/* From the main thread to L, if that can be seen; else L alone. Returns how many. */
static int threads_to(const nytp_lua *g, lua_State *L, lua_State *threads[MOST_THREADS]) {
    lua_State *T = g->main;
    lua_Debug ar;
    for (int n = 0; T && n < MOST_THREADS; n++) {
        threads[n] = T;
        if (T == L) return n + 1;
        T = g->sampler->thread_tag && lua_getstack(T, 0, &ar) ? resumed(g, &ar) : NULL;
    }
    threads[0] = L;
    return 1;
}

/* ---- calls ---- */

/* Calls of a thread by their number from the innermost on; all but the first and the last MOST_CALLS are left out. */
typedef struct calls {
    const void *inner[MOST_CALLS], *outer[MOST_CALLS];
    uint32_t n;
} calls;

static void add(calls *c, const void *call) {
    if (c->n < MOST_CALLS) c->inner[c->n] = call;
    else c->outer[c->n % MOST_CALLS] = call;
    c->n++;
}

/* The call that made it; NULL for the first of its thread, which the thread's own record made. */
static const void *caller_of(const nytp_lua *g, const void *call) {
    const char *by = nytp_layout_load((const char *)call + g->layout.caller);
    return nytp_layout_load(by + g->layout.caller) ? by : NULL;
}

/* `from` is left out with what it has called, if it is among the innermost. */
static void collect(const nytp_lua *g, lua_State *L, const void *from, calls *c) {
    lua_Debug ar;
    c->n = 0;
    if (g->layout.is_known && lua_getstack(L, 0, &ar))
        for (const void *call = ar.i_ci; call; call = caller_of(g, call)) add(c, call);
    else
        for (int level = 0; level < MOST_CALLS && lua_getstack(L, level, &ar); level++) add(c, ar.i_ci);
    for (uint32_t i = 1; from && i < c->n && i < 4; i++) {
        if (c->inner[i] != from) continue;
        memmove(c->inner, c->inner + i, (MOST_CALLS - i) * sizeof *c->inner);
        for (uint32_t gone = c->n < MOST_CALLS ? c->n : MOST_CALLS; gone-- > MOST_CALLS - i;) c->inner[gone] = NULL;
        if (c->n <= MOST_CALLS) c->n -= i;
        break;
    }
}

static int step(nytp_lua *g, lua_State *L, const void *call, nytp_call *at) {
    lua_Debug ar;
    nytp_call next;
    if (!call || !lua_getstack(L, 0, &ar)) return 1;
    memcpy(&ar.i_ci, &call, sizeof call);
    if (!nytp_stack_stand(g, L, &ar, at, &next)) return 0;
    *at = next;
    return 1;
}

/* The same for the innermost call, whose line is that of the moment. lua_getinfo finds lines by the instruction that is
 * noted in the call. */
static int last_step(nytp_lua *g, lua_State *L, const void *call, nytp_call *at) {
    const char *next = nytp_moment_next(&g->sampler->moment, &g->layout, call);
    char *note = (char *)(uintptr_t)call + g->layout.saved;
    const char *noted = nytp_layout_load(note);
    if (next) memcpy(note, &next, sizeof next);
    int is_found = step(g, L, call, at);
    if (next) memcpy(note, &noted, sizeof noted);
    return is_found;
}

static int walk(nytp_lua *g, lua_State *L, const void *from, nytp_call *at) {
    calls c;
    collect(g, L, from, &c);
    uint32_t i = c.n, inner = c.n < MOST_CALLS ? c.n : MOST_CALLS;
    uint32_t outer = c.n - inner < MOST_CALLS ? c.n - inner : MOST_CALLS;
    for (; outer > 0; outer--)
        if (!step(g, L, c.outer[--i % MOST_CALLS], at)) return 0;
    while (inner > 1 || (inner && (!from || c.inner[0] != from)))
        if (!step(g, L, c.inner[--inner], at)) return 0;
    return !inner || last_step(g, L, from, at);
}

int nytp_lua_walk_find(nytp_lua *g, lua_State *L, const void *call, nytp_call *found) {
    lua_State *threads[MOST_THREADS];
    int n = threads_to(g, L, threads);
    *found = (nytp_call){NULL, nytp_root(&g->r), nytp_nowhere(&g->r), &g->host};
    nytp_lua_chunk_doubt_texts(g);
    for (int i = 0; i < n; i++)
        if (!walk(g, threads[i], threads[i] == L ? call : NULL, found)) return 0;
    return 1;
}
