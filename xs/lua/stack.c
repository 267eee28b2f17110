/* SPDX-License-Identifier: MIT */
/* stack.c - the running calls of each thread, and their recovery after missed events. */
#include "lua/glue.h"

#include <stdlib.h>

#include "base/grow.h"
#include "lua/work.h"
#include "record/nodes.h"

nytp_thread *nytp_stack_thread(nytp_lua *g, lua_State *L) {
    uint32_t *id = nytp_map_at(&g->threads, (uintptr_t)L);
    if (id && *id) return g->all_threads[*id - 1];
    nytp_thread *t = id ? nytp_arena_get(nytp_arena_of(&g->r), sizeof *t) : NULL;
    nytp_call *calls = t ? calloc(16, sizeof *calls) : NULL;
    nytp_thread **slot = nytp_grow_owned(&g->all_threads, g->thread_n, &g->thread_room, sizeof(void *));
    if (!calls || !slot) {
        free(calls);
        nytp_recorder_fail(&g->r);
        return NULL;
    }
    *slot = t;
    g->thread_n++;
    t->calls = t->top = calls;
    t->last = calls + 15;
    *id = g->thread_n;
    t->L = L;
    calls->node = nytp_root(&g->r);
    calls->place = nytp_nowhere(&g->r);
    calls->function = &g->host;
    return t;
}

nytp_thread *nytp_stack_known(const nytp_lua *g, lua_State *L) {
    uint32_t id = nytp_map_get(&g->threads, (uintptr_t)L);
    return id ? g->all_threads[id - 1] : NULL;
}

void nytp_stack_free(nytp_lua *g) {
    for (uint32_t i = 0; i < g->thread_n; i++) free(g->all_threads[i]->calls);
    free(g->all_threads);
    nytp_map_free(&g->threads);
}

void nytp_stack_forget(nytp_lua *g) {
    for (uint32_t i = 0; i < g->thread_n; i++) g->all_threads[i]->top = g->all_threads[i]->calls;
    nytp_lua_be_at(g, NULL);
    g->thread = NULL;
}

static int is_waited_for(const nytp_thread *t, const nytp_thread *by) {
    for (by = by->resumer; by; by = by->resumer)
        if (by == t) return 1;
    return 0;
}

/* 1 if the main thread runs no call: the host resumes coroutines itself. */
static int is_up_to_host(const nytp_lua *g) {
    lua_Debug ar;
    return !lua_getstack(g->main, 0, &ar);
}

/* Whether t, the thread before, has ended, yielded or failed, and not resumed another. Lua code resumes through C
 * functions only; and of C functions outside Lua's libraries, as in servers, most yield. */
static int has_left(const nytp_lua *g, const nytp_thread *t) {
    const nytp_function *f = t->top->function;
    if (t->top == t->calls || t->has_yielded || f->chunk || f->role == NYTP_ROLE_YIELD) return 1;
    if (f->role >= NYTP_ROLE_RESUME || t->L == g->main) return 0;
    return f->role == NYTP_ROLE_WAIT || is_up_to_host(g);
}

static void go_to_top(nytp_lua *g, int64_t now) {
    const nytp_call *c = g->thread->top;
    nytp_jump(&g->r, c->node, g->lines ? c->place : nytp_current_place(&g->r), now);
}

/* Sets the resumer of t: `from`, or, if that has yielded or ended, the resumer of `from`. */
static void resume(nytp_lua *g, nytp_thread *t, nytp_thread *from) {
    while (from && has_left(g, from)) from = from->resumer;
    t->resumer = from == t ? NULL : from;
    t->calls->node = from ? from->top->node : nytp_root(&g->r);
    t->calls->place = from ? from->top->place : nytp_nowhere(&g->r);
}

int nytp_stack_switch(nytp_lua *g, lua_State *L, int64_t now) {
    nytp_thread *from = g->thread;
    nytp_thread *t = from && from->next && from->next->L == L ? from->next : nytp_stack_thread(g, L);
    if (!t) return 0;
    if (from) from->next = t;
    if (from && from != t && !is_waited_for(t, from)) resume(g, t, from);
    nytp_lua_be_at(g, L);
    g->thread = t;
    t->has_yielded = 0;
    go_to_top(g, now);
    nytp_work_more(&g->r, nytp_current_node(&g->r), NYTP_WORK_THREAD);
    if (NYTP_UNLIKELY(g->duty)) nytp_lua_duty_follow(g, L);
    return 1;
}

