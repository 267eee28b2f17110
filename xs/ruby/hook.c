/* SPDX-License-Identifier: MIT */
/* hook.c - one hook for all events of all threads, which it reports to a session as lines, calls and returns.
 *
 * Ruby has an event for the end of each call, also by an exception, throw or break. It has none for the beginning of
 * the text of a file or an eval: a line without a call before it, in a C function, is a line of such a text. If an end
 * is missed all the same (callcc), the next end of an outer call ends the calls above it. */
#include <stdlib.h>

#include "base/grow.h"
#include "ruby/glue.h"

#define EVENTS                                                                                                     \
    (RUBY_EVENT_CALL | RUBY_EVENT_RETURN | RUBY_EVENT_B_CALL | RUBY_EVENT_B_RETURN | RUBY_EVENT_C_CALL |           \
     RUBY_EVENT_C_RETURN | RUBY_EVENT_CLASS | RUBY_EVENT_END | RUBY_EVENT_FIBER_SWITCH)

/* ---- stacks ---- */

static void free_stack(void *p) {
    free(((nytp_ruby_stack *)p)->calls);
    free(p);
}

/* The stack is in an instance variable of the fiber that Ruby code cannot see, so that it is freed with the fiber. A
 * frozen fiber takes no variable: its stack is in a hash until it has ended. */
static const rb_data_type_t stack_type = {
    .wrap_struct_name = "nytprof", .function = {.dfree = free_stack}, .flags = RUBY_TYPED_FREE_IMMEDIATELY};

static VALUE frozen; /* stacks by fiber, registered with the garbage collector */

static int drop_ended(VALUE fiber, VALUE stack, VALUE none) {
    (void)stack;
    (void)none;
    return RTEST(rb_fiber_alive_p(fiber)) ? ST_CONTINUE : ST_DELETE;
}

static void keep_stack(VALUE fiber, ID name, VALUE stack) {
    size_t n = RHASH_SIZE(frozen);
    if (!OBJ_FROZEN(fiber)) {
        rb_ivar_set(fiber, name, stack);
        return;
    }
    if (!(n & (n - 1))) rb_hash_foreach(frozen, drop_ended, Qnil);
    rb_hash_aset(frozen, fiber, stack);
}

static VALUE kept_stack(VALUE fiber, ID name) {
    VALUE kept = rb_attr_get(fiber, name);
    return NIL_P(kept) && OBJ_FROZEN(fiber) ? rb_hash_lookup(frozen, fiber) : kept;
}

static int grow(nytp_ruby_stack *s) {
    return nytp_grow_owned(&s->calls, s->top + 1, &s->room, sizeof *s->calls) != NULL;
}

static nytp_ruby_stack *make_stack(VALUE fiber, ID name) {
    nytp_ruby_stack *s = calloc(1, sizeof *s);
    if (!s || !grow(s)) {
        free(s);
        return NULL;
    }
    keep_stack(fiber, name, rb_data_typed_object_wrap(0, s, &stack_type));
    return s;
}

nytp_ruby_stack *nytp_ruby_hook_stack(void) {
    static nytp_callee unknown = {.kind = NYTP_CALLEE_TEXT}; /* before its first line */
    ID name = rb_intern("__nytprof__");
    VALUE fiber = rb_fiber_current(), kept = kept_stack(fiber, name);
    nytp_ruby_stack *s = NIL_P(kept) ? make_stack(fiber, name) : rb_check_typeddata(kept, &stack_type);
    if (!s || s->start == nytp_ruby_life_starts()) return s;
    s->start = nytp_ruby_life_starts();
    s->top = 0;
    s->left = (nytp_where){NULL, NULL};
    *s->calls = (nytp_ruby_call){.callee = &unknown, .id = Qnil, .kind = NYTP_CALLEE_TEXT};
    return s;
}

static void push(nytp_ruby *g, nytp_callee *c, enum nytp_callee_kind kind, VALUE id, nytp_where back) {
    nytp_ruby_stack *s = g->stack;
    if (NYTP_UNLIKELY(s->top + 1 == s->room) && !grow(s)) nytp_recorder_fail(&g->s.r);
    else s->calls[++s->top] = (nytp_ruby_call){c, id, back, kind};
}

