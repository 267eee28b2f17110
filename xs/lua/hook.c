/* SPDX-License-Identifier: MIT */
/* hook.c - the hook: one clock reading, then a line, a call or a return for the recorder.
 *
 * Time of a C function is also charged to the line that called it. A return makes the caller's line current again
 * without counting it, since Lua has no event for that. Errors, yields and longjmps of the host have no events: so at
 * each event Lua's stack is compared with ours (stack.c).
 *
 * The common case of each event has few branches: differences are joined by "or", tested once. Branches are predicted
 * by the history of earlier ones, ours between the program's own. With ten of ours in each event prediction failed for
 * both in loops of ten events, and the cost of an event varied by a tenth with the loop around it.
 *
 * Counters are written before the program waits, so that the profile of an idle server is complete when it is killed.
 * Lua has no event for waiting, and a thread of ours would slow down the program, since C libraries skip locks in
 * processes with one thread. So counters are written where a wait may begin: before C functions but those known to be
 * quick, and when the host's call returns or its coroutine yields. */
#include "lua/glue.h"

#include "lua/timing.h"
#include "lua/work.h"
#include "record/flush.h"
#include "record/sequence.h"
#include "record/places.h"
#include "record/nodes.h"

#define CALLS_LOOKED_AT 4

void nytp_hook_after(nytp_lua *g, lua_State *L, lua_Debug *ar) {
    if (g->after & NYTP_AFTER_SIGNAL) nytp_lua_life_end_by_signal(g);
    if (g->after & NYTP_AFTER_CHECK) nytp_check(g, L, ar);
    if (g->after & NYTP_AFTER_PROGRAM) nytp_debug_call(g, L, ar);
    if (g->after & NYTP_AFTER_HOST && ar->event != LUA_HOOKCOUNT) nytp_gate_call(g, L, ar);
}

/* Out of line and at the end of an event, like all rare work: the hot path calls no function and so saves no registers,
 * a third of a line's cost. */
NYTP_COLD void settle(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    int is_due = nytp_is_due(&g->r, now);
    nytp_settle(&g->r, now);
    if (is_due) nytp_lua_calibrate_again(g);
    if (g->after) nytp_hook_after(g, L, ar);
}

/* queued: AND of the queued flags of the place and node that are now current. */
NYTP_HOT void end_event(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now, uint32_t queued) {
    if (NYTP_UNLIKELY((queued ^ 1) | g->after | nytp_is_due(&g->r, now))) settle(g, L, ar, now);
}

/* 1 if the top call of the thread is the one of ci. */
NYTP_HOT int is_on_top(nytp_lua *g, lua_State *L, const void *ci, int level, int64_t now) {
    return NYTP_LIKELY(g->thread->top->ci == ci) || nytp_stack_find(g, L, ci, level, now);
}

/* Whole units for this time: those eighths of a unit are due each time, and `times` tells the fraction left from
 * earlier times. Of two numbers in one word, 16 bits apart, both are found at once: of 13 bits each. */
NYTP_HOT uint32_t whole(uint32_t eighths, uint32_t times) { return ((eighths * (times & 7) & 0x70007) + eighths) >> 3; }

/* Counts Lua's work for the event of line p: see work.c. */
NYTP_HOT void count_work(nytp_recorder *r, nytp_live_place *p) {
    uint32_t units = whole((uint32_t)p->front[NYTP_WORK_UNITS], p->events[NYTP_EVENT_STATEMENT]);
    uint32_t way = units & 0x1FFF, own = units >> 16;
    nytp_current_place(r)->events[NYTP_EVENT_SWITCH] += way;
    p->events[NYTP_EVENT_SWITCH] += own;
    nytp_current_node(r)->events[NYTP_EVENT_SWITCH] += way + own;
}

NYTP_HOT void go_to_line(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now, nytp_live_place *p) {
    g->thread->top->place = p;
    count_work(&g->r, p);
    nytp_count_statement(&g->r, p, now);
    end_event(g, L, ar, now, p->queued);
}

NYTP_COLD void new_line(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    if (!is_on_top(g, L, ar->i_ci, 0, now)) return;
    nytp_live_place *p = nytp_function_place(g, g->thread->top->function, ar->currentline);
    if (!p) return;
    nytp_touch_place(&g->r, p);
    nytp_work_look(&g->layout, ar, p);
    go_to_line(g, L, ar, nytp_cold_since(&g->r, now), p);
}

