/* SPDX-License-Identifier: MIT */
/* toggle.c - the handler of the signal, and the thread that waits for it. */
#include "sample/toggle.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

#include "base/worker.h"
#include "record/sigexit.h"
#include "sample/ticker.h"

/* State of the process, as a handler has no argument. */
static struct {
    int number; /* of the signal; 0: none yet */
    int64_t forkdepth; /* generations of children that it is for; below 0: all */
    sem_t received;
} toggle;

static void on_signal(int number) {
    int saved = errno;
    (void)number;
    sem_post(&toggle.received);
    errno = saved;
}

static void *wait_for_signals(void *unused) {
    (void)unused;
    for (;;)
        if (!sem_wait(&toggle.received)) nytp_ticker_toggle();
    return NULL;
}

static int start(void) {
    pthread_t thread;
    int code = nytp_worker_start(&thread, wait_for_signals, NULL);
    return code ? code : pthread_detach(thread);
}

/* Signals that the parent has received are its own. */
static void in_child(void) {
    sem_init(&toggle.received, 0, 0);
    if (toggle.forkdepth == 0) return;
    if (toggle.forkdepth > 0) toggle.forkdepth--;
    start();
}

static int is_free(int number) {
    struct sigaction now;
    return sigaction(number, NULL, &now) == 0 && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == SIG_DFL;
}

static enum nytp_code begin(int number, int64_t forkdepth, nytp_error *e) {
    struct sigaction action = {.sa_flags = SA_ONSTACK | SA_RESTART};
    action.sa_handler = on_signal;
    sem_init(&toggle.received, 0, 0);
    int code = start();
    if (code) {
        errno = code;
        return nytp_error_sys(e, "cannot start a thread");
    }
    toggle.number = number;
    toggle.forkdepth = forkdepth;
    pthread_atfork(NULL, NULL, in_child);
    sigaction(number, &action, NULL);
    return NYTP_OK;
}

enum nytp_code nytp_toggle_take(const nytp_options *o, nytp_error *e) {
    int number = nytp_sigexit_number(nytp_str_c(o->sigtoggle));
    if (!number)
        return nytp_error_set(e, NYTP_USAGE, "option sigtoggle cannot be '%s', expected a signal that ends programs, "
                              "as USR2", o->sigtoggle);
    if (number == toggle.number) return NYTP_OK;
    if (toggle.number || !is_free(number))
        return nytp_error_set(e, NYTP_USAGE, "option sigtoggle: the process has a use for signal %s already",
                              o->sigtoggle);
    return begin(number, o->forkdepth, e);
}
