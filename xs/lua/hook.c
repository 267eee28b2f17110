/* hook.c - the hook: one clock reading, then a line, a call or a return for the recorder.
 *
 * Time of a C function counts for the line that called it, too. A return makes the caller's line current again without
 * counting it, since Lua has no event for that. Nothing is believed about what happened between two events: errors,
 * yields and goto's of the host leave without a word, and what Lua says of the stack now is compared with what we have
 * (stack.c). */
#include "lua/glue.h"

#include "record/places.h"
#include "record/tree.h"

/* Whose thread had the latest event of this one of the system's; its L is NULL while it is not recorded. */
static nytp_lua nobody;
static _Thread_local __attribute__((tls_model("initial-exec"))) nytp_lua *current = &nobody;

NYTP_COLD nytp_lua *switch_to(lua_State *L, const lua_Debug *ar) {
    nytp_lua *g = current->L && nytp_life_is_alone() ? current : nytp_life_of(L);
    if (g && g->r.deadline == INT64_MIN) nytp_recorder_moved(&g->r);
    if (!g || !g->r.on) {
        if (g && g->after & NYTP_AFTER_PROGRAM) nytp_debug_call(L, ar);
        nytp_hook_set(g, L);
        return NULL;
    }
    int is_new = current != g || !g->L;
    if (is_new) g->owner = pthread_self();
    current = g;
    if (is_new && g->duty) nytp_duty_arrive(g);
    if (g->L != L && !nytp_stack_switch(g, L, nytp_now(&g->r))) return NULL;
    return g;
}

NYTP_HOT void count_line(nytp_lua *g, lua_State *L, const lua_Debug *ar, int64_t now) {
    if (NYTP_UNLIKELY(g->thread->top->ci != ar->i_ci) && !nytp_stack_find(g, L, ar->i_ci, 0, now)) return;
    nytp_call *c = g->thread->top;
    nytp_function *f = c->function;
    uint32_t i = (uint32_t)ar->currentline - f->first;
    nytp_place *p = NYTP_LIKELY(i < f->n) ? f->lines[i] : NULL;
    if (NYTP_UNLIKELY(!p) && !(p = nytp_function_place(g, f, ar->currentline))) return;
    c->place = p;
    nytp_statement(&g->r, p, now);
}

NYTP_HOT nytp_node *node_of(nytp_recorder *r, nytp_node *parent, nytp_place *site, nytp_sub *sub) {
    nytp_node *n = site->last_node;
    if (NYTP_LIKELY(n && n->parent == parent && n->sub == sub)) return n;
    n = nytp_tree_recent(r, parent, site, sub->key);
    return n ? n : nytp_tree_child(r, parent, site, sub);
}

static lua_State *wrapped_thread(lua_State *L, lua_Debug *ar) {
    lua_State *found = NULL;
    lua_getinfo(L, "f", ar);
    if (lua_getupvalue(L, -1, 1)) {
        found = lua_tothread(L, -1);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return found;
}

/* Threads that are older than the profile have no hook. */
NYTP_COLD void before_resume(const nytp_lua *g, lua_State *L, lua_Debug *ar, uint32_t role) {
    lua_State *other = role == NYTP_ROLE_RESUME ? lua_tothread(L, 1) : wrapped_thread(L, ar);
    if (other && !nytp_hook_is_ours(lua_gethook(other))) nytp_hook_set(g, other);
}

/* What the line called last. */
NYTP_HOT int called_c(const nytp_place *site) { return site->last_node && site->last_node->sub->flags & NYTP_SUB_XSUB; }

/* Where a function's calls are shown while its lines are not known; those of one in C where it was called. */
NYTP_COLD nytp_place *own_place(nytp_lua *g, nytp_function *f, nytp_place *site) {
    nytp_place *own = f->chunk ? nytp_function_place(g, f, (int)f->sub->first_line) : NULL;
    return own ? own : site;
}

NYTP_HOT void begin_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    nytp_recorder *r = &g->r;
    const nytp_call *caller = g->thread->top;
    nytp_function *f = nytp_function_of(g, L, ar, called_c(caller->place));
    if (NYTP_UNLIKELY(!f)) return;
    nytp_node *n = node_of(r, caller->node, caller->place, f->sub);
    if (NYTP_UNLIKELY(!n)) return;
    if (NYTP_UNLIKELY(f->role >= NYTP_ROLE_RESUME)) before_resume(g, L, ar, f->role);
    nytp_begin_call(r, n, now, f->chunk ? NYTP_EVENT_ENTER : NYTP_EVENT_LEAF_ENTER);
    nytp_place *place = caller->place;
    if (NYTP_UNLIKELY(!g->lines)) place = own_place(g, f, place);
    nytp_stack_push(g, ar->i_ci, f, place);
}