/* A line that is new, begins with another instruction than the last time, as a loop does when it goes on, or is in a
 * call without an event. */
NYTP_APART void other_line(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    const nytp_call *c = g->thread->top;
    nytp_live_place *p = c->ci == ar->i_ci ? nytp_function_known_place(c->function, ar->currentline) : NULL;
    if (NYTP_UNLIKELY(p == NULL)) {
        new_line(g, L, ar, now);
    } else {
        nytp_work_look(&g->layout, ar, p);
        go_to_line(g, L, ar, now, p);
    }
}

NYTP_HOT void line(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    const nytp_call *c = g->thread->top;
    nytp_live_place *p = nytp_function_guess_place(c->function, ar->currentline);
    uint64_t differs = (uintptr_t)c->ci ^ (uintptr_t)ar->i_ci;
    differs |= p->front[NYTP_WORK_NEXT] ^ nytp_work_next(&g->layout, ar);
    if (NYTP_LIKELY(!differs)) go_to_line(g, L, ar, now, p);
    else other_line(g, L, ar, now);
}

/* Work of finding f and its context if the line's last call was of another function or in another context. */
NYTP_HOT uint32_t work_of_finding(const nytp_live_node *last, const nytp_live_node *parent, const nytp_function *f,
                                  const nytp_function *guess) {
    uint32_t work = f == guess ? 0 : NYTP_WORK_WRONG_GUESS;
    if (last && last->parent == parent) return work + NYTP_WORK_OTHER_CALLEE;
    return work + (last && last->sub != f->sub ? NYTP_WORK_OTHER_CALL : NYTP_WORK_OTHER_CONTEXT);
}

/* The context of a call of f at that line; NULL: it has to be made. */
NYTP_HOT nytp_live_node *known_node(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site,
                                    const nytp_function *f, const nytp_function *guess) {
    nytp_live_node *n = site->last_node;
    if (NYTP_LIKELY(n && n->parent == parent && n->sub == f->sub)) return n;
    uint32_t work = work_of_finding(n, parent, f, guess);
    n = nytp_nodes_known(r, parent, site, f->sub->key);
    if (!n) return NULL;
    nytp_work_more(r, n->into, work);
    return site->last_node = n;
}

/* A function that is called for the first time has no context yet, so the time of making it is accounted here, too. */
NYTP_COLD nytp_live_node *new_node(nytp_recorder *r, nytp_live_node *parent, nytp_live_place *site,
                                   const nytp_function *f) {
    nytp_live_node *n = nytp_nodes_child(r, parent, site, f->sub);
    if (n) nytp_touch_node(r, n);
    return n;
}

/* The line's last callee in that context: most lines call one function, perhaps through another such as pcall. */
NYTP_HOT nytp_function *called_before(const nytp_live_node *parent, const nytp_live_place *site) {
    const nytp_live_node *n = site->last_node, *latest = parent->first_child;
    if (NYTP_UNLIKELY(!n)) return NULL;
    if (NYTP_UNLIKELY(n->parent != parent) && latest && latest->site == site) n = latest;
    return nytp_lua_name_function(n->sub);
}

/* Sets the hook of a thread older than the profile. */
static void before_resume(nytp_lua *g, lua_State *L, uint32_t role) {
    lua_State *other = lua_tothread(L, role == NYTP_ROLE_RESUME ? 1 : lua_upvalueindex(1));
    if (!other || nytp_hook_is_ours(nytp_gate_hook(other))) return;
    nytp_gate_adopt(g, other);
    nytp_hook_set(g, other);
}

/* Makes the current event end with a window. */
static void before_wait(nytp_lua *g, int64_t now) {
    if (!nytp_has_output(&g->r) || !nytp_flush_due(&g->r, now)) return;
    nytp_flush_count_wait(&g->r, now);
    nytp_sequence_hasten(&g->r, now);
}

NYTP_APART void before_call(nytp_lua *g, lua_State *L, uint32_t role, int64_t now) {
    if (role >= NYTP_ROLE_RESUME) before_resume(g, L, role);
    else if (role == NYTP_ROLE_WAIT || !g->thread->resumer) before_wait(g, now);
}

