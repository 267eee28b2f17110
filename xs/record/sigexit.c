/* SPDX-License-Identifier: MIT */
/* sigexit.c - handlers of signals, and timers that end a program whose next event does not come. */
#include "record/sigexit.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "record/handlers.h"
#include "record/log.h"

#define PATIENCE_NS 100000000   /* until the next event */
#define WRITING_NS 10000000000ll /* the profile of a large program */

static const struct {
    const char *name;
    int number;
} known[] = {
    {"HUP", SIGHUP},   {"INT", SIGINT},   {"PIPE", SIGPIPE},     {"TERM", SIGTERM}, {"QUIT", SIGQUIT},
    {"ALRM", SIGALRM}, {"USR1", SIGUSR1}, {"USR2", SIGUSR2}, {"VTALRM", SIGVTALRM}, {"PROF", SIGPROF},
};

#define KNOWN (sizeof known / sizeof *known)
#define USUAL 4 /* signals for sigexit=1 */

/* State of the process, for handlers, which have no other argument. */
static volatile sig_atomic_t received; /* the number; 0: none yet */
static struct {
    timer_t timer; /* sends the same signal again */
    volatile sig_atomic_t is_made;
} patience[KNOWN];

static void die(int number) {
    sigset_t just;
    signal(number, SIG_DFL);
    sigemptyset(&just);
    sigaddset(&just, number);
    pthread_sigmask(SIG_UNBLOCK, &just, NULL);
    raise(number);
}

/* The timer sends the signal again after that long; 0 if it cannot. */
static int wait_for(int number, int64_t ns) {
    const struct itimerspec then = {.it_value = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)}};
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].number == number) return patience[i].is_made && !timer_settime(patience[i].timer, 0, &then, NULL);
    return 0;
}

void nytp_sigexit_end(void) {
    if (!received) return;
    wait_for(received, WRITING_NS);
    nytp_handlers_end(1);
    die(received);
}

/* Only the timer ends the program: timeout and nytprof run send a signal to the program and to its group, so it comes
 * two or three times. */
static void on_signal(int number, siginfo_t *info, void *context) {
    int saved = errno, first = received;
    (void)context;
    if (first && info->si_code != SI_TIMER) return;
    if (!first) received = number;
    if (first || !nytp_handlers_are_needed() || !wait_for(number, PATIENCE_NS)) die(received);
    nytp_handlers_hurry();
    errno = saved;
}

static void make_timer(size_t i) {
    struct sigevent how = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = known[i].number};
    patience[i].is_made = timer_create(CLOCK_MONOTONIC, &how, &patience[i].timer) == 0;
}

static void take(size_t i) {
    struct sigaction old, new = {.sa_flags = SA_ONSTACK | SA_SIGINFO};
    new.sa_sigaction = on_signal;
    if (sigaction(known[i].number, NULL, &old) || old.sa_flags & SA_SIGINFO || old.sa_handler != SIG_DFL) return;
    make_timer(i);
    sigaction(known[i].number, &new, NULL);
}

/* Timers are not inherited, and a signal of the parent's is dropped. */
static void in_child(void) {
    received = 0;
    for (size_t i = 0; i < KNOWN; i++)
        if (patience[i].is_made) make_timer(i);
}

static void attend_forks(void) { pthread_atfork(NULL, NULL, in_child); }

/* KNOWN: no signal of that name. */
static size_t find(nytp_str name) {
    size_t i = 0;
    if (name.n > 3 && strncasecmp(name.p, "SIG", 3) == 0) name = (nytp_str){name.p + 3, name.n - 3};
    while (i < KNOWN && (name.n != strlen(known[i].name) || strncasecmp(name.p, known[i].name, name.n) != 0)) i++;
    return i;
}

int nytp_sigexit_number(nytp_str name) {
    size_t i = find(name);
    return i < KNOWN ? known[i].number : 0;
}

static void take_by_name(const nytp_options *o, nytp_str name) {
    size_t i = find(name);
    char line[160];
    if (i < KNOWN) {
        take(i);
        return;
    }
    snprintf(line, sizeof line, "NYTProf: option sigexit: the profile cannot be completed on %.*s",
             (int)(name.n < 40 ? name.n : 40), name.p);
    nytp_log_line(o, line);
}

void nytp_sigexit_take(const nytp_options *o) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!o->sigexit || !*o->sigexit) return;
    pthread_once(&once, attend_forks);
    int usual = strcmp(o->sigexit, "1") == 0;
    for (size_t i = 0; usual && i < USUAL; i++) take(i);
    if (usual || strcmp(o->sigexit, "0") == 0) return;
    for (const char *p = o->sigexit; *p; p += *p == ',') {
        nytp_str name = {p, strcspn(p, ",")};
        if (name.n) take_by_name(o, name);
        p += name.n;
    }
}