NYTP_HOT void call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    lua_Debug caller;
    if (NYTP_UNLIKELY(!lua_getstack(L, 1, &caller)))
        nytp_stack_begin(g, now);
    else if (NYTP_UNLIKELY(caller.i_ci != g->thread->top->ci) && !nytp_stack_find(g, L, caller.i_ci, 1, now))
        return;
    begin_call(g, L, ar, now);
}

/* Whose place the tail call of ar is going to take: Lua 5.3 calls the hook while both are there. */
NYTP_HOT const void *replaced(lua_State *L, const lua_Debug *ar) {
#if LUA_VERSION_NUM < 504
    lua_Debug caller;
    (void)ar;
    return lua_getstack(L, 1, &caller) ? (const void *)caller.i_ci : NULL;
#else
    (void)L;
    return ar->i_ci;
#endif
}

/* The call takes the place of the one that made it, which is over. */
NYTP_HOT void tail_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    nytp_recorder *r = &g->r;
    const void *ci = replaced(L, ar);
    if (NYTP_UNLIKELY(g->thread->top->ci != ci) && !nytp_stack_find(g, L, ci, ci != ar->i_ci, now)) return;
    nytp_call *c = g->thread->top;
    nytp_function *f = nytp_function_of(g, L, ar, 0);
    nytp_place *site = nytp_places_tail(r, c->place);
    nytp_node *n = f && site ? node_of(r, c->node, site, f->sub) : NULL;
    if (NYTP_UNLIKELY(!n)) return;
    nytp_begin_call(r, n, now, NYTP_EVENT_ENTER);
    c->node = r->node;
    c->function = f;
    if (NYTP_UNLIKELY(!g->lines)) c->place = own_place(g, f, c->place);
}

NYTP_HOT void end_call(nytp_lua *g, lua_State *L, const lua_Debug *ar, int64_t now) {
    if (NYTP_UNLIKELY(g->thread->top->ci != ar->i_ci) && !nytp_stack_find(g, L, ar->i_ci, 0, now)) return;
    const nytp_call *c = g->thread->top--;
    if (NYTP_UNLIKELY(c->function->role == NYTP_ROLE_LOAD)) nytp_chunk_loaded(g, L);
    nytp_end_call(&g->r, c[-1].node, g->lines ? c[-1].place : NULL, now,
                  c->function->chunk ? NYTP_EVENT_EXIT : NYTP_EVENT_LEAF_EXIT);
}

/* Out of line, so that lines need not save all registers. */
static __attribute__((noinline)) void other_event(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    if (ar->event == LUA_HOOKRET) end_call(g, L, ar, now);
    else if (ar->event == LUA_HOOKCALL) call(g, L, ar, now);
    else if (ar->event == LUA_HOOKTAILCALL) tail_call(g, L, ar, now);
}

NYTP_COLD void after_event(nytp_lua *g, lua_State *L, const lua_Debug *ar) {
    if (g->after & NYTP_AFTER_CHECK) nytp_check(g, L, ar);
    if (g->after & NYTP_AFTER_PROGRAM) nytp_debug_call(L, ar);
}

void nytp_hook(lua_State *L, lua_Debug *ar) {
    nytp_lua *g = current;
    if (NYTP_UNLIKELY(g->L != L) && !(g = switch_to(L, ar))) return;
    int64_t now = nytp_now(&g->r);
    if (ar->event == LUA_HOOKLINE) count_line(g, L, ar, now);
    else other_event(g, L, ar, now);
    if (NYTP_UNLIKELY(g->after)) after_event(g, L, ar);
}

nytp_lua *nytp_hook_current(void) { return current; }

nytp_lua *nytp_hook_record(lua_State *L, const lua_Debug *ar) {
    return current->L == L ? current : switch_to(L, ar);
}

void nytp_hook_after(nytp_lua *g, lua_State *L, const lua_Debug *ar) {
    after_event(g, L, ar);
}

int nytp_hook_is_ours(lua_Hook hook) { return hook == nytp_hook || hook == nytp_duty_hook; }

void nytp_hook_set(const nytp_lua *g, lua_State *L) {
    int count = 0, mask = g && g->after & NYTP_AFTER_PROGRAM ? nytp_debug_mask(L, L, &count) : 0;
    if (g && g->r.on) mask |= LUA_MASKCALL | LUA_MASKRET | (g->lines || g->tracing ? LUA_MASKLINE : 0);
    lua_Hook hook = g && g->duty ? nytp_duty_hook : nytp_hook;
    if (mask || nytp_hook_is_ours(lua_gethook(L))) lua_sethook(L, mask ? hook : NULL, mask, count);
}