/* Making a stack may free that of a fiber that has ended. */
static void change_fiber(nytp_ruby *g) {
    g->stack->left = (nytp_where){nytp_current_node(&g->s.r), nytp_current_place(&g->s.r)};
    nytp_ruby_stack *s = nytp_ruby_hook_stack();
    if (!s) return;
    nytp_session_switch(&g->s, s->left);
    g->stack = s;
}

/* ---- calls ---- */

/* A method made by define_method is called, and then its block: they count as one call. */
static int is_body_of_method(const nytp_ruby *g, const nytp_callee *c, enum nytp_callee_kind kind) {
    const nytp_ruby_call *top = nytp_ruby_top(g->stack);
    return kind == NYTP_CALLEE_BLOCK && top->kind == NYTP_CALLEE_METHOD && top->callee->is_block &&
           top->callee->path == c->path && top->callee->lines.first == c->lines.first;
}

static void play(nytp_ruby *g, uint32_t role) {
    if (role == NYTP_ROLE_WAIT) nytp_session_waits(&g->s);
    else nytp_ruby_life_end_role(role == NYTP_ROLE_EXEC ? NYTP_END_EXEC : NYTP_END_EXIT);
}

static void begin_call(nytp_ruby *g, rb_trace_arg_t *arg, enum nytp_callee_kind kind) {
    nytp_callee *c = nytp_callee_of(g, arg, kind);
    nytp_where back = {NULL, NULL};
    if (NYTP_UNLIKELY(!c)) return;
    if (c->is_operator) nytp_count_event(&g->s.r, NYTP_EVENT_SWITCH); /* one each for the caller and the operator */
    if (NYTP_LIKELY(!is_body_of_method(g, c, kind))) back = nytp_session_call(&g->s, c->sub);
    else nytp_count_event(&g->s.r, NYTP_EVENT_ENTER); /* the event has a price all the same */
    if (c->is_operator) nytp_count_event(&g->s.r, NYTP_EVENT_SWITCH);
    push(g, c, kind, rb_tracearg_method_id(arg), back);
    if (NYTP_UNLIKELY(c->role)) play(g, c->role);
}

/* The innermost call of that kind and name ends; none if it began before the profile. */
static void end_call(nytp_ruby *g, rb_trace_arg_t *arg, enum nytp_callee_kind kind) {
    VALUE id = rb_tracearg_method_id(arg);
    nytp_ruby_stack *s = g->stack;
    uint32_t i = s->top;
    while (i > 0 && (s->calls[i].kind != (uint32_t)kind || s->calls[i].id != id)) i--;
    if (NYTP_UNLIKELY(i == 0)) return;
    s->top = i - 1;
    if (NYTP_LIKELY(s->calls[i].back.node)) nytp_session_return(&g->s, s->calls[i].back);
    else nytp_count_event(&g->s.r, NYTP_EVENT_EXIT);
    if (NYTP_UNLIKELY(s == g->ends_with && s->top == 0)) nytp_ruby_life_leave();
}

/* ---- lines ---- */

/* The call of a line that is not in the file of the current call. */
NYTP_APART nytp_callee *begin_text(nytp_ruby *g, rb_trace_arg_t *arg, VALUE path) {
    nytp_ruby_call *top = nytp_ruby_top(g->stack);
    int is_main = g->stack->top == 0, begins = !is_main && top->callee->kind == NYTP_CALLEE_C;
    nytp_callee *c = nytp_callee_of_text(g, arg, path, !begins);
    if (c && is_main) top->callee = c;
    else if (c && begins && c->sub) push(g, c, NYTP_CALLEE_TEXT, Qnil, nytp_session_call(&g->s, c->sub));
    return c;
}

static void line(nytp_ruby *g, rb_trace_arg_t *arg) {
    nytp_callee *c = nytp_ruby_top(g->stack)->callee;
    VALUE path = rb_tracearg_path(arg);
    if (NYTP_UNLIKELY(c->path != path)) c = begin_text(g, arg, path);
    if (NYTP_UNLIKELY(!c || !c->file)) return;
    uint32_t number = nytp_ruby_line(arg);
    nytp_live_place *p = nytp_known_line(&c->lines, number);
    if (NYTP_UNLIKELY(!p)) p = nytp_session_line(&g->s, &c->lines, c->file, number, c->sub ? c->lines.first : number);
    nytp_session_statement(&g->s, p);
}