/* The place for a function's time before its first line; for a C function the call site. */
NYTP_COLD nytp_live_place *own_place(nytp_lua *g, nytp_function *f, nytp_live_place *site) {
    nytp_live_place *own = f->chunk ? nytp_function_place(g, f, (int)f->sub->first_line) : NULL;
    return own ? own : site;
}

NYTP_HOT void begin_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    const nytp_call *caller = g->thread->top;
    nytp_live_place *place = caller->place;
    int64_t cold = nytp_cold_so_far(&g->r);
    nytp_function *guess = called_before(caller->node, place), *f = nytp_function_of(g, L, ar, guess);
    if (NYTP_UNLIKELY(!f)) return;
    now = nytp_past_cold(&g->r, now, cold);
    nytp_live_node *n = known_node(&g->r, caller->node, place, f, guess);
    if (NYTP_UNLIKELY(!n)) {
        if (!(n = new_node(&g->r, caller->node, place, f))) return;
        now = nytp_cold_since(&g->r, now);
    }
    if (NYTP_UNLIKELY(f->role >= NYTP_ROLE_YIELD)) before_call(g, L, f->role, now);
    nytp_count_call(&g->r, n, now, f->enter);
    nytp_work_less(&g->r, caller->function->less);
    nytp_touch_node(&g->r, n);
    if (NYTP_UNLIKELY(!g->lines)) place = own_place(g, f, place);
    nytp_stack_push(g, ar->i_ci, f, place);
    end_event(g, L, ar, now, n->into->queued);
}

NYTP_APART void other_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    lua_Debug caller;
    if (NYTP_UNLIKELY(!lua_getstack(L, 1, &caller))) nytp_stack_begin(g, now);
    else if (!is_on_top(g, L, caller.i_ci, 1, now)) return;
    begin_call(g, L, ar, now);
}

/* The call that the tail call of ar replaces: Lua 5.3 calls the hook while both exist. */
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

/* The call replaces its caller, which has ended. */
NYTP_APART void tail_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    const void *ci = replaced(L, ar);
    if (!is_on_top(g, L, ci, ci != ar->i_ci, now)) return;
    nytp_call *c = g->thread->top;
    nytp_live_place *site = nytp_places_tail(&g->r, c->place);
    int64_t cold = nytp_cold_so_far(&g->r);
    nytp_function *guess = site ? called_before(c->node, site) : NULL;
    nytp_function *f = site ? nytp_function_of(g, L, ar, guess) : NULL;
    now = nytp_past_cold(&g->r, now, cold);
    nytp_live_node *n = f ? known_node(&g->r, c->node, site, f, guess) : NULL;
    if (NYTP_UNLIKELY(!n)) {
        if (!f || !(n = new_node(&g->r, c->node, site, f))) return;
        now = nytp_cold_since(&g->r, now);
    }
    nytp_count_call(&g->r, n, now, NYTP_EVENT_ENTER);
    nytp_work_more(&g->r, nytp_current_node(&g->r), NYTP_WORK_TAIL);
    nytp_touch_node(&g->r, n);
    c->node = nytp_current_node(&g->r);
    c->function = f;
    if (NYTP_UNLIKELY(!g->lines)) c->place = own_place(g, f, c->place);
    end_event(g, L, ar, now, n->into->queued);
}

NYTP_HOT void end_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    const nytp_call *c = g->thread->top--, *caller = c - 1;
    nytp_live_place *place = g->lines ? caller->place : nytp_current_place(&g->r);
    uint32_t is_lua = c->function->exit == NYTP_EVENT_EXIT;
    nytp_current_place(&g->r)->events[NYTP_EVENT_SWITCH] -= NYTP_WORK_SOONER; /* charged to the calling line */
    nytp_go_to_node(&g->r, caller->node, now);
    nytp_go_to_place(&g->r, place, now);
    caller->node->events[NYTP_EVENT_EXIT] += is_lua;
    place->events[NYTP_EVENT_EXIT] += is_lua;
    place->events[NYTP_EVENT_SWITCH] += NYTP_WORK_SOONER;
    end_event(g, L, ar, now, caller->place->queued & caller->node->queued);
}

