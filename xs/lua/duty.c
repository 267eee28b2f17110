/* SPDX-License-Identifier: MIT */
/* duty.c - option duty: lines are traced in phases of a millisecond, for the given percentage of the time; calls and
 * returns are always hooked.
 *
 * A phase is begun by a timer on the thread's CPU time: a loop without calls has no events, another thread may not
 * touch this thread's Lua, and lua_sethook may be called in a signal handler. The timer does not run while the program
 * waits, so it interrupts no system call. Its signal is SIGURG, which is ignored by default, passed on by debuggers and
 * reset by exec.
 *
 * While lines are not traced their time is charged to place 0. A reader of the capture shares out the time of each
 * function, which is exact, among its sampled lines (model/duty.c). Hence a phase is defined by the clock, from the
 * signal to a millisecond later, not by the events at its ends. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "lua/glue.h"

#define PHASE_NS 1000000

static const char running_key = 0;

/* One for each system thread. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
    timer_t timer;
    int made;
    volatile sig_atomic_t armed;
} here;

#ifdef SIGEV_THREAD_ID

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void delete_timer(void *made) {
    (void)made;
    timer_delete(here.timer);
    here.made = 0;
}

/* Timers are not inherited. */
static void in_child(void) { here.made = here.armed = 0; }

static void attend_ends(void) {
    pthread_key_create(&at_thread_end, delete_timer);
    pthread_atfork(NULL, NULL, in_child);
}

static int make_timer(void) {
    struct sigevent how = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
    if (here.made) return 1;
    how.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    here.made = timer_create(CLOCK_THREAD_CPUTIME_ID, &how, &here.timer) == 0;
    here.armed = 0;
    pthread_once(&once, attend_ends);
    if (here.made) pthread_setspecific(at_thread_end, &here);
    return here.made;
}

static void on_signal(int number);

static int is_ours(const struct sigaction *a) { return !(a->sa_flags & SA_SIGINFO) && a->sa_handler == on_signal; }

/* Sets the timer for the next phase, so that phases and their overhead keep to the percentage. */
static void arm(const nytp_lua *g, int64_t cost_ns) {
    struct sigaction now;
    int64_t ns = (PHASE_NS + cost_ns) * (100 - (int64_t)g->duty) / (int64_t)g->duty;
    struct itimerspec then = {.it_value = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)}};
    if (!here.made || here.armed || sigaction(SIGURG, NULL, &now) || !is_ours(&now)) return;
    here.armed = timer_settime(here.timer, 0, &then, NULL) == 0;
}

static int64_t phase_ticks(const nytp_lua *g) {
    return nytp_ticks_per_second(&g->r) / (1000000000 / PHASE_NS);
}

/* 0 if the program has a hook that counts instructions, as its count would restart each time. */
static int is_free(lua_State *L) {
    return nytp_gate_hook(L) == nytp_lua_duty_hook && !(nytp_gate_mask(L) & LUA_MASKCOUNT);
}

static void on_signal(int number) {
    int saved = errno;
    nytp_lua *g = nytp_here;
    (void)number;
    here.armed = 0;
    if (g->duty && g->L && nytp_is_on(&g->r) && !g->tracing && g->home == &here) {
        if (is_free(g->L)) {
            g->since = nytp_now(&g->r);
            g->until = g->since + phase_ticks(g);
            g->tracing = 1;
            nytp_gate_set(g->L, nytp_lua_duty_hook, nytp_gate_mask(g->L) | LUA_MASKLINE, 0);
        } else {
            arm(g, 0);
        }
    }
    errno = saved;
}

static int take_signal(void) {
    struct sigaction old, new = {.sa_flags = SA_RESTART | SA_ONSTACK};
    if (sigaction(SIGURG, NULL, &old)) return 0;
    if (is_ours(&old)) return 1;
    if (old.sa_flags & SA_SIGINFO || (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)) return 0;
    new.sa_handler = on_signal;
    return sigaction(SIGURG, &new, NULL) == 0;
}

#else

static int make_timer(void) { return 0; }
static int take_signal(void) { return 0; }
static void arm(const nytp_lua *g, int64_t cost_ns) { (void)g, (void)cost_ns; }

#endif

/* Keeps no thread from being collected. The entry stays, so that setting it again allocates nothing. */
void nytp_lua_duty_release(nytp_lua *g, lua_State *L) {
    lua_pushboolean(L, 0);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
    g->kept = NULL;
}

void nytp_lua_duty_prepare(nytp_lua *g, lua_State *L) {
    const nytp_options *o = &g->options;
    const char *why = NULL;
    if (!g->lines || o->duty <= 0 || o->duty >= 100) return;
    if (o->memory || o->format != NYTP_OUTPUT_CAPTURE) why = "goes neither with memory=1 nor with format=5";
    else if (!take_signal()) why = "needs SIGURG, which the program has a use for";
    else if (!make_timer()) why = "needs a timer that this system lacks";
    if (why) {
        char line[128];
        snprintf(line, sizeof line, "NYTProf: option duty %s; all lines are traced", why);
        nytp_log_line(o, line);
        return;
    }
    g->duty = (uint32_t)o->duty;
    g->lines = 0;
    nytp_lua_duty_release(g, L);
}