/* ---- the hook ---- */

static void event(nytp_ruby *g, rb_trace_arg_t *arg, rb_event_flag_t what) {
    switch (what) {
    case RUBY_EVENT_LINE: line(g, arg); break;
    case RUBY_EVENT_C_CALL: begin_call(g, arg, NYTP_CALLEE_C); break;
    case RUBY_EVENT_C_RETURN: end_call(g, arg, NYTP_CALLEE_C); break;
    case RUBY_EVENT_CALL: begin_call(g, arg, NYTP_CALLEE_METHOD); break;
    case RUBY_EVENT_RETURN: end_call(g, arg, NYTP_CALLEE_METHOD); break;
    case RUBY_EVENT_B_CALL: begin_call(g, arg, NYTP_CALLEE_BLOCK); break;
    case RUBY_EVENT_B_RETURN: end_call(g, arg, NYTP_CALLEE_BLOCK); break;
    case RUBY_EVENT_CLASS: begin_call(g, arg, NYTP_CALLEE_CLASS); break;
    case RUBY_EVENT_END: end_call(g, arg, NYTP_CALLEE_CLASS); break;
    case RUBY_EVENT_FIBER_SWITCH: change_fiber(g); break;
    default: break;
    }
}

/* Ruby's interface has the argument as const here and not const there. */
static rb_trace_arg_t *not_const(const rb_trace_arg_t *arg) { return (rb_trace_arg_t *)(uintptr_t)arg; }

static void hook(VALUE data, const rb_trace_arg_t *given) {
    rb_trace_arg_t *arg = not_const(given);
    nytp_ruby *g = nytp_ruby_life_here(arg);
    (void)data;
    if (NYTP_LIKELY(g && nytp_session_is_on(&g->s))) event(g, arg, rb_tracearg_event_flag(arg));
}

static void thread_hook(VALUE data, const rb_trace_arg_t *given) {
    rb_trace_arg_t *arg = not_const(given);
    (void)data;
    if (rb_tracearg_event_flag(arg) == RUBY_EVENT_THREAD_BEGIN) nytp_ruby_life_enter(arg);
    else nytp_ruby_life_leave();
}

/* Only a TracePoint has the text of an eval. */
static void compiled(VALUE event, void *data) {
    nytp_ruby *g = nytp_ruby_life_here(rb_tracearg_from_tracepoint(event));
    (void)data;
    if (g && nytp_session_is_on(&g->s)) nytp_callee_compiled(g, event);
}

static VALUE compiling; /* that TracePoint, registered with the garbage collector */

void nytp_ruby_hook_init(void) {
    compiling = rb_tracepoint_new(0, RUBY_EVENT_SCRIPT_COMPILED, compiled, NULL);
    rb_gc_register_mark_object(compiling);
    frozen = nytp_ruby_life_by_identity();
}

static void add_hook(void (*function)(VALUE data, const rb_trace_arg_t *given), rb_event_flag_t events) {
    rb_add_event_hook2((rb_event_hook_func_t)(void (*)(void))function, events, Qnil,
                       RUBY_EVENT_HOOK_FLAG_SAFE | RUBY_EVENT_HOOK_FLAG_RAW_ARG);
}

static void remove_hook(void (*function)(VALUE data, const rb_trace_arg_t *given)) {
    rb_remove_event_hook((rb_event_hook_func_t)(void (*)(void))function);
}

void nytp_ruby_hook_set(int on, int lines) {
    if (!on) {
        remove_hook(hook);
        remove_hook(thread_hook);
        rb_tracepoint_disable(compiling);
        return;
    }
    add_hook(hook, EVENTS | (lines ? RUBY_EVENT_LINE : 0));
    add_hook(thread_hook, RUBY_EVENT_THREAD_BEGIN | RUBY_EVENT_THREAD_END);
    rb_tracepoint_enable(compiling);
}
