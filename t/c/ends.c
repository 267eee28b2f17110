/* SPDX-License-Identifier: MIT */
/* ends.c - sessions of several threads: their numbers, and what exit() and signals do while others end, or are
 * not where they were. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>

#include "record/handlers.h"
#include "record/session.h"
#include "record/target.h"

#include "recording.h"

static nytp_session all[4];
static nytp_outlet outlet = NYTP_OUTLET_NONE;

static void start(nytp_session *s, void (*hurry)(void *)) {
    const nytp_front front = {.program = NYTP_LIT("test"), .outlet = &outlet, .hurry = hurry};
    nytp_error e = {0};
    nytp_options_set(&s->options, "file", path, &e);
    nytp_options_set(&s->options, "clock", "fake", &e);
    ok(nytp_session_start(s, &front, &e) == NYTP_OK, "a session begins");
}

/* ---- numbers ---- */

static void numbers(void) {
    nytp_error e = {0};
    start(all, NULL);
    for (int i = 1; i < 4; i++) nytp_session_start_thread(all + i, all, &e);
    for (uint32_t i = 0; i < 4; i++) is(all[i].r.output.stream.thread, i, "each stream has a number of its own");
    for (int i = 3; i >= 0; i--) nytp_session_stop(all + i);
    nytp_target_leave(&outlet);
    free(outlet.base);
    free(outlet.name);
    outlet = (nytp_outlet)NYTP_OUTLET_NONE;
}

/* ---- exit() ---- */

static void *use(void *none) {
    start(all, NULL);
    nytp_session_statement(all, nytp_session_place(all, nytp_session_file(all, "no such file"), 1, 1));
    return none;
}

/* In a child: the session began in a thread that has ended, or began here and was used there. */
static void exits(int begins_here) {
    pthread_t thread;
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        if (begins_here) use(NULL);
        else if (pthread_create(&thread, NULL, use, NULL) || pthread_join(thread, NULL)) _exit(1);
        exit(0);
    }
    waitpid(child, &status, 0);
    is(status, 0, "a program exits");
    is(read_file(path).ends, 1, begins_here ? "its thread's profile is complete" : "and that of one that had ended");
}

static void *leave(void *none) {
    start(all, NULL);
    nytp_handlers_leave(&all->r);
    return none;
}

/* In a child: a handler of signals calls exit() while its own thread completes a session, or so does
 * a child forked meanwhile, or the thread that completed one has ended. */
static void exits_while_leaving(const char *what, int forks, int in_other) {
    pthread_t thread;
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(5);
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        if (!in_other) leave(NULL);
        else if (pthread_create(&thread, NULL, leave, NULL) || pthread_join(thread, NULL)) _exit(1);
        if (forks && (child = fork())) _exit(waitpid(child, &status, 0) == child && WIFEXITED(status) ? 3 : 4);
        if (forks) alarm(5);
        exit(3);
    }
    waitpid(child, &status, 0);
    is(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), 3, what);
}

/* ---- signals ---- */

/* In a child: a signal comes while the session is off, and it is switched on before the next event. */
static void signal_while_off(void) {
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        nytp_error e = {0};
        if (!freopen("/dev/null", "w", stdout) || nytp_options_set(&all->options, "sigexit", "term", &e) < 0) _exit(1);
        start(all, NULL);
        nytp_session_off(all);
        raise(SIGTERM);
        nytp_session_on(all, &e);
        nytp_session_statement(all, NULL);
        _exit(0);
    }
    waitpid(child, &status, 0);
    is(WIFSIGNALED(status) ? WTERMSIG(status) : 0, SIGTERM, "a signal ends a program that has switched off and on");
    is(read_file(path).ends, 1, "and its profile is complete");
}

static void signal_before_a_window(void) {
    start(all, NULL);
    nytp_handlers_hurry();
    nytp_flush_all(&all->r);
    ok(nytp_may_have_forked(&all->r), "a signal is still to be noticed after a window");
    nytp_session_stop(all);
}

/* In one thread a signal, in another the end of a session. */

static atomic_int is_stopped;
static int was_stopped;

static void *stop(void *session) {
    nytp_session_stop(session);
    is_stopped = 1;
    return NULL;
}

/* Stands for a handler of signals that is slow. */
static void slowly(void *self) {
    static pthread_t thread;
    const struct timespec some = {0, 100000000};
    pthread_create(&thread, NULL, stop, self);
    nanosleep(&some, NULL);
    was_stopped = is_stopped;
    pthread_detach(thread);
}

static void signal_while_another_ends(void) {
    const struct timespec moment = {0, 1000000};
    start(all, slowly);
    nytp_handlers_hurry();
    is(was_stopped, 0, "a session is not freed while a handler of signals has it");
    while (!is_stopped) nanosleep(&moment, NULL);
}

/* ---- a session whose bytes are elsewhere ---- */

static void *end_thread(void *session) {
    nytp_handlers_leave(&((nytp_session *)session)->r);
    is_stopped = 1;
    nytp_handlers_left(&((nytp_session *)session)->r);
    return NULL;
}

/* The first of the list, while in another thread the one behind it ends and a signal comes. */
static void held(void) {
    static nytp_recorder bytes, none;
    const struct timespec some = {0, 50000000};
    nytp_error e = {0};
    pthread_t thread;
    start(all, NULL);
    nytp_session_start_thread(all + 1, all, &e);
    is_stopped = 0;
    nytp_handlers_hold(&all[1].r);
    bytes = all[1].r;
    all[1].r = none;
    pthread_create(&thread, NULL, end_thread, all);
    nytp_handlers_hurry();
    nanosleep(&some, NULL);
    is(is_stopped, 0, "no session is taken off the list meanwhile");
    ok(memcmp(&all[1].r, &none, sizeof none) == 0, "nothing is written where its bytes were");
    all[1].r = bytes;
    nytp_handlers_release(&all[1].r);
    pthread_join(thread, NULL);
    ok(nytp_may_have_forked(&all[1].r), "then the signal is noticed");
    ok(nytp_may_have_forked(&all[0].r), "also by the session behind it");
    nytp_session_stop(all + 1);
    nytp_session_stop(all);
}

/* In a child: a handler of signals calls exit() then. */
static void exits_while_held(void) {
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(5);
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        start(all, NULL);
        nytp_handlers_hold(&all->r);
        exit(3);
    }
    waitpid(child, &status, 0);
    is(WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), 3, "a program exits meanwhile");
}

int main(void) {
    scratch_name(path, "capture");
    numbers();
    exits(1);
    exits(0);
    exits_while_leaving("exit() by the thread that completes a session", 0, 0);
    exits_while_leaving("and in a child that it forked", 1, 0);
    exits_while_leaving("exit() behind a thread that completed none", 0, 1);
    signal_while_off();
    signal_before_a_window();
    signal_while_another_ends();
    held();
    exits_while_held();
    return done();
}