NYTP_COLD void rare_return(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    if (!is_on_top(g, L, ar->i_ci, 0, now)) return;
    const nytp_call *c = g->thread->top;
    if (c->function->role == NYTP_ROLE_LOAD) {
        nytp_lua_chunk_loaded(g, L);
        now = nytp_cold_since(&g->r, now);
    }
    if (!c[-1].ci && !g->thread->resumer) before_wait(g, now); /* the host goes on */
    end_call(g, L, ar, now);
}

NYTP_HOT void go_back(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    const nytp_call *c = g->thread->top;
    uint64_t is_rare = (uintptr_t)c->ci ^ (uintptr_t)ar->i_ci;
    is_rare |= (c == g->thread->calls + 1) | (c->function->role == NYTP_ROLE_LOAD);
    if (NYTP_LIKELY(!is_rare)) end_call(g, L, ar, now);
    else rare_return(g, L, ar, now);
}

/* A count event: for the program's or the host's hook only. */
NYTP_COLD void counted(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    if (g->after) settle(g, L, ar, now);
    if (g->has_hosts) nytp_gate_call(g, L, ar);
}

NYTP_APART void other_event(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    if (ar->event == LUA_HOOKCALL) other_call(g, L, ar, now);
    else if (ar->event == LUA_HOOKTAILCALL) tail_call(g, L, ar, now);
    else counted(g, L, ar, now);
}

/* The line's last call in that context; NULL if it is not found at once. */
NYTP_HOT nytp_live_node *latest_call(const nytp_live_node *parent, const nytp_live_place *site) {
    nytp_live_node *n = site->last_node;
    if (NYTP_LIKELY(n && n->parent == parent)) return n;
    n = parent->first_child;
    return n && n->site == site ? n : NULL;
}

/* 1 if the call on top made that of ar; 0 also if the layout is not known. */
NYTP_HOT int is_by_top(const nytp_lua *g, const lua_Debug *ar) {
    return nytp_layout_load((const char *)ar->i_ci + g->layout.caller) == (const char *)g->thread->top->ci;
}

/* 0 if ar is about a call of f. The layout is known. */
NYTP_HOT uint64_t differs_from(const nytp_function *f, const nytp_layout *y, const lua_Debug *ar) {
    const char *slot = nytp_layout_load((const char *)ar->i_ci), *value = nytp_layout_load(slot);
    uint8_t tag = (uint8_t)slot[sizeof(void *)];
    uint64_t known, found;
    if (NYTP_LIKELY(tag == y->lua_tag)) {
        const char *proto = nytp_layout_load(value + NYTP_LAYOUT_CODE);
        memcpy(&known, &f->defined, sizeof known);
        memcpy(&found, proto + y->lines, sizeof found);
        return (f->code ^ (uintptr_t)proto) | (known ^ found) | ((uintptr_t)f->alias->chunk ^ (uintptr_t)f->chunk) |
               ((uintptr_t)(nytp_layout_load(proto + y->source) + y->head) ^ (uintptr_t)f->source);
    }
    if (tag == y->c_tag) value = nytp_layout_load(value + NYTP_LAYOUT_CODE);
    memcpy(&known, &f->address, sizeof known);
    return (known ^ (uintptr_t)value) | ((tag != y->light_tag) & (tag != y->c_tag));
}

/* 1 if ar is about a call of f in context n, which only has to be counted. */
NYTP_HOT int is_call_of(const nytp_lua *g, const lua_Debug *ar, const nytp_function *f, const nytp_live_node *n) {
    const nytp_thread *t = g->thread;
    uint64_t differs = differs_from(f, &g->layout, ar) | (uint32_t)(ar->event ^ LUA_HOOKCALL);
    return !(differs | !n->queued | (t->top == t->last));
}

/* more: units of work besides the call's price. */
NYTP_HOT void count_call(nytp_lua *g, nytp_live_node *n, const nytp_function *f, int64_t now, uint32_t more) {
    n->calls++;
    nytp_current_node(&g->r)->events[NYTP_EVENT_LEAF_EXIT] += f->enter == NYTP_EVENT_LEAF_ENTER;
    nytp_go_to_node(&g->r, n->into, now);
    nytp_count_event(&g->r, f->enter);
    nytp_work_less(&g->r, g->thread->top->function->less - more);
}