void nytp_stack_begin(nytp_lua *g, int64_t now) {
    nytp_thread *t = g->thread;
    nytp_gate_begin(g, t);
    nytp_work_more(&g->r, nytp_current_node(&g->r), NYTP_WORK_FIRST_CALL);
    if (t->top == t->calls) return;
    t->top = t->calls;
    go_to_top(g, now);
}

int nytp_stack_grow(nytp_lua *g, nytp_thread *t) {
    size_t n = (size_t)(t->last - t->calls) + 1, top = (size_t)(t->top - t->calls);
    nytp_call *more = realloc(t->calls, 2 * n * sizeof *more);
    if (!more) {
        nytp_recorder_fail(&g->r);
        return 0;
    }
    t->calls = more;
    t->top = more + top;
    t->last = more + 2 * n - 1;
    return 1;
}

static nytp_function *function_at(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    lua_getinfo(L, "S", ar);
    return nytp_is_init(ar) ? &g->host : nytp_function_of(g, L, ar, NULL);
}

/* C functions at the bottom are the host's: those of the interpreter, and the require of this module. So is code in
 * LUA_INIT, which may be ours. */
int nytp_stack_stand(nytp_lua *g, lua_State *L, lua_Debug *ar, const nytp_call *caller, nytp_call *c) {
    nytp_recorder *r = &g->r;
    nytp_function *f = function_at(g, L, ar);
    if (!f || !lua_getinfo(L, "l", ar)) return 0;
    int is_host = !f->chunk && caller->node == nytp_root(r);
    nytp_live_node *n = is_host ? nytp_root(r) : nytp_nodes_child(r, caller->node, caller->place, f->sub);
    if (!n) return 0;
    int line = g->lines || !f->chunk ? ar->currentline : (int)f->sub->first_line;
    nytp_live_place *place = f->chunk ? nytp_function_place(g, f, line) : caller->place;
    *c = (nytp_call){ar->i_ci, n->into, place, f};
    return place != NULL;
}

/* A call that was running before the profile, or that had no event. */
static int adopt(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    nytp_call c;
    if (!nytp_stack_stand(g, L, ar, g->thread->top, &c)) return 0;
    nytp_replace_node(&g->r, c.node);
    return nytp_stack_push(g, c.ci, c.function, c.place);
}

/* Whether ar is a call that we know; then it is the top one. */
static int is_known(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    nytp_thread *t = g->thread;
    nytp_call *c = t->top;
    while (c > t->calls && c->ci != ar->i_ci) c--;
    if (c == t->calls || c->function != function_at(g, L, ar)) return 0;
    t->top = c;
    return 1;
}

/* Missed calls may be above known ones: a call that overflows the stack has no hook event, and an error handler runs on
 * top of it. */
static int rebuild(nytp_lua *g, lua_State *L, int level) {
    lua_Debug ar;
    int missed = level;
    while (lua_getstack(L, missed, &ar) && !is_known(g, L, &ar)) missed++;
    if (!lua_getstack(L, missed, &ar)) g->thread->top = g->thread->calls;
    for (int i = missed - 1; i >= level; i--)
        if (!lua_getstack(L, i, &ar) || !adopt(g, L, &ar)) return 0;
    return 1;
}

int nytp_stack_find(nytp_lua *g, lua_State *L, const void *ci, int level, int64_t now) {
    nytp_thread *t = g->thread;
    nytp_call *c = t->top;
    while (c > t->calls && c->ci != ci) c--;
    int found = c > t->calls;
    if (found) {
        t->top = c;
    } else {
        nytp_jump(&g->r, nytp_current_node(&g->r), nytp_current_place(&g->r), now);
        found = rebuild(g, L, level);
    }
    if (found) go_to_top(g, now);
    return found;
}