/* ---- events ---- */

/* Charges the time from now on to place p. */
static void go_to(nytp_lua *g, nytp_live_place *p, int64_t now) {
    nytp_recorder *r = &g->r;
    nytp_touch_place(r, nytp_current_place(r));
    nytp_go_to_place(r, p, now);
    nytp_touch_place(r, p);
}

static void end_phase(nytp_lua *g, lua_State *L, int64_t now) {
    go_to(g, nytp_nowhere(&g->r), g->until);
    go_to(g, nytp_nowhere(&g->r), now);
    int64_t begin = nytp_now(&g->r);
    g->tracing = 0;
    nytp_hook_set(g, L);
    int64_t cost = 2 * (nytp_now(&g->r) - begin); /* twice: also for the beginning */
    arm(g, (int64_t)((double)cost * 1e9 / (double)nytp_ticks_per_second(&g->r)));
}

NYTP_APART void untraced_line(nytp_lua *g, lua_State *L) {
    if (!(g->after & NYTP_AFTER_PROGRAM)) nytp_hook_set(g, L); /* a leftover of another thread */
}

NYTP_HOT void line(nytp_lua *g, lua_State *L, const lua_Debug *ar, int64_t now) {
    if (NYTP_UNLIKELY(g->thread->top->ci != ar->i_ci) && !nytp_stack_find(g, L, ar->i_ci, 0, now)) return;
    if (NYTP_UNLIKELY(now >= g->until)) {
        end_phase(g, L, now);
        return;
    }
    nytp_function *f = g->thread->top->function;
    nytp_live_place *p = nytp_function_known_place(f, ar->currentline);
    if (NYTP_LIKELY(p || (p = nytp_function_place(g, f, ar->currentline)))) nytp_statement(&g->r, p, now);
}

/* The line that made the call on top, directly or through C functions. */
static nytp_live_place *calling_line(nytp_lua *g, lua_State *L) {
    const nytp_call *c = g->thread->top - 1;
    lua_Debug ar;
    int level = 1;
    for (; c > g->thread->calls && !c->function->chunk; c--) level++;
    if (c <= g->thread->calls || !lua_getstack(L, level, &ar) || ar.i_ci != c->ci) return nytp_nowhere(&g->r);
    lua_getinfo(L, "l", &ar);
    nytp_live_place *p = nytp_function_place(g, c->function, ar.currentline);
    return p ? p : nytp_nowhere(&g->r);
}

/* A C function has no event but its end: the time since the signal is charged to the calling line; our own lookup is
 * charged to no line. */
static void before_return(nytp_lua *g, lua_State *L, const lua_Debug *ar, int64_t now) {
    if (g->thread->top->ci != ar->i_ci && !nytp_stack_find(g, L, ar->i_ci, 0, now)) return;
    nytp_live_place *p = calling_line(g, L);
    if (nytp_current_place(&g->r) == nytp_nowhere(&g->r) && !g->thread->top->function->chunk) go_to(g, p, g->since);
    if (now >= g->until) {
        end_phase(g, L, now);
        return;
    }
    go_to(g, nytp_nowhere(&g->r), now);
    go_to(g, p, nytp_now(&g->r));
}

NYTP_APART void traced(lua_State *L, lua_Debug *ar) {
    int64_t now;
    nytp_lua *g = nytp_here_record(L, ar, &now);
    if (!g) return;
    if (NYTP_UNLIKELY(g->home != &here)) nytp_lua_duty_arrive(g);
    if (ar->event == LUA_HOOKLINE) {
        if (NYTP_LIKELY(g->tracing)) line(g, L, ar, now);
        else untraced_line(g, L);
        if (NYTP_UNLIKELY(g->after)) nytp_hook_after(g, L, ar);
        return;
    }
    if (ar->event == LUA_HOOKRET && g->tracing) before_return(g, L, ar, now);
    nytp_hook(L, ar);
}

void nytp_lua_duty_hook(lua_State *L, lua_Debug *ar) {
    const nytp_lua *g = nytp_here;
    if (NYTP_LIKELY(ar->event != LUA_HOOKLINE && !g->tracing && g->home == &here)) nytp_hook(L, ar);
    else traced(L, ar);
}

/* ---- threads ---- */

void nytp_lua_duty_arrive(nytp_lua *g) {
    g->home = &here;
    if (make_timer() && !g->tracing) arm(g, 0);
}

/* The handler sets the hook of the current thread, which must not be collected before another is current. If a phase
 * begins in between, the hook is set again. */
void nytp_lua_duty_follow(nytp_lua *g, lua_State *L) {
    if (L != g->main && L != g->kept) {
        lua_pushthread(L);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &running_key);
        g->kept = L;
    }
    for (int is_on = -1; is_on != g->tracing;) {
        is_on = g->tracing;
        int has = (nytp_gate_mask(L) & LUA_MASKLINE) != 0;
        if (has != is_on && is_free(L)) nytp_hook_set(g, L);
    }
}

void nytp_lua_duty_pause(nytp_lua *g) {
    g->tracing = 0;
    nytp_replace_place(&g->r, nytp_nowhere(&g->r));
}
