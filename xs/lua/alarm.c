/* SPDX-License-Identifier: MIT */
/* alarm.c - timers, their signal, and the ends of threads and forks. */
#include "lua/alarm.h"

#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

_Thread_local __attribute__((tls_model("initial-exec"))) nytp_alarm nytp_alarm_here;

#ifdef SIGEV_THREAD_ID

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static pthread_key_t at_thread_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void delete_timer(void *made) {
    (void)made;
    nytp_alarm_here.function = NULL;
    if (nytp_alarm_here.is_made) timer_delete(nytp_alarm_here.timer);
    nytp_alarm_here.is_made = 0;
}

static void make_timer(void) {
    struct sigevent how = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGURG};
    how.sigev_notify_thread_id = (int)syscall(SYS_gettid);
    nytp_alarm_here.is_made = timer_create(CLOCK_THREAD_CPUTIME_ID, &how, &nytp_alarm_here.timer) == 0;
    nytp_alarm_here.is_set = 0;
}

/* Timers are not inherited. */
static void in_child(void) {
    nytp_alarm_here.is_made = nytp_alarm_here.is_set = 0;
    if (!nytp_alarm_here.function || !nytp_alarm_here.after_fork) return;
    make_timer();
    nytp_alarm_set(nytp_alarm_here.after_fork);
}

static void attend_ends(void) {
    pthread_key_create(&at_thread_end, delete_timer);
    pthread_atfork(NULL, NULL, in_child);
}

int nytp_alarm_make(nytp_alarm_function *function, struct nytp_lua *self) {
    if (nytp_alarm_here.function && (nytp_alarm_here.function != function || nytp_alarm_here.self != self)) return 0;
    if (!nytp_alarm_here.is_made) {
        make_timer();
        pthread_once(&once, attend_ends);
        if (nytp_alarm_here.is_made) pthread_setspecific(at_thread_end, &nytp_alarm_here);
    }
    nytp_alarm_here.self = self;
    if (nytp_alarm_here.is_made) nytp_alarm_here.function = function;
    return nytp_alarm_here.is_made;
}

static void on_signal(int number, siginfo_t *info, void *context) {
    int saved = errno;
    (void)number, (void)info;
    nytp_alarm_here.is_set = 0;
    if (nytp_alarm_here.function) nytp_alarm_here.function(nytp_alarm_here.self, context);
    errno = saved;
}

static int is_ours(const struct sigaction *a) { return a->sa_flags & SA_SIGINFO && a->sa_sigaction == on_signal; }

void nytp_alarm_set(int64_t ns) {
    struct sigaction now;
    if (ns < 1) ns = 1; /* with 0 it would never go off */
    struct itimerspec then = {.it_value = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)}};
    if (!nytp_alarm_here.is_made || nytp_alarm_here.is_set || sigaction(SIGURG, NULL, &now) || !is_ours(&now)) return;
    nytp_alarm_here.is_set = timer_settime(nytp_alarm_here.timer, 0, &then, NULL) == 0;
}

void nytp_alarm_set_again(int64_t ns) {
    nytp_alarm_here.is_set = 0;
    nytp_alarm_set(ns);
}

void nytp_alarm_drop(void) {
    delete_timer(NULL);
    nytp_alarm_here.is_set = 0;
}

int nytp_alarm_take(void) {
    struct sigaction old, new = {.sa_flags = SA_RESTART | SA_ONSTACK | SA_SIGINFO};
    new.sa_sigaction = on_signal;
    if (sigaction(SIGURG, NULL, &old)) return 0;
    if (is_ours(&old)) return 1;
    if (old.sa_flags & SA_SIGINFO || (old.sa_handler != SIG_DFL && old.sa_handler != SIG_IGN)) return 0;
    return sigaction(SIGURG, &new, NULL) == 0;
}

#else

int nytp_alarm_take(void) { return 0; }
int nytp_alarm_make(nytp_alarm_function *function, struct nytp_lua *self) { return (void)function, (void)self, 0; }
void nytp_alarm_set(int64_t ns) { (void)ns; }
void nytp_alarm_set_again(int64_t ns) { (void)ns; }
void nytp_alarm_drop(void) {}

#endif
