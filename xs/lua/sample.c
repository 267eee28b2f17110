/* SPDX-License-Identifier: MIT */
/* sample.c - option sample: where the program stands, so many times in a second of CPU time.
 *
 * An alarm (alarm.h) sets a hook in the thread that runs, for whatever comes first: an instruction, a call or a return.
 * The hook takes itself away and reads the stack (walk.c), from the call on that ran when the signal came. Between
 * samples there is no hook.
 *
 * The alarm does not go off while the program waits. So the time since the sample before is that of the sample only as
 * far as the thread ran, or was ready to run; what it waited is charged to no line, and so is the CPU time of a host
 * that runs no Lua. */
#include "lua/sample.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lua/alarm.h"
#include "record/counters.h"

#define SECOND 1000000000
#define SHARE 20 /* of the program's time, a part, that samples take at most: those of a deep recursion are slow */

/* ---- times ---- */

/* The current place and node are to be those, from the latest sample on. */
static void stand_at(nytp_recorder *r, nytp_live_node *node, nytp_live_place *place) {
    nytp_replace_place(r, place);
    nytp_replace_node(r, node);
}

/* Takes what is charged to no line off *time: ns of that until `now`. Returns nanoseconds. */
static int64_t charge_outside(nytp_lua_sampler *s, nytp_recorder *r, int64_t wall, nytp_weighed *time) {
    nytp_weighed apart = {.used = s->outside < time->used ? s->outside : time->used};
    if (time->waiting > wall / 10) apart.waiting = time->waiting;
    time->used -= apart.used;
    time->waiting -= apart.waiting;
    s->outside = 0;
    nytp_weight_count(&s->weight, r, &apart);
    int64_t all = apart.used + apart.waiting;
    return all < wall ? all : wall; /* a window may have been written since the latest sample */
}

/* The time until now, which is a clock reading, with the thread's CPU time then. */
static void charge(nytp_lua *g, int64_t now, int64_t cpu, int samples) {
    nytp_lua_sampler *s = g->sampler;
    nytp_recorder *r = &g->r;
    double ticks = (double)nytp_ticks_per_second(r) / SECOND;
    int64_t since = nytp_node_since(r), wall = (int64_t)((double)(now - since) / ticks);
    nytp_weighed time = nytp_weight_of(&s->weight, wall, cpu);
    stand_at(r, nytp_root(r), nytp_nowhere(r));
    int64_t apart = charge_outside(s, r, wall, &time);
    if (apart) nytp_jump(r, nytp_root(r), nytp_nowhere(r), since + (int64_t)((double)apart * ticks));
    stand_at(r, s->at.node, s->at.place);
    nytp_jump(r, s->at.node, s->at.place, now);
    nytp_weight_sampled(r, samples);
    s->weight.samples += samples;
    nytp_weight_count(&s->weight, r, &time);
}

/* Of this thread, for the weights from now on. */
static void begin_times(nytp_lua *g) {
    nytp_weight *w = &g->sampler->weight;
    w->pid = g->sampler->peek.pid = getpid();
    w->tid = (pid_t)syscall(SYS_gettid);
    if (pthread_getcpuclockid(pthread_self(), &w->cpu)) w->tid = 0;
    nytp_weight_begin(w);
}

/* ---- samples ---- */

static int64_t cpu_here(void) {
    struct timespec t;
    return clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) ? 0 : (int64_t)t.tv_sec * SECOND + t.tv_nsec;
}

static void set_alarm(nytp_lua_sampler *s) {
    int64_t now = cpu_here();
    nytp_pace_plan(&s->pace, now, 0);
    nytp_alarm_set(s->pace.next - now);
}