/* Another of the caller's latest calls, made in the line, that ar is about; NULL if there is none. */
NYTP_HOT nytp_live_node *other_known_call(const nytp_lua *g, const lua_Debug *ar, const nytp_live_place *site) {
    nytp_live_node *n = g->thread->top->node->first_child;
    for (int looked = 0; n && looked < CALLS_LOOKED_AT; n = n->next, looked++)
        if (n->site == site && is_call_of(g, ar, nytp_lua_name_function(n->sub), n)) return n;
    return NULL;
}

/* A call that the hook finds at once, in context n; more: units of work besides its price. */
NYTP_HOT void known_call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now, nytp_live_node *n, uint32_t more) {
    nytp_live_place *place = g->thread->top->place;
    nytp_function *f = nytp_lua_name_function(n->sub);
    if (NYTP_UNLIKELY(f->role >= NYTP_ROLE_YIELD)) before_call(g, L, f->role, now);
    more += (place->last_node != n) * NYTP_WORK_OTHER_CONTEXT;
    place->last_node = n;
    count_call(g, n, f, now, more);
    if (NYTP_UNLIKELY(!g->lines)) place = own_place(g, f, place);
    *++g->thread->top = (nytp_call){ar->i_ci, n->into, place, f};
    end_event(g, L, ar, now, n->into->queued);
}

NYTP_APART void call_in_turns(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    nytp_live_node *n = is_by_top(g, ar) ? other_known_call(g, ar, g->thread->top->place) : NULL;
    if (NYTP_LIKELY(n != NULL)) known_call(g, L, ar, now, n, NYTP_WORK_IN_TURNS);
    else other_event(g, L, ar, now);
}

NYTP_APART void call(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    nytp_live_node *n = latest_call(g->thread->top->node, g->thread->top->place);
    if (NYTP_LIKELY(n && is_by_top(g, ar) && is_call_of(g, ar, nytp_lua_name_function(n->sub), n)))
        known_call(g, L, ar, now, n, 0);
    else
        call_in_turns(g, L, ar, now);
}

NYTP_HOT void event(nytp_lua *g, lua_State *L, lua_Debug *ar, int64_t now) {
    if (ar->event == LUA_HOOKLINE) line(g, L, ar, now);
    else if (ar->event == LUA_HOOKRET) go_back(g, L, ar, now);
    else call(g, L, ar, now);
}

/* For an event in another thread than the one before, or with a clock that takes a system call. */
NYTP_APART void in_other_thread(lua_State *L, lua_Debug *ar) {
    int64_t now;
    nytp_lua *g = nytp_here_record(L, ar, &now);
    if (g) event(g, L, ar, now);
}

void nytp_hook(lua_State *L, lua_Debug *ar) {
    nytp_lua *g = nytp_here;
    if (NYTP_UNLIKELY(NYTP_DUE_READ(g->quick) != L)) {
        in_other_thread(L, ar);
        return;
    }
    if (!nytp_clock_is_quick(nytp_clock_of(&g->r))) __builtin_unreachable(); /* so nytp_now need not ask */
    event(g, L, ar, nytp_now(&g->r));
}

int nytp_hook_is_ours(lua_Hook hook) {
    return hook == nytp_hook || hook == nytp_lua_duty_hook || hook == nytp_lua_sample_hook ||
           hook == nytp_lua_timing_hook;
}

void nytp_hook_set(nytp_lua *g, lua_State *L) {
    int count = 0, mask = g && g->after & NYTP_AFTER_PROGRAM ? nytp_debug_mask(g, L, L, &count) : 0;
    if (g && !mask) mask = nytp_gate_wants(g, L, &count);
    if (g && nytp_is_on(&g->r)) mask |= LUA_MASKCALL | LUA_MASKRET | (g->lines || g->tracing ? LUA_MASKLINE : 0);
    lua_Hook hook = g && g->duty ? nytp_lua_duty_hook : g && g->is_timed ? nytp_lua_timing_hook : nytp_hook;
    if (mask || nytp_hook_is_ours(nytp_gate_hook(L))) nytp_gate_set(L, mask ? hook : NULL, mask, count);
}
