/* SPDX-License-Identifier: MIT */
/* alarm.h - a timer for each system thread, on its CPU time, and the signal that it sends.
 *
 * A loop without calls has no events and another thread may not touch this thread's Lua, but lua_sethook may be called
 * in a signal handler. The timer does not run while the program waits, so it interrupts no system call. Its signal is
 * SIGURG, which is ignored by default, passed on by debuggers and reset by exec. */
#ifndef NYTP_LUA_ALARM_H
#define NYTP_LUA_ALARM_H

#include <signal.h>
#include <stdint.h>
#include <time.h>

struct nytp_lua;

/* What the handler of the signal calls, with the `self` given before and the third argument of a signal handler. */
typedef void nytp_alarm_function(struct nytp_lua *self, void *context);

/* This system thread's; its address tells threads apart. */
typedef struct nytp_alarm {
    timer_t timer;
    int is_made;
    volatile sig_atomic_t is_set;
    nytp_alarm_function *function; /* NULL: the timer has no use */
    struct nytp_lua *self;
    int64_t after_fork; /* nanoseconds for which a forked child sets it; 0: it has none */
} nytp_alarm;

extern _Thread_local __attribute__((tls_model("initial-exec"))) nytp_alarm nytp_alarm_here;

/* Takes the signal; 0 if the program has a use for it. */
int nytp_alarm_take(void);

/* Makes this thread's alarm, if it has none. 0 if the system cannot, or if it is in use for something else. */
int nytp_alarm_make(nytp_alarm_function *function, struct nytp_lua *self);

/* Sets it to go off in so many nanoseconds of CPU time, at once if these are 0 or less, unless it is set or the program
 * has taken the signal meanwhile. May be called by the handler. */
void nytp_alarm_set(int64_t ns);

/* The same if it is set, too: this is when it goes off. */
void nytp_alarm_set_again(int64_t ns);

/* It has no use any more. */
void nytp_alarm_drop(void);

#endif