/* A hook of the program's or of the host's stays: that moment gets no sample. */
static void ask(nytp_lua *g, const void *context) {
    nytp_lua_sampler *s = g->sampler;
    const void *call;
    lua_State *L = nytp_lua_walk_running(g, &call);
    if (!L) {
        s->outside = cpu_here() - s->weight.cpu_ns;
        return;
    }
    lua_Hook hook = nytp_gate_hook(L);
    if (hook && (hook != nytp_lua_sample_hook || s->asked == L)) return;
    s->call = call;
    nytp_moment_keep(&s->moment, &g->layout, call, context);
    s->asked = L;
    nytp_gate_set(L, nytp_lua_sample_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

static void on_alarm(nytp_lua *g, void *context) {
    if (!nytp_is_on(&g->r)) return;
    set_alarm(g->sampler);
    ask(g, context);
}

/* The sample took so long, which is none of the program's time: the next one is so much later. */
static void put_off(nytp_lua_sampler *s, int64_t ns) {
    int64_t now = cpu_here();
    s->weight.cpu_ns += ns;
    s->pace.next += ns;
    if (s->pace.next < now + SHARE * ns) s->pace.next = now + SHARE * ns;
    nytp_alarm_set_again(s->pace.next - now);
}

static void sample(nytp_lua *g, lua_State *L) {
    nytp_lua_sampler *s = g->sampler;
    nytp_recorder *r = &g->r;
    nytp_call at;
    int64_t now = nytp_now(r), cpu = cpu_here(), cold = nytp_cold_so_far(r);
    int is_found = nytp_lua_walk_find(g, L, s->call, &at);
    now = nytp_past_cold(r, now, cold);
    if (is_found) {
        s->at = at;
        charge(g, now, cpu, 1);
        now = nytp_cold_since(r, now);
    } else {
        s->weight.lost++;
    }
    nytp_settle(r, now);
    put_off(s, cpu_here() - cpu);
}

/* A new coroutine may have inherited it, and one that has yielded may still have it. */
void nytp_lua_sample_hook(lua_State *L, lua_Debug *ar) {
    nytp_lua *g = nytp_alarm_here.function == on_alarm ? nytp_alarm_here.self : NULL;
    int saved = errno;
    nytp_gate_set(L, NULL, 0, 0);
    if (!g || g->sampler->asked != L) return;
    g->sampler->asked = NULL;
    if (nytp_may_have_forked(&g->r)) nytp_recorder_moved(&g->r);
    if (nytp_is_on(&g->r)) {
        if (g->sampler->weight.pid != getpid()) begin_times(g);
        sample(g, L);
    }
    if (g->after) nytp_hook_after(g, L, ar);
    errno = saved;
}

/* ---- life ---- */

static void say(const nytp_options *o, const char *what) {
    char line[160];
    snprintf(line, sizeof line, "NYTProf: sample=%ld: %s", (long)o->sample, what);
    nytp_log_line(o, line);
}

/* NULL: nothing is in the way. */
static const char *obstacle(nytp_lua *g) {
    if (nytp_alarm_here.function == on_alarm && nytp_alarm_here.self != g)
        return "another Lua of this thread is sampled already; this one is not profiled";
    if (!nytp_alarm_take()) return "needs SIGURG, which the program has a use for; it is not profiled";
    if (!nytp_alarm_make(on_alarm, g)) return "needs a timer that this system lacks; the program is not profiled";
    return NULL;
}

int nytp_lua_sample_prepare(nytp_lua *g, nytp_error *e) {
    const nytp_options *o = &g->options;
    if (!o->sample) return 1;
    if (o->format != NYTP_OUTPUT_CAPTURE) {
        nytp_error_set(e, NYTP_USAGE, "sample=%ld needs format=1", (long)o->sample);
        return 0;
    }
    nytp_error unreadable = {0};
    const char *why = obstacle(g);
    if (why) {
        say(o, why);
        return 0;
    }
    if (!(g->sampler = calloc(1, sizeof *g->sampler))) {
        nytp_alarm_drop();
        nytp_error_set(e, NYTP_NOMEM, "out of memory");
        return 0;
    }
    if (o->memory || o->duty) say(o, "options memory and duty are for counting, and ignored");
    g->sampler->weight.manner = "timer";
    if (nytp_peek_open(&g->sampler->peek, getpid(), (uintptr_t)g, &unreadable))
        say(o, "coroutines are not seen, as the process may not read its memory");
    g->lines = 1;
    g->after = 0;
    return 1;
}

void nytp_lua_sample_on(nytp_lua *g) {
    nytp_lua_sampler *s = g->sampler;
    int64_t now = cpu_here();
    if (!nytp_is_on(&g->r)) return;
    nytp_here_swap(g);
    begin_times(g);
    nytp_pace_begin(&s->pace, g->options.sample, (uint64_t)nytp_now(&g->r) ^ (uint64_t)getpid() << 32, now);
    nytp_alarm_here.after_fork = s->pace.period;
    nytp_alarm_set(s->pace.next - now);
}

/* The end is no random moment: the time since the latest sample is that of its context. */
void nytp_lua_sample_finish(nytp_lua *g) {
    nytp_lua_sampler *s = g->sampler;
    if (!nytp_is_on(&g->r) || !s->at.node || s->weight.pid != getpid()) return;
    charge(g, nytp_now(&g->r), nytp_weight_cpu(&s->weight), 0);
}

void nytp_lua_sample_hurry(nytp_lua *g) {
    if (nytp_alarm_here.function == on_alarm && nytp_alarm_here.self == g) ask(g, NULL);
}

void nytp_lua_sample_end(nytp_lua *g) {
    if (nytp_alarm_here.function == on_alarm && nytp_alarm_here.self == g) nytp_alarm_drop();
    if (g->sampler) {
        nytp_weight_end(&g->sampler->weight);
        nytp_peek_close(&g->sampler->peek);
    }
    free(g->sampler);
    g->sampler = NULL;
}

nytp_weight *nytp_lua_sample_weight(const nytp_lua *g) { return &g->sampler->weight; }
